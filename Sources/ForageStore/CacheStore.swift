package import ForageFoundation
import GRDB

/// The cache of facts about clones.
///
/// It can be deleted at any time.
package final class CacheStore: Sendable {
  /// How long facts are kept, in seconds: 90 days. They stay valid, but clones may be deleted.
  private static let lifetime: Double = 90 * 24 * 60 * 60
  /// How far in the future the time of facts may lie, in seconds. Beyond that the clock was wrong, and they would never
  /// expire.
  private static let clockTolerance: Double = 5 * 60
  /// The maximum size of one clone's facts is this fraction of the bound, so that they do not displace all others.
  private static let largestPart = 8
  /// When the bound is exceeded, this fraction of it is freed, so that eviction is rare.
  private static let freedPart = 10

  /// The current version; its application id is "Fora". The index contains the sizes, so that eviction reads no contents.
  ///
  /// Times are seconds since 2001-01-01 UTC, which stores them exactly.
  private static let schema = DisposableSchema(
    applicationID: 0x466F_7261,
    steps: [
      """
      CREATE TABLE inspection (
        key TEXT PRIMARY KEY NOT NULL,
        stored_at REAL NOT NULL,
        size INTEGER NOT NULL,
        facts BLOB NOT NULL
      );
      CREATE INDEX inspection_by_age ON inspection (stored_at, key, size);
      """
    ])

  /// The bound of the facts in bytes.
  private let maximumBytes: Int
  private let database: DisposableDatabase

  /// Creates a cache; no file is accessed.
  ///
  /// - Parameters:
  ///   - path: The database file; its folder is created on first write.
  ///   - maximumBytes: The bound of the facts; with a negative one none are stored.
  ///   - waitsForWriters: Whether a database that other processes use is waited for as long as one that a command needs.
  package init(path: String, maximumBytes: Int, waitsForWriters: Bool = false) {
    database = DisposableDatabase(
      .cache(path), Self.schema,
      busyTimeout: waitsForWriters ? DatabaseOpening.busyTimeout : DatabaseOpening.shortBusyTimeout)
    self.maximumBytes = max(0, maximumBytes)
  }

  /// The facts stored under a key within 90 days; `nil` if there are none.
  ///
  /// The caller must validate them, because another program may have changed the file.
  package func inspectionFacts(_ key: String, now: Date = Date()) throws(StoreError) -> [UInt8]? {
    guard Self.isPlain(key) else { return nil }
    return try database.read(absent: nil) { database in
      try Row.fetchOne(
        database, sql: "SELECT facts FROM inspection WHERE key = ? AND stored_at BETWEEN ? AND ?",
        arguments: [key] + Self.times(now)
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
    guard Self.isPlain(key), size <= maximumBytes / Self.largestPart else { return false }
    try database.write { [maximumBytes] database in
      try database.execute(
        sql: "INSERT OR REPLACE INTO inspection (key, stored_at, size, facts) VALUES (?, ?, ?, ?)",
        arguments: [key, now.timeIntervalSinceReferenceDate, size, Data(facts)])
      try Self.evict(database, bound: maximumBytes, now: now)
    }
    return true
  }

  /// Deletes expired rows, and if the bound is still exceeded the oldest ones until nine tenths of it are used.
  private static func evict(_ database: Database, bound: Int, now: Date) throws {
    try database.execute(
      sql: "DELETE FROM inspection WHERE stored_at NOT BETWEEN ? AND ?", arguments: times(now))
    let byAge = "inspection INDEXED BY inspection_by_age"
    // Unlike sum(), total() cannot overflow with values of a damaged file.
    var total = try Double.fetchOne(database, sql: "SELECT total(size) FROM \(byAge)") ?? 0
    guard total > Double(bound) else { return }
    var leaving: [Int64] = []
    let oldest = try Row.fetchCursor(
      database, sql: "SELECT rowid AS id, size FROM \(byAge) ORDER BY stored_at, key")
    while total > Double(bound - bound / freedPart), let row = try oldest.next() {
      leaving.append(try row.required("id"))
      total -= try row.required("size") as Double
    }
    for id in leaving {
      try database.execute(sql: "DELETE FROM inspection WHERE rowid = ?", arguments: [id])
    }
  }

  /// The earliest and the latest time of facts that are valid now.
  private static func times(_ now: Date) -> StatementArguments {
    let time = now.timeIntervalSinceReferenceDate
    return [time - lifetime, time + clockTolerance]
  }

  /// Whether the key contains no NUL, at which SQLite ends a text.
  private static func isPlain(_ key: String) -> Bool { !key.utf8.contains(0) }
}
