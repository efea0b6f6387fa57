import Forage
import ForageCore
import ForagePlatform

/// Opens files in the user's editor.
struct Editor: Sendable {
  private static let hint = "set VISUAL or EDITOR to the command that opens files, for example: EDITOR=vi"

  let environment: [String: String]
  let program: TerminalProgram
  let interruption: Interruption

  /// How the editors of a family take a place in a file.
  private enum Family {
    /// `+LINE FILE`.
    case plus
    /// `--goto FILE:LINE:COLUMN`.
    case goto
    /// `FILE:LINE`.
    case colon
    /// `--line LINE FILE`.
    case option
  }

  /// The names of editors, up to a dot (`vim.basic`, `idea.sh`). Every other editor gets the file alone.
  private static let families: [(Family, names: Set<Substring>)] = [
    (
      .plus,
      [
        "vi", "vim", "nvim", "nvi", "vis", "view", "rvim", "vimx", "gvim", "mvim", "nvr", "nano", "pico",
        "emacs", "emacsclient", "zile", "mg", "kak", "micro", "joe", "jmacs", "jpico", "jstar", "jed", "ne",
        "dte", "mcedit", "gedit", "xed", "pluma", "geany", "bbedit",
      ]
    ),
    (
      .goto,
      ["code", "code-insiders", "code-oss", "codium", "vscodium", "cursor", "windsurf", "positron", "kiro"]
    ),
    (.colon, ["subl", "sublime_text", "hx", "helix", "zed", "zeditor", "lapce", "atom"]),
    (
      .option,
      [
        "kate", "kwrite", "mate", "idea", "clion", "datagrip", "goland", "phpstorm", "pycharm", "rider",
        "rubymine", "rustrover", "studio", "webstorm",
      ]
    ),
  ]

  /// The words of the command of `VISUAL`, else of `EDITOR`, split as a shell splits them.
  ///
  /// - Throws: `ForageError` where neither is set, and where quotes are not closed.
  private static func words(_ environment: [String: String]) throws(ForageError) -> [String] {
    for variable in ["VISUAL", "EDITOR"] {
      let words = try ShellWords.words(environment[variable] ?? "", of: variable)
      if !words.isEmpty { return words }
    }
    throw ForageError("no editor is set", hint: hint)
  }

  /// The words of the command that opens a file at its line.
  ///
  /// - Throws: `ForageError` where neither `VISUAL` nor `EDITOR` is set, and where quotes in it are not
  ///   closed.
  static func command(_ place: FileLocation, environment: [String: String]) throws(ForageError) -> [String] {
    let words = try words(environment)
    // A name that begins with a hyphen or a plus sign is no option.
    let path = place.path.hasPrefix("/") ? place.path : "./" + place.path
    let name = (words[0][...].slashSeparated().last ?? "").prefix { $0 != "." }
    guard let line = place.line, let family = families.first(where: { $0.names.contains(name) })?.0 else {
      return words + [path]
    }
    switch family {
    case .plus: return words + ["+\(line)", path]
    case .goto:
      let isGoing = words.contains("-g") || words.contains("--goto")
      let column = place.column.map { ":\($0)" } ?? ""
      return words + (isGoing ? [] : ["--goto"]) + ["\(path):\(line)\(column)"]
    case .colon: return words + ["\(path):\(line)"]
    case .option: return words + ["--line", line.description, path]
    }
  }

  /// Starts the editor and waits until it ends.
  ///
  /// - Throws: `ForageError` where there is none, and where it fails.
  private func start(_ place: FileLocation) async throws(ForageError) {
    let words = try Self.command(place.withEditorColumn, environment: environment)
    // The editor gets Ctrl-C.
    interruption.isPaging = true
    defer { interruption.isPaging = false }
    switch await program.run(words, nil, environment) {
    case .ended(true): break
    case .ended(false): throw ForageError("the editor \(words[0]) failed", hint: Self.hint)
    case .notStarted:
      throw ForageError(
        "the editor \(words[0].shellQuoted) was not found or cannot be started", hint: Self.hint)
    }
  }

  /// Opens a file at its line; where there is no terminal or no editor the place is written as a result, so
  /// that nothing is lost.
  ///
  /// - Parameter hasTerminal: Whether the editor can have the terminal.
  /// - Throws: `ForageError` where there is no editor, and where it fails; as `Output.writeResult`.
  func open(_ place: FileLocation, output: Output, hasTerminal: Bool) async throws {
    guard hasTerminal else {
      try output.result(place.text)
      return output.warning("an editor is started on a terminal only", hint: "run the command on a terminal")
    }
    do throws(ForageError) { try await start(place) } catch {
      try output.result(place.text)
      throw error
    }
  }

  /// Opens a file at its line for the screens.
  ///
  /// - Returns: What was done.
  func open(_ place: FileLocation) async -> (message: String, hint: String) {
    do throws(ForageError) { try await start(place) } catch {
      return ("\(error.message); the file is \(place.text)", error.advice)
    }
    return ("opened \(place.text)", "")
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
