import Forage
import ForageCore
import ForageHTTP
import ForagePluginProtocol
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ForagePluginHost

/// Requests of plugins that the host sends: the secret reaches the declared hosts, and never the plugin.
struct PluginRequestsTests {
  private static let secret = "s3cret-T0ken+/="
  private static let auth = PluginManifest.Auth(
    secret: "token", header: "Authorization", prefix: "Bearer ")
  private static let hosts = ["api.acme.example", "127.0.0.1:8080", "localhost"]

  /// What the server gets.
  private final class Received: Sendable {
    private let list = Mutex<[HTTPRequest]>([])
    var all: [HTTPRequest] { list.withLock { $0 } }
    func add(_ request: HTTPRequest) { list.withLock { $0.append(request) } }
  }

  private func requests(
    _ received: Received = Received(), answer: @escaping @Sendable (HTTPRequest) throws -> HTTPResponse
  ) -> PluginRequests {
    let transport = HTTPTransport { request in
      received.add(request)
      return try answer(request)
    }
    return PluginRequests(
      userAgent: "forage/test", transport: { transport }, services: { _ in nil }, knownSecrets: { [] })
  }

  private func request(
    _ url: String = "https://api.acme.example/search", method: String? = nil,
    headers: [String: String]? = nil, body: String? = nil, secret: String? = Self.secret
  ) -> PluginHTTPRequest {
    PluginHTTPRequest(
      HTTPParams(id: .number(1), url: url, method: method, headers: headers, body: body), plugin: "acme",
      hosts: Self.hosts, secret: secret.map { (Self.auth, $0) }, deadline: .now + .seconds(60))
  }

  /// All that the plugin gets, as text.
  private func told(_ outcome: Result<HTTPResult, any Error>) throws -> String {
    switch outcome {
    case .success(let result):
      let body = result.bodyBase64.flatMap { Data(base64Encoded: $0) } ?? Data()
      return "\(result)" + String(decoding: body, as: Unicode.ASCII.self)
    case .failure(let error): return "\(try #require(error as? SearchError))"
    }
  }

  private func outcome(_ requests: PluginRequests, _ request: PluginHTTPRequest) async -> Result<
    HTTPResult, any Error
  > {
    do { return .success(try await requests.send(request)) } catch { return .failure(error) }
  }

