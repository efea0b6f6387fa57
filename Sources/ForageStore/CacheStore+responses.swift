import ForageCore
package import ForageFoundation
package import ForageHTTP
import GRDB

extension CacheStore {
  /// How long after its last validation a response is kept, in seconds: one day.
  package static let responseLifetime: Double = 24 * 60 * 60

  /// The response stored under a key and validated within a day; `nil` if there is none.
  package func response(_ key: String, now: Date = Date()) throws(StoreError) -> HTTPCacheEntry? {
    try database.read(absent: nil) { database in
      try Row.fetchOne(
        database,
        sql: "SELECT \(HTTPCacheEntry.columns) FROM response WHERE key = ? AND validated_at BETWEEN ? AND ?",
        arguments: [HTTPCacheEntry.stored(key)] + BoundedTable.responses.times(now)
      ).map(HTTPCacheEntry.init)
    }
  }

  /// Stores a response under a key, replacing an older one, and evicts expired and excess rows, least recently validated
  /// first.
  ///
  /// - Returns: False if its body is larger than an eighth of the bound; an older response of the key is then
  ///   removed too.
  @discardableResult
  package func store(
    _ key: String, _ response: HTTPCacheEntry, now: Date = Date()
  ) throws(StoreError) -> Bool {
    guard response.body.count <= maximumBytes / BoundedTable.largestPart else {
      try removeResponse(key)
      return false
    }
    let bound = maximumBytes
    try database.write { database in
      try response.save(key, database)
      try BoundedTable.responses.evict(database, bound: bound, now: now)
    }
    return true
  }

  /// Records that the server validated a response (304), and replaces its headers.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - time: When it was validated.
  ///   - headers: Its headers now.
  /// - Returns: False if there is no such response.
  @discardableResult
  package func touchValidated(
    _ key: String, at time: Date, headers: [(name: String, value: String)]
  ) throws(StoreError) -> Bool {
    let bound = maximumBytes
    return try database.write(absent: false) { database in
      let row = try Row.fetchOne(
        database, sql: "SELECT \(HTTPCacheEntry.columns) FROM response WHERE key = ?",
        arguments: [HTTPCacheEntry.stored(key)])
      guard var response = try row.map(HTTPCacheEntry.init) else { return false }
      response.headers = headers
      response.validatedAt = time
      try response.save(key, database)
      try BoundedTable.responses.evict(database, bound: bound, now: time)
      return true
    }
  }

  package func removeResponse(_ key: String) throws(StoreError) {
    try database.write(absent: ()) { database in
      try database.execute(
        sql: "DELETE FROM response WHERE key = ?", arguments: [HTTPCacheEntry.stored(key)])
    }
  }

  /// Removes the responses whose keys have a prefix.
  ///
  /// - Parameter beginning: The non-empty prefix.
  package func removeResponses(beginningWith beginning: String) throws(StoreError) {
    var end = HTTPCacheEntry.stored(beginning)
    // The first key after all of them. No byte of UTF-8 is 255, so the last one can be incremented.
    guard let last = end.popLast() else { return }
    end.append(last + 1)
    try database.write(absent: ()) { [end] database in
      try database.execute(
        sql: "DELETE FROM response WHERE key >= ? AND key < ?",
        arguments: [HTTPCacheEntry.stored(beginning), end])
    }
  }

  /// The number of responses and their total size in bytes.
  package func responseUsage() throws(StoreError) -> (count: Int, bytes: Int) {
    try database.read(absent: (0, 0)) { try BoundedTable.responses.usage($0) }
  }
}

extension HTTPCacheEntry {
  /// The size in bytes that counts against the bound: key, headers and body.
  func storedBytes(_ key: String) -> Int {
    headers.reduce(key.utf8.count + body.count) { $0 + $1.name.utf8.count + $1.value.utf8.count }
  }

  /// The columns for `init(_:)`.
  static let columns = "status, stored_at, validated_at, headers, body"

  init(_ row: Row) throws {
    let encoded: Data = try row.required("headers")
    guard let list = (try? JSONTree(parsing: encoded))?.array else { throw Row.damage("headers") }
    let pairs = list.compactMap { $0.array?.compactMap(\.string) }
    guard pairs.count == list.count, pairs.allSatisfy({ $0.count == 2 }) else { throw Row.damage("headers") }
    self.init(
      status: try row.required("status"), headers: pairs.map { (name: $0[0], value: $0[1]) },
      body: [UInt8](try row.required("body") as Data), storedAt: try row.time("stored_at"),
      validatedAt: try row.time("validated_at"))
  }

  /// A key as stored: as bytes, because SQLite text ends at a NUL.
  static func stored(_ key: String) -> Data { Data(key.utf8) }

  /// Stores the response, replacing an older one.
  func save(_ key: String, _ database: Database) throws {
    let fields = JSONTree.array(headers.map { .array([.string($0.name), .string($0.value)]) })
    try database.execute(
      sql: """
        INSERT INTO response (key, status, stored_at, validated_at, size, headers, body)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (key) DO UPDATE SET status = excluded.status, stored_at = excluded.stored_at,
          validated_at = excluded.validated_at, size = excluded.size, headers = excluded.headers,
          body = excluded.body
        """,
      arguments: [
        Self.stored(key), status, storedAt.cacheTime, validatedAt.cacheTime, storedBytes(key),
        Data(fields.encoded()), Data(body),
      ])
  }
}
