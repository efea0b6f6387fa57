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

  /// Few favorites among many results: they are asked for by name.
  @Test func sparseOnes() async throws {
    try await withProgram(FakeGitHub(repositories: matching(300))) { program, server in
      let whole = try await program.run(["search", "match", "-p", "github", "-L", "300", "--json", "id"])
      let order = try whole.json().array.compactMap { $0["id"]?.string }
      try #require(order.count == 300)
      let chosen = [order[40], order[170], order[290]]
      let added = try await program.run(["favorite", "add"] + chosen.reversed())
      #expect(added.status == 0)
      server.forgetRequests()
      let search = ["search", "match", "-p", "github", "--favorites", "--no-cache", "--format", "json"]
      let two = try await program.run(search + ["-L", "2"])
      #expect(two.status == 0)
      let answer = try two.json()
      #expect(answer["items"]?.array.compactMap { $0["id"]?.string } == Array(chosen.prefix(2)))
      #expect(answer["items"]?.array.allSatisfy { $0["favorite"] == .bool(true) } == true)
      #expect(answer.provider("github")?["residual"] == .array([.string("favorites")]))
      #expect(server.requests.count == 1)
      let cursor = try #require(answer["next"]?.string)
      let rest = try await program.run(search + ["-L", "2", "--after", cursor]).json()
      #expect(rest["items"]?.array.compactMap { $0["id"]?.string } == [chosen[2]])
      #expect(rest["next"] == nil)
      let all = try await program.run(["search", "match", "-p", "github", "-L", "300", "--format", "json"])
      let marked = try all.json()["items"]?.array.filter { $0["favorite"] == .bool(true) } ?? []
      #expect(marked.compactMap { $0["id"]?.string } == chosen)
      // Without the condition it is another search.
      let foreign = try await program.run(["search", "match", "-p", "github", "--after", cursor])
      #expect(foreign.status == 2)
      #expect(foreign.out == "")
    }
  }

  /// More favorites than one query takes, far behind the first pages, some of them gone from the forge.
  @Test func everyFavoriteIsFound() async throws {
    try await withProgram(FakeGitHub(repositories: matching(900))) { program, server in
      let whole = try await program.run(["search", "match", "-p", "github", "-L", "900", "--json", "id"])
      let order = try whole.json().array.compactMap { $0["id"]?.string }
      try #require(order.count == 900)
      let chosen = (0..<30).map { order[$0 * 25 + 170] }
      let gone = ["github.com/gone/first", "github.com/gone/second", "gitlab.com/other/forge"]
      #expect(try await program.run(["favorite", "add"] + chosen + gone).status == 0)
      server.forgetRequests()
      let search = ["search", "match", "-p", "github", "--favorites", "-L", "100", "--format", "json"]
      let first = try await program.run(search)
      #expect(first.status == 0 && first.err == "", "\(first.err)")
      let found = try first.json()["items"]?.array.compactMap { $0["id"]?.string } ?? []
      #expect(Set(found) == Set(chosen) && found.count == chosen.count)
      let queries = server.requests.compactMap { $0.query("q") }
      #expect(queries.count > 1 && queries.allSatisfy { $0.count <= 256 && !$0.contains(" OR ") })
      // From the cache the answer is the same.
      let count = server.requests.count
      let second = try await program.run(search)
      #expect(second.err == "" && server.requests.count == count)
      #expect(try second.json()["items"] == first.json()["items"])
      let sorted = try await program.run(search + ["--sort", "stars"]).json()
      let stars = sorted["items"]?.array.compactMap { $0["stars"]?.int } ?? []
      #expect(stars.count == 30 && stars == stars.sorted(by: >))
      // A query that names accounts itself is narrowed already.
      let owner = try #require(chosen.first).split(separator: "/")[1]
      let own = try await program.run(search + ["--owner", String(owner)]).json()
      let ofOwner = chosen.filter { $0.split(separator: "/")[1] == owner }
      #expect(Set(own["items"]?.array.compactMap { $0["id"]?.string } ?? []) == Set(ofOwner))
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
