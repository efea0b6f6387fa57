import ForagePlatform

/// How a plugin's process ended.
enum PluginEnding: Error, Hashable, Sendable {
  /// It could not be started; with the `errno` value.
  case notStarted(Int32)
  case exited(Int32)
  case signalled(Int32)
  /// It closed its standard output, went on, and was ended for that.
  case closedOutput
  /// It was stopped before its start, did not end after SIGKILL, or somebody else has its status.
  case lost

  /// Reads a status of `waitpid`: the low seven bits are the signal, the next byte is the exit status.
  init(status: Int32) {
    let signal = status & 0x7f
    self = signal == 0 ? .exited(status >> 8 & 0xff) : .signalled(signal)
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
