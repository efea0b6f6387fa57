import ForageCore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ForageHTTP

@Suite struct HTTPCacheTests {
  private let box: CacheBox
  private var clock: TestClock { box.clock }

  init() throws { box = try CacheBox() }

  private static let tagged = HTTPResponse(
    status: 200, headers: [("ETag", "\"v1\""), ("Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT")],
    body: [1, 2])
  private static let policy = HTTPCachePolicy(freshFor: .seconds(60))

  private func cached(
    _ stub: StubTransport, _ policy: HTTPCachePolicy = policy, scope: String = "s", cache: HTTPCache? = nil
  ) -> HTTPTransport {
    stub.transport.caching(cache ?? box.cache(), policy: policy, scope: scope)
  }

  private func mode(_ mode: CacheMode) -> HTTPCachePolicy {
    HTTPCachePolicy(mode: mode, freshFor: .seconds(60))
  }

  @Test func freshEntryNeedsNoRequest() async throws {
    let stub = StubTransport { _, _ in Self.tagged }
    let transport = cached(stub)
    #expect(try await transport.send(try request("https://h/a")).cache == .none)
    clock.advance(59)
    let second = try await transport.send(try request("https://h/a"))
    #expect(second.cache == CacheUse(age: .seconds(59)) && second.body == [1, 2] && second.status == 200)
    #expect(stub.requests.count == 1)
  }

