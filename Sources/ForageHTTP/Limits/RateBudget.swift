import ForageCore
public import ForageFoundation

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

/// A wait for a limit that has begun.
package struct LimitWait: Hashable, Sendable {
  /// The server, as users know it.
  package var host: String
  /// What the limit is on, for example `search`.
  package var resource: String
  package var duration: Duration
}

/// A server's refusal because of a rate limit.
///
/// Source of the rules: GitHub's documentation, "Rate limits for the REST API".
public struct LimitRefusal: Hashable, Sendable {
  /// Whether it is a secondary limit, on bursts, and no exceeded window.
  package var isSecondary: Bool
  /// Until when nothing should be sent, by this machine's clock; `nil` when the server names no plausible time.
  public var end: Date?

  /// Bytes of the body that are searched for the message, which comes first.
  private static let searchedBytes = 4096

  /// Reads an answer; `nil` when it is no refusal, or one for another reason (missing permissions are status 403 too).
  ///
  /// The end is the time that the server names, otherwise the end of the exceeded window.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - time: When the answer arrived.
  public init?(_ response: HTTPResponse, at time: Date) {
    guard response.status == 403 || response.status == 429 else { return nil }
    let clock = ServerClock(response, at: time)
    let retry = response.header("retry-after").flatMap { Self.retry($0, at: time, clock) }
    let isSpent = response.limitNumber("x-ratelimit-remaining") == 0
    let text = String(decoding: response.body.prefix(Self.searchedBytes), as: UTF8.self).lowercased()
    let saysSecondary = text.contains("secondary rate limit") || text.contains("abuse detection")
    let saysPrimary = text.contains("rate limit exceeded")
    guard isSpent || saysSecondary || saysPrimary || retry != nil || response.status == 429 else {
      return nil
    }
    isSecondary = saysSecondary || !(isSpent || saysPrimary)
    end = retry ?? (isSpent ? response.windowEnd(at: time, clock) : nil)
  }

  /// The time in `Retry-After`, seconds or a date (RFC 9110, section 10.2.3), at most a day ahead.
  private static func retry(_ text: String, at time: Date, _ clock: ServerClock) -> Date? {
    let latest = time.addingTimeInterval(RateBudget.longestWait)
    if let seconds = Int(text) {
      return seconds >= 0 ? min(time.addingTimeInterval(Double(seconds)), latest) : nil
    }
    return ServerClock.date(text).map { min(max(clock.local($0), time), latest) }
  }
}

extension HTTPResponse {
  /// A header field that holds a count; `nil` when it is absent or no count.
  func limitNumber(_ name: String) -> Int? {
    header(name).flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// When the window of the limit ends, by this machine's clock; `nil` when it is over or further away than any window.
  func windowEnd(at time: Date, _ clock: ServerClock) -> Date? {
    guard let reset = limitNumber("x-ratelimit-reset") else { return nil }
    let end = clock.local(Date(timeIntervalSince1970: Double(reset)))
    return end > time && end <= time.addingTimeInterval(RateBudget.longestWait) ? end : nil
  }
}

extension Date {
  /// Whole seconds after another moment, rounded up and not below 0; less than a millisecond is an error of arithmetic.
  package func wholeSeconds(after moment: Date) -> Int {
    Int(max(0, timeIntervalSince(moment) - 0.001).rounded(.up))
  }
}

/// Marks answers that this program made itself in place of a server that was not asked.
package enum NotSent {
  /// The header field that only such answers have.
  package static let header = "x-forage-not-sent"
  /// The limit is known to be exceeded (status 429).
  package static let limit = "limit"
}

/// The clock of a server relative to the clock of this machine.
package struct ServerClock {
  /// Seconds of difference that are ignored: `Date` has whole seconds, and answers take time.
  static let tolerance = 2.0

  /// Seconds by which the server's clock is ahead; 0 without a `Date` and within the tolerance.
  let offset: Double

  /// Compares the clocks.
  ///
  /// - Parameter time: When the answer arrived, by this machine's clock.
  package init(_ response: HTTPResponse, at time: Date) {
    let said = response.header("date").flatMap(Self.date)
    let difference = said.map { $0.timeIntervalSince(time) } ?? 0
    offset = abs(difference) > Self.tolerance ? difference : 0
  }

  /// A moment of the server's clock by this machine's.
  package func local(_ moment: Date) -> Date { moment.addingTimeInterval(-offset) }

  /// Reads a date of a header field, `Tue, 15 Nov 1994 08:12:31 GMT` (RFC 9110, section 5.6.7); `nil` for anything else, the two
  /// obsolete forms included.
  static func date(_ text: String) -> Date? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[0].utf8.count == 4, parts[0].hasSuffix(","), parts[5] == "GMT",
      let month = months.firstIndex(of: parts[2])
    else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    return DatePoint("\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")?.start
  }

  private static let months: [Substring] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