  @Test func theHostAddsTheSecret() async throws {
    let received = Received()
    let requests = requests(received) { _ in
      HTTPResponse(status: 200, headers: [("ETag", "1"), ("Set-Cookie", "a=b")], body: Array("[]".utf8))
    }
    let result = try await requests.send(
      request(headers: ["Accept": "text/plain", "authorization": "Bearer of the plugin"]))
    #expect(result == HTTPResult(status: 200, headers: ["etag": "1"], body: "[]"))
    let sent = try #require(received.all.first)
    #expect(
      sent.headers.filter { $0.name.lowercased() == "authorization" }.map(\.value) == [
        "Bearer " + Self.secret
      ])
    #expect(sent.headers.first("accept") == "text/plain" && sent.headers.first("user-agent") == "forage/test")
    // Without a secret the plugin's own field is sent.
    _ = try await requests.send(request(headers: ["Authorization": "Basic eA=="], secret: nil))
    #expect(received.all.last?.headers.first("authorization") == "Basic eA==")
  }

  /// Nothing is sent to where the secret must not go, however the address is written.
  @Test(arguments: [
    "https://evil.example/", "https://api.acme.example.evil.example/", "https://api.acme.example:8443/",
    "https://api.acme.example./", "https://api.acme.example@evil.example/",
    "https://evil.example/?api.acme.example",
    "https://x.api.acme.example/", "http://api.acme.example/", "http://api.acme.example:443/",
    "file:///proc/self/environ", "ftp://api.acme.example/", "https:api.acme.example", "//api.acme.example/",
    "http://127.0.0.1:8081/", "http://127.0.0.1/", "http://127.1:8080/", "http://2130706433:8080/",
    "http://0x7f.0.0.1:8080/", "http://[::ffff:127.0.0.1]:8080/", "http://localtest.me/",
    "http://a.localhost/",
    "https://api.acme.example\\@evil.example/", "https://api.acme.example /", "https://",
  ])
  func otherAddresses(_ url: String) async throws {
    let received = Received()
    let outcome = await outcome(requests(received) { _ in HTTPResponse(status: 200) }, request(url))
    guard case .failure(let error as SearchError) = outcome else { return #expect(Bool(false), "\(url)") }
    #expect(error.code == .configuration && received.all.isEmpty, "\(url)")
  }

  @Test(arguments: ["https://API.acme.example:443/x", "http://127.0.0.1:8080/x", "http://localhost/x"])
  func declaredAddresses(_ url: String) async throws {
    let received = Received()
    _ = try await requests(received) { _ in HTTPResponse(status: 200) }.send(request(url))
    #expect(received.all.count == 1)
  }

  /// Nor with what would make a server send it elsewhere, or give it back in a form that is not found.
  @Test(arguments: [
    ("Host", "evil.example"), ("Range", "bytes=0-5"), ("If-Range", "x"), ("Accept-Encoding", "br"),
    ("Content-Encoding", "gzip"), ("Proxy-Connection", "x"), ("Connection", "Authorization"),
    ("X-Forwarded-Host", "evil.example"), ("Forwarded", "host=evil.example"),
    ("X-HTTP-Method-Override", "TRACE"), ("Transfer-Encoding", "chunked"), ("Content-Length", "1"),
    ("Accept", "a\r\nHost: evil.example"), ("A: b\r\nHost", "evil.example"), ("", "x"), ("a b", "x"),
  ])
  func headersOfTheHost(_ name: String, _ value: String) async throws {
    let received = Received()
    let outcome = await outcome(
      requests(received) { _ in HTTPResponse(status: 200) }, request(headers: [name: value]))
    guard case .failure(let error as SearchError) = outcome else { return #expect(Bool(false), "\(name)") }
    #expect(error.code == .configuration && received.all.isEmpty)
  }

  @Test(arguments: ["TRACE", "CONNECT", "OPTIONS", "PUT", "DELETE", "get", "GET / HTTP/1.1"])
  func otherMethods(_ method: String) async throws {
    let received = Received()
    let outcome = await outcome(
      requests(received) { _ in HTTPResponse(status: 200) }, request(method: method))
    guard case .failure(let error as SearchError) = outcome else { return #expect(Bool(false), "\(method)") }
    #expect(error.code == .configuration && received.all.isEmpty)
  }

  private static let base64 = Data(secret.utf8).base64EncodedString()
  private static let percent = PercentEncoding.encode(secret)

  /// The ways in which a server gives back what it was sent.
  private static let echoes: [HTTPResponse] = [
    HTTPResponse(status: 200, body: Array("Authorization: Bearer \(secret)".utf8)),
    HTTPResponse(status: 401, body: Array(#"{"message": "bad token \#(secret)"}"#.utf8)),
    HTTPResponse(status: 200, body: Array(#"{"token": "s3cret-T0ken+\/="}"#.utf8)),
    HTTPResponse(status: 200, body: Array(#"{"token": "\u00733cret-T0ken\u002b/="}"#.utf8)),
    HTTPResponse(status: 200, body: Array("t=\(percent)".utf8)),
    HTTPResponse(status: 200, body: Array("t=\(base64)".utf8)),
    HTTPResponse(status: 200, body: [0xFF, 0xFE] + Array(secret.utf8)),
    HTTPResponse(status: 200, headers: [("X-Debug", "Bearer \(secret)")]),
    HTTPResponse(status: 200, headers: [("X-\(secret)", "1")]),
    HTTPResponse(status: 200, headers: [("Set-Cookie", "session=\(secret)")]),
    HTTPResponse(status: 200, headers: [("WWW-Authenticate", "Bearer error=\"\(percent)\"")]),
    HTTPResponse(status: 302, headers: [("Location", "https://\(percent).evil.example/")]),
    HTTPResponse(status: 302, headers: [("Location", "https://evil.example/?t=\(percent)")]),
    HTTPResponse(status: 300, headers: [("Link", "<https://evil.example/\(secret)>; rel=\"next\"")]),
    HTTPResponse(status: 500, body: [UInt8](repeating: 65, count: 1 << 20) + Array(secret.utf8)),
  ]

  @Test(arguments: echoes.indices) func echoesOfTheServer(_ index: Int) async throws {
    let received = Received()
    let outcome = await outcome(requests(received) { _ in Self.echoes[index] }, request())
    let told = try told(outcome)
    for form in [Self.secret, Self.base64, Self.percent, "s3cret", "T0ken"] {
      #expect(!told.contains(form), "\(form): \(told.prefix(300))")
    }
    #expect(received.all.allSatisfy { $0.url.host == "api.acme.example" })
  }

  /// The words of a failed connection may have it, too.
  @Test func errorTexts() async throws {
    let requests = requests { _ in throw HTTPError(.malformed, "bad answer: \(Self.secret)") }
    #expect(!(try told(await outcome(requests, request()))).contains("s3cret"))
  }

  @Test func redirectsStayOnTheServer() async throws {
    let received = Received()
    let requests = requests(received) { request in
      request.url.path == "/search"
        ? HTTPResponse(status: 301, headers: [("Location", "/other?x=1")]) : HTTPResponse(status: 200)
    }
    #expect(try await requests.send(request()).status == 200)
    #expect(received.all.map(\.url.text).last == "https://api.acme.example/other?x=1")
  }

  /// What cannot be told from other text cannot be kept from the plugin, and what fits no header field is not
  /// sent.
  @Test(arguments: ["12345", "line\nbreak", "with space", "ünïcode"]) func unfitSecrets(_ secret: String)
    async throws
  {
    let received = Received()
    let outcome = await outcome(
      requests(received) { _ in HTTPResponse(status: 200) }, request(secret: secret))
    #expect(try !told(outcome).contains(secret) && received.all.isEmpty)
  }
}
