import ForageHTTP
import Foundation
import Synchronization
import Testing

@Suite struct CircuitBreakerTests {
  private let clock = TestClock()
  private let memory = MemoryCircuits()
  private let reports = Notes<String>()

  /// A process of its own on the shared storage.
  private func breaker(jitter: Double = 1) -> CircuitBreaker {
    CircuitBreaker(
      memory, failures: StorageFailureReport { [reports] in reports.add("\($0)") }, now: clock.read,
      jitter: { jitter })
  }

  private func broken(
    _ stub: StubTransport, _ breaker: CircuitBreaker? = nil, credential: String? = "c"
  ) -> HTTPTransport {
    stub.transport.breaking(breaker ?? self.breaker(), host: "h", credential: credential)
  }

  private static func failing(_ code: HTTPError.Code = .unreachable) -> StubTransport {
    StubTransport { _, _ in throw HTTPError(code, "h could not be reached") }
  }
  private static var well: StubTransport { StubTransport { _, _ in HTTPResponse(status: 200) } }

  private func trip(_ breaker: CircuitBreaker? = nil) async throws {
    let transport = broken(Self.failing(), breaker ?? self.breaker())
    for _ in 0..<3 { _ = await failure(of: transport, try request("https://h/")) }
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
    // Another credential is another circuit.
    #expect(await failure(of: broken(stub, credential: "d"), try request("https://h/"))?.code == code)
    #expect(stub.requests.count == 4)
  }

  /// A person who asks again in the same process gets one new attempt, too.
  @Test func askingAgain() async throws {
    let stub = Self.failing()
    let shared = breaker()
    let transport = broken(stub, shared)
    for _ in 0..<4 { _ = await failure(of: transport, try request("https://h/")) }
    #expect(stub.requests.count == 3)
    shared.admitNextRequests()
    for _ in 0..<2 { _ = await failure(of: transport, try request("https://h/")) }
    #expect(stub.requests.count == 4)
  }

  /// Whoever repeats a command gets one new attempt each time, without retries, and without naming the provider.
  @Test func anOpenCircuitNeverRefusesANewProcess() async throws {
    let stub = Self.failing(.connectionLost)
    func process() -> HTTPTransport {
      stub.transport.retryingReads(pause: { _ in }).breaking(breaker(), host: "h", credential: "c")
    }
    for sent in [3, 6, 9] {
      #expect(await failure(of: process(), try request("https://h/"))?.code == .connectionLost)
      #expect(stub.requests.count == sent)
    }
    for sent in 10...13 {
      let transport = process()
      #expect(await failure(of: transport, try request("https://h/"))?.code == .connectionLost)
      #expect(stub.requests.count == sent)
      // The second request of the same process is not sent.
      #expect(await failure(of: transport, try request("https://h/"))?.code == .circuitOpen)
      #expect(stub.requests.count == sent)
    }
    #expect(try await broken(Self.well).send(try request("https://h/")).status == 200)
    #expect(memory.all.isEmpty)
  }

  /// Another process probes, and a new one does not wait for it.
  @Test func aNewProcessDoesNotWaitForAProbe() async throws {
    try await trip()
    let gated = GatedTransport(HTTPResponse(status: 200))
    let first = gated.transport.breaking(breaker(), host: "h", credential: "c")
    let sent = try request("https://h/")
    let task = Task { try await first.send(sent).status }
    try await expectEventually { gated.sent == 1 }
    #expect(try await broken(Self.well).send(try request("https://h/")).status == 200)
    gated.open()
    #expect(try await task.value == 200 && memory.all.isEmpty)
  }

