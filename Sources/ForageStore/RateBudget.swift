import GRDB

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A rate limit as reported by a server.
package struct RateBudget: Sendable, Hashable {
  /// Requests per window; `nil` if not reported.
  package var limit: Int?
  /// Requests remaining in this window; `nil` if not reported.
  package var remaining: Int?
  /// When the window ends.
  package var resetAt: Date?
  /// The end of a period without any requests.
  package var blockedUntil: Date?
  /// The number of consecutive refusals without a time.
  package var strikes: Int

  /// Creates a budget without storing it.
  package init(
    limit: Int? = nil, remaining: Int? = nil, resetAt: Date? = nil, blockedUntil: Date? = nil,
    strikes: Int = 0
  ) {
    self.limit = limit
    self.remaining = remaining
    self.resetAt = resetAt
    self.blockedUntil = blockedUntil
    self.strikes = strikes
  }

  /// The budget after a further response, which may be older than responses to other processes.
  ///
  /// For the same window the smaller remainder is kept. A later window replaces an earlier one; an earlier
  /// one is ignored unless the known window has ended. A response without a window does not change a current
  /// one. The later end of a block and the newer count of refusals are kept.
  package func merged(with new: RateBudget, now: Date) -> RateBudget {
    var merged: RateBudget
    if let resetAt, resetAt == new.resetAt {
      merged = self
      merged.limit = new.limit ?? limit
      merged.remaining = [remaining, new.remaining].compactMap(\.self).min()
    } else if let resetAt, resetAt > now, resetAt > new.resetAt ?? .distantPast {
      merged = self
    } else {
      merged = new
    }
    merged.blockedUntil = [blockedUntil, new.blockedUntil].compactMap(\.self).max()
    merged.strikes = new.strikes
    return merged
  }

  init(_ row: Row) throws {
    limit = try row.optional("maximum")
    remaining = try row.optional("remaining")
    resetAt = try row.optionalTime("reset_at")
    blockedUntil = try row.optionalTime("blocked_until")
    strikes = try row.required("strikes")
  }
}
