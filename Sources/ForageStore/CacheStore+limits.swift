package import ForageFoundation
package import ForageHTTP
import GRDB

extension CacheStore {
  /// How long a budget without an end is kept, in seconds: one hour, the longest common window.
  private static let endlessBudgetLifetime: Double = 60 * 60

  /// The budget of a scope (host, fingerprint of the credential, resource), even if its window has ended.
  package func budget(scope: String) throws(StoreError) -> RateBudget? {
    try database.read(absent: nil) { try Self.budget($0, scope) }
  }

  /// Records a server's rate limit. Concurrent records are merged by `RateBudget.merged(with:at:)`.
  package func record(
    scope: String, _ budget: RateBudget, now: Date = Date()
  ) throws(StoreError) {
    try database.write { database in
      let merged = try Self.budget(database, scope)?.merged(with: budget, at: now) ?? budget
      try database.execute(
        sql: """
          INSERT OR REPLACE INTO budget (scope, maximum, remaining, reset_at, blocked_until, strikes,
            recorded_at)
          VALUES (?, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          scope, merged.limit, merged.remaining, merged.resetAt?.cacheTime, merged.blockedUntil?.cacheTime,
          merged.strikes, now.cacheTime,
        ])
      try Self.deleteExpiredBudgets(database, now: now)
    }
  }

  /// All budgets, by the bytes of their scopes; some may have ended.
  package func budgets() throws(StoreError) -> [(scope: String, budget: RateBudget)] {
    try database.read(absent: []) { database in
      try Row.fetchAll(database, sql: "SELECT * FROM budget ORDER BY scope").map {
        (scope: try $0.required("scope"), budget: try RateBudget($0))
      }
    }
  }

  private static func budget(_ database: Database, _ scope: String) throws -> RateBudget? {
    try Row.fetchOne(database, sql: "SELECT * FROM budget WHERE scope = ?", arguments: [scope]).map(
      RateBudget.init)
  }

  /// Deletes expired budgets: window and block have ended, or neither has been known for long.
  private static func deleteExpiredBudgets(_ database: Database, now: Date) throws {
    try database.execute(
      sql: """
        DELETE FROM budget WHERE coalesce(
          max(coalesce(reset_at, blocked_until), coalesce(blocked_until, reset_at)), recorded_at + ?)
          + iif(strikes > 0, ?, 0) <= ?
        """, arguments: [endlessBudgetLifetime, RateBudget.strikeLifetime, now.cacheTime])
  }
}

extension RateBudget {
  fileprivate init(_ row: Row) throws {
    self.init(
      limit: try row.optional("maximum"), remaining: try row.optional("remaining"),
      resetAt: try row.optionalTime("reset_at"), blockedUntil: try row.optionalTime("blocked_until"),
      strikes: try row.required("strikes"))
  }
}
