import ForageCore
import ForageGit
package import Subprocess
import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  package import Foundation
#endif

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
      let result = await withTaskGroup(of: String?.self) { group in
        group.addTask { await run(name, arguments, input, environment) }
        group.addTask {
          try? await Task.sleep(for: limit)
          return nil
        }
        let first = await group.next() ?? nil
        group.cancelAll()
        return first
      }
      let outcome = result == nil ? "failed" : "ok"
      report(
        "\(([name] + arguments).joined(separator: " ")): \(outcome), \(HumanFormat.duration(ContinuousClock.now - start))"
      )
      return result
    }
    return ChildProcess(path: { find($0, environment: $1) }, output: output)
  }

  @concurrent
  private static func run(
    _ name: String, _ arguments: [String], _ input: String, _ environment: [String: String]
  ) async -> String? {
    guard let path = find(name, environment: environment) else { return nil }
    guard input.utf8.count <= inputLimit, let (reading, writing) = try? FileDescriptor.pipe() else {
      return nil
    }
    // The whole input is in the pipe before the child starts: it is smaller than a pipe's buffer, and swift-subprocess 1.0.2 stops
    // the whole process when a child ends without reading what is written to it.
    let isWritten = (try? writing.closeAfter { try writing.writeAll(input.utf8) }) != nil
    guard isWritten else {
      try? reading.close()
      return nil
    }
    // A process group of its own, so that the child's children end with it.
    var options = PlatformOptions()
    options.processGroupID = 0
    options.teardownSequence = [
      .send(signal: .terminate, toProcessGroup: true, allowedDurationToNextStep: .milliseconds(100))
    ]
    let result = try? await Subprocess.run(
      .path(FilePath(path)), arguments: Arguments(arguments),
      environment: Self.environment(environment), workingDirectory: "/",
      platformOptions: options,
      input: .fileDescriptor(reading, closeAfterSpawningProcess: true), output: .string(limit: outputLimit),
      error: .discarded)
    guard let result, result.terminationStatus.isSuccess else { return nil }
    return result.standardOutput
  }

  /// The environment of a child with just these variables.
  package static func environment(_ variables: [String: String]) -> Environment {
    // The library refuses names that begin with a digit, with the whole environment.
    let valid = variables.filter { !($0.key.first?.isNumber ?? true) && !$0.key.contains("=") }
    let keyed = valid.compactMap { name, value in Environment.Key(rawValue: name).map { ($0, value) } }
    return .custom(Dictionary(keyed, uniquingKeysWith: { first, _ in first }))
  }

  /// The program in the child's own `PATH`: swift-subprocess 1.0.2 stops the whole process when it looks for one that is not there.
  package static func find(_ name: String, environment: [String: String]) -> String? {
    (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map { "\($0)/\(name)" }.first { path in
      FileAccess.isFile(path) && FileManager.default.isExecutableFile(atPath: path)
    }
  }
}
