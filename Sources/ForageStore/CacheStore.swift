import ForageFoundation
import GRDB

/// The cache: responses, rate budgets, circuit breakers and facts about clones.
///
/// It can be deleted at any time.
package final class CacheStore: Sendable {
  /// The default bound of the responses in bytes: enough for months of searches.
  package static let defaultMaximumBytes = 256 * 1024 * 1024
  /// The bound of the responses in bytes.
  package let maximumBytes: Int

  private let database: DisposableDatabase

  /// Creates a cache; no file is accessed.
  ///
  /// - Parameters:
  ///   - path: The database file; its folder is created on first write.
  ///   - maximumBytes: The bound of the responses; with a negative one none are stored.
  ///   - waitsForWriters: Whether a database that other processes use is waited for as long as one that a command needs.
  package init(
    path: String, maximumBytes: Int = CacheStore.defaultMaximumBytes, waitsForWriters: Bool = false
  ) {
    database = DisposableDatabase(
      .cache(path), CacheSchema.current,
      busyTimeout: waitsForWriters ? DatabaseOpening.busyTimeout : DatabaseOpening.shortBusyTimeout)
    self.maximumBytes = max(0, maximumBytes)
  }

  /// Reads from the cache; returns `absent` if the cache does not exist, without creating it.
  func read<Value>(absent: Value, _ body: (Database) throws -> Value) throws(StoreError) -> Value {
    try database.read(absent: absent, body)
  }

  /// Writes in an immediate transaction. The body runs again on an empty cache if the file turns out to be
  /// damaged.
  func write<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    try database.write(body)
  }

  /// Writes if the cache exists; otherwise returns `absent` without creating it.
  func write<Value>(absent: Value, _ body: (Database) throws -> Value) throws(StoreError) -> Value {
    try database.write(absent: absent, body)
  }
}

extension Date {
  /// The time as stored in the cache, without loss.
  var cacheTime: Double { timeIntervalSinceReferenceDate }
}

extension Row {
  /// Decodes a time of the cache.
  func time(_ column: String) throws -> Date {
    Date(timeIntervalSinceReferenceDate: try required(column))
  }

  /// Decodes an optional time of the cache.
  func optionalTime(_ column: String) throws -> Date? {
    try optional(column).map { Date(timeIntervalSinceReferenceDate: $0) }
  }
}
