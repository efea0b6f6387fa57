import ForagePlatform

/// Where answers to questions come from.
struct Input: Sendable {
  /// Whether standard input is a terminal.
  var isTerminal: Bool
  /// Waits for a line, `nil` at the end.
  var readLine: @Sendable () -> String?

  /// The standard input of this process.
  static let standard = Input(isTerminal: isatty(STDIN_FILENO) == 1) { Swift.readLine() }
}
