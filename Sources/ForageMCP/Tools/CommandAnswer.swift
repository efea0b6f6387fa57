import ForageCore

/// What a command of Forage printed.
package struct CommandOutcome: Sendable {
  /// The exit status of the command.
  package var status: Int32
  /// Standard output.
  package var output: String
  /// Errors and warnings, each with its hint.
  package var problems: [(message: String, hint: String)]

  package init(status: Int32, output: String, problems: [(message: String, hint: String)]) {
    (self.status, self.output, self.problems) = (status, output, problems)
  }
}

/// Runs a command of Forage; the arguments are without the program's name.
package typealias CommandRunner = @Sendable (_ arguments: [String]) async -> CommandOutcome

/// The JSON of a command, for a tool.
struct CommandAnswer {
  let members: [String: JSONTree]
  /// Whether the command failed without results.
  let outcome: CommandOutcome

  /// The exit status for a wrong query or setting.
  private static let usage: Int32 = 2
  /// The exit status when providers failed and nothing was found.
  private static let noAnswer: Int32 = 4

  /// Runs a command that prints one JSON object.
  ///
  /// - Throws: `ToolFailure` where nothing could be answered: a usage error, or every provider that was asked failed.
  init(_ run: CommandRunner, _ arguments: [String]) async throws(ToolFailure) {
    outcome = await run(arguments)
    let tree = try? JSONTree(parsing: Array(outcome.output.utf8))
    members = tree?.object ?? [:]
    guard [Self.usage, Self.noAnswer].contains(outcome.status) || (members.isEmpty && outcome.status != 0)
    else {
      return
    }
    let problem = outcome.problems.first
    throw ToolFailure(
      problem?.message ?? "nothing could be answered", hint: problem?.hint ?? "try again later",
      providers: members["providers"].map { _ in .array(providers) })
  }

  subscript(name: String) -> JSONTree? { members[name] }

  /// Whether nothing is missing from the answer.
  var isComplete: Bool { members["complete"]?.bool ?? (outcome.status == 0) }

  /// Each provider's state, with the reason and the wait where it failed.
  var providers: [JSONTree] {
    (members["providers"]?.array ?? []).map { provider in
      var short: [String: JSONTree] = [:]
      short["id"] = provider["id"]
      short["state"] = provider["state"]
      short["error"] = provider["error"]?["message"]
      short["retryAfterMs"] = provider["error"]?["retryAfterMs"]
      return .object(short)
    }
  }

  /// Fails where the thing that was asked for does not exist.
  ///
  /// - Throws: `ToolFailure` with the command's own sentence.
  func found() throws(ToolFailure) -> CommandAnswer {
    if members.isEmpty || outcome.status == 1, let problem = outcome.problems.first {
      throw ToolFailure(problem.message, hint: problem.hint)
    }
    return self
  }
}
