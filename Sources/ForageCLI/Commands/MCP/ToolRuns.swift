import Forage
import ForageCore
import ForageMCP
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Runs commands for the tools of `forage mcp`, each with results of its own and with the connections and tokens of the server.
final class ToolRuns: Sendable {
  let context: Context

  init(_ context: Context) { self.context = context }

  /// Runs a command and collects what it prints.
  func outcome(of arguments: [String]) async -> CommandOutcome {
    let results = Mutex("")
    let messages = Mutex("")
    let output = Output(
      writeResult: { text in results.withLock { $0 += text } },
      writeMessage: { text in messages.withLock { $0 += text } }, isTerminal: false, isMessageTerminal: false,
      now: Date())
    var surroundings = Surroundings(
      environment: context.services.environment, output: output, terminalPrograms: context.terminalPrograms,
      input: Input(isTerminal: false) { nil })
    surroundings.services = context.services
    let status = await Entry.run(arguments, in: surroundings)
    return CommandOutcome(
      status: status.rawValue, output: results.withLock { $0 },
      problems: Self.problems(messages.withLock { $0 }))
  }

  /// The errors and warnings among messages, each with its hint.
  static func problems(_ text: String) -> [(message: String, hint: String)] {
    var problems: [(message: String, hint: String)] = []
    for line in text.split(separator: "\n") {
      if line.hasPrefix("forage: ") {
        problems.append((String(line.dropFirst("forage: ".count)), ""))
      } else if line.hasPrefix("hint: "), let last = problems.indices.last, problems[last].hint.isEmpty {
        problems[last].hint = String(line.dropFirst("hint: ".count))
      }
    }
    return problems
  }

  /// The message with every secret masked that the program holds: tokens, and the secrets of plugins and manifests.
  func masked(_ message: [UInt8]) async -> [UInt8] {
    let redaction = SecretRedaction(await context.services.heldSecrets())
    return message.withUnsafeBufferPointer { redaction.redacted(json: $0) } ?? message
  }
}
