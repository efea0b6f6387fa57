import GRDB

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// What a server said of how often it may be asked.
package struct RateBudget: Sendable, Hashable {
  /// Requests in one window; `nil` when not said.
  package var limit: Int?
  /// Requests left in this window; `nil` when not said.
  package var remaining: Int?
  /// When the window ends.
  package var resetAt: Date?
  /// Until when nothing may be asked at all.
  package var blockedUntil: Date?
  /// Refusals in a row that named no time.
  package var strikes: Int

  /// Creates a budget; nothing is stored.
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

  /// What is known after an answer, which may have been overtaken by answers to other processes.
  ///
  /// For the same window the smaller remainder holds; a later window replaces, an earlier one is out of date
  /// unless the known one is over;
  /// an answer without a window changes nothing of one that lasts; the later end of a block holds, and
  /// the newer count of refusals.
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
