import Forage
import ForageCore
import ForagePlatform

/// Applies an expression of jq to JSON: by the program, or where it is not installed by `JQEvaluation`.
struct JSONFilter: Sendable {
  private static let name = "jq"

  /// Who evaluates the expression.
  private enum Evaluator {
    case program(path: String)
    case own(JQExpression)
  }

  private let evaluator: Evaluator
  private let expression: String
  private let environment: [String: String]

  /// Finds the program.
  ///
  /// - Parameter environment: The variables that the program gets; they hold no tokens.
  /// - Throws: `ForageError` if the program is not installed and the expression is wrong or needs it.
  init(_ expression: String, environment: [String: String]) throws {
    do throws(JQFailure) {
      evaluator =
        if let path = programPath(Self.name, environment: environment) {
          .program(path: path)
        } else {
          .own(try JQParser.expression(expression))
        }
    } catch { throw Self.error(error) }
    self.expression = expression
    self.environment = environment
  }

  /// What the filter prints for a document: strings as they are, other values as JSON on one line each.
  ///
  /// - Returns: The output, and the error that ended it, if any.
  func output(for document: String) async throws -> (text: String, error: ForageError?) {
    let program: String
    switch evaluator {
    case .program(let path): program = path
    case .own(let expression):
      guard let document = try? JSONTree(parsing: document.utf8) else {
        return ("", Self.error("the JSON is nested too deeply"))
      }
      // Its recursion needs more than the stack of a thread of the pool.
      let results = await withCheckedContinuation { continuation in
        OwnThread.start {
          continuation.resume(
            returning: Result { () throws(JQFailure) in try JQEvaluation.run(expression, document) })
        }
      }
      switch results {
      case .success(let values): return (values.map { JQValue.plainText($0) + "\n" }.joined(), nil)
      case .failure(let failure): return ("", Self.error(failure))
      }
    }
    // The space keeps an expression such as -1 from being read as an option.
    let launch = ChildLaunch(
      program, ["-r", "-c", " " + expression], environment: environment, output: .pipe, error: .pipe)
    let result: ChildResult
    do throws(ChildFailure) { result = try await ChildProgram.run(launch, input: document) } catch {
      return ("", Self.error("\(error)"))
    }
    try Task.checkCancellation()
    let text = String(decoding: result.output, as: UTF8.self)
    return (text, result.isSuccess ? nil : Self.error(String(decoding: result.error, as: UTF8.self)))
  }

  private static func error(_ failure: JQFailure) -> ForageError {
    failure.hint.map { ForageError("--jq: \(failure.message)", hint: $0) } ?? error(failure.message)
  }

  /// The first line of jq's message, which names the fault.
  private static func error(_ message: String) -> ForageError {
    let lines = message.split(whereSeparator: \.isNewline).map(String.init)
    let first = lines.first.map { $0.hasPrefix("jq: ") ? String($0.dropFirst(4)) : $0 } ?? "it failed"
    // gh prints an array; without --json this is a document.
    let isOfArray = first.contains("Cannot index number with") || first.contains("Cannot index boolean with")
    return ForageError(
      "--jq: \(first)",
      hint: isOfArray
        ? "without --json the expression applies to the document of --format json: write .items[] for .[] (or the name of its list)"
        : "the expression applies to the JSON of --format json or --json; its syntax is described in: man jq",
      details: lines.dropFirst().filter { !$0.hasPrefix("jq: ") }.map { "  " + $0.trimmingWhitespace() })
  }
}
