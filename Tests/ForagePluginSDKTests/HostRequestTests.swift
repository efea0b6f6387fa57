import ForageCore
import ForagePluginProtocol
import Synchronization
import Testing

@testable import ForagePluginSDK

/// Requests of a plugin in Swift to the host, and its settings for `--declare`.
struct HostRequestTests {
  private static func message(_ bytes: [UInt8]) throws -> JSONTree { try JSONTree(parsing: bytes.dropLast()) }

  @Test func anAnswerBelongsToItsRequest() async throws {
    let (lines, sent) = AsyncStream.makeStream(of: [UInt8].self)
    let requests = HostRequests { sent.yield($0) }
    let http = HostHTTP()
    @Sendable func get(_ url: String) async throws -> HTTPResult {
      try await HostHTTP.$current.withValue(HostHTTP.Current(request: .number(7), requests: requests)) {
        try await http.get(url, cacheSeconds: 60)
      }
    }
    let first = Task { try await get("https://api.example/1") }
    var iterator = lines.makeAsyncIterator()
    let one = try Self.message(try #require(await iterator.next()))
    #expect(one["method"] == .string("http") && one["params"]?["id"] == .integer(7))
    #expect(one["params"]?["url"] == .string("https://api.example/1"))
    let second = Task { try await get("https://api.example/2") }
    let two = try Self.message(try #require(await iterator.next()))
    requests.take(RequestID(two["id"]), .failure(SearchError(.configuration, "not allowed")))
    requests.take(.text("unknown"), .success(.null))
    requests.take(
      RequestID(one["id"]), .success(.object(["status": .integer(404), "headers": .object([:])])))
    #expect(try await first.value == HTTPResult(status: 404))
    await #expect(throws: SearchError(.configuration, "not allowed")) { _ = try await second.value }
    requests.close()
    await #expect(throws: CancellationError.self) { _ = try await get("https://api.example/3") }
  }

  @Test func nothingIsSentOutsideOfARequest() async throws {
    await #expect(throws: SearchError.self) { _ = try await HostHTTP().get("https://api.example/") }
  }

  @Test func settingsOfADeclaration() throws {
    let file = try JSONTree(
      parsing: Array(
        #"{"config": {"url": {"default": "https://a.example"}, "size": {"default": 5}, "name": {}}, "secrets": ["token"]}"#
          .utf8))
    let settings = DeclaredSettings(file).settings(["size": .integer(7)])
    #expect(settings.config == ["url": .string("https://a.example"), "size": .integer(7)])
    #expect(settings.secrets["token"]?.isEmpty == false)
    #expect(DeclaredSettings(nil).settings([:]).config.isEmpty)
  }
}
