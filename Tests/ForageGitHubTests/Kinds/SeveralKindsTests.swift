import ForageCore
import TestSupport
import Testing

@testable import ForageGitHub

/// Several kinds in one search, and what each makes of a query.
@Suite struct SeveralKindsTests {
  private func search(
    _ query: String, _ kinds: [ResultKind], token: String? = nil, github: FakeGitHub = .world(count: 20)
  ) async throws -> (result: FederatedResult, server: LoopbackServer) {
    try await withFake(github, token: token) { provider, server in
      let registry = ProviderRegistry([provider])
      let query = try QueryParser(vocabulary: registry.vocabulary).parse(query)
      let search = FederatedSearch(query: query, kinds: kinds, limit: 200, timeout: .seconds(60))
      return (await SearchRun(search, registry).more(), server)
    }
  }

  @Test func everyKindAtOnce() async throws {
    let kinds = GitHubKind.all.map(\.kind)
    let (result, server) = try await search("for", kinds, token: "t0ken")
    #expect(result.outcomes.map(\.kind) == kinds && result.outcomes.allSatisfy { $0.state == .ok })
    #expect(Set(result.items.map(\.result.kind)) == Set(kinds) && server.requests.count == kinds.count)
    #expect(Set(result.items.map(\.result.id)).count == result.items.count)
    for kind in kinds where kind != .repo {
      #expect(result.items.count { $0.result.kind == kind } == 20, "\(kind.rawValue)")
    }
  }

  /// Without a token only code is missing, and what else was found is not counted for it.
  @Test func withoutAToken() async throws {
    let (result, server) = try await search("for", [.code, .issue])
    let code = try #require(result.outcomes.first)
    #expect(code.kind == .code && code.state == .unauthorized && code.returned == 0 && code.requests == 0)
    #expect(code.error?.code == .unauthorized && !result.isComplete)
    #expect(result.outcomes.last?.state == .ok && result.items.count == 20)
    #expect(server.requests.map(\.path) == ["/search/issues"])
  }

  /// A condition that a kind can never fulfil takes that kind out, and no other.
  @Test(
    arguments: [
      ("for is:pr", "is:pr", [.issue]), ("for label:bug", "label:", [.issue]),
      ("for stars:>5", "stars:", [.repo]), ("for is:archived", "is:archived", [.repo]),
      ("for is:featured", "is:featured", [.topic]), ("for followers:>1", "followers:", [.repo, .user]),
      ("for merge:true", "merge:", [.commit]), ("for type:org", "type:", [.issue, .user]),
      ("for type:pr", "type:", [.issue]), ("for repos:>1", "repos:", [.user]),
      ("for author:ada", "author:", [.issue, .commit]),
      ("for author-date:>2018-01-01", "author-date:", [.commit]),
      ("for state:open", "state:", [.issue]), ("for is:public", "is:public", [.repo, .issue, .commit]),
    ] as [(String, String, [ResultKind])])
  func oneKindCannot(query: String, what: String, able: [ResultKind]) async throws {
    let kinds: [ResultKind] = [.repo, .issue, .commit, .user, .topic]
    let (result, server) = try await search(query, kinds)
    for outcome in result.outcomes {
      let isAble = able.contains(outcome.kind)
      #expect(outcome.state == (isAble ? .ok : .unsupported), "\(outcome.kind.rawValue)")
      if !isAble {
        #expect(outcome.reason?.hasPrefix(what) == true)
        #expect(outcome.reason?.hasSuffix("for kind \(outcome.kind.rawValue)") == true)
      }
    }
    #expect(server.requests.count == able.count && result.isComplete)
  }

  /// The opposite of what a kind can never be holds for all of it, and is not sent where it means nothing.
  @Test func negations() async throws {
    let (result, server) = try await search("for -is:pr -label:bug", [.repo, .issue])
    #expect(result.outcomes.map(\.state) == [.ok, .ok])
    let queries = Dictionary(server.requests.map { ($0.path, $0.query("q") ?? "") }) { first, _ in first }
    #expect(queries["/search/repositories"] == "for")
    #expect(queries["/search/issues"] == "for -is:pr -label:bug")
    #expect(result.items.contains { $0.result.kind == .repo })
    #expect(result.items.allSatisfy { $0.result[.isPullRequest]?.flag != true })
  }

  @Test func hintsNameTheRightKind() async throws {
    let (result, _) = try await search("for is:pr", [.repo])
    #expect(result.outcomes.first?.reason?.hasPrefix("is:pr ") == true)
    #expect(result.outcomes.first?.otherKinds == [.issue])
    let (featured, _) = try await search("for is:featured", [.repo])
    #expect(featured.outcomes.first?.otherKinds == [.topic])
    let (label, _) = try await search("for reviewed-by:ada", [.repo])
    #expect(label.outcomes.first?.otherKinds == [.issue])
    // Commits have an author, but are no pull requests.
    let (author, _) = try await search("author:ada", [.repo])
    #expect(author.outcomes.first?.otherKinds == [.commit, .issue])
    let (pullRequest, _) = try await search("author:ada is:pr", [.repo])
    #expect(pullRequest.outcomes.first?.otherKinds == [.issue])
  }

  /// Every kind has further pages.
  @Test(arguments: [ResultKind.issue, .code, .commit, .user, .topic])
  func paging(kind: ResultKind) async throws {
    let (result, server) = try await search("for", [kind], token: "t0ken", github: .world(count: 1100))
    #expect(result.items.count == 200 && Set(result.items.map(\.result.id)).count == 200)
    #expect(server.requests.map { $0.query("page") ?? "1" } == ["1", "2"])
    #expect(result.outcomes.first?.total == ResultTotal(1100))
    let ability = GitHubKind.all.first { $0.kind == kind }?.abilities
    // What has no date to be cut by ends where one query does.
    #expect(ability?.reachable == ([.code, .topic].contains(kind) ? 1000 : nil))
    #expect(ability?.maximumPageSize == 100)
  }
}
