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
      let cache = CacheStore(path: path, maximumBytes: 1 << 26, waitsForWriters: true)
      for round in 0..<Self.rounds {
        try cache.keepInspectionFacts("\(writer)-\(round)", [7], now: noon)
      }
    }
    #expect(try box.inspectionSizes().count == Self.writers * Self.rounds)
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
      for round in 0..<Self.rounds {
        try cache.keepInspectionFacts("\(writer)-\(round)", [7], now: noon)
      }
    }
    #expect(try box.inspectionSizes().count == Self.writers * Self.rounds)
  }
}
