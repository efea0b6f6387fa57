import ForageCore
import ForageHTTP
import TestSupport
import Testing

@Suite struct RetryTests {
  private static let noPause: @Sendable (Int) async throws -> Void = { _ in }

  @Test(arguments: [500, 502, 503, 504, 520, 522, 529], ["GET", "HEAD"])
  func readIsTriedAgain(status: Int, method: String) async throws {
    let pauses = Notes<Int>()
    let stub = StubTransport { number, _ in HTTPResponse(status: number == 1 ? status : 200) }
    let transport = stub.transport.retryingReads { pauses.add($0) }
    #expect(try await transport.send(try request("https://h/", method: method)).status == 200)
    #expect(stub.requests.count == 2 && pauses.all == [1])
  }

  /// What fails inside a server fails again more often than what is overloaded.
  @Test(arguments: [(502, [1, 2]), (522, [1, 2]), (500, [1])])
  func lastAnswerIsReturnedInTheEnd(status: Int, expected: [Int]) async throws {
    let pauses = Notes<Int>()
    let stub = StubTransport { _, _ in HTTPResponse(status: status) }
    let transport = stub.transport.retryingReads { pauses.add($0) }
    #expect(try await transport.send(try request("https://h/")).status == status)
    #expect(stub.requests.count == expected.count + 1 && pauses.all == expected)
  }

  /// A failure of another sort before it does not lengthen the list.
  @Test func aFailureAfterALostConnectionIsFinal() async throws {
    let stub = StubTransport { number, _ in
      if number == 1 { throw HTTPError(.connectionLost, "lost") }
      return HTTPResponse(status: 500)
    }
    let transport = stub.transport.retryingReads(pause: Self.noPause)
    #expect(try await transport.send(try request("https://h/")).status == 500)
    #expect(stub.requests.count == 2)
  }

  @Test func lostConnectionIsTriedAgain() async throws {
    let stub = StubTransport { number, _ in
      if number <= HTTPLimits.maximumRetries { throw HTTPError(.connectionLost, "lost") }
      return HTTPResponse(status: 200)
    }
    let transport = stub.transport.retryingReads(pause: Self.noPause)
    #expect(try await transport.send(try request("https://h/")).status == 200)
    #expect(stub.requests.count == HTTPLimits.maximumRetries + 1)

    let never = StubTransport { _, _ in throw HTTPError(.connectionLost, "lost") }
    let error = await failure(
      of: never.transport.retryingReads(pause: Self.noPause), try request("https://h/"))
    #expect(error?.code == .connectionLost && never.requests.count == HTTPLimits.maximumRetries + 1)
  }

  @Test(arguments: [HTTPError.Code.unreachable, .tls, .timeout, .tooLarge, .malformed, .redirect])
  func otherFailuresAreFinal(code: HTTPError.Code) async throws {
    let stub = StubTransport { _, _ in throw HTTPError(code, "no") }
    let error = await failure(
      of: stub.transport.retryingReads(pause: Self.noPause), try request("https://h/"))
    #expect(error?.code == code && stub.requests.count == 1)
  }

  @Test(arguments: ["POST", "PUT", "DELETE", "PATCH"])
  func writesAreSentOnce(method: String) async throws {
    let stub = StubTransport { _, _ in HTTPResponse(status: 502) }
    let transport = stub.transport.retryingReads(pause: Self.noPause)
    #expect(try await transport.send(try request("https://h/", method: method)).status == 502)
    let lost = StubTransport { _, _ in throw HTTPError(.connectionLost, "lost") }
    let error = await failure(
      of: lost.transport.retryingReads(pause: Self.noPause), try request("https://h/", method: method))
    #expect(error?.code == .connectionLost && stub.requests.count == 1 && lost.requests.count == 1)
  }

  @Test(arguments: [200, 304, 403, 404, 422, 429, 501, 505, 511])
  func otherStatusesAreFinal(status: Int) async throws {
    let stub = StubTransport { _, _ in HTTPResponse(status: status) }
    let transport = stub.transport.retryingReads(pause: Self.noPause)
    #expect(try await transport.send(try request("https://h/")).status == status)
    #expect(stub.requests.count == 1)
  }

  /// A time that ends before the deadline is waited for; one that ends later or cannot be read means no
  /// retry.
  @Test(arguments: [500, 502, 503, 504])
  func serverThatNamesATimeIsObeyed(status: Int) async throws {
    let waits = Notes<Int>()
    func requests(_ named: String) async throws -> Int {
      let stub = StubTransport { number, _ in
        HTTPResponse(status: number == 1 ? status : 200, headers: number == 1 ? [("retry-AFTER", named)] : [])
      }
      let transport = stub.transport.retryingReads(
        pause: { _ in Issue.record("an answer names the time") },
        wait: { waits.add(Int(($0 / .seconds(1)).rounded())) })
      let sent = try request("https://h/", within: .seconds(3600))
      #expect(try await transport.send(sent).status == (stub.requests.count == 1 ? status : 200))
      return stub.requests.count
    }
    #expect(try await requests("30") == 2 && waits.all == [30])
    #expect(try await requests("3600") == 1)
    #expect(try await requests("soon") == 1 && waits.all == [30])
  }