  @Test(arguments: [HTTPError.Code.timeout, .tls, .tooLarge, .malformed, .redirect])
  func otherFailuresDoNotOpen(code: HTTPError.Code) async throws {
    let stub = Self.failing(code)
    let transport = broken(stub)
    for _ in 0..<5 { #expect(await failure(of: transport, try request("https://h/"))?.code == code) }
    #expect(memory.all.isEmpty)
  }

  @Test func cancellationDoesNotOpen() async throws {
    let stub = StubTransport { _, _ in throw CancellationError() }
    let transport = broken(stub)
    for _ in 0..<5 {
      await #expect(throws: CancellationError.self) { try await transport.send(try request("https://h/")) }
    }
    #expect(memory.all.isEmpty)
  }

  @Test func successStartsTheCountAnew() async throws {
    let stub = StubTransport { number, _ in
      if number % 3 == 0 { return HTTPResponse(status: 500) }
      throw HTTPError(.unreachable, "no")
    }
    let transport = broken(stub)
    for number in 1...9 {
      _ = try? await transport.send(try request("https://h/"))
      #expect(memory.all.map(\.failures) == (number % 3 == 0 ? [] : [number % 3]))
    }
    #expect(stub.requests.count == 9)
  }

  @Test func goodStandingCostsOneRead() async throws {
    let transport = broken(Self.well)
    for _ in 0..<5 { _ = try await transport.send(try request("https://h/")) }
    #expect(memory.counts == [1, 0])
  }

  @Test func timeDoublesUpToTheCap() async throws {
    let process = breaker()
    try await trip(process)
    var opened: [Double] = []
    for _ in 0..<10 {
      let until = try #require(memory.all.first?.openUntil)
      let seconds = until.timeIntervalSince(clock.now)
      opened.append(seconds)
      clock.advance(seconds - 0.5)
      #expect(await failure(of: broken(Self.well, process), try request("https://h/"))?.code == .circuitOpen)
      clock.advance(0.5)
      let failed = await failure(of: broken(Self.failing(), process), try request("https://h/"))
      #expect(failed?.code == .unreachable)
    }
    #expect(opened == [5, 10, 20, 40, 80, 160, 320, 600, 600, 600])
  }

  @Test(arguments: [(0.0, 2.5), (0.5, 3.75), (1, 5), (-7, 2.5), (7, 5)])
  func jitterStaysInBounds(jitter: Double, seconds: Double) async throws {
    let transport = broken(Self.failing(), breaker(jitter: jitter))
    for _ in 0..<3 { _ = await failure(of: transport, try request("https://h/")) }
    #expect(memory.all.first?.openUntil == clock.now.addingTimeInterval(seconds))
  }

  @Test func successfulProbeCloses() async throws {
    try await trip()
    clock.advance(5)
    #expect(try await broken(Self.well).send(try request("https://h/")).status == 200)
    #expect(memory.all.isEmpty)
  }

  /// Thirty processes that have asked before ask at once when the time is up: one sends.
  @Test func oneProbeAcrossProcesses() async throws {
    let processes = (0..<30).map { _ in breaker() }
    for process in processes {
      _ = await failure(of: broken(Self.failing(), process), try request("https://h/"))
    }
    clock.advance(600)
    let gated = GatedTransport(HTTPResponse(status: 200))
    let sent = try request("https://h/")
    let codes = try await withThrowingTaskGroup(of: HTTPError.Code?.self) { group in
      for process in processes {
        let transport = gated.transport.breaking(process, host: "h", credential: "c")
        group.addTask {
          do { _ = try await transport.send(sent) } catch let error as HTTPError { return error.code }
          return nil
        }
      }
      var codes: [HTTPError.Code?] = []
      for _ in 0..<29 { codes.append(try #require(try await group.next())) }
      #expect(gated.sent == 1)
      gated.open()
      codes.append(try #require(try await group.next()))
      return codes
    }
    #expect(codes == Array(repeating: .circuitOpen, count: 29) + [nil] && memory.all.isEmpty)
  }

  /// Within a process, the others wait for the probe and go on when the server is back.
  @Test func requestsWaitForTheirOwnProbe() async throws {
    try await trip()
    clock.advance(5)
    let gated = GatedTransport(HTTPResponse(status: 200))
    let transport = gated.transport.breaking(breaker(), host: "h", credential: "c")
    let sent = try request("https://h/")
    let tasks = (0..<5).map { _ in Task { try await transport.send(sent).status } }
    try await expectEventually { gated.sent == 1 }
    let hasty = await failure(of: transport, try request("https://h/", within: .milliseconds(50)))
    #expect(hasty?.code == .timeout && gated.sent == 1)
    gated.open()
    for task in tasks { #expect(try await task.value == 200) }
  }

  @Test func probeOfADeadProcessExpires() async throws {
    let process = breaker()
    _ = await failure(of: broken(Self.failing(), process), try request("https://h/"))
    let until = clock.now.addingTimeInterval(60)
    memory.state.withLock {
      $0.circuits[CircuitBreaker.scope(host: "h", credential: "c")] = Circuit(
        failures: 3, openUntil: clock.now, probeUntil: until, reason: "no")
    }
    #expect(await failure(of: broken(Self.well, process), try request("https://h/"))?.code == .circuitOpen)
    clock.advance(60)
    #expect(try await broken(Self.well, process).send(try request("https://h/")).status == 200)
  }

  /// A probe that learns nothing leaves the next one its chance; one without an answer is a failure.
  @Test func probesThatFailOtherwise() async throws {
    let process = breaker()
    try await trip(process)
    clock.advance(5)
    #expect(await failure(of: broken(Self.failing(.tls), process), try request("https://h/"))?.code == .tls)
    #expect(memory.all.map(\.probeUntil) == [nil])
    let late = await failure(of: broken(Self.failing(.timeout), process), try request("https://h/"))
    #expect(late?.code == .timeout && memory.all.map(\.failures) == [4])
    #expect(await failure(of: broken(Self.well, process), try request("https://h/"))?.code == .circuitOpen)
  }

  /// Whoever refuses a credential answers: a stray refusal must not keep a good token from later requests.
  @Test(arguments: ["c", nil])
  func refusedCredentialIsSentAgain(_ credential: String?) async throws {
    let stub = StubTransport { _, _ in HTTPResponse(status: 401) }
    let shared = breaker()
    for transport in [broken(stub, shared, credential: credential), broken(stub, credential: credential)] {
      for _ in 0..<3 { #expect(try await transport.send(try request("https://h/")).status == 401) }
    }
    #expect(stub.requests.count == 6 && memory.all.isEmpty)
  }

  /// An earlier version stored refused credentials for good.
  @Test func refusalOfAnEarlierVersionIsForgotten() async throws {
    memory.state.withLock {
      $0.circuits[CircuitBreaker.scope(host: "h", credential: "c")] = Circuit(
        failures: 0, openUntil: .distantFuture, reason: "unauthorized")
    }
    #expect(try await broken(Self.well).send(try request("https://h/")).status == 200)
    #expect(memory.all.isEmpty)
  }

  /// Requests that were under way when the circuit opened do not make it open longer.
  @Test func latecomersAddNothing() async throws {
    let shared = breaker()
    let gate = GatedTransport(HTTPResponse(status: 200))
    let transport = HTTPTransport { request in
      _ = try await gate.transport.send(request)
      throw HTTPError(.unreachable, "no")
    }.breaking(shared, host: "h", credential: "c")
    let sent = try request("https://h/")
    let tasks = (0..<10).map { _ in Task { await failure(of: transport, sent)?.code } }
    try await expectEventually { gate.sent == 10 }
    gate.open()
    for task in tasks { #expect(await task.value == .unreachable) }
    #expect(memory.all.map(\.failures) == [3])
  }

  /// A time that this program would never set comes from a clock that was set back.
  @Test func absurdTimesAreIgnored() async throws {
    memory.state.withLock {
      $0.circuits[CircuitBreaker.scope(host: "h", credential: "c")] = Circuit(
        failures: 3, openUntil: clock.now.addingTimeInterval(601),
        probeUntil: clock.now.addingTimeInterval(61), reason: "no")
    }
    #expect(try await broken(Self.well).send(try request("https://h/")).status == 200)
  }

  @Test func answersThatWereNotSentProveNothing() async throws {
    try await trip()
    clock.advance(5)
    let stub = StubTransport { _, _ in HTTPResponse(status: 429, headers: [(NotSent.header, NotSent.limit)]) }
    _ = try await broken(stub).send(try request("https://h/"))
    #expect(memory.all.map(\.failures) == [3] && memory.all.map(\.probeUntil) == [nil])
  }

  @Test func brokenStorageLeavesTheProcessItsOwn() async throws {
    memory.state.withLock { $0.isBroken = true }
    let stub = Self.failing()
    let shared = breaker()
    for _ in 0..<3 { _ = await failure(of: broken(stub, shared), try request("https://h/")) }
    #expect(await failure(of: broken(stub, shared), try request("https://h/"))?.code == .circuitOpen)
    clock.advance(5)
    #expect(try await broken(Self.well, shared).send(try request("https://h/")).status == 200)
    #expect(reports.all == ["the disk is full"] && stub.requests.count == 3)
  }
}
