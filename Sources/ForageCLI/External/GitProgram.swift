import Forage
import ForageCore
import Subprocess

/// Runs the git program to fetch a plugin.
struct GitProgram {
  /// How long git may take.
  private static let limit: Duration = .seconds(300)
  /// The most bytes that git may print.
  private static let outputLimit = 64 << 10

  let environment: [String: String]
  let report: @Sendable (_ line: String) -> Void

  /// Runs git and returns what it prints.
  ///
  /// Git asks for no password and runs no hook.
  ///
  /// - Throws: `ForageError` with git's own last line.
  func run(_ arguments: [String], in folder: String) async throws -> String {
    guard let program = InstalledProgram("git", environment: environment) else {
      throw ForageError(
        "git is not installed", hint: "install git, or name a folder instead of an address")
    }
    var variables = environment
    variables["GIT_TERMINAL_PROMPT"] = "0"
    variables["LC_ALL"] = "C"
    let start = ContinuousClock.now
    let result = try? await program.run(
      ["-c", "core.hooksPath=/dev/null", "-c", "advice.detachedHead=false"] + arguments,
      environment: variables, folder: folder, limit: Self.limit, input: .none,
      output: .string(limit: Self.outputLimit), error: .string(limit: Self.outputLimit))
    let isDone = result?.terminationStatus.isSuccess ?? false
    report(
      "git \(arguments.joined(separator: " ")): \(isDone ? "ok" : "failed"), \(HumanFormat.duration(ContinuousClock.now - start))"
    )
    guard let result, isDone else {
      let said = result?.standardError.split(separator: "\n").last.map(String.init)
      throw ForageError(
        "git failed: \(said ?? "it took too long")",
        hint: "check the address, and that git can fetch it",
        code: .noAnswer)
    }
    return result.standardOutput
  }
}