  /// Without time for a pause and another answer, the answer that is there counts.
  @Test func noRetryAtTheDeadline() async throws {
    let stub = StubTransport { _, _ in HTTPResponse(status: 502) }
    let transport = stub.transport.retryingReads(pause: Self.noPause)
    #expect(try await transport.send(try request("https://h/", within: .milliseconds(300))).status == 502)
    #expect(stub.requests.count == 1)
  }

  @Test func cancellationEndsThePause() async throws {
    let stub = StubTransport { _, _ in HTTPResponse(status: 503) }
    let transport = stub.transport.retryingReads { _ in try await Task.sleep(for: .seconds(60)) }
    let sent = try request("https://h/", within: .seconds(120))
    let task = Task { try await transport.send(sent) }
    try await expectEventually { stub.requests.count == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(stub.requests.count == 1)
  }

  @Test func pausesGrowAndStayShort() async throws {
    for attempt in 1...2 {
      let start = ContinuousClock.now
      try await HTTPTransport.jitteredPause(attempt)
      #expect(ContinuousClock.now - start >= .milliseconds(50 * attempt))
    }
  }

  @Test func overRealConnections() async throws {
    let github = FakeGitHub(repositories: FakeRepository.sample(count: 3))
    github.fail(.badGatewayJSON, times: 1)
    github.fail(.nothing, times: 1)
    try await withGitHub(github) { server in
      try await withLive { live in
        let sent = try request(server.baseURL + "/search/repositories?q=a", headers: [("User-Agent", "test")])
        #expect(try await live.retryingReads().send(sent).status == 200)
      }
      #expect(server.requests.count == 3)
    }
  }
}

@Suite struct ReportingTests {
  @Test func answersAndFailuresAreReported() async throws {
    let notes = Notes<HTTPExchange>()
    let stub = StubTransport { number, _ in
      switch number {
      case 1: return HTTPResponse(status: 404, body: [1, 2, 3])
      case 2: throw HTTPError(.timeout, "h did not answer in time")
      default: throw CancellationError()
      }
    }
    let transport = stub.transport.reporting { notes.add($0) }
    let sent = try request("https://h/a?q=b", method: "DELETE", headers: [("Authorization", "Bearer secret")])
    #expect(try await transport.send(sent).status == 404)
    #expect(await failure(of: transport, sent)?.code == .timeout)
    await #expect(throws: CancellationError.self) { try await transport.send(sent) }
    #expect(notes.all.map(\.status) == [404, nil, nil])
    #expect(notes.all.map(\.bytes) == [3, 0, 0])
    #expect(notes.all.map(\.failure) == [nil, "h did not answer in time", "cancelled"])
    #expect(
      notes.all.allSatisfy { $0.method == "DELETE" && $0.url == "https://h/a?q=b" && $0.elapsed >= .zero })
    #expect(!String(reflecting: notes.all).contains("secret"))
  }

  /// A request that nobody waits for any more is reported once, when the program ends.
  @Test func whatIsGivenUpIsReported() async throws {
    let notes = Notes<HTTPExchange>()
    let pending = PendingReports()
    let gated = GatedTransport(HTTPResponse(status: 200))
    let transport = gated.transport.reporting(pending) { notes.add($0) }
    let task = Task { try await transport.send(try request("https://h/slow")) }
    while gated.sent == 0 { await Task.yield() }
    pending.giveUp()
    #expect(notes.all.map(\.failure) == ["cancelled"] && notes.all.first?.url == "https://h/slow")
    gated.open()
    #expect(try await task.value.status == 200)
    pending.giveUp()
    #expect(notes.all.count == 1)
  }

  /// Under the retries, every try is reported.
  @Test func everyTryIsReported() async throws {
    let notes = Notes<HTTPExchange>()
    let stub = StubTransport { number, _ in HTTPResponse(status: number < 3 ? 503 : 200) }
    let transport = stub.transport.reporting { notes.add($0) }.retryingReads { _ in }
    _ = try await transport.send(try request("https://h/"))
    #expect(notes.all.map(\.status) == [503, 503, 200])
  }

  @Test func headerNamesIgnoreCase() {
    let response = HTTPResponse(status: 200, headers: [("X-A", "1"), ("x-a", "2")])
    #expect(response.header("x-A") == "1" && response.header("x-b") == nil)
  }
}
