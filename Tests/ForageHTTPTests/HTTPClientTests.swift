import ForageCore
import ForageHTTP
import Synchronization
import TestSupport
import Testing

/// The client that providers of other packages use.
struct HTTPClientTests {
  private static let url = HTTPURL("https://api.acme.example/search?q=x")

  @Test func itCachesSignsAndMasks() async throws {
    let folder = try TemporaryDirectory()
    let sent = Mutex<[HTTPRequest]>([])
    let transport = HTTPTransport { request in
      sent.withLock { $0.append(request) }
      let key = request.headers.first("x-key") ?? ""
      return HTTPResponse(
        status: 200, headers: [("Date", "x"), ("X-the-secret", "1")], body: Array("you sent \(key)".utf8))
    }
    let client = HTTPClient(
      host: "api.acme.example", transport: transport, userAgent: "acme/1.0",
      credential: .init("the-secret", header: "X-Key", prefix: "Key "), cacheFolder: folder.path("cache"))
    let url = try #require(Self.url)
    for _ in 1...2 {
      let response = try await client.get(url, freshFor: .seconds(60), deadline: .now + .seconds(60))
      #expect(String(decoding: response.body, as: UTF8.self) == "you sent Key ***")
      // A field whose name has the secret is left out.
      #expect(!response.headers.contains { $0.name.contains("secret") })
    }
    let requests = sent.withLock { $0 }
    #expect(requests.count == 1 && requests.first?.headers.first("x-key") == "Key the-secret")
    #expect(requests.first?.headers.first("user-agent") == "acme/1.0")
  }

  @Test(arguments: [
    "https://evil.example/", "https://api.acme.example:444/", "http://api.acme.example/",
  ])
  func itAsksItsHostOnly(_ address: String) async throws {
    let client = HTTPClient(
      host: "api.acme.example", transport: HTTPTransport { _ in HTTPResponse(status: 200) }, userAgent: "a")
    let url = try #require(HTTPURL(address))
    await #expect(throws: HTTPError.self) { _ = try await client.get(url, deadline: .now + .seconds(60)) }
  }

  @Test func withoutAFolderNothingIsKept() async throws {
    let count = Mutex(0)
    let transport = HTTPTransport { _ in
      count.withLock { $0 += 1 }
      return HTTPResponse(status: 200)
    }
    let client = HTTPClient(host: "api.acme.example", transport: transport, userAgent: "a")
    let url = try #require(Self.url)
    for _ in 1...2 { _ = try await client.get(url, freshFor: .seconds(60), deadline: .now + .seconds(60)) }
    #expect(count.withLock { $0 } == 2)
  }
}
