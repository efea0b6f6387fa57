import ForageCore
import Foundation
import TestSupport
import Testing

@testable import ForageCLI

/// Marks of favorites and stars in lists and on pages.
struct MarkTests {
  private static let search = [
    "search", "http", "-p", "github", "--sort", "stars", "--timeout", "50", "--no-cache",
  ]

  private func withThree<Value>(
    _ body: (FakeGitHub, _ environment: (_ token: String) -> [String: String]) async throws -> Value
  ) async throws -> Value {
    let github = FakeGitHub(repositories: threeRepositories)
    return try await withGitHub(github) { server in
      try await withIsolatedHome { home in
        try await body(github) { token in
          variables(home, server.baseURL, adding: token.isEmpty ? [:] : ["GH_ENTERPRISE_TOKEN": token])
        }
      }
    }
  }

  /// Checks whether each result of a search is starred, as far as that is told.
  private func expectStars(
    _ environment: [String: String], _ expected: [Bool?], _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let outcome = await forage(Self.search + ["--format", "json"], in: environment)
    let answer = try JSONSerialization.jsonObject(with: Data(outcome.out.utf8)) as? [String: Any]
    let found = (answer?["items"] as? [[String: Any]] ?? []).map { $0["starred"] as? Bool }
    #expect(found == expected, sourceLocation: location)
  }

  @Test func starsAreThoseOfTheAccount() async throws {
    try await withThree { _, environment in
      let (mine, other, none) = (environment("mine"), environment("other"), environment(""))
      try await expectStars(mine, [nil, nil, nil])
      #expect(await forage(["star", "apple/swift-nio"], in: mine).status == .success)
      try await expectStars(mine, [true, nil, nil])
      try await expectStars(other, [nil, nil, nil])
      try await expectStars(none, [nil, nil, nil])
      #expect(await forage(["unstar", "apple/swift-nio"], in: mine).status == .success)
      try await expectStars(mine, [false, nil, nil])
    }
  }

  /// A list of every star says also what is not starred.
  @Test func theListOfStars() async throws {
    try await withThree { github, environment in
      let mine = environment("mine")
      github.update { $0.starred = ["nemo/http", "apple/swift-nio"] }
      let list = await forage(["stars", "--timeout", "50"], in: mine)
      #expect(list.status == .success)
      try await expectStars(mine, [true, nil, true])
      github.update { $0.starred = ["nemo/http"] }
      _ = await forage(["stars", "--timeout", "50", "--no-cache"], in: mine)
      try await expectStars(mine, [false, nil, true])
      github.update { $0.starred = [] }
      _ = await forage(["stars", "--timeout", "50", "--no-cache"], in: mine)
      try await expectStars(mine, [false, nil, false])
      // The stars of somebody else are not those of the account.
      github.update { $0.starredBy = ["octocat": ["kana/http-検索"]] }
      _ = await forage(["stars", "--user", "octocat", "--timeout", "50"], in: mine)
      try await expectStars(mine, [false, nil, false])
    }
  }

  @Test func onATerminal() async throws {
    try await withThree { _, environment in
      let mine = environment("mine")
      _ = await forage(["star", "apple/swift-nio"], in: mine)
      _ = await forage(["favorite", "add", "apple/swift-nio", "nemo/http"], in: mine)
      let rows = await forage(Self.search, in: mine, columns: 100).out.split(separator: "\n")
      #expect(rows.count == 4 && rows[1].hasPrefix("1  ♥★  apple/swift-nio  "))
      #expect(
        rows.count == 4 && rows[2].hasPrefix("2      kana/http-検索  ")
          && rows[3].hasPrefix("3  ♥   nemo/http"))
      let list = await forage(["favorite", "list"], in: mine, columns: 100)
      #expect(list.out.contains("♥★  apple/swift-nio"))
      let page = await forage(["show", "apple/swift-nio", "--timeout", "50"], in: mine, columns: 100)
      #expect(page.out.contains("♥ favorite, ★ starred"))
      let json = await forage(["show", "nemo/http", "--timeout", "50", "--format", "json"], in: mine)
      #expect(json.out.contains("\"favorite\":true") && !json.out.contains("\"starred\""))
      let tsv = await forage(Self.search, in: mine)
      #expect(tsv.out.hasPrefix("apple/swift-nio\t"))
    }
  }

  @Test func withoutSymbols() {
    var marks = ListMarks()
    var result = SearchResult(id: "h/o/n", kind: .repo, title: "o/n")
    #expect(marks.text(result) == "" && ListMarks.words(result, isUnicode: true) == "")
    result.set(.favorite, true)
    result.set(.starred, true)
    #expect(marks.text(result) == "♥★")
    marks.isUnicode = false
    #expect(marks.text(result) == "FS" && ListMarks.words(result, isUnicode: false) == "favorite, starred")
  }
}
