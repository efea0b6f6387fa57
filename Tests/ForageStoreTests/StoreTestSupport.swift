import ForageStore
import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

/// A moment that no clock of the tests depends on; not a whole second, so that rounding shows.
let noon = Date(timeIntervalSinceReferenceDate: 800_000_000.123_456_7)

/// A cache in a folder of its own.
struct CacheBox {
  let folder: TemporaryDirectory
  let path: String
  let cache: CacheStore
  private let maximumBytes: Int

  init(maximumBytes: Int = 1 << 26) throws {
    folder = try TemporaryDirectory(prefix: "forage-cache")
    path = folder.path("cache/forage/cache.db")
    self.maximumBytes = maximumBytes
    cache = CacheStore(path: path, maximumBytes: maximumBytes, waitsForWriters: true)
  }

  /// The cache as another process sees it.
  func other() -> CacheStore {
    CacheStore(path: path, maximumBytes: maximumBytes, waitsForWriters: true)
  }

  /// Puts bytes where the cache is to be.
  func plant(_ data: Data) throws { try folder.write("cache/forage/cache.db", data: data) }

  /// The sizes of the facts of clones that count against the bound, in order of their keys.
  func inspectionSizes() throws -> [Int] {
    try DatabaseQueue(path: path).read {
      try Int.fetchAll($0, sql: "SELECT size FROM inspection ORDER BY key")
    }
  }
}

/// Runs a body in threads of their own, all at once, and records what they throw.
func concurrently(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) {
  let failures = Mutex<[String]>([])
  let results = DispatchGroup()
  for index in 0..<count {
    results.enter()
    let thread = Thread {
      defer { results.leave() }
      do {
        try body(index)
      } catch {
        failures.withLock { $0.append("\(index): \(error)") }
      }
    }
    thread.start()
  }
  results.wait()
  #expect(failures.withLock { $0 } == [])
}

/// The permission bits of a file; `nil` when there is none.
func mode(_ path: String) -> Int? {
  (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? Int
}
