import ForageCore
import ForageHTTP
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ForageManifest

/// Cache, limits and circuits as all providers share them.
struct SharedServicesTests {
  /// Equal searches by POST are answered from the cache; another body is another search.
  @Test(arguments: ["GET", "POST"])
  func answersAreKept(_ method: String) async throws {
    let what = method == "POST" ? "method: POST, body: {Q: \"{text}\"}" : "params: {q: \"{text}\"}"
    let text = """
      forage: 1
      id: acme
      name: Acme
      kinds: [package]
      request: {url: "{base}/search", \(what)}
      paging: {style: none, size: 50}
      items: $.items[*]
      map: {id: $.id, url: $.url, title: $.name}
      """
    try await withAPI(text, services: SharedServices().services()) { _ in
      .json(body: rows(1...3))
    } _: {
      provider, server in
      let first = try await provider.search(ask("x", of: provider))
      #expect(first.cache.age == nil)
      let second = try await provider.search(ask("x", of: provider))
      #expect(second.cache.age != nil && second.items == first.items && server.requests.count == 1)
      _ = try await provider.search(ask("y", of: provider))
      #expect(server.requests.count == 2)
      // The pages of one answer cost one request.
      _ = try await everything(provider, "z", pageSize: 1)
      #expect(server.requests.count == 3)
    }
  }

  @Test func anUnreadableAnswerIsNotKept() async throws {
    let shared = try SharedServices()
    try await withAPI(sample(), services: shared.services()) { _ in
      .json(body: #"{"rows":[]}"#)
    } _: {
      provider, _ in
      _ = await searchError { _ = try await provider.search(ask("x", of: provider)) }
      #expect(shared.stored.isEmpty)
    }
  }

  @Test func offlineThereIsOnlyWhatIsKept() async throws {
    let shared = try SharedServices()
    let text = sample()
    let counter = Counter(1)
    try await withServer { _ in
      counter.next() ? .json(body: rows(1...3)) : .status(500)
    } _: { server in
      try await withProvider(try manifest(text), at: server, services: shared.services()) { provider in
        _ = try await provider.search(ask("x", of: provider))
      }
      try await withProvider(try manifest(text), at: server, services: shared.services(.offline)) {
        provider in
        let page1 = try await provider.search(ask("x", of: provider))
        #expect(page1.items.count == 3)
        let error = await searchError { _ = try await provider.search(ask("y", of: provider)) }
        #expect(error?.code == .offline && server.requests.count == 1)
      }
    }
  }

  /// A limit that one search has met holds for the next, without asking again.
  @Test func limitsAreRemembered() async throws {
    let refusal = ScriptedResponse.json(status: 429, headers: [("Retry-After", "600")], body: "{}")
    try await withAPI(sample(), services: SharedServices().services()) { _ in
      refusal
    } _: { provider, server in
      for _ in 0..<3 {
        let error = await searchError { _ = try await provider.search(ask("x", of: provider)) }
        #expect(
          error?.code == .rateLimited && (590_000...600_000).contains(error?.retryAfterMilliseconds ?? 0))
      }
      #expect(server.requests.count == 1)
    }
  }

  /// Under a limit, answered or known before, an older answer is used, and the limit is told with it.
  @Test func aLimitLeavesTheOlderAnswer() async throws {
    let shared = try SharedServices()
    let counter = Counter(1)
    try await withAPI(sample(), services: shared.services()) { _ in
      counter.next()
        ? .json(body: rows(1...3)) : .json(status: 429, headers: [("Retry-After", "600")], body: "{}")
    } _: { provider, server in
      let fresh = try await provider.search(ask("x", of: provider))
      #expect(fresh.failure == nil)
      shared.age(seconds: 7200)
      for _ in 0..<2 {
        let page = try await provider.search(ask("x", of: provider))
        #expect(page.items == fresh.items && page.cache.isStale && page.failure?.code == .rateLimited)
      }
      let error = await searchError { _ = try await provider.search(ask("y", of: provider)) }
      #expect(error?.code == .rateLimited && server.requests.count == 2)
    }
  }

