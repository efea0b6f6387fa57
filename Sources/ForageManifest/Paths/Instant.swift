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
    if let point = DatePoint(text) { return point.start }
    var plain = text.trimmingWhitespace()
    let day = plain.index(plain.startIndex, offsetBy: 10, limitedBy: plain.endIndex)
    if let day, day < plain.endIndex, plain[day] == " " || plain[day] == "t" {
      plain.replaceSubrange(day...day, with: "T")
    }
    if plain.hasSuffix("z") { plain = plain.dropLast() + "Z" }
    if let comma = plain.firstIndex(of: ",") { plain.replaceSubrange(comma...comma, with: ".") }
    return DatePoint.instant(plain)
  }

  /// Parses seconds since 1970, as a number or its digits.
  package static func unix(_ value: JSONTree) -> Date? {
    let seconds: Double? =
      switch value {
      case .integer(let number): Double(number)
      case .double(let number): number
      case .string(let text): Double(text)
      default: nil
      }
    guard let seconds, seconds.isFinite, abs(seconds) <= latest else { return nil }
    return Date(timeIntervalSince1970: seconds.rounded(.down))
  }
}
