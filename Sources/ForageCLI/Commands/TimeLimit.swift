import Forage

/// The time limit of a command: the value of `--timeout`.
enum TimeLimit {
  /// The maximum in seconds: a day.
  static let maximumSeconds = 86_400.0

  /// The default as help texts name it.
  static let defaultText = "(default \(SearchOptions.defaultTimeout.components.seconds))"

  /// The limit as a duration.
  ///
  /// - Parameter text: Seconds, `nil` for the default.
  /// - Throws: `ForageError` for anything but a number above 0 and at most a day.
  static func duration(_ text: String?) throws -> Duration {
    guard let text else { return SearchOptions.defaultTimeout }
    guard let seconds = Double(text), seconds.isFinite, seconds > 0, seconds <= maximumSeconds else {
      throw ForageError(
        "--timeout takes seconds above 0, at most 86400, not \(text)", hint: "for example: --timeout 2.5")
    }
    return .milliseconds(max(1, Int(seconds * 1000)))
  }
}
