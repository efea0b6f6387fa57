import GRDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What Forage remembers between runs: an SQLite database in WAL mode, so that a crash leaves the old or the new and processes do not block each other.
package final class Store: Sendable {
  private let place: DatabasePlace
  private let queue: DatabaseQueue
  /// Why nothing can be written, `nil` for a store that takes what is written.
  private let refusal: StoreError?

  /// Opens the store, made and brought up to date where needed.
  ///
  /// - Parameter path: The database file; its folder is made.
  /// - Throws: `StoreError` when it cannot be used.
  package init(path: String) throws(StoreError) {
    let place = DatabasePlace.store(path)
    self.place = place
    refusal = nil
    do {
      try DatabaseOpening.makeFolder(of: place)
      var configuration = DatabaseOpening.configuration
      configuration.prepareDatabase { database in
        // The library's own way would write a table at every opening: commands that only read would wait for
        // writers and need room on the disk.
        try database.execute(sql: "PRAGMA journal_mode = WAL")
      }
      queue = try DatabaseOpening.retrying {
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try Migrations.migrate(queue, place)
        return queue
      }
    } catch {
      throw StoreError.from(error, place)
    }
  }

  /// Opens an existing store without changing it: for a home that cannot be written, and for a full disk.
  ///
  /// - Parameter refusal: What writing then throws; by default that the store cannot be written.
  /// - Throws: `StoreError` when it cannot be read.
  package init(readingFrom path: String, refusal: StoreError? = nil) throws(StoreError) {
    let place = DatabasePlace.store(path)
    self.place = place
    self.refusal = refusal ?? .unwritable(place)
    var configuration = DatabaseOpening.configuration
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

  /// Whether there is a file at a path.
  ///
  /// - Throws: `StoreError` when that cannot be told, because a folder above it is closed.
  package static func exists(_ path: String) throws(StoreError) -> Bool {
    var status = stat()
    if stat(path, &status) == 0 { return true }
    guard errno == EACCES else { return false }
    throw StoreError(
      "the folder of the store \(path) cannot be made or used",
      hint: "check its permissions, or set XDG_DATA_HOME to another folder")
  }

  /// The store itself or, where SQLite cannot make the files beside it that it wants in WAL mode, a copy.
  private static func readable(_ path: String, _ configuration: Configuration) throws -> DatabaseQueue {
    do {
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      _ = try queue.read { try $0.tableExists("clone") }
      return queue
    } catch let error as DatabaseError where error.resultCode != .SQLITE_NOTADB {
      guard FileManager.default.fileExists(atPath: path) else { throw error }
      // Where there is no room for a copy in a file either, one in memory will do.
      for folder in temporaryFolders {
        if let copy = try? copy(of: path, in: folder, configuration) { return copy }
      }
      return try copyInMemory(of: path)
    }
  }

  /// Where a copy may find room: what `TMPDIR` says, which may be closed too, and what systems usually have.
  private static var temporaryFolders: [URL] {
    [FileManager.default.temporaryDirectory] + ["/tmp", "/dev/shm"].map { URL(fileURLWithPath: $0) }
  }

  /// A copy that needs no room on any disk.
  private static func copyInMemory(of path: String) throws -> DatabaseQueue {
    var configuration = DatabaseOpening.configuration
    configuration.prepareDatabase { database in
      // Who has the file alone needs no file of memory that is shared with others; it is had only briefly.
      try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
    }
    let source = try DatabaseQueue(path: path, configuration: configuration)
    let copy = try DatabaseQueue()
    try source.backup(to: copy)
    try source.close()
    return copy
  }

  /// A copy of a store in a temporary folder, which is gone at once but for the open files.
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

  func write<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    if let refusal { throw refusal }
    do {
      return try queue.write(body)
    } catch {
      throw StoreError.from(error, place)
    }
  }

  /// Waits for other writers as long as somebody who asked for nothing else would.
  package func extendBusyTimeout() throws(StoreError) {
    guard refusal == nil else { return }
    try setBusyTimeout(DatabaseOpening.writerPatience)
  }

  /// Runs a body whose writing fails at once while another process writes.
  func withoutWaiting(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    guard refusal == nil else { return }
    try setBusyTimeout(0)
    do throws(StoreError) {
      try body()
    } catch {
      try setBusyTimeout(DatabaseOpening.busyTimeout)
      throw error
    }
    try setBusyTimeout(DatabaseOpening.busyTimeout)
  }

  private func setBusyTimeout(_ seconds: Double) throws(StoreError) {
    // Pragmas take no bound values; this one is a number of ours.
    let milliseconds = Int(seconds * 1000)
    try read { try $0.execute(sql: "PRAGMA busy_timeout = \(milliseconds)") }
  }

  /// Whether there is nothing in it, not even the tables: it could never be made.
  package func isBlank() throws(StoreError) -> Bool { try read { try !$0.tableExists("clone") } }

  /// Whether the database passes SQLite's own check, which also compares the indexes with what they lead to.
  package func isSound() throws(StoreError) -> Bool {
    try read { try String.fetchOne($0, sql: "PRAGMA integrity_check(1)") == "ok" }
  }
}
