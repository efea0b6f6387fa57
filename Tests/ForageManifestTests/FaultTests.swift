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

    init(
      _ name: String, _ response: ScriptedResponse, _ code: SearchError.Code, _ message: String,
      _ hint: String = "", retryAfter: Int? = nil, hasSecret: Bool = false
    ) {
      (self.name, self.response, self.code, self.message) = (name, response, code, message)
      (self.hint, self.retryAfter, self.hasSecret) = (hint, retryAfter, hasSecret)
    }
  }

  private static func refused(_ status: Int, after seconds: String? = nil, _ body: String = "{}")
    -> ScriptedResponse
  {
    .json(status: status, headers: seconds.map { [("Retry-After", $0)] } ?? [], body: body)
  }

  static let cases: [Case] = [
    Case(
      "401", refused(401, #"{"message":"401 Unauthorized"}"#), .unauthorized,
      "Acme requires a secret: 401 Unauthorized", "providers: {acme: {secrets: {token: {env: NAME}}}}"),
    Case(
      "401 with a secret", refused(401), .unauthorized, "Acme refused the secret", "renew it", hasSecret: true
    ),
    Case(
      "a scope",
      refused(403, #"{"error":"insufficient_scope","error_description":"more is needed","scope":"api"}"#),
      .forbidden, "more is needed (scope: api)", hasSecret: true),
    Case(
      "a search for accounts alone", refused(422, #"{"message":"User must be authenticated to use search"}"#),
      .invalidQuery, "authenticated", "providers: {acme: {secrets: {token: {env: NAME}}}}"),
    Case(
      "a wall", .html(status: 503, "<html><title>Making sure you're not a bot!</title></html>"), .unavailable,
      "Acme is behind a wall against bots, which answers in its place (status 503)", "in a browser"),
    Case(
      "a wall with status 200", .html("<html><script src=/cdn-cgi/challenge-platform/x></html>"),
      .unavailable,
      "behind a wall against bots", "in a browser"),
    Case("403", refused(403, #"{"error":"no"}"#), .forbidden, "Acme denied access: no", "set it in"),
    Case(
      "403 with a secret", refused(403, #"{"error":"no"}"#), .forbidden, "Acme denied access: no",
      "check the secret, and what it is allowed to do", hasSecret: true),
    Case(
      "403 for a limit", refused(403, after: "7", #"{"error":"slow"}"#), .rateLimited,
      "the rate limit of Acme is exceeded", "try again in 7 s", retryAfter: 7000),
    Case(
      "a limit of a day", refused(429, after: "86400"), .rateLimited,
      "the rate limit of Acme is exceeded until 20", "try again in 1440 min", retryAfter: 86_400_000),
    Case(
      "404", refused(404, #"{"message":"404 Project Not Found"}"#), .notFound,
      "Acme has no such API address: 404 Project Not Found", "check the url of acme"),
    Case(
      "422", refused(422, #"{"message":"Invalid sort mode: \"x\""}"#), .invalidQuery,
      "rejected the query (status 422): Invalid sort mode: \"x\"", "simplify"),
    Case(
      "400", refused(400, #"{"errors":[{"detail":"bad page"}]}"#), .invalidQuery, ": bad page", "simplify"),
    Case("410", refused(410), .unavailable, "status 410"),
    Case("409", refused(409), .unavailable, "does not provide it (status 409)", "browser"),
    Case("414", refused(414), .invalidQuery, "rejected the query (status 414)", "simplify"),
    Case("405", refused(405), .invalidQuery, "rejected the request (status 405)", "check the url of acme"),
    Case("406", refused(406), .invalidQuery, "rejected the request (status 406)", "check the url of acme"),
    Case("415", refused(415), .invalidQuery, "rejected the request (status 415)", "check the url of acme"),
    Case(
      "429 as plain text", .text(status: 429, headers: [("Retry-After", "30")], "Retry later\n"),
      .rateLimited,
      "the rate limit of Acme is exceeded", "try again in 30 s", retryAfter: 30_000),
    Case("429 without a time", refused(429), .rateLimited, "the rate limit", retryAfter: 60_000),
    Case(
      "429 of GitLab", refused(429, #"{"message":{"error":"too many times"}}"#), .rateLimited,
      ": too many times",
      retryAfter: 60_000),
    Case(
      "500", refused(500, #"{"error":{"message":"boom\nat line 3"}}"#), .serverError,
      "Acme failed (status 500): boom at line 3", "try again"),
    Case("503 with a time", refused(503, after: "9"), .serverError, "status 503"),
    Case(
      "a web page", .html("<html>hello</html>"), .invalidResponse, "web page instead of JSON", "proxy"),
    Case("no JSON", .text("nothing"), .invalidResponse, "the answer of Acme is not valid JSON"),
    Case("no UTF-8", .response(status: 200, body: [0x22, 0xFF, 0x22]), .invalidResponse, "not valid JSON"),
    Case(
      "too deep", .json(body: String(repeating: "[", count: 5000)), .responseTooLarge,
      "nested deeper than 64 levels"),
    Case(
      "too many values", .json(body: "[0" + String(repeating: ",0", count: 100_000) + "]"), .responseTooLarge,
      "more than 100000 JSON values"),
    Case(
      "no list", .json(body: #"{"rows":[]}"#), .invalidResponse,
      "the answer of Acme has no list at $.items[*]", "check items"),
    Case(
      "an error with status 200", .json(body: #"{"errors":[{"message":"timeout"}],"items":5}"#),
      .invalidResponse, "no list at $.items[*]: timeout", "simplify"),
    Case("cut off", .truncated(#"{"items":[]}"#, keep: 4), .connectionLost, "closed the connection"),
    Case(
      "too large",
      ScriptedResponse([
        .bytes(ScriptedResponse.head(status: 200, headers: [], length: 6 << 20)),
        .repeat(Array(repeating: 0x20, count: 1 << 16), times: 96),
      ]), .responseTooLarge, "larger than 5 MiB"),
    Case(
      "a redirect to another host", .redirect(to: "https://evil.example/search"), .redirect,
      "another host, evil.example"),
    Case("a redirect to nowhere", .status(302), .redirect, "without a target"),
    Case("a redirect loop", .redirect(to: "/search?q=x"), .redirect, "more than 5 times"),
    Case(
      "an endless message", refused(500, "{\"message\":\"" + String(repeating: "x", count: 5000) + "\"}"),
      .serverError, String(repeating: "x", count: 300)),
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