  /// A refusal because of a limit does not hide an older answer, with which it is told.
  @Test func aLimitDoesNotHideWhatIsCached() async throws {
    let isLimited = Mutex(false)
    let response = HTTPResponse(status: 429, headers: [("Retry-After", "9")])
    let limit = try #require(LimitRefusal(response, at: clock.now))
    let stub = StubTransport { _, _ in
      guard isLimited.withLock({ $0 }) else { return Self.tagged }
      throw HTTPError(limited: limit)
    }
    let transport = cached(stub)
    _ = try await transport.send(try request("https://h/a"))
    isLimited.withLock { $0 = true }
    clock.advance(61)
    let known = try await transport.send(try request("https://h/a"))
    #expect(
      known.status == 200 && known.cache == CacheUse(age: .seconds(61), isStale: true, failure: "status 429")
        && known.body == [1, 2])
    #expect(known.limit == limit)
    #expect(await failure(of: transport, try request("https://h/b"))?.limit == limit)
    // As old as after any other failure.
    clock.advance(86_400)
    #expect(await failure(of: transport, try request("https://h/a"))?.code == .limited)
  }

  @Test func aScopeIsForgotten() async throws {
    let stub = StubTransport { _, _ in Self.tagged }
    let cache = box.cache()
    for scope in ["s", "s stars", "s stars 2"] {
      _ = try await cached(stub, scope: scope, cache: cache).send(try request("https://h/a"))
      _ = try await cached(stub, scope: scope, cache: cache).send(try request("https://h/b"))
    }
    cache.forget(scope: "s stars")
    #expect(stub.requests.count == 6 && box.paths.count == 4)
    #expect(box.files.allSatisfy { $0.scope != "s stars" })
    _ = try await cached(stub, scope: "s", cache: cache).send(try request("https://h/a"))
    #expect(stub.requests.count == 6)
    _ = try await cached(stub, scope: "s stars", cache: cache).send(try request("https://h/a"))
    #expect(stub.requests.count == 7)
  }

  @Test func olderEntryIsRevalidated() async throws {
    let stub = StubTransport { number, _ in
      number == 1 ? Self.tagged : HTTPResponse(status: 304, headers: [("ETag", "W/\"v1\""), ("X-New", "1")])
    }
    let transport = cached(stub)
    _ = try await transport.send(try request("https://h/a"))
    clock.advance(60)
    let second = try await transport.send(try request("https://h/a"))
    #expect(second.cache == CacheUse(age: .zero) && second.status == 200 && second.body == [1, 2])
    #expect(second.header("x-new") == "1" && second.header("etag") == "W/\"v1\"")
    let asked = HTTPResponse(status: 0, headers: try #require(stub.requests.last).headers)
    #expect(asked.header("if-none-match") == "\"v1\"")
    #expect(asked.header("if-modified-since") == "Mon, 01 Jan 2024 00:00:00 GMT")
    #expect(box.files.map(\.headers) == [["Last-Modified", "ETag", "X-New"]])
    clock.advance(59)
    #expect(try await transport.send(try request("https://h/a")).cache == CacheUse(age: .seconds(59)))
  }

  @Test func changedAnswerReplaces() async throws {
    let stub = StubTransport { number, _ in
      HTTPResponse(status: 200, headers: [("ETag", "e")], body: [UInt8(number)])
    }
    let transport = cached(stub)
    _ = try await transport.send(try request("https://h/a"))
    clock.advance(61)
    #expect(try await transport.send(try request("https://h/a")).body == [2])
    #expect(box.files.map(\.body) == [[2]])
  }

  /// A status 304 that speaks of another version than the one that is kept is not believed.
  @Test func foreignTagIsAskedAgain() async throws {
    let stub = StubTransport { number, _ in
      switch number {
      case 2: HTTPResponse(status: 304, headers: [("ETag", "\"v9\"")])
      case 3: HTTPResponse(status: 200, body: [3])
      default: Self.tagged
      }
    }
    let transport = cached(stub)
    _ = try await transport.send(try request("https://h/a"))
    clock.advance(61)
    #expect(try await transport.send(try request("https://h/a")).body == [3])
    #expect(stub.requests.count == 3 && stub.requests.last?.headers.isEmpty == true)
  }

  @Test func unaskedStatus304IsPassedOn() async throws {
    let stub = StubTransport { _, _ in HTTPResponse(status: 304) }
    #expect(try await cached(stub).send(try request("https://h/a")).status == 304)
    #expect(box.paths.isEmpty)
  }

  @Test(arguments: [HTTPError.Code.unreachable, .connectionLost, .timeout, .circuitOpen])
  func failureIsBridged(code: HTTPError.Code) async throws {
    let stub = StubTransport { number, _ in
      if number == 1 { return Self.tagged }
      throw HTTPError(code, "no")
    }
    let transport = cached(stub)
    _ = try await transport.send(try request("https://h/a"))
    clock.advance(86_400)
    let kept = try await transport.send(try request("https://h/a"))
    #expect(
      kept.cache == CacheUse(age: .seconds(86_400), isStale: true, failure: "no") && kept.body == [1, 2]
        && kept.status == 200)
    clock.advance(1)
    #expect(await failure(of: transport, try request("https://h/a"))?.code == code)
  }

  @Test(arguments: [HTTPError.Code.tls, .tooLarge, .malformed, .redirect])
  func otherFailuresAreTold(code: HTTPError.Code) async throws {
    let stub = StubTransport { number, _ in
      if number == 1 { return Self.tagged }
      throw HTTPError(code, "no")
    }
    let transport = cached(stub)
    _ = try await transport.send(try request("https://h/a"))
    clock.advance(61)
    #expect(await failure(of: transport, try request("https://h/a"))?.code == code)
  }

  @Test(
    arguments: [
      (500, true), (502, true), (503, true), (504, true), (520, true), (522, true), (529, true), (501, false),
      (505, false), (511, false), (403, false), (429, false), (401, false),
      (404, false), (301, false), (422, false),
    ])
  func statusesThatAreBridged(status: Int, isBridged: Bool) async throws {
    let stub = StubTransport { number, _ in number == 1 ? Self.tagged : HTTPResponse(status: status) }
    let transport = cached(stub)
    _ = try await transport.send(try request("https://h/a"))
    clock.advance(61)
    let answer = try await transport.send(try request("https://h/a"))
    let failure = "status \(status)"
    #expect(
      answer.cache == (isBridged ? CacheUse(age: .seconds(61), isStale: true, failure: failure) : .none))
    #expect(answer.status == (isBridged ? 200 : status))
  }

  @Test(arguments: [404, 410, 451])
  func whatIsGoneIsForgotten(status: Int) async throws {
    let stub = StubTransport { number, _ in number == 1 ? Self.tagged : HTTPResponse(status: status) }
    let transport = cached(stub)
    _ = try await transport.send(try request("https://h/a"))
    clock.advance(61)
    _ = try await transport.send(try request("https://h/a"))
    #expect(box.paths.isEmpty)
  }

  @Test(arguments: [
    ("Cache-Control", "no-store"), ("cache-control", "private, No-Store , max-age=60"), ("Vary", "Accept, *"),
  ])
  func answersThatForbidItAreNotKept(name: String, value: String) async throws {
    let stub = StubTransport { number, _ in
      number == 1 ? Self.tagged : HTTPResponse(status: 200, headers: [(name, value)], body: [9])
    }
    let transport = cached(stub)
    _ = try await transport.send(try request("https://h/a"))
    clock.advance(61)
    let answer = try await transport.send(try request("https://h/a"))
    #expect(answer.body == [9] && answer.discardStored == nil && box.paths.isEmpty)
  }

  @Test(arguments: [
    ("Cache-Control", "no-cache"), ("Cache-Control", "private, max-age=0"), ("Vary", "Accept"),
  ])
  func freshnessIsOurs(name: String, value: String) async throws {
    let stub = StubTransport { _, _ in HTTPResponse(status: 200, headers: [(name, value)]) }
    let transport = cached(stub)
    _ = try await transport.send(try request("https://h/a"))
    #expect(try await transport.send(try request("https://h/a")).cache == CacheUse(age: .zero))
  }

  @Test(arguments: [201, 203, 204, 206, 301, 404, 500])
  func onlyStatus200IsKept(status: Int) async throws {
    let stub = StubTransport { _, _ in HTTPResponse(status: status, headers: [("ETag", "e")], body: [1]) }
    _ = try await cached(stub).send(try request("https://h/a"))
    #expect(box.paths.isEmpty)
  }

  @Test func requestsThatAreNotCacheable() async throws {
    let stub = StubTransport { _, _ in Self.tagged }
    let transport = cached(stub)
    var unwanted = try request("https://h/a")
    unwanted.isCacheable = false
    let requests = [
      try request("https://h/a", method: "POST"), try request("https://h/a", method: "HEAD"),
      try request("https://h/a", headers: [("Range", "bytes=0-1")]),
      try request("https://h/a", headers: [("if-none-match", "x")]), unwanted,
    ]
    for request in requests {
      #expect(try await transport.send(request).cache == .none)
      #expect(await failure(of: cached(stub, mode(.offline)), request)?.code == .offline)
    }
    #expect(box.paths.isEmpty && stub.requests.count == requests.count)
  }

  @Test func bypassNeitherReadsNorWrites() async throws {
    let stub = StubTransport { _, _ in Self.tagged }
    let transport = cached(stub, mode(.bypass))
    for _ in 0..<2 { #expect(try await transport.send(try request("https://h/a")).cache == .none) }
    #expect(box.paths.isEmpty && stub.requests.count == 2)
  }

  @Test func offlineNeverSends() async throws {
    let stub = StubTransport { _, _ in Self.tagged }
    _ = try await cached(stub).send(try request("https://h/a"))
    let offline = cached(stub, mode(.offline))
    #expect(try await offline.send(try request("https://h/a")).cache == CacheUse(age: .zero))
    clock.advance(3600)
    #expect(
      try await offline.send(try request("https://h/a")).cache == CacheUse(age: .seconds(3600), isStale: true)
    )
    #expect(await failure(of: offline, try request("https://h/b"))?.code == .offline)
    clock.advance(86_400)
    #expect(await failure(of: offline, try request("https://h/a"))?.code == .offline)
    #expect(stub.requests.count == 1)
  }

  /// After a clock was set back an age is unknown: nothing is fresh then, and nothing stands in.
  @Test func entriesFromTheFutureAreNotFresh() async throws {
    let stub = StubTransport { _, _ in Self.tagged }
    let transport = cached(stub)
    _ = try await transport.send(try request("https://h/a"))
    clock.advance(-30)
    #expect(try await transport.send(try request("https://h/a")).cache == CacheUse(age: .zero))
    clock.advance(-3600)
    #expect(await failure(of: cached(stub, mode(.offline)), try request("https://h/a"))?.code == .offline)
    #expect(try await transport.send(try request("https://h/a")).cache == .none)
  }

  @Test func whatDiffersIsKeptApart() async throws {
    let stub = StubTransport { _, _ in HTTPResponse(status: 200) }
    let requests = [
      try request("https://h/a"), try request("https://h/a?"), try request("https://h/a?q=1"),
      try request("http://h/a"), try request("https://h:8443/a"), try request("https://h/A"),
      try request("https://h/a", headers: [("Accept", "text/plain")]),
    ]
    let cache = box.cache()
    for request in requests {
      #expect(try await cached(stub, cache: cache).send(request).cache == .none)
      #expect(try await cached(stub, scope: "other", cache: cache).send(request).cache == .none)
    }
    #expect(box.paths.count == 2 * requests.count)
  }

  @Test func secretsAreNotKept() async throws {
    let stub = StubTransport { _, _ in
      HTTPResponse(
        status: 200,
        headers: [
          ("Set-Cookie", "secret"), ("X-RateLimit-Remaining", "7"), ("Retry-After", "1"), ("ETag", "e"),
        ])
    }
    let sent = try request("https://h/a", headers: [("Authorization", "Bearer secret")])
    #expect(try await cached(stub).send(sent).headers.count == 4)
    for path in box.paths {
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(!text.contains("secret"))
    }
    #expect(box.files.map(\.headers) == [["ETag"]])
  }

  /// An answer that only the caller can see to be incomplete is taken out again.
  @Test func incompleteAnswerIsNotKept() async throws {
    let stub = StubTransport { number, _ in HTTPResponse(status: 200, body: [UInt8(number)]) }
    let answer = try await cached(stub).send(try request("https://h/a"))
    #expect(box.files.map(\.body) == [[1]])
    let discard = try #require(answer.discardStored)
    discard()
    #expect(box.paths.isEmpty)
  }

  @Test func largerThanWantedIsNotServed() async throws {
    let stub = StubTransport { _, _ in Self.tagged }
    let transport = cached(stub)
    _ = try await transport.send(try request("https://h/a"))
    #expect(try await transport.send(try request("https://h/a", maximumBodyBytes: 1)).cache == .none)
    #expect(stub.requests.count == 2 && stub.requests.last?.headers.isEmpty == true)
  }

  @Test func brokenStorageFailsNothing() async throws {
    try box.directory.write("cache/answers", "a file in the place of the folder")
    let stub = StubTransport { number, _ in
      if number < 3 { return Self.tagged }
      throw HTTPError(.unreachable, "no")
    }
    let transport = cached(stub)
    for _ in 0..<2 {
      let answer = try await transport.send(try request("https://h/a"))
      #expect(answer.cache == .none && answer.discardStored == nil)
    }
    #expect(await failure(of: transport, try request("https://h/a"))?.code == .unreachable)
    #expect(box.reports.all == ["the cache \(box.folder) cannot be written"])
  }

  /// A server that hangs must leave time to serve what is kept.
  @Test(arguments: [2_000, 500]) func oldAnswerComesBeforeTheDeadline(_ milliseconds: Int) async throws {
    let stub = StubTransport { _, _ in Self.tagged }
    let cache = box.cache()
    _ = try await cached(stub, cache: cache).send(try request("https://h/a"))
    clock.advance(61)
    let hanging = GatedTransport(Self.tagged)
    let sent = try request("https://h/a", within: .milliseconds(milliseconds))
    let timed = HTTPTransport { request in
      let answer = try await Deadline.run(until: request.deadline) {
        try await hanging.transport.send(request)
      }
      guard let answer else { throw HTTPError(.timeout, "h did not answer in time") }
      return answer
    }
    let answer = try await timed.caching(cache, policy: Self.policy, scope: "s").send(sent)
    #expect(
      answer.cache.age == .seconds(61) && answer.cache.isStale && answer.cache.failure != nil
        && ContinuousClock.now < sent.deadline + .seconds(30))
  }
}
