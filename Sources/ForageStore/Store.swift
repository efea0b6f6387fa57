import GRDB

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What Forage remembers between runs: an SQLite database in WAL mode, so that a crash leaves the old or the new and processes do not block each other.
package final class Store: Sendable {
  /// How long one process waits for another that is writing.
  static let busyTimeout: Double = 5

  let path: String
  private let queue: DatabaseQueue

  /// Opens the store, made and brought up to date where needed.
  ///
  /// - Parameter path: The database file; its folder is made.
  /// - Throws: `StoreError` when it cannot be used.
  package init(path: String) throws(StoreError) {
    self.path = path
    do {
      let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      var configuration = Configuration()
      configuration.busyMode = .timeout(Self.busyTimeout)
      configuration.journalMode = .wal
      queue = try DatabaseQueue(path: path, configuration: configuration)
      try Migrations.migrate(queue)
    } catch {
      throw StoreError.from(error, path: path)
    }
  }

  /// Opens an existing store without changing it: for a home that cannot be written.
  ///
  /// - Throws: `StoreError` when it cannot be read.
  package init(readingFrom path: String) throws(StoreError) {
    self.path = path
    do {
      var configuration = Configuration()
      configuration.readonly = true
      configuration.busyMode = .timeout(Self.busyTimeout)
      queue = try DatabaseQueue(path: path, configuration: configuration)
    } catch {
      throw StoreError.from(error, path: path)
    }
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
