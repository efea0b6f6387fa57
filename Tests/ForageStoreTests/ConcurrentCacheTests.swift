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
      let cache = SampleCache(path: path)
      for round in 0..<Self.rounds {
        try cache.keep("\(writer)-\(round)", [7])
      }
    }
    #expect(try box.cache.count() == Self.writers * Self.rounds)
  }

  /// One value used from many threads at once, from before it is open.
  @Test func oneValueInManyThreads() throws {
    let box = try CacheBox()
    let cache = box.cache
    concurrently(Self.writers) { writer in
      for round in 0..<Self.rounds {
        try cache.keep("\(writer)-\(round)", [7])
      }
    }
    #expect(try box.cache.count() == Self.writers * Self.rounds)
  }
}
