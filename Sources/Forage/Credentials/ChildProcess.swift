import ForageCore
import Subprocess
import SystemPackage

/// Finds and runs helper programs; a struct of closures, which tests replace.
package struct ChildProcess: Sendable {
  /// The path of a program in `PATH`, `nil` when it is not there.
  package var path: @Sendable (_ name: String, _ environment: [String: String]) -> String?
  /// Runs a program found in `PATH`.
  ///
  /// It gets the name, the arguments, the standard input and the environment. It returns the standard output, `nil` when the program
  /// is not there, fails, or takes too long.
  package var output:
    @Sendable (_ name: String, _ arguments: [String], _ input: String, _ environment: [String: String]) async
      -> String?

  /// The time limit of a helper, which only looks something up.
  package static let limit: Duration = .seconds(3)
  /// The most bytes of output: more than any token or list of fields.
  private static let outputLimit = 64 << 10
  /// The most bytes of input: what POSIX guarantees that a pipe takes without a reader.
  private static let inputLimit = 512

  /// Runs real programs and reports each run.
  package static func live(_ report: @escaping @Sendable (_ line: String) -> Void) -> ChildProcess {
    let output: @Sendable (String, [String], String, [String: String]) async -> String? = {
      name, arguments, input, environment in
      let start = ContinuousClock.now
      let result = await run(name, arguments, input, environment)
      let outcome = result == nil ? "failed" : "ok"
      report(
        "\(([name] + arguments).joined(separator: " ")): \(outcome), \(HumanFormat.duration(ContinuousClock.now - start))"
      )
      return result
    }
    return ChildProcess(path: { InstalledProgram($0, environment: $1)?.path }, output: output)
  }

  @concurrent
  private static func run(
    _ name: String, _ arguments: [String], _ input: String, _ environment: [String: String]
  ) async -> String? {
    guard let program = InstalledProgram(name, environment: environment) else { return nil }
    guard input.utf8.count <= inputLimit, let (reading, writing) = try? FileDescriptor.childPipe() else {
      return nil
    }
    // The whole input is in the pipe before the child starts: it is smaller than a pipe's buffer, and swift-subprocess 1.0.2 stops
    // the whole process when a child ends without reading what is written to it.
    let isWritten = (try? writing.closeAfter { try writing.writeAll(input.utf8) }) != nil
    guard isWritten else {
      try? reading.close()
      return nil
    }
    let result = try? await program.run(
      arguments, environment: environment, folder: "/", limit: limit,
      input: .fileDescriptor(reading, closeAfterSpawningProcess: true), output: .string(limit: outputLimit),
      error: .discarded)
    guard let result, result.terminationStatus.isSuccess else { return nil }
    return result.standardOutput
  }
}
