import ForageCore
import ForageGitHub
import ForageHTTP
import Synchronization
import Testing

/// The provider as a program outside this package creates it.
@Suite struct TokenProviderTests {
  private static let empty = #"{"total_count":0,"incomplete_results":false,"items":[]}"#

  /// The request of a search that answers with an empty list.
  private static func request(token: String?, host: String) async throws -> HTTPRequest {
    let sent = Mutex<[HTTPRequest]>([])
    let transport = HTTPTransport { request in
      sent.withLock { $0.append(request) }
      return HTTPResponse(status: 200, body: Array(empty.utf8))
    }
    let provider = try GitHubProvider(token: token, host: host, userAgent: "test/1", transport: transport)
    let query = try QueryParser().parse("parser").root
    let page = try await provider.search(
      SearchRequest(kind: .repo, query: query, pageSize: 5, deadline: .now + .seconds(20)))
    #expect(page.items.isEmpty && page.total == ResultTotal(0))
    let first = sent.withLock { $0.first }
    return try #require(first)
  }

  @Test(arguments: [
    ("github.com", "https://api.github.com/search/repositories"),
    ("acme.ghe.com", "https://api.acme.ghe.com/search/repositories"),
    ("ghe.example.com:8443", "https://ghe.example.com:8443/api/v3/search/repositories"),
  ])
  func theTokenGoesToTheServer(_ host: String, _ address: String) async throws {
    let request = try await Self.request(token: "secret", host: host)
    #expect(request.url.text.hasPrefix(address + "?"))
    #expect(request.headers.contains { $0 == ("Authorization", "Bearer secret") })
    #expect(request.headers.contains { $0 == ("User-Agent", "test/1") })
  }

  @Test func withoutATokenThereIsNoAuthorization() async throws {
    let request = try await Self.request(token: nil, host: "github.com")
    #expect(!request.headers.contains { $0.name.lowercased() == "authorization" })
  }

  @Test(arguments: ["", "https://github.com", "me:pw@github.com", "github.com/path"])
  func aBadHostIsAnErrorThatDoesNotShowIt(_ host: String) throws {
    let transport = HTTPTransport { _ in throw HTTPError(.unreachable, "not asked") }
    let error = #expect(throws: SearchError.self) {
      _ = try GitHubProvider(token: "t", host: host, userAgent: "test/1", transport: transport)
    }
    #expect(error?.code == .configuration && error?.message.contains("pw") == false)
  }
}
