import ForageFoundation
import GRDB
import Synchronization

/// A database that can be deleted at any time, in WAL mode, shared by all processes of the user.
///
/// Creating the value accesses no file: the database is opened on first use and created on first write. A
/// database that is damaged, newer than this version or of another program is deleted and created anew, also
/// if the damage is detected later.
final class DisposableDatabase: Sendable {
  /// The mode of the folder: accessible only to the user, because the content can be private.
  private static let folderMode = 0o700
  /// The part of the file that is mapped for reading (1 GiB).
  private static let mappedBytes = 1 << 30

  let place: DatabasePlace
  private let schema: DisposableSchema
  private let isForSearch: Bool
  private let connection = Mutex<Connection?>(nil)
  private let lastRefusal = Mutex<Refusal?>(nil)

  /// An open database and the identity of its file.
  private struct Connection: Sendable {
    let queue: DatabaseQueue
    let identity: CacheFile.Identity?
  }

  /// An access that another process prevented.
  private struct Refusal: Sendable {
    let time: ContinuousClock.Instant
    let error: DatabaseError
    /// Whether only writing is refused.
    let isOfWriting: Bool
  }

  /// Describes a database; no file is accessed.
  ///
  /// - Parameters:
  ///   - isForSearch: Whether it is for a search, which does without the database if another process keeps
  ///     it: reading waits for some moments only, and a write for nobody. Otherwise all waits as writing
  ///     does.
  init(_ place: DatabasePlace, _ schema: DisposableSchema, isForSearch: Bool = false) {
    self.place = place
    self.schema = schema
    self.isForSearch = isForSearch
  }

  /// How long access is refused after one has waited in vain: each would wait as long again. For a search
  /// that is longer than most of them take.
  private var refusalPause: Duration { .seconds(isForSearch ? 10 : 1) }

  /// How long another process is waited for that keeps the database, in seconds.
  private var busyTimeout: Double {
    isForSearch ? DatabaseOpening.readingTimeout : DatabaseOpening.writingTimeout
  }

  /// Reads; returns `absent` if the database does not exist, without creating it.
  func read<Value>(absent: Value, _ body: (Database) throws -> Value) throws(StoreError) -> Value {
    guard isThere else { return absent }
    return try perform { queue in try unlessRefused(isOfWriting: false) { try queue.read(body) } }
  }

  /// Writes in an immediate transaction. The body runs again on an empty database if the file turns out to be
  /// damaged.
  func write<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    try perform { queue in
      try unlessRefused(isOfWriting: true) {
        try queue.write(waiting: isForSearch ? 0 : busyTimeout, body)
      }
    }
  }

  /// Runs an access, unless another process prevented one a moment ago, for which this one would wait again.
  private func unlessRefused<Value>(isOfWriting: Bool, _ access: () throws -> Value) throws -> Value {
    if let refusal = lastRefusal.withLock({ $0 }), isOfWriting || !refusal.isOfWriting,
      ContinuousClock.now - refusal.time < refusalPause
    {
      throw refusal.error
    }
    do {
      return try access()
    } catch let error as DatabaseError where error.meansLock {
      lastRefusal.withLock { $0 = Refusal(time: .now, error: error, isOfWriting: isOfWriting) }
      throw error
    }
  }

  /// Writes if the database exists; otherwise returns `absent` without creating it.
  func write<Value>(absent: Value, _ body: (Database) throws -> Value) throws(StoreError) -> Value {
    guard isThere else { return absent }
    return try write(body)
  }

  var isThere: Bool {
    connection.withLock { $0 != nil } || CacheFile.identity(place.path) != nil
  }

  private func perform<Value>(_ body: (DatabaseQueue) throws -> Value) throws(StoreError) -> Value {
    do {
      do {
        return try performOnce(body)
      } catch  where isGone {
        // The file was deleted meanwhile, which is allowed: try once more with a new one.
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

  /// Whether the open file, or the file to be opened, no longer exists at its path.
  private var isGone: Bool {
    let identity = CacheFile.identity(place.path)
    return connection.withLock { held in identity == nil || held.map { $0.identity != identity } == true }
  }

  private func opened() throws -> Connection {
    try connection.withLock { held in
      if let held { return held }
      let connection = try unlessRefused(isOfWriting: false) {
        do {
          return try open()
        } catch let error as DatabaseError where error.meansDamage {
          return try FileLock.hold(place.path, isExclusive: true, waiting: busyTimeout) {
            try openOrReplace()
          }
        }
      }
      held = connection
      return connection
    }
  }

  /// Replaces a damaged database. While `damaged` is open, no other file can have its identity.
  private func replaced(_ damaged: Connection) throws -> Connection {
    try connection.withLock { held in
      if let held, held.queue !== damaged.queue { return held }
      let connection = try FileLock.hold(place.path, isExclusive: true, waiting: busyTimeout) {
        if let identity = damaged.identity, CacheFile.identity(place.path) == identity {
          try CacheFile.remove(place.path)
        }
        return try openOrReplace()
      }
      held = connection
      return connection
    }
  }

  /// Opens the database, and replaces it if it is still damaged now that this process has the lock.
  private func openOrReplace() throws -> Connection {
    do {
      return try DatabaseOpening.retrying(busyTimeout: busyTimeout) { try openOnce() }
    } catch let error as DatabaseError where error.meansDamage {
      try CacheFile.remove(place.path)
      return try DatabaseOpening.retrying(busyTimeout: busyTimeout) { try openOnce() }
    }
  }

  private func open() throws -> Connection {
    try DatabaseOpening.makeFolder(of: place, mode: Self.folderMode)
    return try DatabaseOpening.retrying(busyTimeout: busyTimeout) {
      try FileLock.hold(place.path, isExclusive: false, waiting: busyTimeout) { try openOnce() }
    }
  }

  /// Opens the database while the lock is held.
  private func openOnce() throws -> Connection {
    var configuration = DatabaseOpening.configuration(busyTimeout: busyTimeout)
    configuration.prepareDatabase { database in
      // WAL mode is persistent; setting it again is free. With NORMAL, a system crash may lose the last
      // writes but not consistency. Mapped pages are not copied. Another program that cuts off the open file
      // would end the process; this one replaces it.
      try database.execute(
        sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA mmap_size = \(Self.mappedBytes)")
    }
    CacheFile.make(place.path)
    let before = CacheFile.identity(place.path)
    let queue = try DatabaseQueue(path: place.path, configuration: configuration)
    try schema.prepare(queue)
    let identity = CacheFile.identity(place.path)
    // The file was replaced while it was opened: database and log may not belong together.
    guard before == nil || before == identity else { throw DatabaseError(resultCode: .SQLITE_BUSY) }
    CacheFile.protect(place.path)
    return Connection(queue: queue, identity: identity)
  }
}

extension DatabaseError {
  /// Whether another process keeps the database.
  var meansLock: Bool { resultCode == .SQLITE_BUSY || resultCode == .SQLITE_LOCKED }

  /// Whether the error means that the file is damaged. The schema has what is asked for, so that a table or
  /// column that is not there is lost.
  var meansDamage: Bool {
    if resultCode == .SQLITE_CORRUPT || resultCode == .SQLITE_NOTADB { return true }
    let losses = [
      "no such table", "no such column", "has no column", "vtable constructor failed",
      "invalid fts5 file format",
    ]
    return resultCode == .SQLITE_ERROR && losses.contains { message?.contains($0) == true }
  }
}
