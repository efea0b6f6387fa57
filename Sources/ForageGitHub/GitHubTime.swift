import ForageCore
import ForageFoundation

/// Parses GitHub's times.
enum GitHubTime {
  /// Parses an instant such as `2024-01-31T10:00:00Z`, `2024-01-31T10:00:00.000+02:00` or `2024-01-31`.
  /// Fractions of a second are dropped.
  static func date(_ text: String?) -> Date? {
    guard let text else { return nil }
    if let point = DatePoint(text) { return point.start }
    guard let dot = text.firstIndex(of: ".") else { return nil }
    let zone = text[dot...].dropFirst().drop { $0.isASCII && $0.isNumber }
    return DatePoint(text[..<dot] + zone)?.start
  }
}
