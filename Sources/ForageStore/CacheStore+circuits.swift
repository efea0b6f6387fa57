package import ForageFoundation
package import ForageHTTP
import GRDB

extension CacheStore {
  /// How long an unchanged circuit is kept, in seconds: 30 days.
  private static let circuitLifetime: Double = 30 * 24 * 60 * 60

  /// The circuit of a scope (host and fingerprint of the credential); `nil` if none is stored.
  package func circuit(_ scope: String) throws(StoreError) -> Circuit? {
    try database.read(absent: nil) { try Self.circuit($0, scope) }
  }

  /// All circuits, by the bytes of their scopes.
  package func circuits() throws(StoreError) -> [(scope: String, circuit: Circuit)] {
    try database.read(absent: []) { database in
      try Row.fetchAll(database, sql: "SELECT * FROM circuit ORDER BY scope").map {
        (scope: try $0.required("scope"), circuit: try Circuit($0))
      }
    }
  }

  /// Changes a circuit in a transaction.
  ///
  /// - Parameters:
  ///   - scope: Host and fingerprint of the credential.
  ///   - now: The current time.
  ///   - change: Returns the new state for the present one; `nil` means no stored state. It is called again,
  ///     with `nil`, if the cache turns out to be damaged, and must not use this cache.
  /// - Returns: The new state.
  @discardableResult
  package func change(
    _ scope: String, now: Date = Date(), _ change: (Circuit?) -> Circuit?
  ) throws(StoreError) -> Circuit? {
    try database.write { database in
      let old = try Self.circuit(database, scope)
      let new = change(old)
      if let new {
        try database.execute(
          sql: """
            INSERT OR REPLACE INTO circuit (scope, failures, open_until, probe_until, reason, changed_at)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            scope, new.failures, new.openUntil?.cacheTime, new.probeUntil?.cacheTime, new.reason,
            now.cacheTime,
          ])
      } else if old != nil {
        try database.execute(sql: "DELETE FROM circuit WHERE scope = ?", arguments: [scope])
      }
      try database.execute(
        sql: "DELETE FROM circuit WHERE changed_at < ?", arguments: [now.cacheTime - Self.circuitLifetime])
      return new
    }
  }

  private static func circuit(_ database: Database, _ scope: String) throws -> Circuit? {
    try Row.fetchOne(database, sql: "SELECT * FROM circuit WHERE scope = ?", arguments: [scope]).map(
      Circuit.init)
  }
}

extension Circuit {
  fileprivate init(_ row: Row) throws {
    self.init(
      failures: try row.required("failures"), openUntil: try row.optionalTime("open_until"),
      probeUntil: try row.optionalTime("probe_until"), reason: try row.required("reason"))
  }
}
