import ForageCore
import ForageFoundation
import ForageHTTP
import GRDB

/// Cached responses as rows.
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
