import ForageCore
import ForageHTTP
import ForageManifest
import TestSupport
import Testing

/// An answer that is none, and what becomes of it.
struct FaultTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var response: ScriptedResponse
    var code: SearchError.Code
    var message: String
    var hint = ""
    var retryAfter: Int?
    var hasSecret = false
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(
      name: "401", response: .json(status: 401, body: #"{"message":"401 Unauthorized"}"#),
      code: .unauthorized, message: "Acme requires a secret: 401 Unauthorized",
      hint: "providers: {acme: {secrets: {token: {env: NAME}}}}"),
    Case(
      name: "401 with a secret", response: .json(status: 401, body: "{}"), code: .unauthorized,
      message: "Acme refused the secret", hint: "renew it", hasSecret: true),
    Case(
      name: "403", response: .json(status: 403, body: #"{"error":"no"}"#), code: .forbidden,
      message: "Acme denied access: no", hint: "check the secret"),
    Case(
      name: "403 for a limit",
      response: .json(status: 403, headers: [("Retry-After", "7")], body: #"{"error":"slow"}"#),
      code: .rateLimited, message: "the rate limit of Acme is exceeded",
      hint: "try again in 7 s", retryAfter: 7000),
    Case(
      name: "a limit of a day",
      response: .json(status: 429, headers: [("Retry-After", "86400")], body: "{}"), code: .rateLimited,
      message: "the rate limit of Acme is exceeded until 20", hint: "try again in 1440 min",
      retryAfter: 86_400_000),
    Case(
      name: "404", response: .json(status: 404, body: #"{"message":"404 Project Not Found"}"#),
      code: .notFound, message: "Acme has no such API address: 404 Project Not Found",
      hint: "check the url of acme"),
    Case(
      name: "422", response: .json(status: 422, body: #"{"message":"Invalid sort mode: \"x\""}"#),
      code: .invalidQuery, message: "rejected the query (status 422): Invalid sort mode: \"x\"",
      hint: "simplify"),
    Case(
      name: "400", response: .json(status: 400, body: #"{"errors":[{"detail":"bad page"}]}"#),
      code: .invalidQuery, message: ": bad page", hint: "simplify"),
    Case(name: "410", response: .json(status: 410, body: "{}"), code: .unavailable, message: "status 410"),
    Case(
      name: "429 as plain text",
      response: .text(status: 429, headers: [("Retry-After", "30")], "Retry later\n"), code: .rateLimited,
      message: "the rate limit of Acme is exceeded", hint: "try again in 30 s", retryAfter: 30_000),
    Case(
      name: "429 without a time", response: .json(status: 429, body: "{}"), code: .rateLimited,
      message: "the rate limit", retryAfter: 60_000),
    Case(
      name: "500", response: .json(status: 500, body: #"{"error":{"message":"boom\nat line 3"}}"#),
      code: .serverError, message: "Acme failed (status 500): boom at line 3", hint: "try again"),
    Case(
      name: "503 with a time", response: .json(status: 503, headers: [("Retry-After", "9")], body: "{}"),
      code: .serverError, message: "status 503"),
    Case(
      name: "a web page", response: .html("<html>hello</html>"), code: .invalidResponse,
      message: "web page instead of JSON", hint: "proxy"),
    Case(
      name: "no JSON", response: .text("nothing"), code: .invalidResponse,
      message: "the answer of Acme is not valid JSON"),
    Case(
      name: "no UTF-8", response: .response(status: 200, body: [0x22, 0xFF, 0x22]), code: .invalidResponse,
      message: "not valid JSON"),
    Case(
      name: "too deep", response: .json(body: String(repeating: "[", count: 5000)), code: .responseTooLarge,
      message: "nested deeper than 64 levels"),
    Case(
      name: "too many values", response: .json(body: "[0" + String(repeating: ",0", count: 100_000) + "]"),
      code: .responseTooLarge, message: "more than 100000 JSON values"),
    Case(
      name: "no list", response: .json(body: #"{"rows":[]}"#), code: .invalidResponse,
      message: "the answer of Acme has no list at $.items[*]", hint: "check items"),
    Case(
      name: "an error with status 200",
      response: .json(body: #"{"errors":[{"message":"timeout"}],"items":5}"#), code: .invalidResponse,
      message: "no list at $.items[*]: timeout", hint: "simplify"),
    Case(
      name: "cut off", response: .truncated(#"{"items":[]}"#, keep: 4), code: .connectionLost,
      message: "closed the connection"),
    Case(
      name: "too large",
      response: ScriptedResponse([
        .bytes(ScriptedResponse.head(status: 200, headers: [], length: 6 << 20)),
        .repeat(Array(repeating: 0x20, count: 1 << 16), times: 96),
      ]), code: .responseTooLarge, message: "larger than 5 MiB"),
    Case(
      name: "a redirect to another host", response: .redirect(to: "https://evil.example/search"),
      code: .redirect, message: "another host, evil.example"),
    Case(
      name: "a redirect to nowhere", response: .status(302), code: .redirect,
      message: "without a target"),
    Case(
      name: "a redirect loop", response: .redirect(to: "/search?q=x"), code: .redirect,
      message: "more than 5 times"),
    Case(
      name: "an endless message",
      response: .json(status: 500, body: "{\"message\":\"" + String(repeating: "x", count: 5000) + "\"}"),
      code: .serverError, message: String(repeating: "x", count: 300)),
  ]

  @Test(arguments: cases)
  func becomesAnError(_ test: Case) async throws {
    let more = "auth: {secret: token, header: X-Token}"
    try await withAPI(
      sample(more: more), secrets: test.hasSecret ? ["token": "s3cret"] : [:]
    ) { _ in
      test.response
    } _: {
      provider, server in
      let error = await searchError { _ = try await provider.search(ask("x", of: provider)) }
      #expect(error?.code == test.code)
      #expect(error?.message.contains(test.message) == true, "\(error?.message ?? "")")
      #expect(error?.hint.contains(test.hint) == true || test.hint.isEmpty, "\(error?.hint ?? "")")
      #expect(error?.retryAfterMilliseconds == test.retryAfter)
      #expect((error?.message.count ?? 0) < 500 && error?.message.contains("s3cret") == false)
    }
  }

  /// Searching by POST only asks, so it is tried again like any read.
  @Test(arguments: ["GET", "POST"])
  func readsAreTriedAgain(_ method: String) async throws {
    let text = sample().replacing("request: {", with: "request: {method: \(method), ")
    let failures = Counter(2)
    try await withAPI(text) { _ in
      failures.next() ? .status(503) : .json(body: rows(1...2))
    } _: {
      provider, server in
      let (request, requests) = (try ask("x", of: provider), RequestCounter())
      let page = try await requests.counting { try await provider.search(request) }
      #expect(page.items.count == 2 && server.requests.count == 3 && requests.count == 3)
      #expect(server.requests.allSatisfy { $0.method == method })
    }
  }

  @Test func redirectsOnTheOriginAreFollowed() async throws {
    try await withAPI(
      sample()
    ) {
      $0.path == "/search" ? .redirect(to: "/v2/search?q=x", status: 307) : .json(body: rows(1...2))
    } _: {
      provider, server in
      let (request, requests) = (try ask("x", of: provider), RequestCounter())
      let page1 = try await requests.counting { try await provider.search(request) }
      #expect(page1.items.count == 2 && requests.count == 2)
      #expect(server.requests.last?.path == "/v2/search")
    }
  }

  /// The usual words of an API, and those of a manifest of its own.
  @Test func codesOfTheAPI() async throws {
    let more = "errors: {message: $.why, code: {path: $.kind, map: {slow: rate_limited, key: unauthorized}}}"
    let cases: [(String, Int, SearchError.Code, String)] = [
      ("slow", 400, .rateLimited, "is exceeded until"), ("slow", 200, .rateLimited, "is exceeded until"),
      ("key", 200, .unauthorized, "refused the request: because"), ("else", 400, .invalidQuery, ": because"),
    ]
    for (kind, status, code, message) in cases {
      try await withAPI(
        sample(more: more)
      ) { _ in
        .json(status: status, body: #"{"kind":"\#(kind)","why":"because"}"#)
      } _: {
        provider, _ in
        let error = await searchError { _ = try await provider.search(ask("x", of: provider)) }
        #expect(
          error?.code == code && error?.message.contains(message) == true, "\(kind) \(error?.message ?? "")")
      }
    }
  }

  @Test func aPassedDeadlineIsATimeout() async throws {
    try await withAPI(sample()) { _ in
      .hang
    } _: { provider, _ in
      let request = try ask("x", of: provider, within: .milliseconds(100))
      let error = await searchError { _ = try await provider.search(request) }
      #expect(error?.code == .timeout)
    }
  }

  @Test func nobodyThere() async throws {
    let server = try await LoopbackServer.start { _ in .empty }
    await server.stop()
    try await withProvider(try manifest(sample()), at: server) { provider in
      let error = await searchError { _ = try await provider.search(ask("x", of: provider)) }
      #expect(error?.code == .unreachable)
    }
  }
}
