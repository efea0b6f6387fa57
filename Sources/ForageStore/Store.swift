import GRDB

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What Forage remembers between runs: an SQLite database in WAL mode, so that a crash leaves the old or the new and processes do not block each other.
package final class Store: Sendable {
  private let place: DatabasePlace
  private let queue: DatabaseQueue

  /// Opens the store, made and brought up to date where needed.
  ///
  /// - Parameter path: The database file; its folder is made.
  /// - Throws: `StoreError` when it cannot be used.
  package init(path: String) throws(StoreError) {
    let place = DatabasePlace.store(path)
    self.place = place
    do {
      try DatabaseOpening.makeFolder(of: place)
      var configuration = DatabaseOpening.configuration
      configuration.journalMode = .wal
      queue = try DatabaseOpening.retrying {
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try Migrations.migrate(queue)
        return queue
      }
    } catch {
      throw StoreError.from(error, place)
    }
  }

  /// Opens an existing store without changing it: for a home that cannot be written.
  ///
  /// - Throws: `StoreError` when it cannot be read.
  package init(readingFrom path: String) throws(StoreError) {
    let place = DatabasePlace.store(path)
    self.place = place
    var configuration = DatabaseOpening.configuration
    configuration.readonly = true
    do {
      queue = try Self.readable(path, configuration)
    } catch {
      throw StoreError.from(error, place)
    }
  }

  /// The store itself or, where SQLite cannot make the files beside it that it wants in WAL mode, a copy.
  private static func readable(_ path: String, _ configuration: Configuration) throws -> DatabaseQueue {
    do {
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      _ = try queue.read { try $0.tableExists("clone") }
      return queue
    } catch let error as DatabaseError {
      guard FileManager.default.fileExists(atPath: path) else { throw error }
      return try copy(of: path, configuration)
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
      throw StoreError.from(error, place)
    }
  }

  func write<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do {
      return try queue.write(body)
    } catch {
      throw StoreError.from(error, place)
    }
  }

  /// Whether the database passes SQLite's own check.
  package func isSound() throws(StoreError) -> Bool {
    try read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") == "ok" }
  }
}
