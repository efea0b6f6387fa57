import ForagePlatform

/// How a plugin's process ended.
enum PluginEnding: Hashable, Sendable {
  /// It could not be started; with the `errno` value.
  case notStarted(Int32)
  case exited(Int32)
  case signalled(Int32)
  /// It closed its standard output, went on, and was ended for that.
  case closedOutput
  /// It was stopped before its start, did not end after SIGKILL, or somebody else has its status.
  case lost

  init(_ ending: ChildEnding) {
    self =
      switch ending {
      case .exited(let status): .exited(status)
      case .signalled(let signal): .signalled(signal)
      case .lost: .lost
      }
  }

  /// What happened, for use after the plugin's name.
  var sentence: String {
    switch self {
    case .notStarted(let number): "could not be started: \(errorText(number))"
    case .exited(let status): "exited unexpectedly with status \(status)"
    case .signalled(let signal): "was terminated by signal \(signal)"
    case .closedOutput: "closed its standard output"
    case .lost: "ended unexpectedly"
    }
  }

  var isFailedStart: Bool { if case .notStarted = self { true } else { false } }
}