  /// `backoff` in a good answer: it counts, and nothing more is sent until it is over.
  @Test func aBackoffIsObeyed() async throws {
    let text = sample(more: "retryAfter: $.backoff")
    try await withAPI(
      text, services: SharedServices().services()
    ) { _ in
      .json(body: rows(1...3, more: #""backoff":300"#))
    } _: {
      provider, server in
      let page2 = try await provider.search(ask("x", of: provider))
      #expect(page2.items.count == 3)
      let error = await searchError { _ = try await provider.search(ask("y", of: provider)) }
      #expect(error?.code == .rateLimited && (290_000...302_000).contains(error?.retryAfterMilliseconds ?? 0))
      #expect(server.requests.count == 1)
      // What is kept needs no request.
      let page3 = try await provider.search(ask("x", of: provider))
      #expect(page3.items.count == 3)
    }
  }

  /// The API's own code and message count beside a limit, however long the rest of the body is.
  @Test(arguments: [("key", SearchError.Code.unauthorized), ("else", .rateLimited)])
  func aLongBodyBesideALimit(_ kind: String, _ code: SearchError.Code) async throws {
    let more = "errors: {message: $.why, code: {path: $.kind, map: {key: unauthorized}}}"
    let trace = String(repeating: "x", count: 20_000)
    try await withAPI(sample(more: more), services: SharedServices().services()) { _ in
      .json(status: 429, body: #"{"trace":"\#(trace)","kind":"\#(kind)","why":"because"}"#)
    } _: { provider, _ in
      let error = await searchError { _ = try await provider.search(ask("x", of: provider)) }
      #expect(error?.code == code && error?.message.hasSuffix(": because") == true, "\(error as Any)")
    }
  }

  @Test func limitsInFieldsWithoutAPrefixCountToo() async throws {
    let headers: [ScriptedResponse.Header] = [
      ("RateLimit-Limit", "60"), ("RateLimit-Remaining", "0"),
      ("RateLimit-Reset", "\(Int(DateNow.seconds) + 500)"),
    ]
    try await withAPI(
      sample(), services: SharedServices().services()
    ) { _ in
      .json(headers: headers, body: rows(1...3))
    } _: {
      provider, server in
      _ = try await provider.search(ask("x", of: provider))
      let error = await searchError { _ = try await provider.search(ask("y", of: provider)) }
      #expect(error?.code == .rateLimited && server.requests.count == 1)
    }
  }

  @Test func circuitsOpen() async throws {
    let shared = try SharedServices()
    try await withAPI(sample(), services: shared.services()) { _ in
      .empty
    } _: { provider, server in
      for _ in 0..<3 { _ = await searchError { _ = try await provider.search(ask("x", of: provider)) } }
      let count = server.requests.count
      let error = await searchError { _ = try await provider.search(ask("x", of: provider)) }
      #expect(error?.code == .circuitOpen && server.requests.count == count)
    }
  }

  /// Requests keep their distance, and one that would come too late takes no turn.
  @Test func turns() {
    let (pace, now) = (RequestPace(perSecond: 4), ContinuousClock.now)
    let late = now + .seconds(60)
    let turns = (0..<4).map { _ in pace.turn(at: now, deadline: late) }
    #expect(turns == [0, 250, 500, 750].map { now + .milliseconds($0) })
    #expect(pace.turn(at: now, deadline: now + .milliseconds(900)) == nil)
    #expect(pace.turn(at: now, deadline: late) == now + .seconds(1))
    #expect(pace.turn(at: now + .seconds(9), deadline: late) == now + .seconds(9))
  }

  /// Two searches one after the other, the second of which has no time to wait for its turn.
  @Test func aRateHolds() async throws {
    try await withAPI(sample(more: "rate: {perSecond: 0.01}")) { _ in
      .json(body: rows(1...3))
    } _: {
      provider, server in
      _ = try await provider.search(ask("x", of: provider))
      let (request, requests) = (try ask("x", of: provider, within: .seconds(30)), RequestCounter())
      let error = await searchError { _ = try await requests.counting { try await provider.search(request) } }
      #expect(error?.code == .timeout && server.requests.count == 1 && requests.count == 0)
    }
  }
}
