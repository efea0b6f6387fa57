import GRDB

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension CacheStore {
  /// How long facts are kept, in seconds: 90 days. They do not grow wrong, but clones go.
  package static let inspectionLifetime: Double = 90 * 24 * 60 * 60
  /// The facts of one clone take at most this part of the bound, so that they cannot drive out all others.
  private static let largestInspectionPart = 8
  /// When over the bound, this part of it is made free, so that not every clone has to drive out another.
  private static let freedInspectionPart = 10

  /// The facts kept under a key; `nil` when there are none that were kept within 90 days.
  ///
  /// They come back as they were kept, unless somebody else wrote into the file: who asks checks them.
  package func inspectionFacts(_ key: String, now: Date = Date()) throws(StoreError) -> [UInt8]? {
    guard Self.isPlain(key) else { return nil }
    return try read(absent: nil) { database in
      try Row.fetchOne(
        database, sql: "SELECT facts FROM inspection WHERE key = ? AND stored_at BETWEEN ? AND ?",
        arguments: [key] + Self.inspectionTimes(now)
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
    guard Self.isPlain(key), size <= bound / Self.largestInspectionPart else { return false }
    try write { database in
      try database.execute(
        sql: "INSERT OR REPLACE INTO inspection (key, stored_at, size, facts) VALUES (?, ?, ?, ?)",
        arguments: [key, now.cacheTime, size, Data(facts)])
      try Self.evictInspections(database, bound: bound, now: now)
    }
    return true
  }

  /// Of how many clones facts are kept, and what they count against the bound, in bytes.
  package func inspectionUsage() throws(StoreError) -> (count: Int, bytes: Int) {
    try read(absent: (0, 0)) { database in
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT count(*) AS count, CAST(total(size) AS INTEGER) AS bytes
          FROM inspection INDEXED BY inspection_by_age
          """)
      return (try row?.required("count") ?? 0, try row?.required("bytes") ?? 0)
    }
  }

  /// SQLite's text ends at a zero: two keys could become one.
  private static func isPlain(_ key: String) -> Bool { !key.utf8.contains(0) }

  /// Between which times facts of use were kept.
  private static func inspectionTimes(_ now: Date) -> StatementArguments {
    [now.cacheTime - inspectionLifetime, now.cacheTime + clockTolerance]
  }

  private static func evictInspections(_ database: Database, bound: Int, now: Date) throws {
    try database.execute(
      sql: "DELETE FROM inspection WHERE stored_at NOT BETWEEN ? AND ?", arguments: inspectionTimes(now))
    var total =
      try Double.fetchOne(
        database, sql: "SELECT total(size) FROM inspection INDEXED BY inspection_by_age") ?? 0
    guard total > Double(bound) else { return }
    var leaving: [String] = []
    let oldest = try Row.fetchCursor(
      database, sql: "SELECT key, size FROM inspection INDEXED BY inspection_by_age ORDER BY stored_at, key")
    while total > Double(bound - bound / freedInspectionPart), let row = try oldest.next() {
      leaving.append(try row.required("key"))
      total -= try row.required("size") as Double
    }
    for key in leaving { try database.execute(sql: "DELETE FROM inspection WHERE key = ?", arguments: [key]) }
  }
}
