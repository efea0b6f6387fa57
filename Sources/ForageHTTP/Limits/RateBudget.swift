#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// What is known of one limit of a server.
package struct RateBudget: Hashable, Sendable {
  /// A limit that ends later than this is a mistake of somebody's clock or counter; nobody would wait for it.
  package static let longestWait = 86_400.0
  /// A limit without a time: at least a minute, says GitHub's documentation.
  package static let unspecifiedWait = 60.0

  /// Requests in a window.
  package var limit: Int?
  /// Requests that are left in it.
  package var remaining: Int?
  /// When the window ends.
  package var resetAt: Date?
  /// Until when the server wants no request at all, as it said by `Retry-After` or by a secondary limit.
  package var blockedUntil: Date?

  package init(
    limit: Int? = nil, remaining: Int? = nil, resetAt: Date? = nil, blockedUntil: Date? = nil
  ) {
    self.limit = limit
    self.remaining = remaining
    self.resetAt = resetAt
    self.blockedUntil = blockedUntil
  }

  /// The budget without what is over at a time.
  func current(at time: Date) -> RateBudget {
    var copy = self
    func holds(_ end: Date) -> Bool { end > time && end <= time.addingTimeInterval(Self.longestWait) }
    if let end = resetAt, !holds(end) { (copy.remaining, copy.resetAt) = (nil, nil) }
    if let end = blockedUntil, !holds(end) { copy.blockedUntil = nil }
    return copy
  }

  /// Until when nothing may be sent at a time; `nil` when something may.
  ///
  /// - Parameter inFlight: Requests that are under way and may still count.
  func spentUntil(at time: Date, inFlight: Int) -> Date? {
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
  /// when a window ends; a later block counts.
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
    return result
  }

  /// What an answer says of a limit; `nil` when it says nothing.
  init?(_ response: HTTPResponse, at time: Date) {
    func number(_ name: String) -> Int? {
      response.header(name).flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }
    limit = number("x-ratelimit-limit")
    if let remaining = number("x-ratelimit-remaining"), let reset = number("x-ratelimit-reset") {
      let end = Date(timeIntervalSince1970: Double(reset))
      if end > time, end <= time.addingTimeInterval(Self.longestWait) {
        (self.remaining, resetAt) = (remaining, end)
      }
    }
    if let wait = Self.block(response, retryAfter: number("retry-after"), isSpent: remaining == 0) {
      blockedUntil = time.addingTimeInterval(min(wait, Self.longestWait))
    }
    if remaining == nil, blockedUntil == nil { return nil }
  }

  /// Seconds for which a refused request wants nothing to be sent; `nil` when it was not refused for a limit, or the
  /// window says it all.
  private static func block(_ response: HTTPResponse, retryAfter: Int?, isSpent: Bool) -> Double? {
    guard response.status == 403 || response.status == 429 else { return nil }
    if let retryAfter { return Double(retryAfter) }
    if isSpent { return nil }
    if response.status == 429 { return unspecifiedWait }
    // A secondary limit may say so in words only; other refusals (permissions) are no limit.
    let text = String(decoding: response.body.prefix(4096), as: UTF8.self).lowercased()
    let isSecondary = text.contains("secondary rate limit") || text.contains("abuse detection")
    return isSecondary ? unspecifiedWait : nil
  }
}

/// Where budgets are kept for other processes.
package struct RateBudgetStorage: Sendable {
  /// What is kept for a scope.
  package var load: @Sendable (_ scope: String) throws -> RateBudget?
  /// Adds to what is kept: for the same window the smaller rest wins, later windows and blocks win.
  package var record: @Sendable (_ scope: String, _ budget: RateBudget) throws -> Void

  package init(
    load: @escaping @Sendable (_ scope: String) throws -> RateBudget?,
    record: @escaping @Sendable (_ scope: String, _ budget: RateBudget) throws -> Void
  ) {
    self.load = load
    self.record = record
  }
}
