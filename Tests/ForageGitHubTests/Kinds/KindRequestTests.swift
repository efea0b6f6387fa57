import ForageCore
import TestSupport
import Testing

@testable import ForageGitHub

/// What is asked for each kind.
@Suite struct KindRequestTests {
  private static let empty = #"{"total_count":0,"incomplete_results":false,"items":[]}"#

  @Test(
    arguments: [
      (.repo, "repositories", "application/vnd.github+json"),
      (.code, "code", "application/vnd.github.text-match+json"),
      (.issue, "issues", "application/vnd.github+json"), (.commit, "commits", "application/vnd.github+json"),
      (.user, "users", "application/vnd.github+json"), (.topic, "topics", "application/vnd.github+json"),
    ] as [(ResultKind, String, String)], ["", "/api/v3"])
  func address(expected: (kind: ResultKind, path: String, accept: String), root: String) async throws {
    try await withFake(FakeGitHub.world(count: 3), path: root, token: "s3cret") { provider, server in
      let page = try await provider.search(searchRequest("for", kind: expected.kind))
      #expect(page.unreadable == 0 && page.items.allSatisfy { $0.kind == expected.kind })
      let request = try #require(server.requests.first)
      #expect(request.path == root + "/search/" + expected.path && server.requests.count == 1)
      #expect(request.headers["accept"] == [expected.accept])
      #expect(request.queryItems.map(\.name) == ["q", "per_page"])
    }
  }

  /// Every sort of every kind is passed on in both directions.
  @Test(arguments: GitHubKind.all.map(\.kind))
  func sorts(kind: ResultKind) async throws {
    try await withServer(answering: .json(body: Self.empty)) { server in
      try await withProvider(at: server, token: "t0ken") { provider in
        let abilities = try #require(provider.kinds[kind])
        for sort in abilities.sorts {
          for order in [SortOrder.ascending, .descending] {
            _ = try await provider.search(searchRequest("a", kind: kind, sort: sort, order: order))
            #expect(server.requests.last?.query("sort") == sort)
            #expect(server.requests.last?.query("order") == order.rawValue)
          }
        }
        #expect(server.requests.count == abilities.sorts.count * 2)
      }
    }
  }

  @Test func sortsOfEachKind() throws {
    let sorts = Dictionary(uniqueKeysWithValues: GitHubKind.all.map { ($0.kind, $0.abilities.sorts) })
    #expect(sorts[.repo] == ["stars", "forks", "help-wanted-issues", "updated"])
    #expect(sorts[.code] == ["indexed"] && sorts[.topic] == [])
    #expect(sorts[.commit] == ["author-date", "committer-date"])
    #expect(sorts[.user] == ["followers", "repositories", "joined"])
    #expect(sorts[.issue]?.count == 11 && sorts[.issue]?.contains("reactions-+1") == true)
  }

  /// The order of the items is that of the sort, also across pages.
  @Test(
    arguments: [
      (.issue, "comments", .comments), (.issue, "reactions", .reactions), (.issue, "created", .createdAt),
      (.issue, "updated", .updatedAt), (.commit, "author-date", .authoredAt),
      (.commit, "committer-date", .committedAt),
    ] as [(ResultKind, String, ResultField)])
  func sorted(kind: ResultKind, sort: String, field: ResultField) async throws {
    try await withFake(FakeGitHub.world(count: 80)) { provider, _ in
      let first = try await provider.search(searchRequest("for", kind: kind, sort: sort))
      let second = try await provider.search(
        searchRequest("for", kind: kind, sort: sort, cursor: first.next))
      let items = first.items + second.items
      #expect(items.count == 60 && Set(items.map(\.id)).count == 60)
      #expect(ResultOrder.sorted(items, by: sort, order: .descending).map(\.id) == items.map(\.id))
      #expect(items.allSatisfy { $0[field] != nil })
    }
  }

