package import ForageCore
package import ForageFoundation

/// Parses instants in common formats.
package enum Instant {
  /// The end of the year 9999 in seconds since 1970; larger numbers are rejected.
  private static let latest = 253_402_300_799.0

  /// Parses ISO 8601, for example `2024-01-31T10:00:00Z`, `2024-01-31 10:00:00.123+0200` or `2024-01-31`.
  /// Without a zone the time is in UTC.
  ///
  /// Fractions of a second are dropped.
  package static func iso(_ text: String) -> Date? {
    DatePoint.instant(text.trimmingWhitespace().replacing(" ", with: "T"))
  }

  /// Parses seconds since 1970, as a number or its digits.
  package static func unix(_ value: JSONTree) -> Date? {
    let seconds = value.number ?? value.string.flatMap { Double($0) }
    guard let seconds, seconds.isFinite, abs(seconds) <= latest else { return nil }
    return Date(timeIntervalSince1970: seconds.rounded(.down))
  }
}
