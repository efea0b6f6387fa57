import Foundation
import Testing

@testable import ForageHTTP

@Suite struct RequestCoalescingTests {
  private let memory = MemoryCache()

  private let cache: HTTPCache

  init() { cache = HTTPCache(memory.storage, failures: StorageFailureReport { _ in }) }

  private func cached(_ gated: GatedTransport, freshFor: Duration = .seconds(60)) -> HTTPTransport {
    gated.transport.caching(cache, policy: HTTPCachePolicy(freshFor: freshFor), scope: "s")
  }

  @Test func equalRequestsAreSentOnce() async throws {
    let gated = GatedTransport(HTTPResponse(status: 200, body: [7]))
    let transport = cached(gated)
    let sent = try request("https://h/a")
    let bodies = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<50 { group.addTask { try await transport.send(sent).body } }
      try await expectEventually { cache.flights.waiting == 50 }
      gated.open()
      return try await group.reduce(into: [[UInt8]]()) { $0.append($1) }
    }
    #expect(bodies == Array(repeating: [7], count: 50) && gated.sent == 1 && memory.counts[1] == 1)
  }

  @Test func differentRequestsAreNot() async throws {
    let gated = GatedTransport(HTTPResponse(status: 200))
    gated.open()
    let transport = cached(gated, freshFor: .zero)
    let requests = [
      try request("https://h/a"), try request("https://h/b"),
      try request("https://h/a", headers: [("Authorization", "x")]),
      try request("https://h/a", headers: [("Authorization", "y")]),
      try request("https://h/a", maximumBodyBytes: 5),
    ]
    try await withThrowingTaskGroup { group in
      for request in requests { group.addTask { _ = try await transport.send(request) } }
      try await group.waitForAll()
    }
    #expect(gated.sent == requests.count)
  }

  /// One that gives up leaves the others their answer, the one whose request it is too.
  @Test(arguments: [true, false]) func cancellationIsOnesOwn(firstLeaves: Bool) async throws {
    let gated = GatedTransport(HTTPResponse(status: 200))
    let transport = cached(gated)
    let sent = try request("https://h/a")
    let first = Task { try await transport.send(sent).status }
    try await expectEventually { gated.sent == 1 }
    let second = Task { try await transport.send(sent).status }
    try await expectEventually { cache.flights.waiting == 2 }
    let (leaver, stayer) = firstLeaves ? (first, second) : (second, first)
    leaver.cancel()
    await #expect(throws: CancellationError.self) { try await leaver.value }
    gated.open()
    #expect(try await stayer.value == 200)
    #expect(gated.cancelled == 0 && gated.sent == 1)
  }

  @Test func lastOneToLeaveEndsTheRequest() async throws {
    let gated = GatedTransport(HTTPResponse(status: 200))
    let transport = cached(gated)
    let sent = try request("https://h/a")
    let tasks = (0..<5).map { _ in Task { try await transport.send(sent).status } }
    try await expectEventually { gated.sent == 1 && cache.flights.waiting == 5 }
    for task in tasks { task.cancel() }
    for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
    try await expectEventually { gated.cancelled == 1 }
    #expect(cache.flights.waiting == 0)
    gated.open()
    #expect(try await transport.send(sent).status == 200)
  }

  @Test func cancelledBeforeItBegins() async throws {
    let gated = GatedTransport(HTTPResponse(status: 200))
    let transport = cached(gated)
    let sent = try request("https://h/a")
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await transport.send(sent).status
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(gated.sent == 0)
  }

  @Test func shorterDeadlineEndsOneWaiter() async throws {
    let gated = GatedTransport(HTTPResponse(status: 200))
    let transport = cached(gated)
    let patient = try request("https://h/a")
    let first = Task { try await transport.send(patient).status }
    try await expectEventually { gated.sent == 1 }
    let hasty = try request("https://h/a", within: .milliseconds(100))
    #expect(await failure(of: transport, hasty)?.code == .timeout)
    gated.open()
    #expect(try await first.value == 200)
    #expect(gated.sent == 1)
  }

  /// The deadline of whoever asked first is not that of the others.
  @Test func longerDeadlineOutlivesTheFirst() async throws {
    let gated = GatedTransport(HTTPResponse(status: 200))
    let transport = cached(gated)
    let hasty = try request("https://h/a", within: .seconds(1))
    let first = Task { await failure(of: transport, hasty)?.code }
    try await expectEventually { gated.sent == 1 }
    let patient = try request("https://h/a")
    let second = Task { try await transport.send(patient).status }
    #expect(await first.value == .timeout)
    try await expectEventually { gated.sent == 2 }
    gated.open()
    #expect(try await second.value == 200)
  }

  @Test func failureIsShared() async throws {
    let stub = StubTransport { _, _ in throw HTTPError(.tls, "no") }
    let transport = stub.transport.caching(cache, policy: HTTPCachePolicy(freshFor: .zero), scope: "s")
    let sent = try request("https://h/a")
    let codes = await withTaskGroup(of: HTTPError.Code?.self) { group in
      for _ in 0..<10 { group.addTask { await failure(of: transport, sent)?.code } }
      return await group.reduce(into: [HTTPError.Code?]()) { $0.append($1) }
    }
    #expect(codes == Array(repeating: .tls, count: 10))
  }
}
