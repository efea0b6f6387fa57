import GRDB

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension CacheStore {
  /// How long a budget without any end is believed, in seconds: an hour, the longest window in common use.
  private static let endlessBudgetLifetime: Double = 60 * 60

  /// What is known of a scope (host, fingerprint of the credential, resource), also when its window is over.
  package func budget(scope: String) throws(StoreError) -> RateBudget? {
    try read(absent: nil) { try Self.budget($0, scope) }
  }

  /// Notes what a server said. What several processes note at once is merged as
  /// `RateBudget.merged(with:now:)` says.
  package func record(
    scope: String, _ budget: RateBudget, now: Date = Date()
  ) throws(StoreError) {
    try write { database in
      let merged = try Self.budget(database, scope)?.merged(with: budget, now: now) ?? budget
      try database.execute(
        sql: """
          INSERT OR REPLACE INTO budget (scope, maximum, remaining, reset_at, blocked_until, recorded_at)
          VALUES (?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          scope, merged.limit, merged.remaining, merged.resetAt?.cacheTime, merged.blockedUntil?.cacheTime,
          now.cacheTime,
        ])
      try Self.deleteExpiredBudgets(database, now: now)
    }
  }

  /// Takes one request from what is left of a window that lasts.
  ///
  /// - Returns: True when there was one left or nothing is known; false when none is left or the scope is
  ///   blocked.
  package func reserve(scope: String, now: Date = Date()) throws(StoreError) -> Bool {
    try write(absent: true) { database in
      try Self.deleteExpiredBudgets(database, now: now)
      guard let budget = try Self.budget(database, scope) else { return true }
      if let blockedUntil = budget.blockedUntil, blockedUntil > now { return false }
      guard let resetAt = budget.resetAt, resetAt > now, let remaining = budget.remaining else { return true }
      guard remaining > 0 else { return false }
      try database.execute(
        sql: "UPDATE budget SET remaining = remaining - 1 WHERE scope = ?", arguments: [scope])
      return true
    }
  }

  /// Every budget, by the bytes of its scope; some may be over.
  package func budgets() throws(StoreError) -> [(scope: String, budget: RateBudget)] {
    try read(absent: []) { database in
      try Row.fetchAll(database, sql: "SELECT * FROM budget ORDER BY scope").map {
        (scope: try $0.required("scope"), budget: try RateBudget($0))
      }
    }
  }

  private static func budget(_ database: Database, _ scope: String) throws -> RateBudget? {
    try Row.fetchOne(database, sql: "SELECT * FROM budget WHERE scope = ?", arguments: [scope]).map(
      RateBudget.init)
  }

  /// Deletes budgets that say nothing any more: window and block over, or neither known for long.
  private static func deleteExpiredBudgets(_ database: Database, now: Date) throws {
    try database.execute(
      sql: """
        DELETE FROM budget WHERE coalesce(
          max(coalesce(reset_at, blocked_until), coalesce(blocked_until, reset_at)), recorded_at + ?) <= ?
        """, arguments: [endlessBudgetLifetime, now.cacheTime])
  }
}
