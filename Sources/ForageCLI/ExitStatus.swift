/// The exit status of the program.
package enum ExitStatus: Int32, Sendable {
  /// Results, or done.
  case success = 0
  /// Nothing found, and every provider that was asked answered.
  case nothingFound = 1
  /// A mistake in the arguments or the configuration.
  case usage = 2
  /// Results, but a part is missing: under `--strict`, or of a provider that the user named.
  case partial = 3
  /// No results, and a provider that was asked failed.
  case noAnswer = 4
  /// Ended by Ctrl-C.
  case interrupted = 130
}

/// An error that ends a command, with what to do about it.
struct CommandError: Error, Hashable {
  /// What happened, a sentence without a full stop.
  var message: String
  /// What to do about it.
  var hint: String
  /// Lines behind the hint, for example the place in a query.
  var details: [String] = []
  /// The status to end with.
  var status: ExitStatus = .usage

  init(_ message: String, hint: String, details: [String] = [], status: ExitStatus = .usage) {
    self.message = message
    self.hint = hint
    self.details = details
    self.status = status
  }
}
