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
  /// How long one process waits for another that is writing.
  static let busyTimeout: Double = 5
  /// First starts at the same moment collide when they turn on WAL mode, for which SQLite does not wait, and in the migrations.
  private static let openingTries = 10
  /// Microseconds before the first new try; the pauses grow, to about a second in all.
  private static let openingPause: UInt32 = 20_000

  let path: String
  private let queue: DatabaseQueue

  /// Opens the store, made and brought up to date where needed.
  ///
  /// - Parameter path: The database file; its folder is made.
  /// - Throws: `StoreError` when it cannot be used.
  package init(path: String) throws(StoreError) {
    self.path = path
    do {
      let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
        separator: "/")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      var configuration = Configuration()
      configuration.busyMode = .timeout(Self.busyTimeout)
      configuration.journalMode = .wal
      queue = try Self.opened(path, configuration)
    } catch {
      throw StoreError.from(error, path: path)
    }
  }

  /// Opens and migrates. Another process may make the same step at the same moment; the one that loses looks again.
  private static func opened(_ path: String, _ configuration: Configuration) throws -> DatabaseQueue {
    for attempt in 1... {
      do {
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try Migrations.migrate(queue)
        return queue
      } catch let error as DatabaseError
        where [.SQLITE_ERROR, .SQLITE_BUSY].contains(error.resultCode) && attempt < openingTries
      {
        usleep(openingPause * UInt32(attempt))
      }
    }
    throw DatabaseError(resultCode: .SQLITE_BUSY)
  }

  /// Opens an existing store without changing it: for a home that cannot be written.
  ///
  /// - Throws: `StoreError` when it cannot be read.
  package init(readingFrom path: String) throws(StoreError) {
    self.path = path
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(Self.busyTimeout)
    do {
      let direct = try DatabaseQueue(path: path, configuration: configuration)
      // SQLite opens the file only now; in WAL mode it wants to make files beside it.
      let isReadable = (try? direct.read { try $0.tableExists("clone") }) != nil
      queue = isReadable ? direct : try Self.copy(of: path, configuration)
    } catch {
      throw StoreError.from(error, path: path)
    }
  }

  /// A copy of a store in a temporary folder, which is gone at once but for the open files.
  private static func copy(of path: String, _ configuration: Configuration) throws -> DatabaseQueue {
    let files = FileManager.default
    let folder = files.temporaryDirectory.appendingPathComponent("forage-" + UUID().uuidString)
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
      throw StoreError.from(error, path: path)
    }
  }

  func write<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do {
      return try queue.write(body)
    } catch {
      throw StoreError.from(error, path: path)
    }
  }

  /// Whether the database passes SQLite's own check.
  package func isSound() throws(StoreError) -> Bool {
    try read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") == "ok" }
  }
}
