import ForageHTTP
import Foundation
import Synchronization
import Testing

@Suite struct RateBudgetTests {
  private let clock = TestClock()
  private let memory = MemoryBudgets()
  private let reports = Notes<String>()
  private let pauses = Notes<Duration>()

  private func budgets() -> RateBudgets {
    RateBudgets(
      memory, failures: StorageFailureReport { [reports] in reports.add("\($0)") }, now: clock.read,
      jitter: { 0 },
      pause: { [clock, pauses] in
        pauses.add($0)
        clock.advance($0 / .seconds(1))
      })
  }

  private func budgeted(
    _ stub: StubTransport, _ budgets: RateBudgets, onWait: (@Sendable (LimitWait) -> Void)? = nil
  ) -> HTTPTransport {
    stub.transport.budgeted(by: budgets, host: "h", credential: nil, onWait: onWait) {
      $0.url.path.hasPrefix("/search") ? "search" : "core"
    }
  }

  /// The header fields of an answer whose window ends in some seconds.
  private func fields(
    limit: Int = 30, remaining: Int, resetIn: Double = 60, resource: String? = nil
  ) -> [(name: String, value: String)] {
    let reset = Int(clock.now.timeIntervalSince1970 + resetIn)
    return [
      ("X-RateLimit-Limit", String(limit)), ("X-RateLimit-Remaining", String(remaining)),
      ("X-RateLimit-Reset", String(reset)),
    ] + (resource.map { [("X-RateLimit-Resource", $0)] } ?? [])
  }

  private var kept: [String: RateBudget] { memory.state.withLock { $0.budgets } }
  private var counts: [Int] { memory.state.withLock { [$0.loads, $0.records] } }

  /// What is left is known from the last answer, also to another process, until the window ends.
  @Test func whatIsLeft() async throws {
    let headers = fields(remaining: 2)
    let stub = StubTransport { _, _ in HTTPResponse(status: 200, headers: headers) }
    let shared = budgets()
    func left(_ budgets: RateBudgets, _ resource: String) -> Int? {
      budgets.remaining(host: "h", credential: nil, resource: resource)
    }
    #expect(left(shared, "search") == nil)
    _ = try await budgeted(stub, shared).send(try request("https://h/search"))
    #expect(left(shared, "search") == 2 && left(shared, "core") == nil && left(budgets(), "search") == 2)
    clock.advance(61)
    #expect(left(shared, "search") == nil)
  }

