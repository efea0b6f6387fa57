import Foundation
import TestSupport
import Testing

/// Favourites with the real program, also several at once and one that is killed.
struct FavoriteRunTests {
  private func favorites(_ program: Program) async throws -> Set<String> {
    let list = try await program.run(["favorite", "list", "--format", "json"])
    #expect([0, 1].contains(list.status), "\(list.err)")
    return Set(try list.json()["favorites"]?.array.compactMap { $0["id"]?.string } ?? [])
  }

  @Test func manyProcessesAtOnce() async throws {
    let program = try Program()
    let results = try await withThrowingTaskGroup(of: ProcessResult.self) { group in
      for number in 0..<30 {
        group.addTask {
          // All at once: the gate would let only a few in.
          try await ProcessRunner.run(
            forageBinary, ["favorite", "add", "github.com/o/n\(number)"], environment: program.environment,
            workingDirectory: program.home.home)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for result in results {
      expectSane(result, ["favorite", "add"])
      #expect(result.status == 0 && result.err == "", "\(result.err)")
    }
    #expect(try await favorites(program) == Set((0..<30).map { "github.com/o/n\($0)" }))
  }

  @Test(arguments: [1, 20, 150])
  func killedWhileItAdds(_ count: Int) async throws {
    let program = try Program()
    let references = (0..<1000).map { "github.com/o/n\($0)" }
    let process = try program.start(["favorite", "add"] + references)
    do {
      try await process.waitForOutput(containing: "o/n\(count) is now")
    } catch {
      process.kill()
      throw error
    }
    process.kill()
    let killed = await process.wait()
    #expect(killed.signal == SIGKILL)
    let suffix = " is now a favorite"
    let confirmed = killed.out.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .filter { $0.hasSuffix(suffix) }.map { "github.com/" + $0.dropLast(suffix.count) }
    #expect(confirmed.count > count)
    let kept = try await favorites(program)
    #expect(kept.isSuperset(of: confirmed))
    // At most the one that was not told of yet.
    #expect(kept.count <= confirmed.count + 1)
    #expect(kept.isSubset(of: references))
    let more = try await program.run(["favorite", "add", "github.com/o/last"])
    #expect(more.status == 0)
    #expect(more.out == "o/last is now a favorite\n")
    #expect(try await favorites(program) == kept.union(["github.com/o/last"]))
  }

  private func ids(_ result: ProcessResult) throws -> [String] {
    try result.json()["items"]?.array.compactMap { $0["id"]?.string } ?? []
  }

  /// The ids of what a search finds, in its order, of which so many are wanted.
  private func order(_ program: Program, _ count: Int) async throws -> [String] {
    let whole = try await program.run(["search", "match", "-p", "github", "-L", "\(count)", "--json", "id"])
    let order = try whole.json().array.compactMap { $0["id"]?.string }
    try #require(order.count == count)
    return order
  }

  /// Without a provider only what is known of the favorites is searched: nothing is sent.
  @Test func storedFacts() async throws {
    let repositories = matching(60)
    try await withProgram(FakeGitHub(repositories: repositories)) { program, server in
      let order = try await order(program, 60)
      let chosen = [order[50], order[20], order[40]]
      let gone = ["github.com/gone/elsewhere", "gitlab.com/other/forge"]
      #expect(try await program.run(["favorite", "add"] + chosen + gone).status == 0)
      // What a list shows of a favorite is stored.
      let shown = try await program.run(["search", "match", "-p", "github", "-L", "60", "--format", "json"])
      let facts = try shown.json()["items"]?.array.filter { $0["favorite"] == .bool(true) } ?? []
      #expect(Set(facts.compactMap { $0["id"]?.string }) == Set(chosen))
      server.forgetRequests()
      let search = ["search", "--favorites", "--format", "json"]
      for more in [[], ["--offline"], ["--no-cache"]] {
        let found = try await program.run(search + ["match"] + more)
        #expect(found.status == 0 && found.err == "", "\(found.err)")
        #expect(try Set(ids(found)) == Set(chosen) && found.json()["complete"] == .bool(true))
        let items = try found.json()["items"]?.array ?? []
        #expect(items.allSatisfy { $0["favorite"] == .bool(true) && $0["addedAt"] == nil })
        #expect(try found.json()["providers"]?.array.compactMap { $0["id"]?.string } == ["favorites"])
      }
      let counts = facts.compactMap { $0["stars"]?.int }.sorted(by: >)
      let most = try #require(counts.first)
      let best = try await program.run(search + ["match", "--stars", ">=\(most)"])
      let expected = facts.filter { $0["stars"]?.int == most }.compactMap { $0["id"]?.string }
      #expect(try Set(ids(best)) == Set(expected))
      let sorted = try await program.run(search + ["match", "--sort", "stars", "-L", "2"]).json()
      let stars = sorted["items"]?.array.compactMap { $0["stars"]?.int } ?? []
      #expect(stars == Array(counts.prefix(2)))
      // Of what was never seen only its name is known.
      #expect(try ids(await program.run(search + ["elsewhere"])) == [gone[0]])
      #expect(try await program.run(search + ["nothinglikethis"]).status == 1)
      #expect(server.requests.isEmpty)
    }
  }

  /// Of a forge that is named, the facts of its favorites answer, and nobody is asked.
  @Test func ofANamedForge() async throws {
    try await withProgram(FakeGitHub(repositories: matching(300))) { program, server in
      let order = try await order(program, 300)
      let chosen = [order[40], order[170], order[290]]
      let favorites = chosen.reversed() + ["gitlab.com/match/match"]
      #expect(try await program.run(["favorite", "add"] + favorites).status == 0)
      let marked = try await program.run(["search", "match", "-p", "github", "-L", "300", "--format", "json"])
      let items = try marked.json()["items"]?.array.filter { $0["favorite"] == .bool(true) } ?? []
      #expect(items.compactMap { $0["id"]?.string } == chosen)
      server.forgetRequests()
      let search = ["search", "match", "-p", "github", "--favorites", "--no-cache", "--format", "json"]
      let all = try await program.run(search)
      #expect(try Set(ids(all)) == Set(chosen) && all.json()["complete"] == .bool(true))
      #expect(try await ids(program.run(search + ["-L", "2"])).count == 2)
      #expect(server.requests.isEmpty)
    }
  }

  /// The fields of gh are in the answers of the forge, whose results are filtered.
  @Test func withTheFieldsOfGh() async throws {
    try await withProgram(FakeGitHub(repositories: matching(900))) { program, server in
      let order = try await order(program, 900)
      #expect(try await program.run(["favorite", "add", order[7], order[850]]).status == 0)
      server.forgetRequests()
      let found = try await program.run([
        "search", "repos", "match", "-p", "github", "--favorites", "--no-cache", "--json", "fullName",
      ])
      #expect(found.status == 0 && found.out.contains("fullName"), "\(found.err)")
      #expect(!found.out.contains("},{") && server.requests.count == 5)
      #expect(
        expectMessages(found) == ["github: only 5 pages of results were checked for favorites"],
        "\(found.err)")
    }
  }

  @Test func noFavorites() async throws {
    try await withProgram(FakeGitHub(repositories: matching(3))) { program, server in
      for arguments in [["search", "match", "--favorites"], ["favorite", "list"]] {
        let result = try await program.run(arguments)
        #expect(result.status == 1)
        #expect(result.out == "")
        #expect(expectMessages(result) == ["there are no favorites"])
        #expect(result.err.contains("hint: add one with: forage favorite add owner/name\n"))
      }
      #expect(server.requests.isEmpty)
    }
  }
}
