import ForageCore
import ForageHTTP
import ForageHTTPLive
import ForageYAML
import Foundation
import TestSupport
import Testing

@testable import ForageManifest

/// What the providers of these tests send as `User-Agent`.
let testUserAgent = "forage/test (+https://example.com)"

/// A manifest that asks `{base}/search` page by page; further lines may be added.
func sample(
  paging: String = "{style: page, start: 1, size: 50, more: $.more}",
  params: String = "{q: \"{text}\", per_page: \"{size}\", page: \"{page}\"}", more: String = ""
) -> String {
  """
  forage: 1
  id: acme
  name: Acme
  kinds: [package]
  request: {url: "{base}/search", params: \(params)}
  paging: \(paging)
  items: $.items[*]
  map: {id: $.id, url: $.url, title: $.name, description: $.text, version: $.version}
  \(more)
  """
}

/// The manifest in a text; what is wrong with it is an issue.
func manifest(_ text: String, _ location: SourceLocation = #_sourceLocation) throws -> Manifest {
  do {
    return try Manifest.read(Array(text.utf8), path: "acme.yaml")
  } catch {
    Issue.record("\(error.lines.joined(separator: "\n"))", sourceLocation: location)
    throw error
  }
}

/// The lines that say what is wrong with a manifest, each with its hint.
func problems(_ text: String) -> [String] {
  do {
    _ = try Manifest.read(Array(text.utf8), path: "acme.yaml")
    return []
  } catch {
    return error.problems.map { $0.text(path: "acme.yaml") + " | " + $0.hint }
  }
}

/// The folder of the bundled manifests.
let bundledFolder =
  URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent().path + "/Plugins/manifests"

/// A bundled manifest, without the pause between its requests.
func bundled(_ id: String) throws -> Manifest {
  var manifest = try ManifestDiscovery.manifest(at: bundledFolder + "/\(id).yaml")
  manifest.perSecond = nil
  return manifest
}

/// Runs a body with a provider that asks a server, whatever address the manifest names.
///
/// - Parameter base: The address of the API; `nil` for the root of the server.
func withProvider<Result>(
  _ manifest: Manifest, base: String? = nil, at server: LoopbackServer, services: HTTPServices? = nil,
  secrets: [String: String] = [:], _ body: (ManifestProvider) async throws -> Result
) async throws -> Result {
  let live = LiveTransport(try NetworkSettings(environment: [:]))
  let port = server.port
  // A fixed address of the manifest leads to the test's server; everything before the socket sees the real
  // one.
  let transport = HTTPTransport { request in
    var request = request
    if !request.url.isLoopback {
      (request.url.scheme, request.url.host, request.url.port) = ("http", "127.0.0.1", port)
    }
    return try await live.transport.send(request)
  }
  do {
    let provider = try ManifestProvider(
      manifest, base: manifest.usesBase ? base ?? server.baseURL : nil, transport: transport,
      services: services,
      userAgent: testUserAgent, secret: { secrets[$0] })
    let result = try await body(provider)
    await live.shutdown()
    return result
  } catch {
    await live.shutdown()
    throw error
  }
}

/// Runs a body with a provider and a server that answers with what a closure makes of each request.
func withAPI<Result>(
  _ text: String, secrets: [String: String] = [:], services: HTTPServices? = nil,
  _ handler: @escaping LoopbackServer.Handler,
  _ body: (ManifestProvider, LoopbackServer) async throws -> Result
) async throws -> Result {
  let manifest = try manifest(text)
  return try await withServer(handler: handler) { server in
    try await withProvider(manifest, at: server, services: services, secrets: secrets) { provider in
      try await body(provider, server)
    }
  }
}

extension Manifest {
  /// The search of the only kind.
  var search: ManifestList { kinds[0].search }
}

/// A request for a page of a query in the query language.
///
/// - Parameter kind: The kind of results; `nil` for the first one.
func ask(
  _ query: String?, of provider: ManifestProvider, kind: ResultKind? = nil, sort: String? = nil,
  order: ForageCore.SortOrder = .descending,
  pageSize: Int = 30, cursor: String? = nil, within time: Duration = .seconds(120)
) throws -> SearchRequest {
  let vocabulary = QualifierVocabulary.common.adding(provider.info.vocabulary)
  let root = try query.map { try QueryParser(vocabulary: vocabulary).parse($0).root }
  return SearchRequest(
    kind: kind ?? provider.manifest.kinds[0].kind, query: root, sort: sort, order: order, pageSize: pageSize,
    cursor: cursor,
    deadline: .now + time)
}

/// The `SearchError` of a failing body; anything else is recorded as an issue.
func searchError(
  _ location: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async -> SearchError? {
  await #expect(throws: SearchError.self, sourceLocation: location) { try await body() }
}

/// Every item of a list, read page by page to its end.
func everything(
  _ provider: ManifestProvider, _ query: String?, sort: String? = nil,
  order: ForageCore.SortOrder = .descending,
  pageSize: Int, isFeed: Bool = false
) async throws -> (items: [SearchResult], pages: Int) {
  var (items, pages, cursor): ([SearchResult], Int, String?) = ([], 0, nil)
  repeat {
    let request = try ask(query, of: provider, sort: sort, order: order, pageSize: pageSize, cursor: cursor)
    let page = try await isFeed ? provider.feed(request) : provider.search(request)
    #expect(page.items.count <= pageSize)
    items += page.items
    pages += 1
    cursor = page.next
  } while cursor != nil && pages < 500
  return (items, pages)
}

/// Rows `id: 1, 2, …` as an answer of the sample.
func rows(_ numbers: some Sequence<Int>, more: String = "") -> String {
  let rows = numbers.map { #"{"id":\#($0),"url":"https://acme.example/\#($0)","name":"n\#($0)"}"# }
  return #"{"items":[\#(rows.joined(separator: ","))]\#(more.isEmpty ? "" : "," + more)}"#
}