  @Test func spentLimitIsNotAskedAgain() async throws {
    let headers = fields(remaining: 0)
    let stub = StubTransport { _, _ in HTTPResponse(status: 200, headers: headers) }
    let transport = budgeted(stub, budgets())
    _ = try await transport.send(try request("https://h/search"))
    clock.advance(10)
    let refused = try await transport.send(try request("https://h/search"))
    #expect(refused.status == 429 && refused.body.isEmpty && stub.requests.count == 1)
    #expect(refused.header("retry-after") == "50" && refused.header("x-ratelimit-remaining") == "0")
    #expect(
      refused.header("x-ratelimit-reset") == headers[2].value && refused.header("x-ratelimit-limit") == "30")
    #expect(
      refused.header("x-ratelimit-resource") == "search" && refused.header(NotSent.header) == NotSent.limit)
    // Other limits are others, and the window ends.
    #expect(try await transport.send(try request("https://h/repos")).status == 200)
    clock.advance(50)
    #expect(try await transport.send(try request("https://h/search")).status == 200)
  }

  /// A limit that no HTTP response has reported: it holds in other processes, too, and a day at most.
  @Test(arguments: [(30, 30), (0, nil), (-1, nil), (200_000, 86_400)])
  func limitsOfOtherOrigin(wait: Int, seconds: Int?) {
    let end = budgets().block(host: "plugin:a", credential: "c", resource: "a", for: .seconds(wait))
    #expect(end == clock.now.addingTimeInterval(Double(seconds ?? 0)))
    let other = budgets()
    #expect(other.end(host: "plugin:a", credential: "c", resource: "a") == seconds.map { _ in end })
    #expect(other.end(host: "plugin:a", credential: "d", resource: "a") == nil)
    #expect(other.end(host: "plugin:a", credential: "c", resource: "b") == nil)
    clock.advance(Double(seconds ?? 0))
    #expect(other.end(host: "plugin:a", credential: "c", resource: "a") == nil)
  }

  @Test func resourceOfTheAnswerCounts() async throws {
    let headers = fields(remaining: 0, resource: "code_search")
    let stub = StubTransport { _, _ in HTTPResponse(status: 200, headers: headers) }
    _ = try await budgeted(stub, budgets()).send(try request("https://h/search"))
    #expect(kept.keys.map { $0 } == [RateBudgets.scope(host: "h", credential: nil, resource: "code_search")])
  }

  @Test(arguments: ["", "a b", "../x", "SEARCH", String(repeating: "a", count: 65)])
  func nonsenseResourceIsIgnored(name: String) async throws {
    let headers = fields(remaining: 0, resource: name)
    let stub = StubTransport { _, _ in HTTPResponse(status: 200, headers: headers) }
    _ = try await budgeted(stub, budgets()).send(try request("https://h/search"))
    #expect(kept.keys.map { $0 } == [RateBudgets.scope(host: "h", credential: nil, resource: "search")])
  }

  /// Status, header fields, body, seconds of block.
  @Test(
    arguments: [
      (429, "30", "", 30), (403, "5", "", 5), (429, nil, "", 60), (429, "soon", "", 60), (429, "-1", "", 60),
      (403, nil, #"{"message": "You have exceeded a secondary rate limit."}"#, 60),
      (403, nil, #"{"message": "You have triggered an abuse detection mechanism."}"#, 60),
      (403, nil, #"{"message": "Resource not accessible by personal access token"}"#, nil),
      (503, "30", "", nil), (200, "30", "", nil), (403, "0", "", nil), (429, "999999999", "", 86_400),
    ] as [(Int, String?, String, Int?)])
  func blocks(status: Int, retryAfter: String?, body: String, block: Int?) async throws {
    let stub = StubTransport { _, _ in
      HTTPResponse(
        status: status, headers: retryAfter.map { [("Retry-After", $0)] } ?? [], body: Array(body.utf8))
    }
    let transport = budgeted(stub, budgets())
    _ = try await transport.send(try request("https://h/search"))
    let second = try await transport.send(try request("https://h/search"))
    #expect(stub.requests.count == (block == nil ? 2 : 1))
    if let block { #expect(second.status == 429 && second.header("retry-after") == String(block)) }
  }

  /// Headers that switch limits off, as some servers send them, are no exceeded limit.
  @Test func limitOfNothingIsNone() async throws {
    let headers = fields(limit: 0, remaining: 0)
    let stub = StubTransport { _, _ in HTTPResponse(status: 200, headers: headers) }
    let transport = budgeted(stub, budgets())
    for _ in 0..<2 { #expect(try await transport.send(try request("https://h/a")).status == 200) }
    #expect(counts == [2, 0])
  }

  @Test(arguments: ["x", "-5", "99999999999999999999", "0", "4102444800"])
  func nonsenseResetIsIgnored(reset: String) async throws {
    let stub = StubTransport { _, _ in
      HTTPResponse(status: 200, headers: [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", reset)])
    }
    let transport = budgeted(stub, budgets())
    for _ in 0..<2 { #expect(try await transport.send(try request("https://h/a")).status == 200) }
  }

  /// A search in good standing reads once for its own limit and once for that of everything, and writes nothing.
  @Test func goodStandingWritesNothing() async throws {
    let headers = fields(remaining: 20)
    let stub = StubTransport { _, _ in HTTPResponse(status: 200, headers: headers) }
    let transport = budgeted(stub, budgets())
    for _ in 0..<5 { _ = try await transport.send(try request("https://h/search")) }
    #expect(counts == [2, 0])
  }

  @Test(arguments: [(30, 4, 0), (30, 3, 1), (10, 1, 1), (10, 2, 0), (9, 1, 0), (9, 0, 1), (60, 6, 1)])
  func writesBeginAtATenth(limit: Int, remaining: Int, writes: Int) async throws {
    let headers = fields(limit: limit, remaining: remaining)
    let stub = StubTransport { _, _ in HTTPResponse(status: 200, headers: headers) }
    _ = try await budgeted(stub, budgets()).send(try request("https://h/search"))
    #expect(counts == [2, writes])
  }

  @Test func recordOfAnotherProcessCounts() async throws {
    let scope = RateBudgets.scope(host: "h", credential: nil, resource: "search")
    let end = clock.now.addingTimeInterval(30)
    memory.state.withLock { $0.budgets[scope] = RateBudget(limit: 30, remaining: 0, resetAt: end) }
    let headers = fields(remaining: 25, resetIn: 100)
    let stub = StubTransport { _, _ in HTTPResponse(status: 200, headers: headers) }
    let transport = budgeted(stub, budgets())
    #expect(try await transport.send(try request("https://h/search")).header("retry-after") == "30")
    #expect(stub.requests.isEmpty)
    // Once its window is over, it needs no successor.
    clock.advance(31)
    #expect(try await transport.send(try request("https://h/search")).status == 200)
    #expect(counts == [2, 0])
  }

  @Test func recordThatHoldsIsFollowed() async throws {
    let scope = RateBudgets.scope(host: "h", credential: nil, resource: "search")
    let end = clock.now.addingTimeInterval(60)
    memory.state.withLock { $0.budgets[scope] = RateBudget(limit: 30, remaining: 20, resetAt: end) }
    let headers = fields(remaining: 19)
    let stub = StubTransport { _, _ in HTTPResponse(status: 200, headers: headers) }
    _ = try await budgeted(stub, budgets()).send(try request("https://h/search"))
    #expect(counts == [2, 1] && kept[scope]?.remaining == 19)
  }

  @Test func requestsUnderWayCount() async throws {
    let headers = fields(remaining: 2)
    let first = StubTransport { _, _ in HTTPResponse(status: 200, headers: headers) }
    let shared = budgets()
    _ = try await budgeted(first, shared).send(try request("https://h/search"))
    let gated = GatedTransport(HTTPResponse(status: 200, headers: fields(remaining: 0)))
    let transport = gated.transport.budgeted(by: shared, host: "h", credential: nil) { _ in "search" }
    let sent = try request("https://h/search")
    let tasks = (0..<2).map { _ in Task { try await transport.send(sent).status } }
    try await expectEventually { gated.sent == 2 }
    #expect(try await transport.send(sent).status == 429)
    gated.open()
    for task in tasks { #expect(try await task.value == 200) }
    #expect(gated.sent == 2)
  }

  @Test func failedRequestIsNoLongerUnderWay() async throws {
    let headers = fields(remaining: 1)
    let stub = StubTransport { number, _ in
      if number == 2 { throw HTTPError(.connectionLost, "no") }
      return HTTPResponse(status: 200, headers: headers)
    }
    let transport = budgeted(stub, budgets())
    _ = try await transport.send(try request("https://h/search"))
    #expect(await failure(of: transport, try request("https://h/search"))?.code == .connectionLost)
    #expect(try await transport.send(try request("https://h/search")).status == 200)
  }

  @Test func waitsWhenThereIsTime() async throws {
    let empty = fields(remaining: 0, resetIn: 20)
    let stub = StubTransport { number, _ in HTTPResponse(status: 200, headers: number == 1 ? empty : []) }
    let told = Notes<String>()
    let shared = budgets()
    let transport = budgeted(stub, shared) {
      told.add("\($0.host) \($0.resource) \($0.duration / .seconds(1))")
    }
    _ = try await transport.send(try request("https://h/search"))
    // With too little time nobody waits.
    let hasty = try await transport.send(try request("https://h/search", within: .milliseconds(20_900)))
    #expect(hasty.status == 429 && told.all.isEmpty)
    #expect(try await transport.send(try request("https://h/search", within: .seconds(40))).status == 200)
    #expect(told.all == ["h search 20.0"] && pauses.all == [.seconds(20)] && stub.requests.count == 2)
  }

  /// A clock that stands still, or others who spend each new window, do not hold a request indefinitely.
  @Test func waitsAreCounted() async throws {
    let shared = RateBudgets(
      memory, failures: StorageFailureReport { _ in }, now: clock.read, jitter: { 0 },
      pause: { [pauses] in pauses.add($0) })
    let empty = fields(remaining: 0, resetIn: 5)
    let stub = StubTransport { _, _ in HTTPResponse(status: 200, headers: empty) }
    let transport = budgeted(stub, shared) { _ in }
    _ = try await transport.send(try request("https://h/search"))
    #expect(try await transport.send(try request("https://h/search")).status == 429)
    #expect(pauses.all.count == 3)
  }

  @Test func brokenStorageFailsNothing() async throws {
    memory.state.withLock { $0.isBroken = true }
    let headers = fields(remaining: 0)
    let stub = StubTransport { _, _ in HTTPResponse(status: 200, headers: headers) }
    let transport = budgeted(stub, budgets())
    #expect(try await transport.send(try request("https://h/search")).status == 200)
    #expect(try await transport.send(try request("https://h/search")).status == 429)
    #expect(reports.all == ["the disk is full"])
  }
}
