import Forage
import ForagePlatform
import Subprocess
import SystemPackage

/// Runs a pager or a browser on the user's terminal; a closure, so that tests can replace it.
struct TerminalProgram: Sendable {
  enum Ending: Sendable {
    /// It ran and ended; whether with status 0.
    case ended(isSuccess: Bool)
    /// It was not found or could not be started.
    case notStarted
  }

  /// Runs a program and waits until it ends.
  ///
  /// Takes the words of the command, the first of which is searched in `PATH` unless it is a path; the text for its standard input, `nil`
  /// for that of this process; and its environment. Its output and errors go to those of this process.
  var run: @Sendable (_ words: [String], _ input: String?, _ environment: [String: String]) async -> Ending

  /// Real programs.
  static let live = TerminalProgram { words, input, environment in
    await runProgram(words, input, environment)
  }

  /// Real programs whose output is discarded, while something else has the terminal.
  static let silent = TerminalProgram { words, _, environment in
    guard let name = words.first, let program = InstalledProgram(name, environment: environment) else {
      return .notStarted
    }
    let result = try? await program.run(
      Array(words.dropFirst()), environment: environment, group: .shared, input: .none, output: .discarded,
      error: .discarded)
    return result.map { .ended(isSuccess: $0.terminationStatus.isSuccess) } ?? .notStarted
  }

  @concurrent
  private static func runProgram(_ words: [String], _ input: String?, _ environment: [String: String]) async
    -> Ending
  {
    guard let name = words.first, let program = InstalledProgram(name, environment: environment) else {
      return .notStarted
    }
    var reading = FileDescriptor.standardInput
    if let input {
      guard let pipe = try? FileDescriptor.childPipe() else { return .notStarted }
      reading = pipe.readEnd
      feed(input, to: pipe.writeEnd)
    }
    let result = try? await program.run(
      Array(words.dropFirst()), environment: environment, group: .shared,
      input: .fileDescriptor(reading, closeAfterSpawningProcess: input != nil),
      output: .fileDescriptor(.standardOutput, closeAfterSpawningProcess: false),
      error: .fileDescriptor(.standardError, closeAfterSpawningProcess: false))
    return result.map { .ended(isSuccess: $0.terminationStatus.isSuccess) } ?? .notStarted
  }

  /// Writes a text to a pipe, on a thread that may block; a reader that closes the pipe early is no error.
  static func feed(_ text: String, to descriptor: FileDescriptor) {
    OwnThread.start {
      try? descriptor.closeAfter { _ = try? descriptor.writeAll(text.utf8) }
    }
  }
}
