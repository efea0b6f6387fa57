package struct PluginLaunch: Hashable, Sendable {
  /// The absolute path of the program.
  package var program: String
  /// The arguments, beginning with the program's name.
  package var arguments: [String]
  package var folder: String
  /// The complete environment.
  package var environment: [String: String]
}

enum PluginEnding: Hashable, Sendable {
  /// The working directory could not be entered; with the `errno` value.
  case noFolder(Int32)
  /// It could not be started; with the `errno` value.
  case notStarted(Int32)
  case exited(Int32)
  case signalled(Int32)
  /// It closed its standard output, went on, and was ended for that.
  case closedOutput
  /// Its supervisor is gone, and the program with it.
  case lost

  /// What happened, for use after the plugin's name.
  var sentence: String {
    switch self {
    case .noFolder(let number): "could not be started in its folder: \(System.message(number))"
    case .notStarted(let number): "could not be started: \(System.message(number))"
    case .exited(let status): "exited unexpectedly with status \(status)"
    case .signalled(let signal): "was terminated by signal \(signal)"
    case .closedOutput: "closed its standard output"
    case .lost: "ended unexpectedly"
    }
  }

  var isFailedStart: Bool {
    switch self {
    case .noFolder, .notStarted: true
    case .exited, .signalled, .closedOutput, .lost: false
    }
  }
}
