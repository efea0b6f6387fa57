import Forage
import ForagePlatform

/// Runs a pager or an editor on the user's terminal, and starts a browser beside it; closures, so that tests
/// can replace them.
struct TerminalProgram: Sendable {
  enum Ending: Sendable {
    /// It ran and ended; whether with status 0.
    case ended(isSuccess: Bool)
    /// It was not found or could not be started.
    case notStarted
  }

  /// Runs a program and waits until it ends.
  ///
  /// Takes the words of the command, the first of which is searched in `PATH` unless it is a path; the text
  /// for its standard input, `nil` for that of this process; and its environment. Its output and errors go to
  /// those of this process.
  var run: @Sendable (_ words: [String], _ input: String?, _ environment: [String: String]) async -> Ending

  /// Starts a program that needs no terminal; one that goes on for long counts as ended with success.
  var start: @Sendable (_ words: [String], _ environment: [String: String]) async -> Ending = startDetached

  /// Runs a program with the streams of this process in a folder, `nil` for the current one, and waits until
  /// it ends.
  var runIn:
    @Sendable (_ folder: String?, _ words: [String], _ environment: [String: String]) async -> Ending = {
      await runProgram($1, nil, $2, folder: $0)
    }

  /// Real programs.
  static let live = TerminalProgram { words, input, environment in
    await runProgram(words, input, environment)
  }

  /// How long a program that was left to itself may take to fail.
  private static let failureTime: Duration = .seconds(2)

  /// Starts a program in a session of its own, with neither the terminal nor the streams of this process, and
  /// waits until it ends, or for two seconds: what still runs then goes on by itself.
  @Sendable private static func startDetached(_ words: [String], _ environment: [String: String]) async
    -> Ending
  {
    guard let launch = launch(words, environment, .session) else { return .notStarted }
    let (endings, ending) = AsyncStream<Ending>.makeStream()
    Task { ending.yield(await outcome(of: launch)) }
    Task {
      try? await Task.sleep(for: failureTime)
      ending.yield(.ended(isSuccess: true))
    }
    // After an interruption, too, it goes on by itself.
    return await endings.first { _ in true } ?? .ended(isSuccess: true)
  }

  private static func runProgram(
    _ words: [String], _ input: String?, _ environment: [String: String], folder: String? = nil
  ) async -> Ending {
    guard var launch = launch(words, environment, .shared) else { return .notStarted }
    launch.folder = folder
    launch.input = .descriptor(STDIN_FILENO)
    launch.output = .descriptor(STDOUT_FILENO)
    launch.error = .descriptor(STDERR_FILENO)
    return await outcome(of: launch, input: input)
  }

  /// - Returns: `nil` where the program is not found.
  private static func launch(_ words: [String], _ environment: [String: String], _ group: ChildLaunch.Group)
    -> ChildLaunch?
  {
    guard let name = words.first, let program = programPath(name, environment: environment) else {
      return nil
    }
    return ChildLaunch(program, Array(words.dropFirst()), environment: environment, group: group)
  }

  private static func outcome(of launch: ChildLaunch, input: String? = nil) async -> Ending {
    let result = try? await ChildProgram.run(launch, input: input)
    return result.map { .ended(isSuccess: $0.isSuccess) } ?? .notStarted
  }
}
