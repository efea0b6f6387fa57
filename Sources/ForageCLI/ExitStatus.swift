import Forage

package enum ExitStatus: Int32, Sendable {
  /// Results, or done.
  case success = 0
  /// Nothing found, and every provider that was asked answered.
  case nothingFound = 1
  /// A mistake in the arguments or the configuration.
  case usage = 2
  /// Results, but a part is missing: under `--strict`, or of a provider that the user named; files of clones
  /// only under `--strict`.
  case partial = 3
  /// No results, and a provider that was asked failed.
  case failed = 4
  /// Ended by Ctrl-C.
  case interrupted = 130

  /// The status of a command that an error ends.
  init(_ code: ForageError.Code) {
    self =
      switch code {
      case .nothingFound: .nothingFound
      case .partial: .partial
      case .failed: .failed
      case .interrupted: .interrupted
      default: .usage
      }
  }
}
