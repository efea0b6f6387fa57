import Forage
import ForageCore
import ForagePlatform

/// Runs the programs of actions on the user's terminal.
struct ActionRunner: Sendable {
  let context: Context
  /// Called when the program has ended, while it still has the terminal.
  let ended: @Sendable () -> Void

  init(_ context: Context, ended: @escaping @Sendable () -> Void = {}) {
    (self.context, self.ended) = (context, ended)
  }

  /// Runs an action on a result, in the clone of its repository where it asks for that, and waits until it
  /// ends.
  ///
  /// - Returns: What was run.
  /// - Throws: `ForageError` where it cannot run or fails, and for a value that the result does not have.
  func run(_ action: ResultAction, on result: SearchResult) async throws -> String {
    let reference = ResolvedReference(text: result.title, result: result)
    var clone = result.kind == .repo ? result[.path]?.text : nil
    if clone == nil, action.isInClone || action.command.contains(where: { $0.contains("{clone}") }) {
      clone = await ReferenceReader(context.forage).clonePath(of: reference)
    }
    let words: [String]
    do {
      words = try action.words(for: result, clone: clone)
    } catch {
      throw ForageError(
        error.message, hint: error.hint.isEmpty ? "see what it runs with: forage act" : error.hint)
    }
    let line = SafeText.line(words.map(\.shellQuoted).joined(separator: " "))
    var folder: String?
    if action.isInClone {
      guard let clone else {
        let message = "\(action.name) runs in a clone, and there is none of \(result.title)"
        guard let repository = EntityReference(result.id, defaultHost: "")?.repositoryID else {
          throw ForageError(message, hint: "it is in no repository that can be cloned")
        }
        throw ForageError(message, .clone(repository))
      }
      folder = clone
    }
    // The program gets Ctrl-C.
    context.process.interruption.isPaging = true
    defer { context.process.interruption.isPaging = false }
    let environment = context.forage.environmentWithoutTokens
    let ending = await context.terminalPrograms.runIn(folder, words, environment)
    if case .ended = ending { ended() }
    switch ending {
    case .ended(true): return "ran \(line)"
    case .ended(false):
      throw ForageError("\(action.name) failed: \(line)", hint: "run it in a shell to see why")
    case .notStarted:
      throw ForageError("\(words[0].shellQuoted) was not found or cannot be started", hint: "install it")
    }
  }
}

extension ResultAction {
  /// Its name, its key, what it takes, and what it runs.
  var summary: String {
    let takes = kinds.isEmpty ? "" : " of \(kinds.sorted().joined(separator: ", "))"
    return name + (key.map { " (\($0))" } ?? "") + takes + ": " + commandLine
  }

  var json: JSONTree {
    JSONTree([
      "name": name, "key": key.map { String($0) }, "title": title,
      "kinds": kinds.isEmpty ? nil : kinds.sorted(),
      "command": command, "inClone": isInClone,
    ])
  }

  /// Its command as it is shown, and where it runs.
  var commandLine: String {
    command.map(\.shellQuoted).joined(separator: " ") + (isInClone ? " (in the clone)" : "")
  }
}
