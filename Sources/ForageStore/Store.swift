import ForageFoundation
import ForagePlatform
import GRDB
import Synchronization

/// The kind of entity that a row of the store stands for.
package enum StoredEntity: String, Sendable {
  case clone, favorite
  case folder = "folder of clones"
}

/// The user's persistent data: an SQLite database in WAL mode, which is crash-safe and allows concurrent
/// processes.
package final class Store: Sendable {
  private let place: DatabasePlace
  private let queue: DatabaseQueue
  /// Why the store is read-only; `nil` if it is writable.
  private let refusal: StoreError?
  /// Whether the clone at a path is left out of what is read.
  let isIgnored: @Sendable (String) -> Bool
  /// Takes what a row stands for that cannot be read and is left out.
  private let onUnreadable: @Sendable (StoredEntity) -> Void
  /// How long writing waits for another process, in seconds.
  private let writingTimeout = Atomic(DatabaseOpening.writingTimeout)

  /// Opens the store, and creates or migrates it if necessary.
  ///
  /// - Parameters:
  ///   - path: The database file; its folder is created.
  ///   - isForReading: Whether the command only reads: it waits for another process that keeps the store for
  ///     a moment only, unless that creates it.
  ///   - isIgnored: Whether the clone at a path is left out of what is read.
  ///   - onUnreadable: Takes what a row stands for that cannot be read and is left out.
  /// - Throws: `StoreError` if it cannot be used.
  package init(
    path: String, isForReading: Bool = false,
    isIgnored: @escaping @Sendable (String) -> Bool = { _ in false },
    onUnreadable: @escaping @Sendable (StoredEntity) -> Void = { _ in }
  ) throws(StoreError) {
    let place = DatabasePlace.store(path)
    self.place = place
    (self.isIgnored, self.onUnreadable) = (isIgnored, onUnreadable)
    refusal = nil
    do {
      try DatabaseOpening.makeFolder(of: place)
      CacheFile.make(path)
      let busyTimeout =
        isForReading ? DatabaseOpening.storeReadingTimeout : DatabaseOpening.writingTimeout
      var configuration = DatabaseOpening.configuration(busyTimeout: busyTimeout)
      configuration.prepareDatabase { database in
        // GRDB would write a table at every opening: reading commands would wait for writers and need disk
        // space.
        try database.execute(sql: "PRAGMA journal_mode = WAL")
      }
      let patience = CacheFile.hasContent(path) ? busyTimeout : DatabaseOpening.creationTimeout
      queue = try DatabaseOpening.retrying(busyTimeout: patience) {
        var opened: DatabaseQueue?
        func current() throws -> DatabaseQueue {
          let queue = try opened ?? DatabaseQueue(path: path, configuration: configuration)
          opened = queue
          return queue
        }
        try FileLock.once(path, waiting: DatabaseOpening.creationTimeout) {
          try CacheFile.hasContent(path) && Migrations.isCurrent(current(), place)
        } _: {
          try Migrations.migrate(current())
        }
        return try current()
      }
    } catch {
      throw StoreError.from(error, place)
    }
  }

  /// Opens an existing store read-only, for a home directory without write permission or a full disk.
  ///
  /// - Parameters:
  ///   - path: The database file.
  ///   - refusal: The error of writes; by default that the store cannot be written.
  ///   - isIgnored: Whether the clone at a path is left out of what is read.
  ///   - onUnreadable: Takes what a row stands for that cannot be read and is left out.
  /// - Throws: `StoreError` if it cannot be read.
  package init(
    readingFrom path: String, refusal: StoreError? = nil,
    isIgnored: @escaping @Sendable (String) -> Bool = { _ in false },
    onUnreadable: @escaping @Sendable (StoredEntity) -> Void = { _ in }
  ) throws(StoreError) {
    let place = DatabasePlace.store(path)
    self.place = place
    (self.isIgnored, self.onUnreadable) = (isIgnored, onUnreadable)
    self.refusal = refusal ?? .unwritable(place)
    var configuration = DatabaseOpening.configuration(busyTimeout: DatabaseOpening.storeReadingTimeout)
    configuration.readonly = true
    do {
      queue = try Self.readable(path, configuration)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN {
      throw StoreError(
        "the store \(path) cannot be read",
        hint: "check its permissions, or set XDG_DATA_HOME to another folder")
    } catch {
      throw StoreError.from(error, place)
    }
  }

  /// The store itself, or a copy if SQLite cannot create the companion files of WAL mode.
  private static func readable(_ path: String, _ configuration: Configuration) throws -> DatabaseQueue {
    do {
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      _ = try queue.read { try $0.tableExists("clone") }
      return queue
    } catch let error as DatabaseError where error.resultCode != .SQLITE_NOTADB {
      guard FileManager.default.fileExists(atPath: path) else { throw error }
      // If there is no space for a copy in a file, use one in memory.
      for folder in temporaryFolders {
        if let copy = try? copy(of: path, in: folder, configuration) { return copy }
      }
      return try copyInMemory(of: path)
    }
  }

  /// Folders for a copy: `TMPDIR`, which may not be accessible, and the usual ones.
  private static var temporaryFolders: [URL] {
    [FileManager.default.temporaryDirectory] + ["/tmp", "/dev/shm"].map { URL(fileURLWithPath: $0) }
  }

  private static func copyInMemory(of path: String) throws -> DatabaseQueue {
    var configuration = DatabaseOpening.configuration(busyTimeout: DatabaseOpening.storeReadingTimeout)
    configuration.prepareDatabase { database in
      // Exclusive locking needs no shared-memory file; the lock is held only briefly.
      try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
    }
    let source = try DatabaseQueue(path: path, configuration: configuration)
    let copy = try DatabaseQueue()
    try source.backup(to: copy)
    try source.close()
    return copy
  }

  /// A copy in a temporary folder, which is unlinked immediately and exists only through its open files.
  private static func copy(
    of path: String, in parent: URL, _ configuration: Configuration
  ) throws -> DatabaseQueue {
    let files = FileManager.default
    let folder = parent.appendingPathComponent("forage-" + UUID().uuidString)
    try files.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? files.removeItem(at: folder) }
    let target = folder.appendingPathComponent("store.db").path
    try files.copyItem(atPath: path, toPath: target)
    if files.fileExists(atPath: path + "-wal") {
      try files.copyItem(atPath: path + "-wal", toPath: target + "-wal")
    }
    try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target)
    let queue = try DatabaseQueue(path: target, configuration: configuration)
    _ = try queue.read { try $0.tableExists("clone") }
    return queue
  }

  func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do {
      return try queue.read(body)
    } catch {
      throw StoreError.from(error, place)
    }
  }

  /// The rows that could be decoded; the others are reported.
  ///
  /// - Parameters:
  ///   - rows: The rows; `nil` for one with a value that the program does not write, which is no damage of
  ///     the file.
  ///   - entity: What a row stands for.
  func readable<Value>(_ rows: [Value?], _ entity: StoredEntity) -> [Value] {
    let values = rows.compactMap(\.self)
    if values.count < rows.count { onUnreadable(entity) }
    return values
  }

  /// Writes in a transaction.
  ///
  /// - Parameter waits: Whether it waits for another process that writes; otherwise it fails at once.
  func write<Value>(waits: Bool = true, _ body: (Database) throws -> Value) throws(StoreError) -> Value {
    if let refusal { throw refusal }
    do {
      return try queue.write(waiting: waits ? writingTimeout.load(ordering: .relaxed) : 0, body)
    } catch {
      throw StoreError.from(error, place)
    }
  }

  /// Extends the wait for other writers, for commands whose purpose is to write.
  package func extendWritingTimeout() {
    writingTimeout.store(DatabaseOpening.writingCommandTimeout, ordering: .relaxed)
  }

  /// Whether the database is empty and has no tables, because it could not be created.
  package func isBlank() throws(StoreError) -> Bool { try read { try !$0.tableExists("clone") } }

  /// Whether the database passes SQLite's integrity check, which also checks the indexes.
  package func passesIntegrityCheck() throws(StoreError) -> Bool {
    try read { try String.fetchOne($0, sql: "PRAGMA integrity_check(1)") == "ok" }
  }
}
