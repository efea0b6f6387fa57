import Forage
import ForageCore
import Subprocess
import SystemPackage

/// Runs the `jq` program on JSON.
struct JSONFilter: Sendable {
  private static let name = "jq"

  private let program: InstalledProgram
  private let expression: String
  private let environment: [String: String]

  /// Finds the program.
  ///
  /// - Parameter environment: The variables that the program gets; they hold no tokens.
  /// - Throws: `ForageError` if the program is not installed.
  init(_ expression: String, environment: [String: String]) throws {
    guard let program = InstalledProgram(Self.name, environment: environment) else {
      throw ForageError(
        "--jq needs the program jq, which is not installed",
        hint: "install jq (https://jqlang.org), or use --json or --format json without --jq")
    }
    self.program = program
    self.expression = expression
    self.environment = environment
  }

  /// What the filter prints for a document: strings as they are, other values as JSON on one line each.
  ///
  /// - Returns: The output, and the error that ended it, if any.
  @concurrent
  func output(for document: String) async throws -> (text: String, error: ForageError?) {
    let (reading, writing) = try FileDescriptor.childPipe()
    TerminalProgram.feed(document, to: writing)
    let result = try await program.run(
      // The space keeps an expression such as -1 from being read as an option.
      ["-r", "-c", " " + expression], environment: environment,
      input: .fileDescriptor(reading, closeAfterSpawningProcess: true), output: .bytes(limit: .max),
      error: .bytes(limit: .max))
    try Task.checkCancellation()
    let text = String(decoding: result.standardOutput, as: UTF8.self)
    guard !result.terminationStatus.isSuccess else { return (text, nil) }
    return (text, Self.error(String(decoding: result.standardError, as: UTF8.self)))
  }

  /// The first line of jq's message, which names the fault.
  private static func error(_ message: String) -> ForageError {
    let lines = message.split(whereSeparator: \.isNewline).map(String.init)
    let first = lines.first.map { $0.hasPrefix("jq: ") ? String($0.dropFirst(4)) : $0 } ?? "it failed"
    return ForageError(
      "--jq: \(first)",
      hint:
        "the expression applies to the JSON of --format json or --json; its syntax is described in: man jq",
      details: lines.dropFirst().filter { !$0.hasPrefix("jq: ") }.map { "  " + $0.trimmingWhitespace() })
  }
}
