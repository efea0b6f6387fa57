import ForageHTTP
import Foundation
import Synchronization
import Testing

@Suite struct RateBudgetTests {
  private let clock = TestClock()
  private let pauses = Notes<Duration>()
  private let budgets: RateBudgets

  init() {
    budgets = RateBudgets(
      now: clock.read, jitter: { 0 },
      pause: { [clock, pauses] in
        pauses.add($0)
        clock.advance($0 / .seconds(1))
      })
  }

  private func budgeted(_ stub: StubTransport, onWait: (@Sendable (LimitWait) -> Void)? = nil)
    -> HTTPTransport
  {
    HTTPTransport { [budgets] request in
      try await stub.transport.budgeted(
        by: budgets, host: "h", credential: nil, onWait: onWait,
        resource: request.url.path.hasPrefix("/search") ? "search" : "core"
      ).send(request)
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

  private func left(_ resource: String) -> Int? {
    budgets.remaining(host: "h", credential: nil, resource: resource)
  }

  /// What is left is known from the last answer, until the window ends.
  @Test func whatIsLeft() async throws {
    let headers = fields(remaining: 2)
    let stub = StubTransport { _, _ in HTTPResponse(status: 200, headers: headers) }
    #expect(left("search") == nil)
    _ = try await budgeted(stub).send(try request("https://h/search"))
    #expect(left("search") == 2 && left("core") == nil)
    clock.advance(61)
    #expect(left("search") == nil)
  }

  /// Answers arrive in another order than they were given, and the servers of one host differ about the end.
  @Test(arguments: [
    ([(5, 60.0), (7, 60)], 5), ([(5, 60), (7, 61)], 5), ([(5, 60), (4, 59)], 4), ([(5, 60), (9, 120)], 9),
    ([(9, 120), (5, 60)], 9),
  ])
  func windows(answers: [(Int, Double)], remaining: Int) async throws {
    for (left, end) in answers {
      let headers = fields(remaining: left, resetIn: end)
      let stub = StubTransport { _, _ in HTTPResponse(status: 200, headers: headers) }
      _ = try await budgeted(stub).send(try request("https://h/search"))
    }
    #expect(left("search") == remaining)
  }

  @Test func spentLimitIsNotAskedAgain() async throws {
    let headers = fields(remaining: 0)
    let stub = StubTransport { _, _ in HTTPResponse(status: 200, headers: headers) }
    let transport = budgeted(stub)
    _ = try await transport.send(try request("https://h/search"))
    clock.advance(10)
    let refused = await failure(of: transport, try request("https://h/search"))
    #expect(refused?.code == .limited && stub.requests.count == 1)
    #expect(refused?.limit?.end == clock.now.addingTimeInterval(50) && refused?.limit?.isSecondary == false)
    // Other limits are others, and the window ends.
    #expect(try await transport.send(try request("https://h/repos")).status == 200)
    clock.advance(50)
    #expect(try await transport.send(try request("https://h/search")).status == 200)
  }

  @Test func resourceOfTheAnswerCounts() async throws {
    let headers = fields(remaining: 3, resource: "code_search")
    let stub = StubTransport { _, _ in HTTPResponse(status: 200, headers: headers) }
    _ = try await budgeted(stub).send(try request("https://h/search"))
    #expect(left("code_search") == 3 && left("search") == nil)
  }

  @Test(arguments: ["", "a b", "../x", "SEARCH", String(repeating: "a", count: 65)])
  func nonsenseResourceIsIgnored(name: String) async throws {
    let headers = fields(remaining: 3, resource: name)
    let stub = StubTransport { _, _ in HTTPResponse(status: 200, headers: headers) }
    _ = try await budgeted(stub).send(try request("https://h/search"))
    #expect(left("search") == 3)
  }

  /// Status, header fields, body, seconds of block; `nil` for no refusal.
  @Test(
    arguments: [
      (429, "30", "", 30), (403, "5", "", 5), (429, nil, "", 60), (429, "soon", "", 60), (429, "-1", "", 60),
      (403, nil, #"{"message": "You have exceeded a secondary rate limit."}"#, 60),
      (403, nil, #"{"message": "You have triggered an abuse detection mechanism."}"#, 60),
      (403, nil, #"{"message": "Resource not accessible by personal access token"}"#, nil),
      (503, "30", "", nil), (200, "30", "", nil), (403, "0", "", 0), (429, "999999999", "", 86_400),
    ] as [(Int, String?, String, Double?)])
  func blocks(status: Int, retryAfter: String?, body: String, block: Double?) async throws {
    let stub = StubTransport { _, _ in
      HTTPResponse(
        status: status, headers: retryAfter.map { [("Retry-After", $0)] } ?? [], body: Array(body.utf8))
    }
    let transport = budgeted(stub)
    guard let block else {
      for _ in 0..<2 { #expect(try await transport.send(try request("https://h/search")).status == status) }
      return
    }
    let first = await failure(of: transport, try request("https://h/search"))
    #expect(first?.code == .limited && first?.message == "status \(status)")
    #expect(first?.limit?.end == clock.now.addingTimeInterval(block))
    #expect(first?.limit?.body == Array(body.utf8))
    // The same refusal, without a request.
    #expect(await failure(of: transport, try request("https://h/search"))?.limit == first?.limit)
    #expect(stub.requests.count == (block == 0 ? 2 : 1))
  }

  /// Headers that switch limits off, as some servers send them, are no exceeded limit.
  @Test func limitOfNothingIsNone() async throws {
    let headers = fields(limit: 0, remaining: 0)
    let stub = StubTransport { _, _ in HTTPResponse(status: 200, headers: headers) }
    for _ in 0..<2 { #expect(try await budgeted(stub).send(try request("https://h/a")).status == 200) }
  }

  @Test(arguments: ["x", "-5", "99999999999999999999", "0", "4102444800"])
  func nonsenseResetIsIgnored(reset: String) async throws {
    let stub = StubTransport { _, _ in
      HTTPResponse(status: 200, headers: [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", reset)])
    }
    for _ in 0..<2 { #expect(try await budgeted(stub).send(try request("https://h/a")).status == 200) }
  }

  /// After the clock was set back, a window is none.
  @Test func windowsOfTheFarFutureAreIgnored() async throws {
    let headers = fields(remaining: 0)
    let stub = StubTransport { _, _ in HTTPResponse(status: 200, headers: headers) }
    _ = try await budgeted(stub).send(try request("https://h/a"))
    clock.advance(-90_000)
    #expect(try await budgeted(stub).send(try request("https://h/a")).status == 200)
  }

  @Test func requestsUnderWayCount() async throws {
    let headers = fields(remaining: 2)
    let first = StubTransport { _, _ in HTTPResponse(status: 200, headers: headers) }
    _ = try await budgeted(first).send(try request("https://h/search"))
    let gated = GatedTransport(HTTPResponse(status: 200, headers: fields(remaining: 0)))
    let transport = gated.transport.budgeted(by: budgets, host: "h", credential: nil, resource: "search")
    let sent = try request("https://h/search")
    let tasks = (0..<2).map { _ in Task { try await transport.send(sent).status } }
    try await expectEventually { gated.sent == 2 }
    #expect(await failure(of: transport, sent)?.code == .limited)
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
    let transport = budgeted(stub)
    _ = try await transport.send(try request("https://h/search"))
    #expect(await failure(of: transport, try request("https://h/search"))?.code == .connectionLost)
    #expect(try await transport.send(try request("https://h/search")).status == 200)
  }

  @Test func waitsWhenThereIsTime() async throws {
    let empty = fields(remaining: 0, resetIn: 20)
    let stub = StubTransport { number, _ in HTTPResponse(status: 200, headers: number == 1 ? empty : []) }
    let told = Notes<String>()
    let transport = budgeted(stub) {
      told.add("\($0.host) \($0.resource) \($0.duration / .seconds(1))")
    }
    _ = try await transport.send(try request("https://h/search"))
    // With too little time nobody waits.
    let hasty = await failure(of: transport, try request("https://h/search", within: .milliseconds(20_900)))
    #expect(hasty?.code == .limited && told.all.isEmpty)
    #expect(try await transport.send(try request("https://h/search", within: .seconds(40))).status == 200)
    #expect(told.all == ["h search 20.0"] && pauses.all == [.seconds(20)] && stub.requests.count == 2)
  }

  /// A clock that stands still, or others who spend each new window, do not hold a request indefinitely.
  @Test func waitsAreCounted() async throws {
    let standing = RateBudgets(now: clock.read, jitter: { 0 }, pause: { [pauses] in pauses.add($0) })
    let empty = fields(remaining: 0, resetIn: 5)
    let stub = StubTransport { _, _ in HTTPResponse(status: 200, headers: empty) }
    let transport = stub.transport.budgeted(
      by: standing, host: "h", credential: nil, onWait: { _ in }, resource: "search")
    _ = try await transport.send(try request("https://h/search"))
    #expect(await failure(of: transport, try request("https://h/search"))?.code == .limited)
    #expect(pauses.all.count == 3)
  }
}
