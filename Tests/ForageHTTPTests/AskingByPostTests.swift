import ForageHTTPLive
import Synchronization
import TestSupport
import Testing

@testable import ForageHTTP

/// Requests with a body that only ask.
struct AskingByPostTests {
  private func request(_ server: LoopbackServer, _ body: String, onlyAsks: Bool = true) throws -> HTTPRequest
  {
    var request = HTTPRequest(
      method: "POST", url: try #require(HTTPURL(server.baseURL + "/search?key=s3cret&q=x")),
      deadline: .now + .seconds(30))
    request.body = Array(body.utf8)
    request.onlyAsks = onlyAsks
    request.secretNames = ["key", "x-token"]
    request.headers = [(name: "X-Token", value: "s3cret")]
    return request
  }

  @Test func theBodyArrives() async throws {
    try await withServer { _ in
      .json(body: "{}")
    } _: { server in
      let live = LiveTransport(try NetworkSettings(environment: [:]))
      _ = try await live.transport.send(request(server, "{\"a\":\"é\"}"))
      await live.shutdown()
      let seen = try #require(server.requests.first)
      #expect(
        seen.method == "POST" && seen.bodyText == "{\"a\":\"é\"}" && seen.header("content-length") == "10")
    }
  }

  @Test(arguments: [(true, 3), (false, 1)])
  func onlyWhatAsksIsTriedAgain(_ onlyAsks: Bool, _ count: Int) async throws {
    try await withServer { _ in
      .status(503)
    } _: { server in
      let live = LiveTransport(try NetworkSettings(environment: [:]))
      let response = try await live.transport.retryingReads(pause: { _ in }).send(
        request(server, "{}", onlyAsks: onlyAsks))
      await live.shutdown()
      #expect(response.status == 503 && server.requests.count == count)
    }
  }

  /// Another body is another question.
  @Test func answersAreKeptByBody() throws {
    var post = HTTPRequest(method: "POST", url: try #require(HTTPURL("https://a.example/x")), deadline: .now)
    #expect(!HTTPCacheRules.isCacheable(post))
    post.onlyAsks = true
    #expect(HTTPCacheRules.isCacheable(post))
    var other = post
    (post.body, other.body) = (Array("a".utf8), Array("b".utf8))
    #expect(HTTPCacheKey(post, scope: "s") != HTTPCacheKey(other, scope: "s"))
  }

  /// A see-other is fetched without the body; every other redirect keeps it.
  @Test(arguments: [(303, "GET", ""), (307, "POST", "{}"), (302, "POST", "{}")])
  func redirects(_ status: Int, _ method: String, _ body: String) async throws {
    try await withServer {
      $0.path == "/search" ? .redirect(to: "/other", status: status) : .json(body: "{}")
    } _: { server in
      let live = LiveTransport(try NetworkSettings(environment: [:]))
      _ = try await live.transport.followingRedirects().send(request(server, "{}"))
      await live.shutdown()
      #expect(server.requests.last?.method == method && server.requests.last?.bodyText == body)
    }
  }

  @Test func secretsAreNotShown() async throws {
    let seen = Mutex("")
    let transport = HTTPTransport { _ in
      HTTPResponse(
        status: 302,
        headers: [
          (name: "Location", value: "/x?key=s3cret"), (name: "X-Echo", value: "czNjcmV0 t0ken123 s3cret"),
          (name: "X-Plain", value: "p"),
        ])
    }.reporting { exchange in
      seen.withLock { $0 = ([exchange.url] + exchange.headers).joined(separator: "\n") }
    }
    try await withServer { _ in
      .json(body: "{}")
    } _: { server in
      var sent = try request(server, "")
      sent.headers.append((name: "Authorization", value: "Bearer t0ken123"))
      _ = try await transport.send(sent)
    }
    let text = seen.withLock { $0 }
    #expect(!text.contains("s3cret") && text.contains("key=(not-shown)&q=x") && text.contains("X-Plain: p"))
    #expect(
      text.contains("X-Echo: •••") && !text.contains("czNjcmV0") && !text.contains("t0ken123"), "\(text)")
  }
}
