import Foundation
import Synchronization
import Testing

@testable import ForageHTTP

/// Waiting for limits that answers report, and refusals that name no time.
@Suite struct LimitWaitTests {
  private let clock = TestClock()
  private let told = Notes<LimitWait>()
  private let shared: RateBudgets
  private static let secondary = Array(#"{"message": "You have exceeded a secondary rate limit."}"#.utf8)

  init() { shared = Self.budgets(clock) }

  private static func budgets(_ clock: TestClock, jitter: Double = 0) -> RateBudgets {
    RateBudgets(now: clock.read, jitter: { jitter }, pause: { clock.advance($0 / .seconds(1)) })
  }

  private func waiting(_ stub: StubTransport, _ budgets: RateBudgets? = nil) -> HTTPTransport {
    let note: @Sendable (LimitWait) -> Void = { [told] in told.add($0) }
    return stub.transport.budgeted(
      by: budgets ?? shared, host: "h", credential: nil, onWait: note, resource: "search")
  }

  private func impatient(_ stub: StubTransport, _ resource: String = "search", credential: String? = nil)
    -> HTTPTransport
  {
    stub.transport.budgeted(by: shared, host: "h", credential: credential, resource: resource)
  }

  private func search(within time: Duration = .seconds(100)) throws -> HTTPRequest {
    try request("https://h/search", within: time)
  }

  /// Seconds until the limit ends because of which nothing is sent.
  private func wait(_ stub: StubTransport) async throws -> Double? {
    try await failure(of: impatient(stub), search())?.limit?.end?.timeIntervalSince(clock.now)
  }

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

  /// A limit on bursts holds for whoever sent them, whatever is asked for next; a window that is exceeded for
  /// its own resource.
  @Test(arguments: [(3, true), (5, true), (0, false)])
  func burstsStopEverything(_ way: Int, _ isBurst: Bool) async throws {
    let refusal = refusals(20)[way]
    let stub = StubTransport { number, _ in number == 1 ? refusal : HTTPResponse(status: 200) }
    #expect(await failure(of: impatient(stub), try search())?.limit?.isSecondary == isBurst)
    let core = impatient(stub, "core")
    if isBurst {
      #expect(await failure(of: core, try search())?.limit?.isSecondary == true)
    } else {
      #expect(try await core.send(try search()).status == 200)
    }
    #expect(try await impatient(stub, credential: "other").send(try search()).status == 200)
    clock.advance(21)
    #expect(try await core.send(try search()).status == 200)
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

  /// A refusal that the transport reads from a body, whatever its status, counts like one of the header
  /// fields.
  @Test func thrownRefusalsCount() async throws {
    let stub = StubTransport { [clock] number, _ in
      let answer = HTTPResponse(status: 400, headers: [("retry-after", "20")])
      guard number == 1, let limit = LimitRefusal(answer, at: clock.now, isKnown: true) else {
        return HTTPResponse(status: 200)
      }
      throw HTTPError(limited: limit)
    }
    #expect(try await waiting(stub).send(try search()).status == 200)
    #expect(stub.requests.count == 2 && told.all.map(\.duration) == [.seconds(20)])
  }

  /// One that is refused again has its refusal, however much time there is.
  @Test(arguments: 0..<6)
  func onlyOnce(_ way: Int) async throws {
    let stub = StubTransport { [self] _, _ in refusals(20)[way] }
    #expect(await failure(of: waiting(stub), try search())?.code == .limited)
    #expect(stub.requests.count == 2 && told.all.count == 1)
  }

  @Test(arguments: 0..<6)
  func noTimeToWait(_ way: Int) async throws {
    let refusal = refusals(20)[way]
    let stub = StubTransport { _, _ in refusal }
    let error = await failure(of: waiting(stub), try search(within: .milliseconds(20_900)))
    #expect(error?.limit == LimitRefusal(refusal, at: clock.now) && error?.limit?.body == refusal.body)
    #expect(stub.requests.count == 1 && told.all.isEmpty)
    // Nobody who does not want to wait does.
    #expect(await failure(of: impatient(stub), try search())?.limit == error?.limit)
    #expect(stub.requests.count == (way == 2 ? 2 : 1))
  }

  @Test(arguments: [(0, 20), (0.5, 20.25), (1, 20.5), (-3, 20), (3, 20.5)] as [(Double, Double)])
  func jitterStaysInBounds(jitter: Double, seconds: Double) async throws {
    let refusal = refusals(20)[3]
    let stub = StubTransport { number, _ in number == 1 ? refusal : HTTPResponse(status: 200) }
    _ = try await waiting(stub, Self.budgets(clock, jitter: jitter)).send(try search())
    #expect(told.all.map(\.duration) == [.seconds(seconds)])
  }

  @Test func cancellationEndsTheWait() async throws {
    let budgets = RateBudgets(now: clock.read)
    let refusal = refusals(3600)[4]
    let stub = StubTransport { _, _ in refusal }
    let transport = waiting(stub, budgets)
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

  /// A server that names no time is left alone for a minute, then two, then four, up to an hour.
  @Test func refusalsWithoutATimeAddUp() async throws {
    let stub = StubTransport { _, _ in HTTPResponse(status: 403, body: Self.secondary) }
    var waits: [Double?] = []
    for _ in 1...8 {
      waits.append(try await wait(stub))
      #expect(try await wait(stub) == waits.last)
      clock.advance(waits.last.flatMap { $0 } ?? 0)
    }
    #expect(waits == [60, 120, 240, 480, 960, 1920, 3600, 3600])
    #expect(stub.requests.count == 8)
  }

  /// The refusals of requests that were sent at once count as one.
  @Test func aBurstIsRefusedOnce() async throws {
    let sent = Mutex(0)
    let transport = HTTPTransport { _ in
      sent.withLock { $0 += 1 }
      while sent.withLock({ $0 < 5 }) { await Task.yield() }
      return HTTPResponse(status: 403, body: Self.secondary)
    }.budgeted(by: shared, host: "h", credential: nil, resource: "search")
    let search = try search()
    let end = clock.now.addingTimeInterval(60)
    await withTaskGroup(of: HTTPError?.self) { group in
      for _ in 1...5 { group.addTask { await failure(of: transport, search) } }
      for await error in group { #expect(error?.limit?.end == end) }
    }
    clock.advance(60)
    #expect(try await wait(StubTransport { _, _ in HTTPResponse(status: 429) }) == 120)
  }

  /// A failure of the server says nothing of its limits; any other answer forgives.
  @Test(arguments: [(200, 60.0), (404, 60), (502, 120)])
  func anAnswerForgivesRefusals(status: Int, next: Double) async throws {
    let stub = StubTransport { number, _ in HTTPResponse(status: number == 2 ? status : 429) }
    #expect(try await wait(stub) == 60)
    clock.advance(60)
    #expect(try await impatient(stub).send(try search()).status == status)
    #expect(try await wait(stub) == next)
  }
}
