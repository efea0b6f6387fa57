import Foundation
import TestSupport
import Testing

/// `forage searches` and `forage search @NAME` of the built program.
struct SavedSearchRunTests {
  private func issue(_ number: Int, day: Int) -> FakeIssue {
    var issue = FakeIssue(repository: "o/n", number: number, title: "crash \(number)")
    issue.updatedAt = Date(timeIntervalSince1970: 1_700_000_000 + Double(day) * 86_400)
    return issue
  }

  /// Words and options behind the name win over its own.
  @Test func running() async throws {
    let github = FakeGitHub {
      $0.issues = (1...40).map { issue($0, day: $0 % 28 + 1) }
      $0.repositories = matching(3)
    }
    try await withProgram(github) { program, server in
      let saved = try await program.run([
        "searches", "save", "crashes", "-k", "issue", "crash", "--state", "open", "-L", "5", "--sort",
        "updated",
      ])
      #expect(saved.status == 0 && saved.out == "", "\(saved)")
      let list = try await program.run(["searches", "--json", "name,kind,query,limit"])
      #expect(
        list.out
          == "[{\"name\":\"crashes\",\"kind\":\"issue\",\"query\":\"crash state:open\",\"limit\":5}]\n",
        "\(list)")
      let five = try await program.run(["search", "@crashes", "--json", "title"])
      #expect(try five.json().array.count == 5 && server.requests.last?.query("sort") == "updated")
      let more = try await program.run(["search", "@crashes", "39", "-L", "2", "--order", "asc", "-v"])
      #expect(more.status == 0 && server.requests.last?.query("order") == "asc", "\(more)")
      #expect(server.requests.last?.query("q")?.contains("39") == true)
      let pulls = try await program.run(["search", "@crashes", "-k", "pr"])
      #expect(pulls.status == 1 && server.requests.last?.query("q")?.contains("is:pr") == true, "\(pulls)")
      let browsed = try await program.run(
        ["browse", "@crashes", "39", "--plain"], stdin: Data("quit\n".utf8))
      #expect(browsed.status == 0 && browsed.out.contains("crash 39"), "\(browsed)")
      #expect(
        server.requests.contains {
          $0.query("sort") == "updated" && $0.query("q")?.contains("39") == true && $0.query("order") != "asc"
        })
      for arguments in [
        ["search", "@crashs"], ["browse", "@crashs"], ["search", "crash", "--new"],
        ["search", "@crashes", "--peek"],
        ["searches", "save", "a/b", "x"], ["searches", "save", "x", "(crash"],
        ["searches", "save", "x", "-k", "nope", "y"],
        ["searches", "save", "x", "y sort:stars", "--sort", "forks"],
        ["searches", "save", "x", "y", "--order", "asc"],
        ["searches", "remove", "nobody"],
      ] {
        let wrong = try await program.run(arguments)
        #expect(
          wrong.status == 2 && wrong.err.hasPrefix("forage: ") && wrong.err.contains("\nhint: "),
          "\(arguments): \(wrong)")
      }
      #expect(try await program.run(["searches", "rm", "@crashes"]).status == 0)
      #expect(try await program.run(["searches"]).status == 1)
    }
  }

  /// Over a changing forge every state is shown once, also what is more than a page of new ones; a part of an
  /// answer marks only that.
  @Test func news() async throws {
    let github = FakeGitHub { $0.issues = (1...8).map { issue($0, day: $0) } }
    try await withProgram(github) { program, _ in
      _ = try await program.run([
        "searches", "save", "c", "-k", "issue", "crash", "-L", "3", "--sort", "updated",
      ])
      func news(_ arguments: String..., status: Int32) async throws -> [String] {
        let result = try await program.run(["search", "@c", "--new", "--json", "title"] + arguments)
        #expect(result.status == status, "\(result)")
        return try result.json().array.compactMap { $0["title"]?.string }
      }
      #expect(try await news(status: 0) == ["crash 8", "crash 7", "crash 6"])
      #expect(try await news(status: 1) == [])
      // Seven new ones are more than the limit, and one is updated.
      github.update { options in
        options.issues = (1...8).map { issue($0, day: $0) } + (9...15).map { issue($0, day: $0) }
        options.issues[6] = issue(7, day: 20)
      }
      let expected = ["crash 7"] + (9...15).reversed().map { "crash \($0)" }
      #expect(try await news("--peek", status: 0) == expected)
      #expect(try await news(status: 0) == expected)
      #expect(try await news(status: 1) == [])
      // Nothing is new while the forge fails, and nothing is lost by it.
      github.update { $0.issues.append(issue(16, day: 25)) }
      let failing = try await program.run(
        ["search", "@c", "--new"], adding: ["FORAGE_GITHUB_URL": Program.nobody])
      #expect(failing.status == 4)
      #expect(try await news(status: 0) == ["crash 16"])
      // A page that fails is read the next time, although what stands before it was shown.
      github.update { $0.issues += (17...160).map { issue($0, day: $0 + 20) } }
      github.fail(.serverError, page: 2)
      let begun = try await news(status: 3)
      github.heal()
      let rest = try await news(status: 0)
      #expect(begun.count < 144 && begun + rest == (17...160).reversed().map { "crash \($0)" })
      #expect(try await news(status: 1) == [])
    }
  }

  /// A list in another order than that of time is compared as a whole: one that is new at its end is found,
  /// and none is new because another is gone.
  @Test func newsOfAWholeList() async throws {
    var repositories = matching(140)
    for index in repositories.indices { repositories[index].stars = 1_000 - index }
    let github = FakeGitHub { [repositories] in $0.repositories = repositories }
    try await withProgram(github) { program, _ in
      _ = try await program.run(["searches", "save", "r", "match", "--sort", "stars"])
      func news(_ arguments: String..., status: Int32) async throws -> [String] {
        let result = try await program.run(["search", "@r", "--new", "--json", "title"] + arguments)
        #expect(result.status == status, "\(result)")
        return try result.json().array.compactMap { $0["title"]?.string }
      }
      #expect(try await news("--peek", status: 0).count == 140)
      #expect(try await news("-L", "5", status: 0).count == 5)
      #expect(try await news(status: 1) == [])
      var last = repositories[139]
      (last.id, last.fullName, last.stars) = (9_999_999, "late/one", 0)
      github.update { [last] in
        $0.repositories = Array($0.repositories.dropFirst(3)) + [last]
      }
      #expect(try await news(status: 0) == ["late/one"])
      #expect(try await news(status: 1) == [])
    }
  }

  /// Behind what the first look showed everything is old, also when it moves up.
  @Test func oldNews() async throws {
    let github = FakeGitHub { $0.issues = (1...50).map { issue($0, day: $0) } }
    try await withProgram(github) { program, _ in
      _ = try await program.run(["searches", "save", "c", "-k", "issue", "crash"])
      func news(status: Int32) async throws -> [String] {
        let result = try await program.run(["search", "@c", "--new", "--json", "title"])
        #expect(result.status == status, "\(result)")
        return try result.json().array.compactMap { $0["title"]?.string }
      }
      #expect(try await news(status: 0).count == 30)
      github.update { $0.issues.removeAll { (45...48).contains($0.number) } }
      #expect(try await news(status: 1) == [])
      github.update { $0.issues.append(issue(60, day: 60)) }
      #expect(try await news(status: 0) == ["crash 60"])
    }
  }

  /// Over a week of a forge that changes and fails, every state that stays is shown once, and none twice.
  @Test func aWeekOfNews() async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    var issues = (1...4).map { issue($0, day: 0) }
    let github = FakeGitHub { $0.issues = issues }
    var shown: [String: Int] = [:]
    try await withProgram(github) { program, _ in
      _ = try await program.run([
        "searches", "save", "c", "-k", "issue", "crash", "-L", random.pick(["4", "30"]),
      ])
      func look() async throws {
        let result = try await program.run(["search", "@c", "--new", "--json", "title,updatedAt"])
        for item in try result.json().array {
          shown["\(item["title"]?.string ?? "") \(item["updatedAt"]?.string ?? "")", default: 0] += 1
        }
      }
      try await look()
      for hour in stride(from: 4, through: 168, by: 8) {
        for _ in 0..<Int.random(in: 0...(random.chance(0.1) ? 120 : 7), using: &random) {
          issues.append(issue(issues.count + 1, day: 0))
          issues[issues.count - 1].updatedAt += Double(hour) * 3600 + Double(issues.count)
        }
        for _ in 0..<Int.random(in: 0...2, using: &random) {
          let index = issues.indices.randomElement(using: &random) ?? 0
          issues[index].updatedAt = issue(1, day: 0).updatedAt + Double(hour) * 3600 + 1000 + Double(index)
        }
        github.update { $0.issues = issues }
        if random.chance(0.3) { github.fail(.serverError, page: random.pick([1, 2])) }
        try await look()
        github.heal()
      }
      try await look()
    }
    #expect(shown.values.allSatisfy { $0 == 1 }, "seed \(seed): \(shown.filter { $0.value > 1 })")
    let format = ISO8601DateFormatter()
    let lost = issues.map { "\($0.title) \(format.string(from: $0.updatedAt))" }.filter { shown[$0] == nil }
    #expect(lost.isEmpty, "seed \(seed): of \(issues.count)")
  }
}
