import Foundation
import TestSupport
import Testing

/// Paging with the real program: the pages are slices of one sequence, whatever happens in between.
struct PagingRunTests {
  /// The titles of a whole list that is printed at once.
  private func whole(_ program: Program, _ arguments: [String]) async throws -> [String] {
    let result = try await program.run(["search", "match", "--no-cache", "--json", "title"] + arguments)
    #expect(result.status == 0, "\(result.err)")
    return try result.json().array.compactMap { $0["title"]?.string }
  }

  private func names(_ repositories: [FakeRepository]) -> Set<String> {
    Set(repositories.map { $0.fullName.lowercased() })
  }

  private func names(_ pages: ListPages) -> Set<String> { Set(pages.all.map { $0.lowercased() }) }

  @Test func thePageSizeDoesNotMatter() async throws {
    let repositories = matching(130)
    try await withProgram(FakeGitHub(repositories: repositories)) { program, _ in
      let small = try await program.pages(of: "search match -p github", limit: 17)
      let large = try await program.pages(of: "search match -p github", limit: 60)
      #expect(small.all == large.all)
      #expect(names(small) == names(repositories))
      #expect(large.sizes == [60, 60, 10])
      #expect(small.sizes == [Int](repeating: 17, count: 7) + [11])
      #expect(Set(small.statuses + large.statuses) == [0])
      #expect(try await whole(program, ["-p", "github", "-L", "130"]) == large.all)
    }
  }

  @Test func severalProviders() async throws {
    let repositories = matching(100)
    try await withProgram(FakeGitHub(repositories: repositories)) { program, _ in
      let both = try #require(repositories.dropFirst(70).first).fullName
      for name in ["zoe/match-one", "zoe/match-two", "zoe/match-three", both] {
        try await program.makeClone(name)
      }
      try await program.addClones()
      let small = try await program.pages(of: "search match", limit: 17)
      let large = try await program.pages(of: "search match", limit: 60)
      #expect(small.all == large.all)
      let own = ["one", "two", "three"].map { "zoe/match-\($0)" }
      #expect(names(small) == names(repositories).union(own))
      #expect(small.sizes.dropLast().allSatisfy { $0 == 17 })
    }
  }

  /// A page that failed twice is asked for again; the list goes on where it was.
  @Test(arguments: [(7, 70), (60, 150)])
  func failuresInBetween(_ limit: Int, _ count: Int) async throws {
    let github = FakeGitHub(repositories: matching(count))
    try await withProgram(github) { program, _ in
      let expected = try await whole(program, ["-p", "github", "-L", String(count)])
      github.fail(.serverError, path: "/search", page: 2, times: 2)
      github.fail(.serverError, path: "/search", page: 3, times: 2)
      let found = try await program.pages(of: "search match -p github", limit: limit)
      #expect(found.all == expected)
      // Each failure has cut one page short.
      #expect(found.sizes.dropLast().count { $0 < limit } == 2)
      #expect(found.statuses.count { $0 != 0 } == 2 && found.statuses.last == 0)
    }
  }

  /// While one provider fails the other goes on, so the order may differ; nothing is lost or there twice.
  @Test(arguments: [17, 60])
  func failuresOfOneOfTwo(_ limit: Int) async throws {
    let repositories = matching(160)
    let github = FakeGitHub(repositories: repositories)
    try await withProgram(github) { program, _ in
      for name in ["one", "two", "three"] { try await program.makeClone("zoe/match-\(name)") }
      try await program.addClones()
      github.fail(.serverError, path: "/search", page: 2, times: 2)
      github.fail(.serverError, path: "/search", page: 3, times: 2)
      let found = try await program.pages(of: "search match", limit: limit)
      let own = ["one", "two", "three"].map { "zoe/match-\($0)" }
      #expect(names(found) == names(repositories).union(own))
    }
  }

  /// What had arrived before the failure is an answer, if a short one.
  @Test func aShortPageIsAPartialAnswer() async throws {
    let github = FakeGitHub(repositories: matching(60))
    github.fail(.serverError, path: "/search", page: 2)
    try await withProgram(github) { program, _ in
      // The first request reads 30.
      let result = try await program.runScript(
        "$forage search match -p github -L 28 --format tsv --timeout 50 && $forage search --next --format json >answer"
      )
      #expect(result.outLines.count == 28 && result.status == 3)
      let answer = try JSON(
        String(contentsOf: program.home.home.appendingPathComponent("answer"), encoding: .utf8))
      #expect(answer["items"]?.array.count == 2)
      #expect(answer["complete"] == .bool(false))
      #expect(answer.provider("github")?["state"]?.string == "partial")
      #expect(expectMessages(result).count == 1)
    }
  }
}
