#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// What is known of one limit of a server.
package struct RateBudget: Hashable, Sendable {
  /// A limit that ends later than this is a mistake of somebody's clock or counter; nobody would wait for it.
  package static let longestWait = 86_400.0
  /// A refusal without a time: at least a minute, says GitHub's documentation, and longer each time.
  package static let unspecifiedWait = 60.0
  /// The longest such wait: an hour, the longest window in common use.
  package static let longestUnspecifiedWait = 3600.0
  /// Seconds after which a refusal without a time is forgotten: as long as the longest that can follow from it.
  package static let strikeLifetime = 3600.0

  /// Requests in a window.
  package var limit: Int?
  /// Requests that are left in it.
  package var remaining: Int?
  /// When the window ends.
  package var resetAt: Date?
  /// Until when the server wants no request at all, as it said by `Retry-After` or by a secondary limit.
  package var blockedUntil: Date?
  /// Refusals in a row that named no time; each doubles the wait.
  package var strikes: Int

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

  /// The budget without what is over at a time.
  package func current(at time: Date) -> RateBudget {
    var copy = self
    func holds(_ end: Date) -> Bool { end > time && end <= time.addingTimeInterval(Self.longestWait) }
    if let end = resetAt, !holds(end) { (copy.remaining, copy.resetAt) = (nil, nil) }
    if let end = blockedUntil, !holds(end) {
      copy.blockedUntil = nil
      // A block that seems to lie in the future was made by another clock.
      if time > end.addingTimeInterval(Self.strikeLifetime) || end > time { copy.strikes = 0 }
    }
    return copy
  }

  /// Until when nothing may be sent at a time; `nil` when something may.
  ///
  /// - Parameter inFlight: Requests that are under way and may still count.
  package func spentUntil(at time: Date, inFlight: Int = 0) -> Date? {
    let budget = current(at: time)
    let isSpent = budget.remaining.map { $0 <= inFlight } ?? false
    return [budget.blockedUntil, isSpent ? budget.resetAt : nil].compactMap(\.self).max()
  }

  /// Whether other processes should know: a tenth or less is left, or nothing may be sent.
  var isLow: Bool {
    if blockedUntil != nil { return true }
    return remaining.map { $0 <= (limit ?? 0) / 10 } ?? false
  }

  /// The budget with newer knowledge; answers may come in another order than they were given.
  ///
  /// A later window replaces; otherwise the smaller rest counts, since the servers of one host differ by a second in
  /// when a window ends; a later block counts, and the newer count of refusals.
  func merged(with newer: RateBudget) -> RateBudget {
    var result = self
    result.limit = newer.limit ?? limit
    if let end = newer.resetAt {
      if end > (resetAt ?? .distantPast) {
        (result.remaining, result.resetAt) = (newer.remaining, end)
      } else {
        result.remaining = [remaining, newer.remaining].compactMap(\.self).min()
      }
    }
    result.blockedUntil = [blockedUntil, newer.blockedUntil].compactMap(\.self).max()
    result.strikes = newer.strikes
    return result
  }

  /// What an answer says of a limit; `nil` when it says nothing.
  ///
  /// - Parameter strikes: Refusals without a time that came before it.
  init?(_ response: HTTPResponse, at time: Date, strikes before: Int) {
    limit = response.limitNumber("x-ratelimit-limit")
    strikes = 0
    // A limit of nothing at all, beside an answer, says that limits are switched off.
    if let remaining = response.limitNumber("x-ratelimit-remaining"), limit != 0,
      let end = response.windowEnd(at: time, ServerClock(response, at: time))
    {
      (self.remaining, resetAt) = (remaining, end)
    }
    if let refusal = LimitRefusal(response, at: time) {
      if let end = refusal.end {
        if end != resetAt, end > time { blockedUntil = end }
      } else {
        strikes = min(max(before, 0), Self.mostStrikes) + 1
        blockedUntil = time.addingTimeInterval(Self.wait(strikes: strikes))
      }
    } else if remaining == nil, before == 0 || response.status >= 500 {
      return nil
    }
  }

  /// Doublings beyond this are longer than the longest wait by far; the bound keeps them from overflowing.
  private static let mostStrikes = 30

  /// Seconds to wait after so many refusals without a time.
  private static func wait(strikes: Int) -> Double {
    min(unspecifiedWait * Double(1 << (strikes - 1)), longestUnspecifiedWait)
  }
}

/// Where budgets are kept for other processes.
package struct RateBudgetStorage: Sendable {
  /// What is kept for a scope.
  package var load: @Sendable (_ scope: String) throws -> RateBudget?
  /// Adds to what is kept: for the same window the smaller rest wins, later windows and blocks win, and the newer count of
  /// refusals.
  package var record: @Sendable (_ scope: String, _ budget: RateBudget) throws -> Void

  package init(
    load: @escaping @Sendable (_ scope: String) throws -> RateBudget?,
    record: @escaping @Sendable (_ scope: String, _ budget: RateBudget) throws -> Void
  ) {
    self.load = load
    self.record = record
  }
}
