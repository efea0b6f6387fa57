import ForageCore
import ForageHTTP
import ForageHTTPLive
import TestSupport
import Testing

@testable import ForageGitHub

/// What the providers of these tests send as `User-Agent`.
let testUserAgent = "forage/test (+https://example.com)"

/// Runs a body with a provider that asks a server, over a transport that is shut down afterwards.
func withProvider<Result>(
  at server: LoopbackServer, path: String = "", token: String? = nil, services: HTTPServices? = nil,
  _ body: (GitHubProvider) async throws -> Result
) async throws -> Result {
  let live = LiveTransport(try NetworkSettings(environment: [:]))
  do {
    let found = token.map { ForgeToken(secret: $0, source: "GH_TOKEN") }
    let client = GitHubClient(
      at: try ForgeAddress(gitHubAPI: server.baseURL + path), transport: live.transport,
      userAgent: testUserAgent,
      services: services, tokens: KnownToken(found))
    let result = try await body(GitHubProvider(client: client))
    await live.shutdown()
    return result
  } catch {
    await live.shutdown()
    throw error
  }
}

/// Runs a body with a provider that asks a `FakeGitHub` over real HTTP.
func withFake<Result>(
  _ github: FakeGitHub, path: String = "", token: String? = nil, services: HTTPServices? = nil,
  _ body: (GitHubProvider, LoopbackServer) async throws -> Result
) async throws -> Result {
  try await withGitHub(github) { server in
    try await withProvider(at: server, path: path, token: token, services: services) {
      try await body($0, server)
    }
  }
}

/// Everything that a query may use when GitHub is asked.
let gitHubVocabulary = QualifierVocabulary.common.adding(GitHubKind.all.flatMap(\.vocabulary))

/// A request for the first page of a query in the query language.
func searchRequest(
  _ query: String, kind: ResultKind = .repo, sort: String? = nil, order: SortOrder = .descending,
  pageSize: Int = 30,
  cursor: String? = nil,
  within time: Duration = .seconds(30)
) throws -> SearchRequest {
  SearchRequest(
    kind: kind, query: try QueryParser(vocabulary: gitHubVocabulary).parse(query).root, sort: sort,
    order: order, pageSize: pageSize, cursor: cursor, deadline: .now + time)
}

/// The `SearchError` of a failing body; anything else is recorded as an issue.
func searchError(
  _ location: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async -> SearchError? {
  await #expect(throws: SearchError.self, sourceLocation: location) { try await body() }
}

extension FakeRepository {
  /// Repositories that all match the word `swift` and sort by id when ranks are equal.
  static func many(_ count: Int) -> [FakeRepository] {
    (0..<count).map { FakeRepository(id: 1000 + $0, fullName: "owner/swift-\($0)", stars: 7) }
  }
}

/// Runs a body with a server that answers every request alike.
func withServer<Result>(
  tls: TLSFiles? = nil, answering response: ScriptedResponse,
  _ body: (LoopbackServer) async throws -> Result
) async throws -> Result {
  try await withServer(tls: tls, handler: { _ in response }, body)
}

extension GitHubProvider {
  /// The answer to the request for an entity itself, with time enough.
  func details(of id: EntityReference) async throws -> SearchResult? {
    let request = DetailsRequest(client: client, host: id.host, deadline: .now + .seconds(30))
    return try await answer(of: id, request)?.item
  }
}
