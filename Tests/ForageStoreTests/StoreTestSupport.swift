import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import ForageStore

/// A moment that no clock of the tests depends on; not a whole second, so that rounding shows.
let noon = Date(timeIntervalSinceReferenceDate: 800_000_000.123_456_7)

/// A database that can be deleted at any time, in a folder of its own.
struct CacheBox {
  let folder: TemporaryDirectory
  let path: String
  let cache: SampleCache

  init() throws {
    folder = try TemporaryDirectory(prefix: "forage-cache")
    path = folder.path("cache/forage/cache.db")
    cache = SampleCache(path: path)
  }

  /// The database as another process sees it.
  func other() -> SampleCache { SampleCache(path: path) }

  /// Puts bytes where the database is to be.
  func plant(_ data: Data) throws { try folder.write("cache/forage/cache.db", data: data) }
}

/// Bytes under keys in a database that can be deleted at any time.
struct SampleCache: Sendable {
  private let database: DisposableDatabase

  init(path: String) {
    database = DisposableDatabase(
      DatabasePlace(path: path, noun: "cache", variable: "XDG_CACHE_HOME", damageHint: "delete it"),
      DisposableSchema(
        applicationID: 0x466F_7261,
        version: 1, statements: "CREATE TABLE facts (key TEXT PRIMARY KEY NOT NULL, value BLOB NOT NULL)"))
  }

  func value(_ key: String) throws(StoreError) -> [UInt8]? {
    try database.read(absent: nil) { database in
      try Row.fetchOne(database, sql: "SELECT value FROM facts WHERE key = ?", arguments: [key])
        .map { [UInt8](try $0.required("value") as Data) }
    }
  }

  func keep(_ key: String, _ value: [UInt8]) throws(StoreError) {
    try database.write {
      try $0.execute(sql: "INSERT OR REPLACE INTO facts VALUES (?, ?)", arguments: [key, Data(value)])
    }
  }

  func count() throws(StoreError) -> Int {
    try database.read(absent: 0) { try Int.fetchOne($0, sql: "SELECT count(*) FROM facts") ?? 0 }
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
