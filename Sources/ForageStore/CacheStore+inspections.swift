package import ForageFoundation
import GRDB

extension CacheStore {
  /// How long facts are kept, in seconds: 90 days. They stay valid, but clones may be deleted.
  package static let inspectionLifetime: Double = 90 * 24 * 60 * 60

  /// The facts stored under a key within 90 days; `nil` if there are none.
  ///
  /// The caller must validate them, because another program may have changed the file.
  package func inspectionFacts(_ key: String, now: Date = Date()) throws(StoreError) -> [UInt8]? {
    guard Self.isPlain(key) else { return nil }
    return try database.read(absent: nil) { database in
      try Row.fetchOne(
        database, sql: "SELECT facts FROM inspection WHERE key = ? AND stored_at BETWEEN ? AND ?",
        arguments: [key] + BoundedTable.inspections.times(now)
      ).map { [UInt8](try $0.required("facts") as Data) }
    }
  }

  /// Stores facts, replacing older ones of the key, and evicts expired and excess rows, oldest first.
  ///
  /// - Returns: False if they are larger than an eighth of the bound, or the key contains a NUL; then nothing
  ///   changes.
  @discardableResult
  package func keepInspectionFacts(
    _ key: String, _ facts: [UInt8], now: Date = Date()
  ) throws(StoreError) -> Bool {
    let size = key.utf8.count + facts.count
    let bound = maximumBytes
    guard Self.isPlain(key), size <= bound / BoundedTable.largestPart else { return false }
    try database.write { database in
      try database.execute(
        sql: "INSERT OR REPLACE INTO inspection (key, stored_at, size, facts) VALUES (?, ?, ?, ?)",
        arguments: [key, now.cacheTime, size, Data(facts)])
      try BoundedTable.inspections.evict(database, bound: bound, now: now)
    }
    return true
  }

  /// Whether the key contains no NUL, at which SQLite ends a text.
  private static func isPlain(_ key: String) -> Bool { !key.utf8.contains(0) }
}
