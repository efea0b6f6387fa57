public import ForageFoundation

/// A server's refusal because of a rate limit.
///
/// Source of the rules: GitHub's documentation, "Rate limits for the REST API".
public struct LimitRefusal: Hashable, Sendable {
  /// Whether it is a secondary limit, on bursts, and no exceeded window.
  public var isSecondary: Bool
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
  /// The header field that only such answers have; its value is one of the two below.
  package static let header = "x-forage-not-sent"
  /// The limit is known to be exceeded (status 429).
  package static let limit = "limit"
  /// The credential is known to be refused (status 401).
  package static let unauthorized = "unauthorized"
}
