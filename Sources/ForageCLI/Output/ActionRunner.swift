import Forage
import ForageCore
import ForagePlatform

/// Runs the programs of actions on the user's terminal.
struct ActionRunner: Sendable {
  let context: Context

  init(_ context: Context) { self.context = context }

  /// Runs an action on a result, in the clone of its repository where it asks for that, and waits until it ends.
  ///
  /// - Returns: What was run.
  /// - Throws: `ForageError` where it cannot run or fails; `SearchError` for a value that the result does not have.
  func run(_ action: ResultAction, on result: SearchResult) async throws -> String {
    let reference = ResolvedReference(text: result.title, result: result)
    var clone = result.kind == .repo ? result[.path]?.text : nil
    if clone == nil, action.isInClone || action.command.contains(where: { $0.contains("{clone}") }) {
      clone = await ReferenceReader(context.forage).clonePath(of: reference)
    }
    let words = try action.words(for: result, clone: clone)
    let line = SafeText.line(words.map(\.shellQuoted).joined(separator: " "))
    var folder: String?
    if action.isInClone {
      guard let clone else {
        throw ForageError(
          "\(action.name) runs in a clone, and there is none of \(result.title)", .clone(result.title))
      }
      folder = clone
    }
    // The program gets Ctrl-C.
    context.process.interruption.isPaging = true
    defer { context.process.interruption.isPaging = false }
    let environment = context.forage.environmentWithoutTokens
    switch await context.terminalPrograms.runIn(folder, words, environment) {
    case .ended(true): return "ran \(line)"
    case .ended(false):
      throw ForageError("\(action.name) failed: \(line)", hint: "run it in a shell to see why")
    case .notStarted:
      throw ForageError("\(words[0].shellQuoted) was not found or cannot be started", hint: "install it")
    }
  }
}
