import GRDB

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension CacheStore {
  /// How long facts are kept, in seconds: 90 days. They do not grow wrong, but clones go.
  package static let inspectionLifetime: Double = 90 * 24 * 60 * 60

  /// The facts kept under a key; `nil` when there are none that were kept within 90 days.
  ///
  /// They come back as they were kept, unless somebody else wrote into the file: who asks checks them.
  package func inspectionFacts(_ key: String, now: Date = Date()) throws(StoreError) -> [UInt8]? {
    guard Self.isPlain(key) else { return nil }
    return try read(absent: nil) { database in
      try Row.fetchOne(
        database, sql: "SELECT facts FROM inspection WHERE key = ? AND stored_at BETWEEN ? AND ?",
        arguments: [key] + BoundedTable.inspections.times(now)
      ).map { [UInt8](try $0.required("facts") as Data) }
    }
  }

  /// Keeps facts in the place of older ones, and lets go what is too old or too much: the oldest first.
  ///
  /// - Returns: False when they are larger than an eighth of the bound, or the key holds a zero; nothing is then kept
  ///   and nothing forgotten.
  @discardableResult
  package func keepInspectionFacts(
    _ key: String, _ facts: [UInt8], now: Date = Date()
  ) throws(StoreError) -> Bool {
    let size = key.utf8.count + facts.count
    let bound = maximumBytes
    guard Self.isPlain(key), size <= bound / BoundedTable.largestPart else { return false }
    try write { database in
      try database.execute(
        sql: "INSERT OR REPLACE INTO inspection (key, stored_at, size, facts) VALUES (?, ?, ?, ?)",
        arguments: [key, now.cacheTime, size, Data(facts)])
      try BoundedTable.inspections.evict(database, bound: bound, now: now)
    }
    return true
  }

  /// Of how many clones facts are kept, and what they count against the bound, in bytes.
  package func inspectionUsage() throws(StoreError) -> (count: Int, bytes: Int) {
    try read(absent: (0, 0)) { try BoundedTable.inspections.usage($0) }
  }

  /// SQLite's text ends at a zero: two keys could become one.
  private static func isPlain(_ key: String) -> Bool { !key.utf8.contains(0) }
}
