import Subprocess

/// Runs a helper program and returns what it prints; a struct of closures, so that tests can stand in.
struct ChildProcess: Sendable {
  /// Runs a program found in `PATH`.
  ///
  /// Gets the name, the arguments, the standard input and the environment. Returns the standard output, `nil` when the program is not
  /// there, fails, or takes too long.
  var output: @Sendable (_ name: String, _ arguments: [String], _ input: String, _ environment: [String: String]) async -> String?

  /// How long a helper may take: it only looks something up.
  static let limit: Duration = .seconds(5)
  /// More output than any token or list of fields.
  private static let outputLimit = 64 << 10

  /// Runs real programs and reports each.
  static func live(_ report: @escaping @Sendable (_ line: String) -> Void) -> ChildProcess {
    ChildProcess { name, arguments, input, environment in
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
      report("\(([name] + arguments).joined(separator: " ")): \(outcome), \(Humane.duration(ContinuousClock.now - start))")
      return result
    }
  }

  @concurrent
  private static func run(
    _ name: String, _ arguments: [String], _ input: String, _ environment: [String: String]
  ) async -> String? {
    let variables = environment.map { (Environment.Key(rawValue: $0.key), $0.value) }
    let keyed = Dictionary(
      variables.compactMap { key, value in key.map { ($0, value) } }, uniquingKeysWith: { first, _ in first })
    let result = try? await Subprocess.run(
      .name(name), arguments: Arguments(arguments), environment: .custom(keyed), input: .string(input),
      output: .string(limit: outputLimit), error: .discarded)
    guard let result, result.terminationStatus.isSuccess else { return nil }
    return result.standardOutput
  }
}
