import ForageHTTP
import ForageStore
import Foundation
import TestSupport
import Testing

/// Many caches on one path, as many processes have.
@Suite struct ConcurrentCacheTests {
  private static let writers = 20
  private static let rounds = 10

  /// Every writer opens for itself; whatever was there before, everything written is there in the end.
  @Test(arguments: [nil, "", "no database", String(repeating: "no database\n", count: 1000)])
  func writersLoseNothing(before: String?) throws {
    let box = try CacheBox()
    if let before { try box.plant(Data(before.utf8)) }
    let path = box.path
    concurrently(Self.writers) { writer in
      let cache = CacheStore(path: path, waitsForWriters: true)
      for round in 0..<Self.rounds {
        #expect(try cache.store(answer("\(writer)-\(round)"), now: noon))
        try cache.change("count") { Circuit(failures: ($0?.failures ?? 0) + 1, reason: "r") }
        try cache.record(
          scope: "\(writer)", RateBudget(remaining: round, resetAt: noon + Double(60 * (round + 1))),
          now: noon)
      }
    }
    let total = Self.writers * Self.rounds
    #expect(try box.cache.responseUsage().count == total)
    #expect(try box.cache.circuit("count")?.failures == total)
    #expect(try box.cache.budgets().map(\.budget.remaining) == Array(repeating: Self.rounds - 1, count: 20))
  }

  /// Each adds its number to the session; who comes too late reads again.
  @Test func swapsLoseNothing() throws {
    let box = try CacheBox()
    let files = SessionFiles(folder: box.path + "-sessions/below")
    let name = try files.create([], now: Date())
    concurrently(Self.writers) { writer in
      while true {
        let old = try #require(files.state(of: name, now: Date()))
        let state = old.state + [UInt8(writer)]
        if try files.replace(name, version: old.version, by: state) { break }
      }
    }
    let session = try #require(files.state(of: name, now: Date()))
    #expect(session.state.sorted() == (0..<20).map { UInt8($0) })
  }

  /// One value used from many threads at once, from before it is open.
  @Test func oneValueInManyThreads() throws {
    let box = try CacheBox()
    let cache = box.cache
    concurrently(Self.writers) { writer in
      for round in 0..<Self.rounds { try cache.store(answer("\(writer)-\(round)"), now: noon) }
    }
    #expect(try cache.responseUsage().count == Self.writers * Self.rounds)
  }
}
