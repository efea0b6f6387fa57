import ForageCore
import ForageGitHub
import ForageHTTP
import TestSupport
import Testing

/// What a forge can do besides searching: limits, files and comments.
@Suite struct ForgeTests {
  private let deadline = ContinuousClock.now + .seconds(60)

  private func reference(_ text: String = "owner/swift-0") throws -> EntityReference {
    try #require(EntityReference(text, defaultHost: "github.com"))
  }

  /// What is left of each limit is what answers to the same token have told.
  @Test func requestsRemaining() async throws {
    let directory = try TemporaryDirectory(prefix: "forage-limits")
    let services = HTTPServices(cache: HTTPCache(folder: directory.path("answers")), mode: .bypass)
    let kinds: [ResultKind?] = [nil, .repo, .code, .issue]
    func left(_ provider: GitHubProvider) async -> [Int?] {
      var left: [Int?] = []
      for kind in kinds { left.append(await provider.requestsRemaining(for: kind)) }
      return left
    }
    let github = FakeGitHub.world(count: 3)
    try await withGitHub(github) { server in
      try await withProvider(at: server, token: "t0ken", services: services) { provider in
        #expect(await left(provider) == [nil, nil, nil, nil] && server.requests.isEmpty)
        _ = try await provider.search(searchRequest("for"))
        #expect(await left(provider) == [nil, 29, nil, 29])
        _ = try await provider.search(searchRequest("for", kind: .issue))
        _ = try await provider.search(searchRequest("for", kind: .code))
        #expect(await left(provider) == [nil, 28, 9, 28])
        _ = try await provider.details(of: reference())
        #expect(await left(provider) == [4999, 28, 9, 28] && server.requests.count == 4)
      }
      // Another token has limits of its own, and without shared services nothing is remembered.
      let others: [(String?, HTTPServices?)] = [(nil, services), ("other", services), ("t0ken", nil)]
      for (token, services) in others {
        try await withProvider(at: server, token: token, services: services) { provider in
          #expect(await left(provider) == [nil, nil, nil, nil])
        }
      }
      #expect(server.requests.count == 4)
    }
  }

  @Test func limits() async throws {
    try await withFake(FakeGitHub(), token: "t0ken") { provider, server in
      let limits = try await provider.limits(deadline: deadline)
      #expect(limits.map(\.resource) == ["core", "search", "code_search"])
      #expect(limits.map(\.limit) == [5000, 30, 10] && limits.map(\.remaining) == [5000, 30, 10])
      #expect(limits.allSatisfy { $0.resetAt != nil } && server.requests.map(\.path) == ["/rate_limit"])
    }
    // A server without limits is one that can be searched, nevertheless.
    try await withFake(FakeGitHub(repositories: FakeRepository.many(1)) { $0.limits = .absent }) {
      provider, server in
      let limits = try await provider.limits(deadline: deadline)
      #expect(limits.isEmpty && server.requests.map(\.path) == ["/rate_limit", "/search/repositories"])
    }
    try await withServer(answering: .json(status: 404, body: "{}")) { server in
      try await withProvider(at: server) { provider in
        let error = await searchError { _ = try await provider.limits(deadline: deadline) }
        #expect(error?.code == .notFound && error?.message.contains("not as a GitHub API") == true)
      }
    }
  }

  @Test func aPauseBetweenChanges() async throws {
    try await withFake(FakeGitHub()) { provider, _ in
      #expect(provider.pauseBetweenChanges == .seconds(1))
    }
  }

  @Test func aFile() async throws {
    let file = FakeFile(repository: "owner/swift-0", path: "Sources/a b.swift", content: "let a = 1\n")
    let github = FakeGitHub(repositories: FakeRepository.many(1)) { $0.files = [file] }
    try await withFake(github) { provider, server in
      let contents = try await provider.contents(
        at: "Sources/a b.swift", in: reference(), ref: "v1", deadline: deadline)
      guard case .file(let bytes) = contents else {
        Issue.record("no file")
        return
      }
      #expect(bytes == Array("let a = 1\n".utf8))
      #expect(server.requests.map(\.target) == ["/repos/owner/swift-0/contents/Sources/a%20b.swift?ref=v1"])
      let repository = try reference()
      let error = await searchError {
        _ = try await provider.contents(at: "none", in: repository, ref: nil, deadline: deadline)
      }
      #expect(error?.code == .notFound)
    }
  }

  /// GitHub lists no more than 1,000 entries of a folder, and does not say so.
  @Test(arguments: [(0, false), (999, false), (1000, true), (1001, true)])
  func aFolder(_ count: Int, _ hasMore: Bool) async throws {
    let entries = (0..<count).map { #"{"name":"n\#($0)","type":"\#($0 == 0 ? "dir" : "file")"}"# }
    try await withServer(answering: .json(body: "[" + entries.joined(separator: ",") + "]")) { server in
      try await withProvider(at: server) { provider in
        let contents = try await provider.contents(at: "", in: reference(), ref: nil, deadline: deadline)
        guard case .folder(let names, let told) = contents else {
          Issue.record("no folder")
          return
        }
        #expect(names.count == min(count, 1000) && told == hasMore)
        #expect(names.prefix(2) == ["n0/", "n1"].prefix(count))
        #expect(server.requests.map(\.target) == ["/repos/owner/swift-0/contents"])
      }
    }
  }

  /// The last comments are on the last pages.
  @Test(arguments: [
    (3, 250, ["3"], 248...250), (100, 250, ["3", "2"], 151...250), (1, 200, ["2"], 200...200),
    (100, 100, ["1"], 1...100), (5, 2, ["1"], 1...2),
  ])
  func comments(_ count: Int, _ total: Int, _ pages: [String], _ expected: ClosedRange<Int>) async throws {
    let handler: LoopbackServer.Handler = { request in
      let first = ((request.query("page").flatMap(Int.init) ?? 1) - 1) * 100 + 1
      let comments = (first..<first + 100).filter { $0 <= total }.map {
        #"{"body":"\#($0)","user":{"login":"ann"},"created_at":"2026-01-31T10:00:00Z"}"#
      }
      return .json(body: "[" + comments.joined(separator: ",") + "]")
    }
    try await withServer(handler: handler) { server in
      try await withProvider(at: server) { provider in
        let counter = RequestCounter()
        let found = try await counter.counting {
          try await provider.comments(
            of: reference("owner/swift-0#7"), last: count, of: total, deadline: deadline)
        }
        #expect(found.compactMap { $0["text"]?.text } == expected.map(String.init))
        #expect(found.allSatisfy { $0["author"] == .text("ann") && $0["createdAt"]?.date != nil })
        #expect(server.requests.map { $0.query("page") } == pages && counter.count == pages.count)
        #expect(server.requests.allSatisfy { $0.path == "/repos/owner/swift-0/issues/7/comments" })
      }
    }
  }

  /// Without comments, and of what is no issue, nothing is asked.
  @Test func noComments() async throws {
    try await withFake(FakeGitHub()) { provider, server in
      let issue = try reference("owner/swift-0#7")
      let none = try await provider.comments(of: issue, last: 5, of: 0, deadline: deadline)
      #expect(none.isEmpty)
      let repository = try reference()
      let error = await searchError {
        _ = try await provider.comments(of: repository, last: 5, of: 3, deadline: deadline)
      }
      #expect(error?.code == .unsupportedQuery && server.requests.isEmpty)
    }
  }
}
