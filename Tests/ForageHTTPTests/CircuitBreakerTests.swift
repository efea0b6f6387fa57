import ForageCore
import ForageHTTP
import Foundation
import Testing

@Suite struct CircuitBreakerTests {
  private let clock = TestInstant()
  private let breaker: CircuitBreaker

  init() { breaker = CircuitBreaker(now: { [clock] in clock.now }) }

  private func broken(_ stub: StubTransport, host: String = "h") -> HTTPTransport {
    stub.transport.breaking(breaker, host: host)
  }

  private static func failing(_ code: HTTPError.Code = .unreachable) -> StubTransport {
    StubTransport { _, _ in throw HTTPError(code, "h could not be reached") }
  }
  private static var well: StubTransport { StubTransport { _, _ in HTTPResponse(status: 200) } }

  private func fail(_ times: Int) async throws {
    for _ in 0..<times { _ = await failure(of: broken(Self.failing()), try request("https://h/")) }
  }

  @Test(arguments: [HTTPError.Code.unreachable, .connectionLost])
  func opensAfterThreeInARow(code: HTTPError.Code) async throws {
    let stub = Self.failing(code)
    let transport = broken(stub)
    for _ in 0..<3 { #expect(await failure(of: transport, try request("https://h/"))?.code == code) }
    let error = await failure(of: transport, try request("https://h/"))
    #expect(error?.code == .circuitOpen && stub.requests.count == 3)
    #expect(
      error?.message
        == "h was not asked: 3 failures in a row (h could not be reached); the next try is in 5 s")
    // Another host is asked.
    #expect(await failure(of: broken(stub, host: "i"), try request("https://i/"))?.code == code)
    #expect(stub.requests.count == 4)
  }

  /// The proxy of the connections that failed is told as long as none is tried.
  @Test func theProxyIsNamed() async throws {
    let stub = StubTransport { _, _ in
      var error = HTTPError(.unreachable, "no connection to h through the proxy p:1 (ALL_PROXY)")
      error.proxyVariable = "ALL_PROXY"
      throw error
    }
    for _ in 0..<4 {
      let failure = await failure(of: broken(stub), try request("https://h/"))
      let error = SearchError(try #require(failure), of: "H", network: "check the network", check: "check")
      #expect(error.hint == "check the proxy in ALL_PROXY", "\(error)")
    }
    #expect(stub.requests.count == 3)
  }

  /// A person who asks again in the same process gets one new attempt, without retries.
  @Test func askingAgain() async throws {
    let stub = Self.failing(.connectionLost)
    let transport = stub.transport.retryingReads(pause: { _ in }).breaking(breaker, host: "h")
    for _ in 0..<4 { _ = await failure(of: transport, try request("https://h/")) }
    #expect(stub.requests.count == 9)
    breaker.admitNextRequests()
    for _ in 0..<2 { _ = await failure(of: transport, try request("https://h/")) }
    #expect(stub.requests.count == 10)
  }

  @Test(arguments: [
    HTTPError.Code.timeout, .tls, .tooLarge, .malformed, .unknownEncoding, .redirect, .limited,
  ])
  func otherFailuresDoNotOpen(code: HTTPError.Code) async throws {
    let transport = broken(Self.failing(code))
    for _ in 0..<5 { #expect(await failure(of: transport, try request("https://h/"))?.code == code) }
  }

  @Test func cancellationDoesNotOpen() async throws {
    let stub = StubTransport { _, _ in throw CancellationError() }
    let transport = broken(stub)
    for _ in 0..<5 {
      await #expect(throws: CancellationError.self) { try await transport.send(try request("https://h/")) }
    }
    #expect(stub.requests.count == 5)
  }

  /// Whatever the status: who answers is there.
  @Test(arguments: [200, 401, 500]) func anAnswerStartsTheCountAnew(status: Int) async throws {
    let stub = StubTransport { number, _ in
      if number % 3 == 0 { return HTTPResponse(status: status) }
      throw HTTPError(.unreachable, "no")
    }
    let transport = broken(stub)
    for _ in 1...9 { _ = try? await transport.send(try request("https://h/")) }
    #expect(stub.requests.count == 9)
  }

  @Test func timeDoublesUpToTheCap() async throws {
    try await fail(3)
    for seconds in [5.0, 10, 20, 40, 60, 60] {
      clock.advance(seconds - 0.5)
      #expect(await failure(of: broken(Self.well), try request("https://h/"))?.code == .circuitOpen)
      clock.advance(0.5)
      #expect(await failure(of: broken(Self.failing()), try request("https://h/"))?.code == .unreachable)
    }
  }

  @Test func anAnswerCloses() async throws {
    try await fail(3)
    clock.advance(5)
    #expect(try await broken(Self.well).send(try request("https://h/")).status == 200)
    try await fail(2)
    #expect(try await broken(Self.well).send(try request("https://h/")).status == 200)
  }

  /// The single attempt after the pause needs an answer.
  @Test(arguments: [(HTTPError.Code.timeout, true), (.tls, false), (.malformed, false)])
  func theSingleAttempt(code: HTTPError.Code, isFailure: Bool) async throws {
    try await fail(3)
    clock.advance(5)
    #expect(await failure(of: broken(Self.failing(code)), try request("https://h/"))?.code == code)
    let next = try? await broken(Self.well).send(try request("https://h/"))
    #expect(next?.status == (isFailure ? nil : 200))
  }

  /// Requests that were under way when the circuit opened do not make it open longer.
  @Test func latecomersAddNothing() async throws {
    let gate = GatedTransport(HTTPResponse(status: 200))
    let transport = HTTPTransport { request in
      _ = try await gate.transport.send(request)
      throw HTTPError(.unreachable, "no")
    }.breaking(breaker, host: "h")
    let sent = try request("https://h/")
    let tasks = (0..<10).map { _ in Task { await failure(of: transport, sent)?.code } }
    try await expectEventually { gate.sent == 10 }
    gate.open()
    for task in tasks { #expect(await task.value == .unreachable) }
    #expect(
      await failure(of: broken(Self.well), try request("https://h/"))?.message
        == "h was not asked: 3 failures in a row (no); the next try is in 5 s")
  }
}
