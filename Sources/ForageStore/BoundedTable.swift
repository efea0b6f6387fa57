import GRDB

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A table of the cache whose rows have a size and an age, and that lets go what is too old or too much.
struct BoundedTable {
  /// One row takes at most this part of the bound, so that it cannot drive out all others.
  static let largestPart = 8
  /// When over the bound, this part of it is made free, so that not every row has to drive out another.
  private static let freedPart = 10
  /// How far in the future a row may seem to be, in seconds; beyond it the clock was wrong, and the row would look
  /// fresh for ever.
  private static let clockTolerance: Double = 5 * 60

  static let responses = BoundedTable(
    name: "response", time: "validated_at", lifetime: CacheStore.responseLifetime)
  static let inspections = BoundedTable(
    name: "inspection", time: "stored_at", lifetime: CacheStore.inspectionLifetime)

  private let name: String
  /// The column of the time from which a row ages.
  private let time: String
  /// In seconds.
  private let lifetime: Double

  private init(name: String, time: String, lifetime: Double) {
    self.name = name
    self.time = time
    self.lifetime = lifetime
  }

  /// The index by age holds the sizes too, so that no contents are read.
  private var byAge: String { "\(name) INDEXED BY \(name)_by_age" }

  /// Between which times rows are of use.
  func times(_ now: Date) -> StatementArguments {
    [now.cacheTime - lifetime, now.cacheTime + Self.clockTolerance]
  }

  /// How many rows there are, and what they count against the bound, in bytes.
  func usage(_ database: Database) throws -> (count: Int, bytes: Int) {
    // Unlike sum(), total() cannot overflow, whatever a damaged file holds.
    let row = try Row.fetchOne(
      database, sql: "SELECT count(*) AS count, CAST(total(size) AS INTEGER) AS bytes FROM \(byAge)")
    return (try row?.required("count") ?? 0, try row?.required("bytes") ?? 0)
  }

  /// Deletes what is too old, and when still over the bound the oldest, until nine tenths of the bound are left.
  func evict(_ database: Database, bound: Int, now: Date) throws {
    try database.execute(
      sql: "DELETE FROM \(name) WHERE \(time) NOT BETWEEN ? AND ?", arguments: times(now))
    var total = try Double.fetchOne(database, sql: "SELECT total(size) FROM \(byAge)") ?? 0
    guard total > Double(bound) else { return }
    var leaving: [Int64] = []
    let oldest = try Row.fetchCursor(
      database, sql: "SELECT rowid AS id, size FROM \(byAge) ORDER BY \(time), key")
    while total > Double(bound - bound / Self.freedPart), let row = try oldest.next() {
      leaving.append(try row.required("id"))
      total -= try row.required("size") as Double
    }
    for id in leaving {
      try database.execute(sql: "DELETE FROM \(name) WHERE rowid = ?", arguments: [id])
    }
  }
}
