package import ForageCore
public import ForageFoundation

/// A server's refusal because of a rate limit.
///
/// Source of the rules: GitHub's documentation, "Rate limits for the REST API".
public struct LimitRefusal: Hashable, Sendable {
  /// Whether it is a secondary limit, on bursts, and no exceeded window.
  package var isSecondary: Bool
  /// Until when nothing should be sent, by this machine's clock; `nil` when the server names no plausible time.
  public var end: Date?
  /// The status of the refusal; `nil` if the request was not sent, because an earlier answer said that none is left.
  package var status: Int?
  /// The body of the refusal; empty if there is none, or it is larger than `keptBytes`.
  package var body: [UInt8] = []

  /// The longest wait in seconds; a limit that ends later is an error of a clock or a counter.
  static let longestWait = 86_400.0
  /// Seconds to wait after a refusal without a time; source: GitHub's documentation (a minute, doubled each time).
  static let unspecifiedWait = 60.0
  /// Bytes of the body that are searched for the message, which comes first.
  private static let searchedBytes = 4096
  /// The largest body that is kept for the server's message.
  private static let keptBytes = 4096

  /// Creates a refusal of requests that are not sent.
  init(until end: Date) { (isSecondary, self.end) = (false, end) }

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
    status = response.status
    if response.body.count <= Self.keptBytes { body = response.body }
  }

  /// The refusal that ends later; of two with the same end the first.
  static func later(_ first: LimitRefusal?, _ second: LimitRefusal?) -> LimitRefusal? {
    guard let first, let second else { return first ?? second }
    return (first.end ?? .distantPast) < (second.end ?? .distantPast) ? second : first
  }

  /// The time in `Retry-After`, seconds or a date (RFC 9110, section 10.2.3), at most a day ahead.
  private static func retry(_ text: String, at time: Date, _ clock: ServerClock) -> Date? {
    let latest = time.addingTimeInterval(longestWait)
    if let seconds = Int(text) {
      return seconds >= 0 ? min(time.addingTimeInterval(Double(seconds)), latest) : nil
    }
    return ServerClock.date(text).map { min(max(clock.local($0), time), latest) }
  }
}

extension HTTPError {
  /// Creates the error for a request that a limit refuses.
  package init(limited limit: LimitRefusal) {
    self.init(.limited, limit.status.map { "status \($0)" } ?? "the rate limit is exceeded")
    self.limit = limit
  }
}

extension SearchError {
  /// Creates the provider error for an exceeded rate limit.
  ///
  /// - Parameters:
  ///   - refusal: The refusal; without an end, the wait is a minute.
  ///   - time: The time from which the wait is counted.
  ///   - limit: The limit, for example `the rate limit of GitHub`.
  ///   - said: The server's own message; `nil` for none.
  ///   - advice: The end of the hint, after the time to wait.
  package init(
    limited refusal: LimitRefusal?, at time: Date, limit: String, said: String? = nil, advice: String = ""
  ) {
    let end = refusal?.end ?? time.addingTimeInterval(LimitRefusal.unspecifiedWait)
    let seconds = end.wholeSeconds(after: time)
    let clock = Timestamp.moment(time.addingTimeInterval(Double(seconds)), now: time)
    self.init(
      .rateLimited, "\(limit) is exceeded until \(clock)" + (said.map { ": " + $0 } ?? ""),
      hint: "try again in \(LimitAdvice.wait(seconds: seconds))" + advice,
      retryAfterMilliseconds: seconds * 1000)
  }
}

/// The hint for a rate limit that ends in a given time.
package enum LimitAdvice {
  /// The time to wait, for example `40 s` or `3 min`.
  package static func wait(seconds: Int) -> String {
    seconds < 120 ? "\(seconds) s" : "\((seconds + 59) / 60) min"
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
    return end > time && end <= time.addingTimeInterval(LimitRefusal.longestWait) ? end : nil
  }
}

extension Date {
  /// Whole seconds after another moment, rounded up and not below 0; less than a millisecond is an error of arithmetic.
  package func wholeSeconds(after moment: Date) -> Int {
    Int(max(0, timeIntervalSince(moment) - 0.001).rounded(.up))
  }
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
