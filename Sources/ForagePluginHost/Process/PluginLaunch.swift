/// How a plugin's program is started.
package struct PluginLaunch: Hashable, Sendable {
  /// The program's file, an absolute path.
  package var program: String
  /// The arguments, the name of the program first.
  package var arguments: [String]
  /// The folder that it starts in.
  package var folder: String
  /// All of its environment.
  package var environment: [String: String]

  /// Creates a launch.
  package init(program: String, arguments: [String], folder: String, environment: [String: String]) {
    self.program = program
    self.arguments = arguments
    self.folder = folder
    self.environment = environment
  }
}

/// How a plugin's program came to its end.
enum PluginEnding: Hashable, Sendable {
  /// Its folder could not be entered, for the reason with a number.
  case noFolder(Int32)
  /// It could not be started, for the reason with a number.
  case notStarted(Int32)
  /// It ended by itself with a status.
  case exited(Int32)
  /// A signal ended it.
  case signalled(Int32)
  /// What watched it is gone, and it with that.
  case lost

  /// What happened, to stand behind the plugin's name.
  var sentence: String {
    switch self {
    case .noFolder(let number): "could not be started in its folder: \(System.message(number))"
    case .notStarted(let number): "could not be started: \(System.message(number))"
    case .exited(let status): "ended unexpectedly with exit status \(status)"
    case .signalled(let signal): "was ended by signal \(signal)"
    case .lost: "ended unexpectedly"
    }
  }

  /// Whether the program never ran.
  var isFailedStart: Bool {
    switch self {
    case .noFolder, .notStarted: true
    case .exited, .signalled, .lost: false
    }
  }
}
