import ForageCore
import ForageGitHub
import ForageHTTP
import TestSupport
import Testing

/// Giving stars and taking them back: one request each, and the truth about what came of it.
@Suite struct StarWritingTests {
  private static let name = "owner/swift-0"

  private func reference(_ text: String = StarWritingTests.name) throws -> EntityReference {
    try #require(EntityReference(text, defaultHost: "github.com"))
  }

  /// Runs a body with a provider that writes to a `FakeGitHub`.
  private func withWriter<Result>(
    _ github: FakeGitHub, path: String = "", token: String? = "t0ken",
    _ body: (GitHubProvider, LoopbackServer) async throws -> Result
  ) async throws -> Result {
    try await withFake(github, path: path, token: token, body)
  }

  @Test(arguments: ["", "/api/v3"])
  func oneRequestEach(path: String) async throws {
    let github = FakeGitHub(repositories: FakeRepository.many(2))
    try await withWriter(github, path: path) { provider, server in
      let counter = RequestCounter()
      try await counter.counting {
        try await provider.change(.add, of: reference(), deadline: .now + .seconds(30))
      }
      #expect(github.options.starred == [Self.name])
      try await counter.counting {
        try await provider.change(.remove, of: reference(), deadline: .now + .seconds(30))
      }
      #expect(github.options.starred == [])
      #expect(server.requests.map(\.method) == ["PUT", "DELETE"])
      #expect(server.requests.allSatisfy { $0.target == path + "/user/starred/" + Self.name })
      #expect(server.requests.allSatisfy { $0.header("authorization") == "Bearer t0ken" })
      #expect(server.requests.allSatisfy { $0.header("user-agent") == testUserAgent && $0.body.isEmpty })
      #expect(server.requests.first?.headers["content-length"] == ["0"])
      #expect(counter.count == 2)
    }
  }

  /// Giving it twice is no error, nor is taking back what was not given.
  @Test func doingItAgainDoesNoHarm() async throws {
    let github = FakeGitHub(repositories: FakeRepository.many(2)) { $0.starred = [Self.name] }
    try await withWriter(github) { provider, _ in
      try await provider.change(.add, of: reference(), deadline: .now + .seconds(30))
      #expect(github.options.starred == [Self.name])
      let other = try reference("owner/swift-1")
      try await provider.change(.remove, of: other, deadline: .now + .seconds(30))
      #expect(github.options.starred == [Self.name])
    }
  }

  @Test func withoutATokenNothingIsSent() async throws {
    try await withWriter(FakeGitHub(repositories: FakeRepository.many(1)), token: nil) { provider, server in
      let wanted = try reference()
      let error = await searchError {
        try await provider.change(.add, of: wanted, deadline: .now + .seconds(30))
      }
      #expect(error?.code == .unauthorized)
      #expect(error?.message.contains("127.0.0.1:\(server.port)") == true)
      #expect(error?.hint.contains("GH_ENTERPRISE_TOKEN") == true)
      #expect(server.requests.isEmpty)
    }
  }

