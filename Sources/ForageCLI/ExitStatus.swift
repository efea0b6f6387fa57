/// What the program says with its exit status.
package enum ExitStatus: Int32, Sendable {
  /// Results, or done.
  case success = 0
  /// Nothing found.
  case nothingFound = 1
  /// A mistake in the arguments or the configuration.
  case usage = 2
  /// A part is missing, and the user asked to be told.
  case partial = 3
  /// No provider answered.
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
