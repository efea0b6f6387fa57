import ForageFoundation
import ForageHTTP
import GRDB

/// The cache: responses, rate budgets, circuit breakers and facts about clones.
///
/// It can be deleted at any time.
package final class CacheStore: HTTPCacheStorage, RateBudgetStorage, CircuitStorage {
  /// The default bound of the responses in bytes: enough for months of searches.
  package static let defaultMaximumBytes = 256 * 1024 * 1024
  /// The bound of the responses in bytes.
  package let maximumBytes: Int

  let database: DisposableDatabase

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
}

extension Date {
  /// The time as stored in the cache, without loss.
  var cacheTime: Double { timeIntervalSinceReferenceDate }
}

extension Row {
  func time(_ column: String) throws -> Date {
    Date(timeIntervalSinceReferenceDate: try required(column))
  }

  func optionalTime(_ column: String) throws -> Date? {
    try optional(column).map { Date(timeIntervalSinceReferenceDate: $0) }
  }
}
