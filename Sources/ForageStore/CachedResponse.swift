import GRDB

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// An answer of a server, kept for later.
package struct CachedResponse: Sendable {
  /// What was asked: provider, version, query, cursor and the fingerprint of the credential; never the
  /// credential itself.
  package var key: String
  /// The HTTP status.
  package var status: Int
  /// The headers in their order; names as received.
  package var headers: [(name: String, value: String)]
  /// The decoded body.
  package var body: [UInt8]
  /// When the body was received.
  package var storedAt: Date
  /// When the server last said that it still holds; at least `storedAt`.
  package var validatedAt: Date

  /// Creates an answer; nothing is stored.
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

  /// What the answer counts against the bound, in bytes: key, headers and body.
  package var storedBytes: Int {
    headers.reduce(key.utf8.count + body.count) { $0 + $1.name.utf8.count + $1.value.utf8.count }
  }

  /// The columns that `init(key:_:)` wants.
  static let columns = "status, stored_at, validated_at, headers, body"

  init(key: String, _ row: Row) throws {
    let encoded: Data = try row.required("headers")
    guard let pairs = try? JSONDecoder().decode([[String]].self, from: encoded),
      pairs.allSatisfy({ $0.count == 2 })
    else { throw Row.damage("headers") }
    self.key = key
    status = try row.required("status")
    headers = pairs.map { (name: $0[0], value: $0[1]) }
    body = [UInt8](try row.required("body") as Data)
    storedAt = try row.time("stored_at")
    validatedAt = try row.time("validated_at")
  }

  /// A key as it is stored: as bytes, because text would end at a zero.
  static func stored(_ key: String) -> Data { Data(key.utf8) }

  /// Writes the answer in the place of an older one.
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
        Self.stored(key), status, storedAt.cacheTime, validatedAt.cacheTime, storedBytes, try encodedHeaders,
        Data(body),
      ])
  }

  /// The headers as a JSON list of pairs.
  private var encodedHeaders: Data {
    get throws { try JSONEncoder().encode(headers.map { [$0.name, $0.value] }) }
  }

  /// Headers that tell of one transfer or of the body as sent, which a 304 must not change (RFC 9111, section
  /// 3.2).
  private static let fixedHeaders: Set<String> = [
    "connection", "content-encoding", "content-length", "content-range", "keep-alive", "trailer",
    "transfer-encoding", "upgrade",
  ]

  /// Takes over the headers of a 304: those with a new value replace the old ones of the same name (RFC 9111,
  /// section 3.2).
  mutating func update(with new: [(name: String, value: String)]) {
    let usable = new.filter { !Self.fixedHeaders.contains($0.name.lowercased()) }
    let names = Set(usable.map { $0.name.lowercased() })
    headers = headers.filter { !names.contains($0.name.lowercased()) } + usable
  }
}
