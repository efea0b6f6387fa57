import ForageFoundation
import GRDB

/// A table of the cache that is limited by size and age.
struct BoundedTable {
  /// The maximum size of a row is this fraction of the bound, so that it does not displace all others.
  static let largestPart = 8
  /// When the bound is exceeded, this fraction of it is freed, so that eviction is rare.
  private static let freedPart = 10
  /// How far in the future a row's time may lie, in seconds. Beyond that the clock was wrong, and the row
  /// would never expire.
  private static let clockTolerance: Double = 5 * 60

  static let responses = BoundedTable(
    name: "response", time: "validated_at", lifetime: CacheStore.responseLifetime)
  static let inspections = BoundedTable(
    name: "inspection", time: "stored_at", lifetime: CacheStore.inspectionLifetime)

  private let name: String
  /// The column from whose time a row ages.
  private let time: String
  /// The lifetime in seconds.
  private let lifetime: Double

  /// The index by age contains the sizes too, so that no contents are read.
  private var byAge: String { "\(name) INDEXED BY \(name)_by_age" }

  func times(_ now: Date) -> StatementArguments {
    [now.cacheTime - lifetime, now.cacheTime + Self.clockTolerance]
  }

  /// The number of rows and their total size in bytes.
  func usage(_ database: Database) throws -> (count: Int, bytes: Int) {
    // Unlike sum(), total() cannot overflow with values of a damaged file.
    let row = try Row.fetchOne(
      database, sql: "SELECT count(*) AS count, CAST(total(size) AS INTEGER) AS bytes FROM \(byAge)")
    return (try row?.required("count") ?? 0, try row?.required("bytes") ?? 0)
  }

  /// Deletes expired rows, and if the bound is still exceeded the oldest ones until nine tenths of it are
  /// used.
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
