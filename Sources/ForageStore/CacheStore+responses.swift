import GRDB

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension CacheStore {
  /// How long after the last validation an answer may be of use, in seconds: a day.
  package static let responseLifetime: Double = 24 * 60 * 60
  /// How far in the future a validation may seem to be, in seconds; beyond it the clock was wrong, and the
  /// answer would look fresh for ever.
  static let clockTolerance: Double = 5 * 60
  /// One answer takes at most this part of the bound, so that it cannot drive out all others.
  private static let largestPart = 8
  /// When over the bound, this part of it is made free, so that not every answer has to drive out another.
  private static let freedPart = 10

  /// The answer stored under a key; `nil` when there is none that was validated within a day.
  package func response(_ key: String, now: Date = Date()) throws(StoreError) -> CachedResponse? {
    try read(absent: nil) { database in
      try Row.fetchOne(
        database,
        sql: "SELECT \(CachedResponse.columns) FROM response WHERE key = ? AND validated_at BETWEEN ? AND ?",
        arguments: [CachedResponse.stored(key)] + Self.lifetime(now)
      ).map { try CachedResponse(key: key, $0) }
    }
  }

  /// Stores an answer in the place of an older one, and lets go what is too old or too much: the longest not
  /// validated first.
  ///
  /// - Returns: False when its body is larger than an eighth of the bound; an older answer under the key is
  ///   then gone too.
  @discardableResult
  package func store(_ response: CachedResponse, now: Date = Date()) throws(StoreError) -> Bool {
    guard response.body.count <= maximumBytes / Self.largestPart else {
      try write(absent: ()) { database in
        try database.execute(
          sql: "DELETE FROM response WHERE key = ?", arguments: [CachedResponse.stored(response.key)])
      }
      return false
    }
    let bound = maximumBytes
    try write { database in
      try response.save(database)
      try Self.evict(database, bound: bound, now: now)
    }
    return true
  }

  /// Notes that the server confirmed an answer (304) and takes over the headers that it sent with it.
  ///
  /// - Parameters:
  ///   - time: When it was confirmed.
  ///   - headers: Of the 304; they replace those of the same name, but for those that tell of the transfer.
  /// - Returns: False when there is no such answer.
  @discardableResult
  package func touchValidated(
    _ key: String, at time: Date, headers: [(name: String, value: String)]
  ) throws(StoreError) -> Bool {
    let bound = maximumBytes
    return try write(absent: false) { database in
      let row = try Row.fetchOne(
        database, sql: "SELECT \(CachedResponse.columns) FROM response WHERE key = ?",
        arguments: [CachedResponse.stored(key)])
      guard var response = try row.map({ try CachedResponse(key: key, $0) }) else { return false }
      response.update(with: headers)
      response.validatedAt = time
      try response.save(database)
      try Self.evict(database, bound: bound, now: time)
      return true
    }
  }

  /// Forgets one answer; one that is not there is no error.
  package func removeResponse(_ key: String) throws(StoreError) {
    try write(absent: ()) { database in
      try database.execute(
        sql: "DELETE FROM response WHERE key = ?", arguments: [CachedResponse.stored(key)])
    }
  }

  /// Forgets the answers whose keys begin with a text; none is no error.
  ///
  /// - Parameter beginning: Not empty.
  package func removeResponses(beginningWith beginning: String) throws(StoreError) {
    var end = CachedResponse.stored(beginning)
    // The first key behind all of them: no byte of UTF-8 is 255, so the last one can always be raised.
    guard let last = end.popLast() else { return }
    end.append(last + 1)
    try write(absent: ()) { [end] database in
      try database.execute(
        sql: "DELETE FROM response WHERE key >= ? AND key < ?",
        arguments: [CachedResponse.stored(beginning), end])
    }
  }

  /// How many answers there are, and what they count against the bound, in bytes.
  package func responseUsage() throws(StoreError) -> (count: Int, bytes: Int) {
    try read(absent: (0, 0)) { database in
      // Unlike sum(), total() cannot overflow, whatever a damaged file holds.
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT count(*) AS count, CAST(total(size) AS INTEGER) AS bytes
          FROM response INDEXED BY response_by_age
          """)
      return (try row?.required("count") ?? 0, try row?.required("bytes") ?? 0)
    }
  }

  /// Between which times an answer of use was validated.
  private static func lifetime(_ now: Date) -> StatementArguments {
    [now.cacheTime - responseLifetime, now.cacheTime + clockTolerance]
  }

  /// Deletes what is too old, and when still over the bound the longest not validated, until nine tenths of
  /// the bound are left.
  private static func evict(_ database: Database, bound: Int, now: Date) throws {
    try database.execute(
      sql: "DELETE FROM response WHERE validated_at NOT BETWEEN ? AND ?", arguments: lifetime(now))
    // The index holds the sizes, so that no body is read.
    var total =
      try Double.fetchOne(database, sql: "SELECT total(size) FROM response INDEXED BY response_by_age") ?? 0
    guard total > Double(bound) else { return }
    var leaving: [Int64] = []
    let oldest = try Row.fetchCursor(
      database,
      sql: "SELECT id, size FROM response INDEXED BY response_by_age ORDER BY validated_at, key")
    while total > Double(bound - bound / freedPart), let row = try oldest.next() {
      leaving.append(try row.required("id"))
      total -= try row.required("size") as Double
    }
    for id in leaving { try database.execute(sql: "DELETE FROM response WHERE id = ?", arguments: [id]) }
  }
}