  static let cases = [
    FaultCase(
      name: "bad credentials", fault: .badCredentials, code: .unauthorized,
      message: ["refused the token from GH_TOKEN"], hint: "renew it"),
    FaultCase(
      name: "permission", fault: .permission, code: .forbidden, message: ["Resource not accessible"],
      hint: "token from GH_TOKEN needs permission"),
    FaultCase(
      name: "not found", fault: .notFound, code: .notFound, message: [name, "the token"],
      hint: "check the name"),
    FaultCase(
      name: "validation", fault: .validation, code: .invalidQuery,
      message: ["rejected the change to \(name)", "Validation Failed"], hint: "browser"),
    FaultCase(
      name: "primary limit", fault: .primaryLimit(resetIn: 40), code: .rateLimited, message: ["is exceeded"],
      hint: "try again", retryAfter: 35_000...42_000),
    FaultCase(
      name: "secondary limit", fault: .secondaryLimit(retryAfter: 7), code: .rateLimited,
      message: ["secondary rate limit"], hint: "try again in 7 s", retryAfter: 7000...7000),
    FaultCase(
      name: "server error", fault: .serverError, code: .serverError,
      message: ["status 500", "unknown whether \(name) is starred"], hint: "check your stars"),
    FaultCase(
      name: "bad gateway", fault: .badGatewayJSON, code: .serverError,
      message: ["status 502", "unknown whether"], hint: "check your stars"),
    FaultCase(
      name: "a web page", fault: .pageHTML, code: .invalidResponse,
      message: ["status 200", "unknown whether"], hint: "check your stars"),
    FaultCase(
      name: "nothing", fault: .nothing, code: .connectionLost,
      message: ["closed the connection", "unknown whether \(name) is starred"],
      hint: "check your stars"),
    FaultCase(
      name: "silence", fault: .hang, code: .timeout, message: ["in time", "unknown whether"],
      hint: "check your stars", time: .seconds(1)),
    FaultCase(
      name: "not HTTP",
      fault: .custom(ScriptedResponse([.bytes(Array("SSH-2.0-x\r\n".utf8)), .closeConnection])),
      code: .invalidResponse, message: ["HTTP", "unknown whether"], hint: "check your stars"),
    FaultCase(
      name: "a redirect nowhere", fault: .custom(.status(307)), code: .redirect,
      message: ["redirects the change to \(name)"], hint: "nothing was changed"),
    FaultCase(
      name: "a redirect loop", fault: .redirect(to: "/user/starred/" + name, status: 307), code: .redirect,
      message: ["redirects more than 5 times"], hint: "API address", requests: 6),
    FaultCase(
      name: "blocked", fault: .custom(.json(status: 451, body: #"{"message":"Repository access blocked"}"#)),
      code: .unavailable, message: ["451"], hint: "browser"),
  ]

  /// Every fault is reported once, after a single request: a write is never repeated.
  @Test(.timeLimit(.minutes(1)), arguments: cases)
  func faultIsTold(_ fault: FaultCase) async throws {
    let github = FakeGitHub(repositories: FakeRepository.many(1))
    github.fail(fault.fault, path: "/user/starred")
    try await withWriter(github) { provider, server in
      let wanted = try reference()
      let counter = RequestCounter()
      let error = await counter.counting {
        await searchError {
          try await provider.change(.add, of: wanted, deadline: .now + fault.time)
        }
      }
      #expect(error?.code == fault.code)
      let message = error?.message ?? ""
      for part in fault.message { #expect(message.contains(part), "\(message)") }
      #expect(error?.hint.contains(fault.hint) == true, "\(error?.hint ?? "")")
      #expect(!message.contains("t0ken") && error?.hint.contains("t0ken") != true)
      if let range = fault.retryAfter { #expect(range.contains(error?.retryAfterMilliseconds ?? -1)) }
      #expect(server.requests.count == fault.requests && counter.count == fault.requests)
      #expect(server.requests.allSatisfy { $0.method == "PUT" })
    }
  }

  @Test func nobodyThere() async throws {
    let server = try await LoopbackServer.start { _ in .status(204) }
    await server.stop()
    try await withProvider(at: server, token: "t0ken") { provider in
      let wanted = try reference()
      let error = await searchError {
        try await provider.change(.add, of: wanted, deadline: .now + .seconds(30))
      }
      #expect(error?.code == .unreachable && error?.message.contains("unknown") == false)
    }
  }

  /// A renamed repository answers with 307: method and body go on to the new name.
  @Test(arguments: [StarChange.add, .remove])
  func renamed(change: StarChange) async throws {
    let github = FakeGitHub(repositories: [FakeRepository(id: 77, fullName: "new/name")]) {
      $0.renames = ["old/name": 77]
      $0.starred = change == .add ? [] : ["new/name"]
    }
    try await withWriter(github) { provider, server in
      try await provider.change(change, of: reference("old/name"), deadline: .now + .seconds(30))
      let method = change == .add ? "PUT" : "DELETE"
      #expect(server.requests.map(\.method) == [method, method])
      #expect(server.requests.map(\.path) == ["/user/starred/old/name", "/user/starred/new/name"])
      #expect(server.requests.allSatisfy { $0.header("authorization") == "Bearer t0ken" && $0.body.isEmpty })
      #expect(github.options.starred == (change == .add ? ["new/name"] : []))
    }
  }

  /// Redirects that could turn a write into a read are not followed.
  @Test(arguments: [301, 302, 303])
  func noRedirectToARead(status: Int) async throws {
    let github = FakeGitHub(repositories: FakeRepository.many(1))
    github.fail(.redirect(to: "/user/starred/owner/swift-0?x", status: status), times: 1)
    try await withWriter(github) { provider, server in
      let wanted = try reference()
      let error = await searchError {
        try await provider.change(.add, of: wanted, deadline: .now + .seconds(30))
      }
      #expect(error?.code == .redirect && error?.hint.hasPrefix("nothing was changed") == true)
      #expect(server.requests.map(\.method) == ["PUT"])
      #expect(github.options.starred == [])
    }
  }

  /// The token never leaves for another server.
  @Test(arguments: [301, 302, 303, 307, 308])
  func noRedirectElsewhere(status: Int) async throws {
    try await withServer(answering: .status(204)) { other in
      let github = FakeGitHub(repositories: FakeRepository.many(1))
      github.fail(.redirect(to: other.baseURL + "/user/starred/owner/swift-0", status: status))
      try await withWriter(github) { provider, server in
        let wanted = try reference()
        let error = await searchError {
          try await provider.change(.remove, of: wanted, deadline: .now + .seconds(30))
        }
        #expect(error?.code == .redirect && server.requests.count == 1)
      }
      #expect(other.connectionCount == 0)
    }
  }

  /// Names are segments: nothing in them leads to another path.
  @Test func namesAreEncoded() async throws {
    try await withWriter(FakeGitHub()) { provider, server in
      var wanted = try reference("owner/name")
      wanted.owner = "a/../b"
      wanted.name = "a?b#c d"
      let target = wanted
      _ = await searchError { try await provider.change(.add, of: target, deadline: .now + .seconds(30)) }
      #expect(server.requests.map(\.target) == ["/user/starred/a%2F..%2Fb/a%3Fb%23c%20d"])
    }
  }

  /// A change that no server has seen is not made, and neither is one that was refused.
  @Test(arguments: [
    (SearchError.Code.serverError, true), (.connectionLost, true), (.timeout, true), (.invalidResponse, true),
    (.responseTooLarge, true), (.unreachable, false), (.tls, false), (.offline, false), (.circuitOpen, false),
    (.redirect, false), (.rateLimited, false), (.unauthorized, false), (.notFound, false),
    // There is no library that sends it.
    (.unavailable, false),
  ])
  func outcomes(_ code: SearchError.Code, _ isUnknown: Bool) {
    #expect(SearchError(code, "m").leavesOutcomeUnknown == isUnknown)
  }
}