  /// Issues understand OR only when they are asked to.
  @Test func alternativesAmongIssues() async throws {
    try await withServer(answering: .json(body: Self.empty)) { server in
      try await withProvider(at: server) { provider in
        _ = try await provider.search(searchRequest("a OR b", kind: .issue))
        #expect(server.requests.last?.query("advanced_search") == "true")
        // Adjacent repositories are alternatives elsewhere, and must be written as such there.
        _ = try await provider.search(searchRequest("(a OR b) repo:o/a repo:o/b", kind: .issue))
        #expect(server.requests.last?.query("q") == "(a OR b) (repo:o/a OR repo:o/b)")
        _ = try await provider.search(searchRequest("a b", kind: .issue))
        #expect(server.requests.last?.query("advanced_search") == nil)
        _ = try await provider.search(searchRequest("a OR b", kind: .commit))
        #expect(server.requests.last?.query("advanced_search") == nil)
      }
    }
  }

  @Test func codeNeedsATokenBeforeAnythingIsSent() async throws {
    try await withFake(FakeGitHub.world(count: 3)) { provider, server in
      let request = try searchRequest("for", kind: .code)
      let counter = RequestCounter()
      let error = await counter.counting {
        await searchError { _ = try await provider.search(request) }
      }
      #expect(error?.code == .unauthorized)
      #expect(error?.message.contains("searching code") == true)
      // A loopback server counts as another host.
      for name in ["GH_ENTERPRISE_TOKEN", "gh auth login"] {
        #expect(error?.hint.contains(name) == true, "\(name)")
      }
      #expect(counter.count == 0 && server.connectionCount == 0)
    }
  }

  @Test(arguments: ["language:swift", "NOT a", "-a language:go", "repo:o/n size:>3", "-filename:x"])
  func codeNeedsAWord(query: String) async throws {
    try await withFake(FakeGitHub.world(count: 3), token: "t0ken") { provider, server in
      let request = try searchRequest(query, kind: .code)
      let error = await searchError { _ = try await provider.search(request) }
      #expect(error?.code == .unsupportedQuery && error?.message.contains("needs a word") == true)
      #expect(server.connectionCount == 0)
    }
  }

  /// GitHub would find nothing, whatever there is.
  @Test(arguments: ["filename:*.md", "path:**/*.go", "extension:m?", "-path:*.md", "(path:a OR filename:*)"])
  func patternsOfPathsAreNotAsked(pattern: String) async throws {
    try await withFake(FakeGitHub.world(count: 3), token: "t0ken") { provider, server in
      let request = try searchRequest("for " + pattern, kind: .code)
      let error = await searchError { _ = try await provider.search(request) }
      #expect(error?.code == .invalidQuery && error?.message.contains("cannot match patterns") == true)
      #expect(server.connectionCount == 0)
    }
  }

  @Test func aFileNameStandsInForAWord() async throws {
    try await withFake(FakeGitHub.world(count: 30), token: "t0ken") { provider, server in
      let page = try await provider.search(searchRequest("filename:cache", kind: .code))
      #expect(!page.items.isEmpty && server.requests.count == 1)
    }
  }

  @Test func anUnknownKindIsRefused() async throws {
    try await withFake(FakeGitHub.world(count: 3)) { provider, server in
      let request = try searchRequest("a", kind: "gist")
      let error = await searchError { _ = try await provider.search(request) }
      #expect(error?.code == .unsupportedQuery && error?.message.contains("gist") == true)
      #expect(server.connectionCount == 0)
    }
  }

  /// Code has a limit of its own.
  @Test func codeCountsAgainstItsOwnLimit() async throws {
    let github = FakeGitHub.world(count: 3) { $0.limits = .github(enforced: true) }
    try await withFake(github, token: "t0ken") { provider, _ in
      for _ in 1...10 { _ = try await provider.search(searchRequest("for", kind: .code)) }
      let request = try searchRequest("for", kind: .code)
      let error = await searchError { _ = try await provider.search(request) }
      #expect(error?.code == .rateLimited)
      let issues = try await provider.search(searchRequest("for", kind: .issue))
      #expect(issues.items.count == 3)
    }
  }
}
