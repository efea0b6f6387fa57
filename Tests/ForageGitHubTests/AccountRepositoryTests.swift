import ForageCore
import ForageGitHub
import Foundation
import TestSupport
import Testing

/// The repositories of an account, as a search finds them.
@Suite struct AccountRepositoryTests {
  private func request(sort: String? = nil, pageSize: Int = 100, cursor: String? = nil) -> SearchRequest {
    SearchRequest(
      kind: .repo, query: nil, sort: sort, pageSize: pageSize, cursor: cursor, deadline: .now + .seconds(300))
  }

  /// Repositories of `owner`, a day and a quarter apart, every third a fork, and some of another account.
  private static func repositories(_ count: Int) -> [FakeRepository] {
    let own = FakeRepository.many(count).enumerated().map { index, repository in
      repository.with {
        $0.createdAt = Date(timeIntervalSince1970: 1_300_000_000 + Double(index) * 108_000)
        $0.fork = index % 3 == 0
      }
    }
    return own + (0..<5).map { FakeRepository(id: 9_000_000 + $0, fullName: "other/r\($0)") }
  }

  /// All pages of a list; what comes twice is kept once.
  private func all(of owner: String, pageSize: Int, _ provider: GitHubProvider) async throws -> [String] {
    var names: [String] = []
    var seen: Set<String> = []
    var request = request(pageSize: pageSize)
    repeat {
      let page = try await provider.repositories(of: owner, request)
      names += page.items.map(\.title).filter { seen.insert($0).inserted }
      request.cursor = page.next
    } while request.cursor != nil
    return names
  }

  @Test func everyPage() async throws {
    try await withFake(FakeGitHub(repositories: Self.repositories(70))) { provider, server in
      let first = try await provider.repositories(of: "Owner", request(pageSize: 30))
      #expect(first.items.count == 30 && first.next != nil && first.total == ResultTotal(70))
      #expect(first.items.contains { $0[.fork]?.flag == true } && first.items.allSatisfy { $0.kind == .repo })
      #expect(server.requests.map(\.path) == ["/search/repositories"])
      #expect(server.requests.first?.query("q") == "user:Owner fork:true")
      #expect(server.requests.first?.query("per_page") == "30")
      let names = try await all(of: "owner", pageSize: 30, provider)
      #expect(names == (0..<70).map { "owner/swift-\($0)" })
      #expect(server.requests.count == 4)
    }
  }

  /// More than one query returns.
  @Test func beyondAThousand() async throws {
    try await withFake(FakeGitHub(repositories: Self.repositories(1300))) { provider, server in
      let counter = RequestCounter()
      let names = try await counter.counting { try await all(of: "owner", pageSize: 100, provider) }
      #expect(names.count == 1300 && Set(names) == Set((0..<1300).map { "owner/swift-\($0)" }))
      #expect(counter.count == server.requests.count && counter.count <= SearchDepth.defaultMaximumRequests)
      let ranges = server.requests.dropFirst(10).compactMap { $0.query("q") }
      #expect(ranges.allSatisfy { $0.hasPrefix("user:owner fork:true created:") })
    }
  }

  /// The bound on the requests of a search holds for these lists, too.
  @Test func theBoundEndsTheRequests() async throws {
    try await withFake(FakeGitHub(repositories: Self.repositories(70))) { provider, server in
      let counter = RequestCounter()
      try await counter.counting {
        let first = try await provider.repositories(of: "owner", request(pageSize: 30))
        var further = request(pageSize: 30, cursor: first.next)
        further.depth = SearchDepth(maximumRequests: 1)
        let second = try await provider.repositories(of: "owner", further)
        #expect(second.isPaused && second.items.isEmpty && second.next == first.next)
      }
      #expect(server.requests.count == 1)
    }
  }

  @Test func anUnknownAccount() async throws {
    let github = FakeGitHub(repositories: Self.repositories(3)) { $0.accounts = ["empty"] }
    try await withFake(github) { provider, server in
      let request = request()
      let error = await searchError { _ = try await provider.repositories(of: "nobody", request) }
      #expect(error?.code == .notFound && error?.hint == "check the name")
      #expect(error?.message == "there is no account nobody, or its repositories cannot be searched")
      #expect(server.requests.map(\.path) == ["/search/repositories", "/users/nobody"])
      // An account without a repository exists.
      let none = try await provider.repositories(of: "empty", request)
      #expect(none.items.isEmpty && none.next == nil && none.total == ResultTotal(0))
    }
  }

  /// Another failure is not taken for an account that does not exist.
  @Test(
    arguments: [
      (.badCredentials, .unauthorized), (.primaryLimit(resetIn: 60), .rateLimited),
      (.serverError, .serverError),
    ] as [(FakeGitHub.Fault, SearchError.Code)])
  func failures(_ fault: FakeGitHub.Fault, _ code: SearchError.Code) async throws {
    let github = FakeGitHub(repositories: Self.repositories(3))
    github.fail(fault)
    try await withFake(github, token: "t0ken") { provider, _ in
      let request = request()
      let error = await searchError { _ = try await provider.repositories(of: "owner", request) }
      #expect(error?.code == code)
    }
  }

  /// A name is one value of the query, whatever stands in it.
  @Test(arguments: [("a b", #"user:"a b" fork:true"#), ("x) OR (y", #"user:"x) OR (y" fork:true"#)])
  func namesAreOneValue(_ name: String, _ query: String) async throws {
    let empty = #"{"total_count":0,"incomplete_results":false,"items":[]}"#
    try await withServer(answering: .json(body: empty)) { server in
      try await withProvider(at: server) { provider in
        _ = try await provider.repositories(of: name, request())
        #expect(server.requests.map { $0.query("q") } == [query])
      }
    }
  }

  /// The sort keys are those of a search; with another one nothing is sent.
  @Test func sortKeys() async throws {
    try await withFake(FakeGitHub(repositories: Self.repositories(3))) { provider, server in
      _ = try await provider.repositories(of: "owner", request(sort: "stars"))
      #expect(server.requests.map { $0.query("sort") } == ["stars"])
      let starred = request(sort: "starred")
      let error = await searchError { _ = try await provider.repositories(of: "owner", starred) }
      #expect(error?.code == .unsupportedQuery && server.requests.count == 1)
    }
  }
}
