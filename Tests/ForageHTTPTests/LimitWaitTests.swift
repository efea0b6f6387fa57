import Foundation
import Synchronization
import Testing

@testable import ForageHTTP

/// Waiting for limits that answers report, and refusals that name no time.
@Suite struct LimitWaitTests {
  private let clock = TestClock()
  private let memory = MemoryBudgets()
  private let told = Notes<LimitWait>()
  private let scope = RateBudgets.scope(host: "h", credential: nil, resource: "search")
  private static let secondary = Array(#"{"message": "You have exceeded a secondary rate limit."}"#.utf8)

  /// The budgets of a process of its own.
  private func budgets(jitter: Double = 0) -> RateBudgets {
    RateBudgets(
      memory, failures: StorageFailureReport { _ in }, now: clock.read, jitter: { jitter },
      pause: { [clock] in clock.advance($0 / .seconds(1)) })
  }

  private func waiting(_ stub: StubTransport, _ budgets: RateBudgets? = nil) -> HTTPTransport {
    let note: @Sendable (LimitWait) -> Void = { [told] in told.add($0) }
    return stub.transport.budgeted(by: budgets ?? self.budgets(), host: "h", credential: nil, onWait: note) {
      _ in "search"
    }
  }

  private func impatient(_ stub: StubTransport, _ budgets: RateBudgets? = nil) -> HTTPTransport {
    stub.transport.budgeted(by: budgets ?? self.budgets(), host: "h", credential: nil) { _ in "search" }
  }

  private func search(within time: Duration = .seconds(100)) throws -> HTTPRequest {
    try request("https://h/search", within: time)
  }

  private var kept: RateBudget? { memory.state.withLock { $0.budgets[scope] } }

  /// A refusal that ends in so many seconds, in the ways that servers tell it.
  private func refusals(_ seconds: Int) -> [HTTPResponse] {
    let reset = String(Int(clock.now.timeIntervalSince1970) + seconds)
    let window: [(name: String, value: String)] = [
      ("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", reset),
    ]
    return [
      HTTPResponse(status: 403, headers: window), HTTPResponse(status: 429, headers: window),
      HTTPResponse(status: 403, headers: window + [("X-RateLimit-Resource", "code_search")]),
      HTTPResponse(status: 403, headers: [("Retry-After", String(seconds))]),
      HTTPResponse(status: 429, headers: [("Retry-After", String(seconds))]),
      HTTPResponse(status: 403, headers: window, body: Self.secondary),
    ]
  }

  /// A limit on bursts holds for whoever sent them, whatever is asked for next; a window that is exceeded for its own resource.
  @Test func burstsStopEverything() async throws {
    for (way, isBurst) in [(3, true), (5, true), (0, false)] {
      memory.state.withLock { $0.budgets = [:] }
      let refusal = refusals(20)[way]
      let first = budgets()
      let stub = StubTransport { number, _ in number == 1 ? refusal : HTTPResponse(status: 200) }
      let search = impatient(stub, first)
      #expect(try await search.send(try self.search()).status == refusal.status)
      for budgets in [first, budgets()] {
        let core = stub.transport.budgeted(by: budgets, host: "h", credential: nil) { _ in "core" }
        #expect(try await core.send(try request("https://h/repos/a/b")).status == (isBurst ? 429 : 200))
        let other = stub.transport.budgeted(by: budgets, host: "h", credential: "other") { _ in "search" }
        #expect(try await other.send(try self.search()).status == 200)
      }
      clock.advance(21)
      let core = stub.transport.budgeted(by: first, host: "h", credential: nil) { _ in "core" }
      #expect(try await core.send(try request("https://h/repos/a/b")).status == 200)
    }
  }

  @Test(arguments: 0..<6)
  func refusedRequestIsSentAgain(_ way: Int) async throws {
    let refusal = refusals(20)[way]
    let stub = StubTransport { number, _ in number == 1 ? refusal : HTTPResponse(status: 200) }
    #expect(try await waiting(stub).send(try search()).status == 200)
    #expect(stub.requests.count == 2)
    let resource = refusal.header("x-ratelimit-resource") ?? "search"
    #expect(told.all == [LimitWait(host: "h", resource: resource, duration: .seconds(20))])
  }

  /// One that is refused again has its answer, however much time there is.
  @Test(arguments: 0..<6)
  func onlyOnce(_ way: Int) async throws {
    let status = refusals(20)[way].status
    let stub = StubTransport { [self] _, _ in refusals(20)[way] }
    #expect(try await waiting(stub).send(try search()).status == status)
    #expect(stub.requests.count == 2 && told.all.count == 1)
  }

  @Test(arguments: 0..<6)
  func noTimeToWait(_ way: Int) async throws {
    let refusal = refusals(20)[way]
    let stub = StubTransport { _, _ in refusal }
    let answer = try await waiting(stub).send(try search(within: .milliseconds(20_900)))
    #expect(answer.status == refusal.status && answer.body == refusal.body)
    #expect(stub.requests.count == 1 && told.all.isEmpty)
    // Nobody who does not want to wait does.
    #expect(
      try await impatient(stub, budgets()).send(try search()).status == (way == 2 ? refusal.status : 429))
    #expect(stub.requests.count == (way == 2 ? 2 : 1))
  }

