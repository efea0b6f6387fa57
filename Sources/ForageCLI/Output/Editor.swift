import Forage
import ForageCore

/// Opens files of clones in the user's editor.
struct Editor: Sendable {
  private static let hint = "set VISUAL or EDITOR to the command that opens files"

  let environment: [String: String]
  let program: TerminalProgram
  let interruption: Interruption

  /// What became of a file that was to be opened.
  private enum Outcome {
    case opened
    case noEditor
    case notStarted(String)
    case failed(String)
  }

  /// The command for a file, in the words of the editor of `VISUAL`, else of `EDITOR`, without a shell; `nil` where neither is set.
  static func command(_ place: FilePlace, environment: [String: String]) -> [String]? {
    let words = [environment["VISUAL"], environment["EDITOR"]].lazy.compactMap { command in
      command.map { $0.split(separator: " ").map(String.init) }
    }.first { !$0.isEmpty }
    guard let words, let name = words[0][...].slashSeparated().last else { return nil }
    guard let line = place.line else { return words + [place.path] }
    let isGoing = words.contains("-g") || words.contains("--goto")
    return switch name {
    case "vi", "vim", "nvim", "nano", "emacs", "kak", "micro": words + ["+\(line)", place.path]
    case "code", "codium", "cursor": words + (isGoing ? [] : ["--goto"]) + ["\(place.path):\(line)"]
    case "hx", "subl", "zed": words + ["\(place.path):\(line)"]
    default: words + [place.path]
    }
  }

  private func start(_ place: FilePlace) async -> Outcome {
    guard let words = Self.command(place, environment: environment) else { return .noEditor }
    // The editor gets Ctrl-C.
    interruption.isPaging = true
    defer { interruption.isPaging = false }
    return switch await program.run(words, nil, environment) {
    case .notStarted: .notStarted(words[0])
    case .ended(let isSuccess): isSuccess ? .opened : .failed(words[0])
    }
  }

  /// Opens a file at its line; where there is no terminal or no editor the place is written as a result, so that nothing is lost.
  ///
  /// - Parameter hasTerminal: Whether the editor can have the terminal.
  /// - Throws: `ForageError` where the editor of the user fails; as `Output.writeResult`.
  func open(_ place: FilePlace, output: Output, hasTerminal: Bool) async throws {
    guard hasTerminal else {
      try output.result(SafeText.line(place.text))
      return output.warning("an editor is started on a terminal only", hint: Self.hint)
    }
    switch await start(place) {
    case .opened: break
    case .noEditor:
      try output.result(SafeText.line(place.text))
      output.warning("there is no editor to open this file", hint: Self.hint)
    case .notStarted(let name):
      try output.result(SafeText.line(place.text))
      throw ForageError("the editor \(name) could not be started", hint: Self.hint)
    case .failed(let name): throw ForageError("the editor \(name) failed", hint: Self.hint)
    }
  }

  /// Opens a file at its line for the screens.
  ///
  /// - Returns: What was done.
  func open(_ place: FilePlace) async -> (message: String, hint: String) {
    switch await start(place) {
    case .opened: ("opened \(place.text)", "")
    case .noEditor: ("there is no editor; the file is \(place.text)", Self.hint)
    case .notStarted(let name):
      ("the editor \(name) could not be started; the file is \(place.text)", Self.hint)
    case .failed(let name): ("the editor \(name) failed; the file is \(place.text)", Self.hint)
    }
  }
}

extension Editor {
  /// The editor of a command's user.
  init(_ context: Context) {
    self.init(
      environment: context.forage.environmentWithoutTokens, program: context.terminalPrograms,
      interruption: context.process.interruption)
  }
}
