import ForageCore
import ForageHTTP
import TestSupport
import Testing

@testable import ForageGitHub

/// A fault and what becomes of it.
struct FaultCase: Sendable, CustomTestStringConvertible {
  var name: String
  var fault: FakeGitHub.Fault
  var token: String?
  /// Whether the sentences are those for somebody without a token.
  var isAnonymous = false
  var code: SearchError.Code
  /// Parts of the sentence, beside "GitHub".
  var message: [String] = []
  var hint: String
  var retryAfter: ClosedRange<Int>?
  /// Requests that are sent for one page.
  var requests = 1
  var time: Duration = .seconds(30)
  /// Whether the fault is told only after a time limit or after pauses between requests.
  var isSlow: Bool { time < .seconds(30) || requests == 3 }

  var testDescription: String { name }
}

@Suite struct FaultTests {
  static let cases = [
    FaultCase(
      name: "bad credentials", fault: .badCredentials, token: "t0ken", code: .unauthorized,
      message: ["refused the token from GH_TOKEN", "Bad credentials"], hint: "unset it"),
    FaultCase(
      name: "a token is needed", fault: .badCredentials, isAnonymous: true, code: .unauthorized,
      message: ["requires a token"],
      hint: "GH_ENTERPRISE_TOKEN"),
    FaultCase(
      name: "two factors",
      fault: .custom(
        .json(
          status: 401, headers: [("X-GitHub-OTP", "required; app")],
          body: #"{"message":"Must specify two-factor"}"#)),
      token: "t0ken", code: .unauthorized, message: ["two-factor"], hint: "personal access token"),
    FaultCase(
      name: "primary limit", fault: .primaryLimit(resetIn: 40), isAnonymous: true, code: .rateLimited,
      message: ["rate limit", "exceeded"],
      hint: "set GH_ENTERPRISE_TOKEN", retryAfter: 35_000...42_000),
    FaultCase(
      name: "primary limit with a token", fault: .primaryLimit(resetIn: 600), token: "t0ken",
      code: .rateLimited,
      message: ["rate limit", "exceeded"], hint: "try again in 1", retryAfter: 590_000...602_000),
    FaultCase(
      name: "secondary limit", fault: .secondaryLimit(retryAfter: 7), code: .rateLimited,
      message: ["secondary rate limit"],
      hint: "try again in 7 s", retryAfter: 7000...7000),
    FaultCase(
      name: "secondary limit without a time", fault: .secondaryLimit(retryAfter: nil), code: .rateLimited,
      message: ["secondary rate limit"], hint: "try again in 60 s", retryAfter: 60_000...60_000),
    FaultCase(
      name: "too many requests", fault: .tooManyRequests(retryAfter: 3), token: "t0ken", code: .rateLimited,
      message: ["secondary rate limit"], hint: "try again in 3 s", retryAfter: 3000...3000),
    FaultCase(
      name: "too many requests without a time", fault: .tooManyRequests(retryAfter: nil), code: .rateLimited,
      hint: "try again in 60 s", retryAfter: 60_000...60_000),
    FaultCase(
      name: "abuse detection",
      fault: .custom(
        .json(status: 403, body: #"{"message":"You have triggered an abuse detection mechanism."}"#)),
      code: .rateLimited, message: ["secondary rate limit"], hint: "try again in 60 s",
      retryAfter: 60_000...60_000),
    FaultCase(
      name: "permission", fault: .permission, token: "t0ken", code: .forbidden,
      message: ["Resource not accessible"],
      hint: "permissions of the token from GH_TOKEN"),
    FaultCase(
      name: "permission without a token", fault: .permission, isAnonymous: true, code: .forbidden,
      hint: "GH_ENTERPRISE_TOKEN"),
    FaultCase(
      name: "permissions that are named",
      fault: .custom(
        .json(
          status: 403, headers: [("X-Accepted-GitHub-Permissions", "contents=read")],
          body: #"{"message":"Resource not accessible by personal access token"}"#)),
      token: "t0ken", code: .forbidden, message: ["Resource not accessible"],
      hint: "the token from GH_TOKEN needs the permission contents=read"),
    FaultCase(
      name: "single sign-on",
      fault: .custom(
        .json(
          status: 403,
          headers: [
            ("X-GitHub-SSO", "required; url=https://github.com/orgs/acme/sso?authorization_request=0nce")
          ],
          body: #"{"message":"Resource protected by organization SAML enforcement."}"#)),
      token: "t0ken", code: .forbidden, message: ["single sign-on to acme", "SAML"],
      hint: "sign in at https://github.com/orgs/acme/sso, then authorize the token"),
    FaultCase(
      name: "single sign-on at an address of somebody else",
      fault: .custom(
        .json(
          status: 403, headers: [("X-GitHub-SSO", "required; url=https://evil.example/orgs/acme/sso?r=0nce")],
          body: #"{"message":"Resource protected"}"#)),
      token: "t0ken", code: .forbidden, message: ["single sign-on to an organization"],
      hint: "authorize the token for single sign-on at https://github.com/settings/tokens"),
    FaultCase(
      name: "a list of allowed addresses",
      fault: .custom(
        .json(
          status: 403,
          body:
            #"{"message":"Although you appear to have the correct authorization credentials, the `acme` organization has an IP allow list enabled, and your IP address is not permitted to access this resource."}"#
        )),
      token: "t0ken", code: .forbidden, message: ["IP allow list"],
      hint: "from a network that the organization allows"),
    FaultCase(
      name: "an application that is not approved",
      fault: .custom(
        .json(
          status: 403,
          body:
            #"{"message":"Although you appear to have the correct authorization credentials, the `acme` organization has enabled OAuth App access restrictions, meaning that data access to third-parties is limited."}"#
        )),
      token: "t0ken", code: .forbidden, message: ["OAuth App"], hint: "approve the application"),
    FaultCase(
      name: "a kind of token",
      fault: .custom(
        .json(
          status: 403, body: #"{"message":"`acme` forbids access via a personal access token (classic)."}"#)),
      token: "t0ken", code: .forbidden, message: ["forbids access via"], hint: "a kind of token"),
    FaultCase(
      name: "blocked with status 403",
      fault: .custom(.json(status: 403, body: #"{"message":"Repository access blocked"}"#)), token: "t0ken",
      code: .unavailable, message: ["access blocked"], hint: "browser"),
    FaultCase(
      name: "not found", fault: .notFound, isAnonymous: true, code: .notFound,
      message: ["not as a GitHub API"],
      hint: "API address"),
    FaultCase(
      name: "validation", fault: .validation, code: .invalidQuery,
      message: ["Validation Failed", "Search q invalid"],
      hint: "users and repositories"),
    FaultCase(
      name: "validation with plain strings",
      fault: .custom(
        .json(status: 422, body: #"{"message":"Validation Failed","errors":["Only the first",{"code":7}]}"#)),
      code: .invalidQuery, message: ["Validation Failed: Only the first"], hint: "simplify"),
    FaultCase(
      name: "unsupported version",
      fault: .custom(.json(status: 400, body: #"{"message":"no such version"}"#)),
      code: .invalidQuery, message: ["no such version"], hint: "simplify"),
    FaultCase(
      name: "an address that takes no searches", fault: .custom(.json(status: 405, body: "{}")),
      code: .invalidQuery, message: ["rejected the request (status 405)"], hint: "API address"),
    FaultCase(
      name: "blocked", fault: .custom(.json(status: 451, body: #"{"message":"Repository access blocked"}"#)),
      code: .unavailable,
      message: ["451", "access blocked"], hint: "browser"),
    FaultCase(
      name: "server error", fault: .serverError, code: .serverError, message: ["status 500"],
      hint: "try again in a moment", requests: 2),
    FaultCase(
      name: "bad gateway", fault: .badGatewayJSON, code: .serverError,
      message: ["status 502", "Server Error"],
      hint: "try again", requests: 3),
    FaultCase(
      name: "unavailable with HTML", fault: .unavailableHTML, code: .serverError, message: ["status 503"],
      hint: "try again",
      requests: 3),
    FaultCase(
      name: "a web page", fault: .pageHTML, code: .invalidResponse, message: ["web page instead of JSON"],
      hint: "proxy"),
    FaultCase(
      name: "half of the JSON", fault: .truncatedJSON, code: .invalidResponse, message: ["not valid JSON"],
      hint: "try again"),
    FaultCase(
      name: "JSON of another kind", fault: .custom(.json(body: "[]")), code: .invalidResponse,
      hint: "try again"),
    FaultCase(
      name: "an empty answer", fault: .custom(.status(200)), code: .invalidResponse, hint: "try again"),
    FaultCase(
      name: "no content", fault: .custom(.status(204)), code: .invalidResponse, message: ["204"],
      hint: "API address"),
    FaultCase(
      name: "a declared giant", fault: .hugeBody(declared: true), code: .responseTooLarge,
      message: ["16 MiB"], hint: "API address"),
    FaultCase(
      name: "an undeclared giant", fault: .hugeBody(declared: false), code: .responseTooLarge,
      message: ["16 MiB"],
      hint: "API address"),
    FaultCase(
      name: "nothing", fault: .nothing, code: .connectionLost, message: ["closed the connection"],
      hint: "try again", requests: 3),
    FaultCase(
      name: "half of the body", fault: .droppedMidBody, code: .connectionLost,
      message: ["closed the connection"],
      hint: "try again", requests: 3),
    FaultCase(
      name: "an encoding that was not asked for",
      fault: .custom(
        .response(status: 200, headers: [("Content-Encoding", "br")], body: [11, 2, 128, 123, 125, 3])),
      code: .invalidResponse, message: ["the encoding br"], hint: "whether a proxy is in between"),
    FaultCase(
      name: "half of a gzip stream",
      fault: .custom(
        .response(
          status: 200, headers: [("Content-Encoding", "gzip")],
          body: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255, 1, 5, 0])),
      code: .connectionLost, message: ["closed the connection"], hint: "try again", requests: 3),
    FaultCase(
      name: "silence", fault: .hang, code: .timeout, message: ["in time"], hint: "",
      time: .seconds(1)),
    FaultCase(
      name: "dripping", fault: .custom(.drip(String(repeating: " ", count: 160))), code: .timeout,
      message: ["in time"], hint: "",
      time: .seconds(1)),
    FaultCase(
      name: "a redirect loop", fault: .redirectLoop, code: .redirect, message: ["more than 5 times"],
      hint: "API address", requests: 6),
    FaultCase(
      name: "a redirect elsewhere", fault: .redirect(to: "https://evil.example/"), code: .redirect,
      message: ["evil.example"],
      hint: "API address"),
    FaultCase(
      name: "a redirect nowhere", fault: .custom(.status(301)), code: .redirect,
      message: ["without a target"],
      hint: "API address"),
    FaultCase(
      name: "not HTTP",
      fault: .custom(ScriptedResponse([.bytes(Array("SSH-2.0-x\r\n".utf8)), .closeConnection])),
      code: .invalidResponse, message: ["HTTP"], hint: "API address"),
  ]

  @Test(.timeLimit(.minutes(1)), arguments: cases)
  func faultIsTold(_ fault: FaultCase) async throws { try await check(fault, kind: .repo) }

  /// Statuses that say that the address is not the API's are no word about the query.
  @Test(
    arguments: [
      (400, .invalidQuery, "rejected the query: no"), (414, .invalidQuery, "rejected the query: no"),
      (422, .invalidQuery, "rejected the query: no"),
      (405, .invalidQuery, "rejected the request (status 405): no"),
      (406, .invalidQuery, "rejected the request (status 406): no"),
      (415, .invalidQuery, "rejected the request (status 415): no"),
      (409, .unavailable, "does not provide it (status 409): no"),
      (307, .redirect, "redirects without a target address: no"),
    ] as [(Int, SearchError.Code, String)])
  func statuses(_ status: Int, _ code: SearchError.Code, _ sentence: String) {
    let response = HTTPResponse(status: status, body: Array(#"{"message": "no."}"#.utf8))
    let error = GitHubErrors(host: "github.com", webHosts: ["github.com"]).error(response)
    #expect(error.code == code && error.message == "GitHub " + sentence, "\(error)")
    #expect(error.hint.contains("API address") == [405, 406, 415, 307].contains(status), "\(error)")
  }

  /// The same from every other search. What keeps the processor busy comes one after the other; what waits,
  /// waits together.
  @Test(.timeLimit(.minutes(5)), arguments: GitHubKind.all.map(\.kind).filter { $0 != .repo })
  func everyFaultOfEverySearch(kind: ResultKind) async throws {
    for fault in Self.cases where !fault.isSlow { try await check(fault, kind: kind) }
    try await withThrowingTaskGroup { group in
      for fault in Self.cases where fault.isSlow { group.addTask { try await check(fault, kind: kind) } }
      try await group.waitForAll()
    }
  }

  private func check(_ fault: FaultCase, kind: ResultKind) async throws {
    let needsToken = kind == .code
    // Without a token nothing is sent that could go wrong.
    if needsToken, fault.isAnonymous { return }
    let github = FakeGitHub.world(count: 30)
    github.fail(fault.fault)
    try await withFake(github, token: fault.token ?? (needsToken ? "t0ken" : nil)) { provider, server in
      let request = try searchRequest("for", kind: kind, within: fault.time)
      let counter = RequestCounter()
      let error = await counter.counting {
        await searchError { _ = try await provider.search(request) }
      }
      #expect(error?.code == fault.code, "\(fault.name), \(kind.rawValue)")
      let message = error?.message ?? ""
      for part in ["GitHub"] + fault.message { #expect(message.contains(part), "\(message)") }
      #expect(
        fault.hint.isEmpty ? error?.hint == "" : error?.hint.contains(fault.hint) == true,
        "\(error?.hint ?? "")")
      // No token raises a secondary limit.
      if message.contains("secondary") { #expect(error?.hint.contains("TOKEN") == false) }
      #expect(!message.hasSuffix(".") && !(message + (error?.hint ?? "")).contains(/t0ken|0nce|example.orgs/))
      if let range = fault.retryAfter {
        #expect(range.contains(error?.retryAfterMilliseconds ?? -1), "\(fault.name), \(kind.rawValue)")
      } else {
        #expect(error?.retryAfterMilliseconds == nil)
      }
      #expect(
        server.requests.count == fault.requests && counter.count == fault.requests,
        "\(fault.name), \(kind.rawValue)")
      // The slowest are the retries with their pauses; the rest is a busy machine.
    }
  }

  @Test func nobodyThere() async throws {
    let server = try await LoopbackServer.start { _ in .status(200) }
    await server.stop()
    try await withProvider(at: server) { provider in
      let request = try searchRequest("swift")
      let error = await searchError { _ = try await provider.search(request) }
      #expect(error?.code == .unreachable)
      #expect(error?.message.contains("127.0.0.1:\(server.port)") == true && error?.hint.isEmpty == false)
    }
  }

  @Test func shortFaultsAreSurvived() async throws {
    let github = FakeGitHub(repositories: FakeRepository.many(30))
    github.fail(.unavailableHTML, times: 1)
    github.fail(.nothing, times: 1)
    try await withFake(github) { provider, server in
      let page = try await provider.search(searchRequest("swift"))
      #expect(page.items.count == 30)
      #expect(server.requests.count == 3)
    }
  }

  @Test func slowIsFine() async throws {
    let github = FakeGitHub(repositories: FakeRepository.many(3))
    github.fail(.slow(milliseconds: 300))
    try await withFake(github) { provider, _ in
      let page = try await provider.search(searchRequest("swift"))
      #expect(page.items.count == 3)
    }
  }

  @Test func namesThatDoNotExist() async throws {
    try await withFake(FakeGitHub(repositories: FakeRepository.many(3))) { provider, _ in
      let request = try searchRequest("repo:nobody/nothing")
      let error = await searchError { _ = try await provider.search(request) }
      #expect(error?.code == .invalidQuery && error?.message.contains("does not exist") == true)
    }
  }

  /// GitHub's own numbers: ten searches a minute without a token.
  @Test func enforcedLimit() async throws {
    let github = FakeGitHub(repositories: FakeRepository.many(3)) { $0.limits = .github(enforced: true) }
    try await withFake(github) { provider, server in
      for _ in 1...10 { _ = try await provider.search(searchRequest("swift")) }
      let request = try searchRequest("swift")
      let error = await searchError { _ = try await provider.search(request) }
      #expect(error?.code == .rateLimited && (0...61_000).contains(error?.retryAfterMilliseconds ?? -1))
      #expect(server.requests.count == 11)
    }
  }

  @Test func requiredToken() async throws {
    let github = FakeGitHub(repositories: FakeRepository.many(3)) { $0.requiredToken = "good" }
    try await withFake(github, token: "good") { provider, _ in
      let page = try await provider.search(searchRequest("swift"))
      #expect(page.items.count == 3)
    }
    let request = try searchRequest("swift")
    let refused = try await withFake(github, token: "b4d") { provider, _ in
      await searchError { _ = try await provider.search(request) }
    }
    #expect(refused?.code == .unauthorized && refused?.message.contains("GH_TOKEN") == true)
    #expect(!String(describing: refused).contains("b4d"))
  }
}
