import GRDB
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What Forage could have again but would rather not ask for twice: answers, rate budgets,
/// circuit breakers.
///
/// A second SQLite database in WAL mode, safe to delete at any time and shared by all processes of the user.
/// Making the value touches no file:
/// the database is opened at the first use and made at the first writing. One that is damaged, newer than
/// this version or another program's is
/// deleted and made anew, also when the damage shows only later.
package final class CacheStore: Sendable {
  /// The default bound of the answers, in bytes: months of searching, and little beside one clone.
  package static let defaultMaximumBytes = 256 * 1024 * 1024
  /// Only the user may look into the folder: answers can hold what is private.
  private static let folderMode = 0o700

  /// The bound of the answers, in bytes.
  package let maximumBytes: Int

  private let place: DatabasePlace
  private let connection = Mutex<Connection?>(nil)

  /// An open database and which file it is.
  private struct Connection: Sendable {
    let queue: DatabaseQueue
    let identity: CacheFile.Identity?
  }

  /// Names a cache; no file is touched.
  ///
  /// - Parameters:
  ///   - path: The database file; its folder is made when something is written.
  ///   - maximumBytes: The bound of the answers; a negative one means none are kept.
  package init(path: String, maximumBytes: Int = CacheStore.defaultMaximumBytes) {
    place = .cache(path)
    self.maximumBytes = max(0, maximumBytes)
  }

  /// Reads; `absent` when there is no cache yet, which is then not made.
  func read<Value>(absent: Value, _ body: (Database) throws -> Value) throws(StoreError) -> Value {
    guard isThere else { return absent }
    return try perform { try $0.read(body) }
  }

  /// Writes in an immediate transaction. The body runs again on an empty cache when the file turns out to be
  /// damaged.
  func write<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    try perform { try $0.write(body) }
  }

  /// Writes if there is a cache; `absent` when there is none yet, which is then not made.
  func write<Value>(absent: Value, _ body: (Database) throws -> Value) throws(StoreError) -> Value {
    guard isThere else { return absent }
    return try perform { try $0.write(body) }
  }

  private var isThere: Bool {
    connection.withLock { $0 != nil } || CacheFile.identity(place.path) != nil
  }

  private func perform<Value>(_ body: (DatabaseQueue) throws -> Value) throws(StoreError) -> Value {
    do {
      do {
        return try performOnce(body)
      } catch  where isGone {
        // Deleted by hand in the midst of it, which anybody may do at any time: once more, on a new one.
        connection.withLock { $0 = nil }
        return try performOnce(body)
      }
    } catch {
      throw StoreError.from(error, place)
    }
  }

  private func performOnce<Value>(_ body: (DatabaseQueue) throws -> Value) throws -> Value {
    let current = try opened()
    do {
      return try body(current.queue)
    } catch let error as DatabaseError where error.meansDamage {
      return try body(try replaced(current).queue)
    }
  }

  /// Whether the file that is open, or was to be opened, is no longer at its place.
  private var isGone: Bool {
    let identity = CacheFile.identity(place.path)
    return connection.withLock { held in identity == nil || held.map { $0.identity != identity } == true }
  }

  private func opened() throws -> Connection {
    try connection.withLock { held in
      if let held { return held }
      let place = place
      let connection: Connection
      do {
        connection = try Self.open(place)
      } catch let error as DatabaseError where error.meansDamage {
        connection = try FileLock.hold(place.path, isExclusive: true) { try Self.openOrReplace(place) }
      }
      held = connection
      return connection
    }
  }

  /// Opens anew after damage. While `damaged` is open no other file can have its identity.
  private func replaced(_ damaged: Connection) throws -> Connection {
    try connection.withLock { held in
      if let held, held.queue !== damaged.queue { return held }
      let place = place
      let connection = try FileLock.hold(place.path, isExclusive: true) {
        if let identity = damaged.identity, CacheFile.identity(place.path) == identity {
          try CacheFile.remove(place.path)
        }
        return try Self.openOrReplace(place)
      }
      held = connection
      return connection
    }
  }

  /// Opens, after a removal if the file is still damaged now that this process has the lock.
  private static func openOrReplace(_ place: DatabasePlace) throws -> Connection {
    do {
      return try DatabaseOpening.retrying { try openOnce(place) }
    } catch let error as DatabaseError where error.meansDamage {
      try CacheFile.remove(place.path)
      return try DatabaseOpening.retrying { try openOnce(place) }
    }
  }

  private static func open(_ place: DatabasePlace) throws -> Connection {
    try DatabaseOpening.makeFolder(of: place, mode: folderMode)
    return try DatabaseOpening.retrying {
      try FileLock.hold(place.path, isExclusive: false) { try openOnce(place) }
    }
  }

  /// Opens while the lock is held.
  private static func openOnce(_ place: DatabasePlace) throws -> Connection {
    var configuration = DatabaseOpening.configuration
    configuration.prepareDatabase { database in
      // WAL mode stays with the file; asked for again it costs nothing. In it, NORMAL may lose the last
      // writes
      // when the machine fails, and never more.
      try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
    }
    CacheFile.make(place.path)
    let before = CacheFile.identity(place.path)
    let queue = try DatabaseQueue(path: place.path, configuration: configuration)
    try CacheSchema.prepare(queue)
    let identity = CacheFile.identity(place.path)
    // Deleted by hand in the midst of opening: database and log may be of different files.
    guard before == nil || before == identity else { throw DatabaseError(resultCode: .SQLITE_BUSY) }
    CacheFile.protect(place.path)
    return Connection(queue: queue, identity: identity)
  }
}

extension DatabaseError {
  /// Whether the file cannot be used as it is.
  fileprivate var meansDamage: Bool {
    resultCode == .SQLITE_CORRUPT || resultCode == .SQLITE_NOTADB
  }
}

extension Date {
  /// The time as the cache stores it, exactly.
  var cacheTime: Double { timeIntervalSinceReferenceDate }
}

extension Row {
  /// A time of the cache.
  func time(_ column: String) throws -> Date {
    Date(timeIntervalSinceReferenceDate: try required(column))
  }

  /// A time of the cache that may be absent.
  func optionalTime(_ column: String) throws -> Date? {
    try optional(column).map { Date(timeIntervalSinceReferenceDate: $0) }
  }
}