  @Test(arguments: [(0, 20), (0.5, 20.25), (1, 20.5), (-3, 20), (3, 20.5)] as [(Double, Double)])
  func jitterStaysInBounds(jitter: Double, seconds: Double) async throws {
    let refusal = refusals(20)[3]
    let stub = StubTransport { number, _ in number == 1 ? refusal : HTTPResponse(status: 200) }
    _ = try await waiting(stub, budgets(jitter: jitter)).send(try search())
    #expect(told.all.map(\.duration) == [.seconds(seconds)])
  }

  /// What another process learns during the wait counts.
  @Test func anotherProcessIsRefusedMeanwhile() async throws {
    let end = clock.now.addingTimeInterval(50)
    let shared = RateBudgets(
      memory, failures: StorageFailureReport { _ in }, now: clock.read, jitter: { 0 },
      pause: { [self] in
        clock.advance($0 / .seconds(1))
        memory.state.withLock { $0.budgets[scope] = RateBudget(blockedUntil: end) }
      })
    let refusal = refusals(20)[4]
    let stub = StubTransport { number, _ in number == 1 ? refusal : HTTPResponse(status: 200) }
    #expect(try await waiting(stub, shared).send(try search()).status == 200)
    #expect(told.all.map(\.duration) == [.seconds(20), .seconds(30)] && stub.requests.count == 2)
  }

  @Test func cancellationEndsTheWait() async throws {
    let shared = RateBudgets(memory, failures: StorageFailureReport { _ in }, now: clock.read)
    let refusal = refusals(3600)[4]
    let stub = StubTransport { _, _ in refusal }
    let transport = waiting(stub, shared)
    let sent = try search(within: .seconds(9000))
    for count in 1...2 {
      let task = Task { try await transport.send(sent) }
      try await expectEventually { told.all.count == count }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    // The second one has not even been sent.
    #expect(stub.requests.count == 1)
  }

  /// A server that names no time is left alone for a minute, then two, then four, up to an hour, by all processes.
  @Test func refusalsWithoutATimeAddUp() async throws {
    let stub = StubTransport { _, _ in HTTPResponse(status: 403, body: Self.secondary) }
    var waits: [String?] = []
    for _ in 1...8 {
      let answer = try await impatient(stub).send(try search())
      waits.append(answer.header("retry-after"))
      #expect(answer.body == Self.secondary)
      #expect(try await impatient(stub).send(try search()).header("retry-after") == waits.last)
      clock.advance(Double(waits.last.flatMap { $0 }.flatMap { Int($0) } ?? 0))
    }
    #expect(waits == ["60", "120", "240", "480", "960", "1920", "3600", "3600"])
    #expect(stub.requests.count == 8)
  }

  /// The refusals of requests that were sent at once count as one.
  @Test func aBurstIsRefusedOnce() async throws {
    let sent = Mutex(0)
    let transport = HTTPTransport { _ in
      sent.withLock { $0 += 1 }
      while sent.withLock({ $0 < 5 }) { await Task.yield() }
      return HTTPResponse(status: 403, body: Self.secondary)
    }.budgeted(by: budgets(), host: "h", credential: nil) { _ in "search" }
    let search = try search()
    try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
      for _ in 1...5 { group.addTask { try await transport.send(search) } }
      for try await answer in group { #expect(answer.header("retry-after") == "60") }
    }
    #expect(kept?.strikes == 1)
  }

  @Test func anAnswerForgivesRefusals() async throws {
    let stub = StubTransport { number, _ in
      number == 2 ? HTTPResponse(status: 200) : HTTPResponse(status: 429)
    }
    for expected in ["60", nil, "60"] {
      #expect(try await impatient(stub).send(try search()).header("retry-after") == expected)
      clock.advance(60)
    }
    #expect(kept?.strikes == 1)
  }

  /// A failure of the server says nothing of its limits.
  @Test func aFailureForgivesNothing() async throws {
    let stub = StubTransport { number, _ in HTTPResponse(status: number == 2 ? 502 : 429) }
    for expected in ["60", nil, "120"] {
      #expect(try await impatient(stub).send(try search()).header("retry-after") == expected)
      clock.advance(60)
    }
  }

  @Test(arguments: [(3600.0, "120"), (3601, "60")])
  func refusalsAreForgotten(after: Double, wait: String) async throws {
    let stub = StubTransport { _, _ in HTTPResponse(status: 429) }
    _ = try await impatient(stub).send(try search())
    clock.advance(60 + after)
    #expect(try await impatient(stub).send(try search()).header("retry-after") == wait)
  }

  /// Counts that no process has written do not trap.
  @Test(arguments: [(-5, "60"), (.max, "3600"), (.min, "60")] as [(Int, String)])
  func nonsenseCounts(strikes: Int, wait: String) async throws {
    memory.state.withLock {
      $0.budgets[scope] = RateBudget(blockedUntil: clock.now.addingTimeInterval(-1), strikes: strikes)
    }
    let stub = StubTransport { _, _ in HTTPResponse(status: 429) }
    #expect(try await impatient(stub).send(try search()).header("retry-after") == wait)
  }
}
