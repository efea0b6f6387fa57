import ForageCore
import GRDB

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A cached response.
package struct CachedResponse: Sendable {
  /// The request: provider, version, query, cursor and the fingerprint of the credential, but never the
  /// credential.
  package var key: String
  /// The HTTP status.
  package var status: Int
  /// The headers in order, with names as received.
  package var headers: [(name: String, value: String)]
  /// The decoded body.
  package var body: [UInt8]
  /// When the body was received.
  package var storedAt: Date
  /// When the server last confirmed that it is current; not before `storedAt`.
  package var validatedAt: Date

  /// Creates a response without storing it.
  package init(
    key: String, status: Int, headers: [(name: String, value: String)], body: [UInt8], storedAt: Date,
    validatedAt: Date
  ) {
    self.key = key
    self.status = status
    self.headers = headers
    self.body = body
    self.storedAt = storedAt
    self.validatedAt = validatedAt
  }

  /// The size in bytes that counts against the bound: key, headers and body.
  package var storedBytes: Int {
    headers.reduce(key.utf8.count + body.count) { $0 + $1.name.utf8.count + $1.value.utf8.count }
  }

  /// The columns for `init(key:_:)`.
  static let columns = "status, stored_at, validated_at, headers, body"

  init(key: String, _ row: Row) throws {
    let encoded: Data = try row.required("headers")
    guard let list = (try? JSONTree(parsing: encoded))?.array else { throw Row.damage("headers") }
    let pairs = list.compactMap { $0.array?.compactMap(\.string) }
    guard pairs.count == list.count, pairs.allSatisfy({ $0.count == 2 }) else { throw Row.damage("headers") }
    self.key = key
    status = try row.required("status")
    headers = pairs.map { (name: $0[0], value: $0[1]) }
    body = [UInt8](try row.required("body") as Data)
    storedAt = try row.time("stored_at")
    validatedAt = try row.time("validated_at")
  }

  /// A key as stored: as bytes, because SQLite text ends at a NUL.
  static func stored(_ key: String) -> Data { Data(key.utf8) }

  /// Stores the response, replacing an older one.
  func save(_ database: Database) throws {
    try database.execute(
      sql: """
        INSERT INTO response (key, status, stored_at, validated_at, size, headers, body)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (key) DO UPDATE SET status = excluded.status, stored_at = excluded.stored_at,
          validated_at = excluded.validated_at, size = excluded.size, headers = excluded.headers,
          body = excluded.body
        """,
      arguments: [
        Self.stored(key), status, storedAt.cacheTime, validatedAt.cacheTime, storedBytes, encodedHeaders,
        Data(body),
      ])
  }

  /// The headers as a JSON array of pairs.
  private var encodedHeaders: Data {
    Data(JSONTree.array(headers.map { .array([.string($0.name), .string($0.value)]) }).encoded())
  }

  /// Headers that describe a transfer or the encoded body, which a 304 must not change (RFC 9111, section
  /// 3.2).
  private static let fixedHeaders: Set<String> = [
    "connection", "content-encoding", "content-length", "content-range", "keep-alive", "trailer",
    "transfer-encoding", "upgrade",
  ]

  /// Merges the headers of a 304: they replace those of the same name (RFC 9111, section 3.2).
  mutating func update(with new: [(name: String, value: String)]) {
    let usable = new.filter { !Self.fixedHeaders.contains($0.name.lowercased()) }
    let names = Set(usable.map { $0.name.lowercased() })
    headers = headers.filter { !names.contains($0.name.lowercased()) } + usable
  }
}
