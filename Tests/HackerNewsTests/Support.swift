import ForageCore
import ForageHTTP
import ForageHTTPLive
import TestSupport

/// Runs a body with the provider over real HTTP against a stand-in for the API.
func withHackerNews<Result>(
  _ fake: FakeHackerNews, _ body: (HackerNewsProvider, LoopbackServer) async throws -> Result
) async throws -> Result {
  try await withFake(fake) { server in try await withProvider(at: server, body) }
}

/// Runs a body with the provider over real HTTP against a server that always answers the same.
func withHackerNews<Result>(
  answering response: ScriptedResponse, _ body: (HackerNewsProvider, LoopbackServer) async throws -> Result
) async throws -> Result {
  let handler: LoopbackServer.Handler = { _ in response }
  return try await withServer(handler: handler) { server in try await withProvider(at: server, body) }
}

/// Runs a body with a stand-in for the API.
func withFake<Result>(
  _ fake: FakeHackerNews, _ body: (LoopbackServer) async throws -> Result
) async throws -> Result {
  let handler: LoopbackServer.Handler = { fake.answer($0) }
  return try await withServer(handler: handler, body)
}

private func withProvider<Result>(
  at server: LoopbackServer, _ body: (HackerNewsProvider, LoopbackServer) async throws -> Result
) async throws -> Result {
  let live = LiveTransport(try NetworkSettings(environment: [:]))
  do {
    let provider = try HackerNewsProvider(
      base: server.baseURL, transport: live.transport, userAgent: "test/1")
    let result = try await body(provider, server)
    await live.shutdown()
    return result
  } catch {
    await live.shutdown()
    throw error
  }
}

/// The request for a page of stories.
func stories(
  _ query: String?, sort: String? = nil, order: SortOrder = .descending, size: Int = 50, cursor: String? = nil
) throws -> SearchRequest {
  let vocabulary = QualifierVocabulary.common.adding([
    QualifierDefinition("points", .number, field: "points", kinds: [.story])
  ]).of(.story)
  return SearchRequest(
    kind: .story, query: try query.map { try QueryParser(vocabulary: vocabulary).parse($0).root }, sort: sort,
    order: order, pageSize: size, cursor: cursor, deadline: .now + .seconds(20))
}

/// A provider that can send nothing.
func providerWithoutNetwork(_ base: String) throws -> HackerNewsProvider {
  try HackerNewsProvider(
    base: base, transport: HTTPTransport { _ in throw HTTPError(.offline, "no network here") },
    userAgent: "test/1")
}
