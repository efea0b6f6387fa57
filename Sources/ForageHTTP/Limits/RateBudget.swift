package import ForageFoundation

package struct RateBudget: Hashable, Sendable {
  /// The longest wait in seconds; a limit that ends later is an error of a clock or a counter.
  package static let longestWait = 86_400.0
  /// Seconds to wait after a refusal without a time; source: GitHub's documentation (a minute, doubled each time).
  package static let unspecifiedWait = 60.0
  /// The longest such wait: an hour, the longest window in common use.
  package static let longestUnspecifiedWait = 3600.0
  /// Seconds after which a refusal without a time is forgotten: as long as the longest that can follow from it.
  package static let strikeLifetime = 3600.0
  /// Seconds by which two answers may differ about the end of one window: the servers of one host differ by about a second.
  package static let windowTolerance = 2.0

  /// Requests in a window.
  package var limit: Int?
  /// Requests left in the window.
  package var remaining: Int?
  /// When the window ends.
  package var resetAt: Date?
  /// Until when no request may be sent at all, after `Retry-After` or a secondary limit.
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

  /// The budget without the window and the block that have ended at a time.
  package func current(at time: Date) -> RateBudget {
    var copy = self
    func holds(_ end: Date) -> Bool { end > time && end <= time.addingTimeInterval(Self.longestWait) }
    if let end = resetAt, !holds(end) { (copy.remaining, copy.resetAt) = (nil, nil) }
    if let end = blockedUntil, !holds(end) {
      copy.blockedUntil = nil
      // A block in the far future was set by another clock.
      if time > end.addingTimeInterval(Self.strikeLifetime) || end > time { copy.strikes = 0 }
    }
    return copy
  }

  /// Until when nothing may be sent at a time; `nil` when something may.
  ///
  /// - Parameter inFlight: Requests that were sent and not answered yet; they may count.
  package func exceededUntil(at time: Date, inFlight: Int = 0) -> Date? {
    let budget = current(at: time)
    let isSpent = budget.remaining.map { $0 <= inFlight } ?? false
    return [budget.blockedUntil, isSpent ? budget.resetAt : nil].compactMap(\.self).max()
  }

  /// Whether other processes need to know: a tenth or less is left, or nothing may be sent.
  var isLow: Bool {
    if blockedUntil != nil { return true }
    return remaining.map { $0 <= (limit ?? 0) / 10 } ?? false
  }

  /// The budget after another answer; answers may arrive in another order than they were given.
  ///
  /// This is the only rule by which limits are merged, within a process and between processes. A window that is over at the
  /// time is dropped first. Of two windows that end within `windowTolerance` the smaller remainder counts; a later window replaces an
  /// earlier one, and an earlier one changes nothing. The later block counts, and the newer count of refusals.
  package func merged(with newer: RateBudget, at time: Date) -> RateBudget {
    var result = current(at: time)
    let end = newer.resetAt
    let distance = end.flatMap { end in result.resetAt.map { end.timeIntervalSince($0) } }
    if let end, distance.map({ $0 > Self.windowTolerance }) ?? true {
      (result.limit, result.remaining, result.resetAt) = (newer.limit ?? limit, newer.remaining, end)
    } else if let end, let distance, distance >= -Self.windowTolerance {
      result.limit = newer.limit ?? limit
      result.remaining = [result.remaining, newer.remaining].compactMap(\.self).min()
      result.resetAt = max(end, result.resetAt ?? end)
    } else if result.resetAt == nil {
      result.limit = newer.limit ?? limit
    }
    // A block that has ended stays: the refusals that led to it are forgotten some time after its end.
    let block = blockedUntil.flatMap { $0 <= time ? $0 : result.blockedUntil }
    result.blockedUntil = [block, newer.blockedUntil].compactMap(\.self).max()
    result.strikes = newer.strikes
    return result
  }

  /// Reads the limit that an answer reports; `nil` when it reports none.
  ///
  /// - Parameter strikes: Refusals without a time that came before it.
  init?(_ response: HTTPResponse, at time: Date, strikes before: Int) {
    limit = response.limitNumber("x-ratelimit-limit")
    strikes = 0
    // A limit of 0 beside an answer means that limits are switched off.
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

  /// The bound on doublings, which keeps them from overflowing; the longest wait is reached long before.
  private static let mostStrikes = 30

  /// Seconds to wait after so many refusals without a time.
  private static func wait(strikes: Int) -> Double {
    min(unspecifiedWait * Double(1 << (strikes - 1)), longestUnspecifiedWait)
  }
}

/// Stores budgets for other processes.
package struct RateBudgetStorage: Sendable {
  package var load: @Sendable (_ scope: String) throws -> RateBudget?
  /// Merges a budget into what is stored, as `RateBudget.merged(with:at:)` says.
  package var record: @Sendable (_ scope: String, _ budget: RateBudget) throws -> Void

  package init(
    load: @escaping @Sendable (_ scope: String) throws -> RateBudget?,
    record: @escaping @Sendable (_ scope: String, _ budget: RateBudget) throws -> Void
  ) {
    self.load = load
    self.record = record
  }
}

/// A wait for a limit that has begun.
package struct LimitWait: Hashable, Sendable {
  /// The server, as users know it.
  package var host: String
  /// What the limit is on, for example `search`.
  package var resource: String
  package var duration: Duration

  package init(host: String, resource: String, duration: Duration) {
    self.host = host
    self.resource = resource
    self.duration = duration
  }
}
