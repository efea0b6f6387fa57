import Foundation
import TestSupport
import Testing

/// Paging with the real program: the pages are slices of one sequence, whatever happens in between.
struct PagingRunTests {
  /// What a run through all pages gave.
  private struct Sequence {
    var ids: [String] = []
    var sizes: [Int] = []
    var statuses: [Int32] = []
  }

  /// More runs than any test needs; a sequence that does not end gets there.
  private static let maximumPages = 80

  /// Goes through all pages until there is no `next`.
  private func pages(
    _ program: Program, _ limit: Int, _ arguments: [String] = [], mayFail: Bool = false
  ) async throws -> Sequence {
    var (sequence, cursor) = (Sequence(), String?.none)
    repeat {
      let after = cursor.map { ["--after", $0] } ?? []
      let result = try await program.run(
        ["search", "match", "-L", String(limit), "--format", "json"] + arguments + after)
      if !mayFail { #expect(result.status == 0, "\(result.err)") }
      let answer = try result.json()
      let ids = answer["items"]?.array.compactMap { $0["id"]?.string } ?? []
      sequence.ids += ids
      sequence.sizes.append(ids.count)
      sequence.statuses.append(result.status)
      cursor = answer["next"]?.string
    } while cursor != nil && sequence.sizes.count < Self.maximumPages
    #expect(cursor == nil, "the pages do not end")
    #expect(Set(sequence.ids).count == sequence.ids.count, "an entity is there twice")
    return sequence
  }

  private func names(_ repositories: [FakeRepository]) -> Set<String> {
    Set(repositories.map { "github.com/" + $0.fullName.lowercased() })
  }

  @Test func thePageSizeDoesNotMatter() async throws {
    let repositories = matching(230)
    try await withProgram(FakeGitHub(repositories: repositories)) { program, _ in
      let small = try await pages(program, 7, ["-p", "github"])
      let large = try await pages(program, 100, ["-p", "github"])
      #expect(small.ids == large.ids)
      #expect(Set(small.ids) == names(repositories))
      #expect(large.sizes == [100, 100, 30])
      #expect(small.sizes == [Int](repeating: 7, count: 32) + [6])
      let whole = try await program.run([
        "search", "match", "-p", "github", "-L", "230", "--no-cache", "--json", "id",
      ])
      #expect(try whole.json().array.compactMap { $0["id"]?.string } == large.ids)
    }
  }

  @Test func severalProviders() async throws {
    let repositories = matching(160)
    try await withProgram(FakeGitHub(repositories: repositories)) { program, _ in
      let both = try #require(repositories.dropFirst(90).first).fullName
      for name in ["zoe/match-one", "zoe/match-two", "zoe/match-three", both] {
        try await program.makeClone(name)
      }
      try await program.addClones()
      let small = try await pages(program, 7)
      let large = try await pages(program, 100)
      #expect(small.ids == large.ids)
      let own = ["one", "two", "three"].map { "github.com/zoe/match-\($0)" }
      #expect(Set(small.ids) == names(repositories).union(own))
      #expect(small.sizes.dropLast().allSatisfy { $0 == 7 })
    }
  }

  /// A page that failed is asked for again; the list goes on where it was.
  @Test(arguments: [7, 100])
  func failuresInBetween(_ limit: Int) async throws {
    let repositories = matching(230)
    let github = FakeGitHub(repositories: repositories)
    try await withProgram(github) { program, _ in
      let expected = try await program.run([
        "search", "match", "-p", "github", "-L", "230", "--no-cache", "--json", "id",
      ])
      github.fail(.serverError, path: "/search", page: 2, times: 1)
      github.fail(.serverError, path: "/search", page: 3, times: 1)
      let found = try await pages(program, limit, ["-p", "github"], mayFail: true)
      #expect(found.ids == (try expected.json().array.compactMap { $0["id"]?.string }))
      // Each failure has cut one page short.
      #expect(found.sizes.dropLast().count { $0 < limit } == 2)
      #expect(found.statuses.last == 0)
    }
  }

  /// While one provider fails the other goes on, so the order may differ; nothing is lost or there twice.
  @Test(arguments: [7, 100])
  func failuresOfOneOfTwo(_ limit: Int) async throws {
    let repositories = matching(160)
    let github = FakeGitHub(repositories: repositories)
    try await withProgram(github) { program, _ in
      for name in ["one", "two", "three"] { try await program.makeClone("zoe/match-\(name)") }
      try await program.addClones()
      github.fail(.serverError, path: "/search", page: 2, times: 1)
      github.fail(.serverError, path: "/search", page: 3, times: 1)
      let found = try await pages(program, limit, mayFail: true)
      let own = ["one", "two", "three"].map { "github.com/zoe/match-\($0)" }
      #expect(Set(found.ids) == names(repositories).union(own))
    }
  }

  /// What had arrived before the failure is an answer, if a short one.
  @Test func aShortPageIsAPartialAnswer() async throws {
    let github = FakeGitHub(repositories: matching(60))
    try await withProgram(github) { program, _ in
      // The first request reads 30.
      let first = try await program.run(["search", "match", "-p", "github", "-L", "28", "--format", "json"])
      let cursor = try #require(try first.json()["next"]?.string)
      github.fail(.serverError, path: "/search", page: 2)
      let second = try await program.run(
        ["search", "match", "-p", "github", "-L", "28", "--format", "json", "--after", cursor])
      let answer = try second.json()
      #expect(answer["items"]?.array.count == 2)
      #expect(answer["complete"] == .bool(false))
      #expect(answer["next"]?.string != nil)
      #expect(answer.provider("github")?["state"]?.string == "partial")
      #expect(second.status == 3)
      #expect(expectMessages(second).count == 1)
    }
  }

  /// Who fails on three pages in turn is given up; then the list ends.
  @Test func failuresWithoutEnd() async throws {
    let github = FakeGitHub(repositories: matching(230))
    try await withProgram(github) { program, _ in
      github.fail(.serverError, path: "/search", page: 2)
      let found = try await pages(program, 100, ["-p", "github"], mayFail: true)
      #expect(found.ids.count == 100)
      #expect(found.sizes.count <= 5)
    }
  }

  @Test func aCursorMayBeUsedAgain() async throws {
    try await withProgram(FakeGitHub(repositories: matching(90))) { program, _ in
      let first = try await program.run(["search", "match", "-p", "github", "-L", "20", "--format", "json"])
      let cursor = try #require(try first.json()["next"]?.string)
      func page(_ limit: Int, _ cursor: String) async throws -> JSON {
        let result = try await program.run(
          ["search", "match", "-p", "github", "-L", String(limit), "--format", "json", "--after", cursor])
        #expect(result.status == 0, "\(result.err)")
        return try result.json()
      }
      let second = try await page(20, cursor)
      let third = try await page(20, try #require(second["next"]?.string))
      let again = try await page(20, cursor)
      #expect(again["items"] == second["items"])
      #expect(again["next"] == second["next"])
      let both = try await page(40, cursor)
      #expect(both["items"]?.array == (second["items"]?.array ?? []) + (third["items"]?.array ?? []))
    }
  }

  @Test func twoProcessesAtOnce() async throws {
    try await withProgram(FakeGitHub(repositories: matching(230))) { program, _ in
      var cursor = try #require(
        try await program.run(["search", "match", "-p", "github", "-L", "40", "--format", "json"]).json()[
          "next"]?.string)
      for _ in 0..<4 {
        let arguments = [
          "search", "match", "-p", "github", "-L", "40", "--format", "json", "--after", cursor,
        ]
        async let one = program.run(arguments)
        async let two = program.run(arguments)
        let (left, right) = (try await one, try await two)
        #expect(left.status == 0 && right.status == 0, "\(left.err)\(right.err)")
        let (first, second) = (try left.json(), try right.json())
        #expect(first["items"]?.array.count == 40)
        #expect(first["items"] == second["items"])
        #expect(first["next"] == second["next"])
        cursor = try #require(first["next"]?.string)
      }
    }
  }

  private func expectRefusal(
    _ result: ProcessResult, _ part: String, _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(result.status == 2, sourceLocation: location)
    #expect(result.out == "", sourceLocation: location)
    let messages = expectMessages(result, location)
    #expect(messages.count == 1, sourceLocation: location)
    #expect(messages.first?.contains(part) == true, "\(result.err)", sourceLocation: location)
  }

  @Test func cursorsThatLeadNowhere() async throws {
    try await withProgram(FakeGitHub(repositories: matching(60))) { program, server in
      let search = ["search", "match", "-p", "github", "-L", "20", "--format", "json"]
      let cursor = try #require(try await program.run(search).json()["next"]?.string)
      server.forgetRequests()
      for damaged in [String(cursor.dropLast(3)), "f1", "x" + cursor, cursor + "x", ""] {
        expectRefusal(try await program.run(search + ["--after", damaged]), "is damaged")
      }
      let query = ["search", "other", "-p", "github", "--after", cursor]
      expectRefusal(try await program.run(query), "another search")
      for provider in ["local", "github,local"] {
        let foreign = try await program.run(["search", "match", "-p", provider, "--after", cursor])
        expectRefusal(foreign, "another search")
      }
      let elsewhere = try await program.run(
        search + ["--after", cursor], adding: ["XDG_CACHE_HOME": program.home.directory.path("another")])
      expectRefusal(elsewhere, "has expired")
      let folder = program.home.cache.path + "/forage/sessions"
      let files = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(!files.isEmpty)
      for file in files {
        try FileManager.default.setAttributes(
          [.modificationDate: Date() - 7200], ofItemAtPath: folder + "/" + file)
      }
      expectRefusal(try await program.run(search + ["--after", cursor]), "has expired")
      #expect(server.requests.isEmpty)
    }
  }

  @Test func noPlaceForThePlace() async throws {
    try await withProgram(FakeGitHub(repositories: matching(60))) { program, _ in
      let file = try program.home.directory.write("no-folder", "")
      let result = try await program.run(
        ["search", "match", "-p", "github", "-L", "20", "--format", "json"],
        adding: ["XDG_CACHE_HOME": file.path])
      #expect(result.status == 0)
      let answer = try result.json()
      #expect(answer["items"]?.array.count == 20)
      #expect(answer["next"] == nil)
      #expect(expectMessages(result).count { $0.contains("the state of the search cannot be stored") } == 1)
    }
  }
}
