import Forage
import ForageCore

extension LastListFile {
  /// The file of this terminal, `nil` without one.
  init?(_ context: Context) {
    guard let terminal = context.output.terminalName() else { return nil }
    self.init(context.services.directories, terminal: terminal)
  }
}

/// Keeps the list that a command prints, so that later commands can refer to its results by number and continue it.
struct ListMemory {
  private let file: LastListFile?
  private let isTerminal: Bool
  private let arguments: [String]

  /// Keeps nothing unless results go to a terminal.
  init(_ context: Context) {
    file = LastListFile(context)
    isTerminal = context.output.isTerminal
    arguments = context.arguments
  }

  /// The command that prints the next page, `nil` where the list is not kept.
  var continuation: String? {
    guard file != nil, isTerminal, let command = arguments.first else { return nil }
    return "forage \(command) --next"
  }

  /// Keeps a list that was printed; one that went elsewhere is noted. Without results no list was printed: the one before it is
  /// still on the terminal.
  ///
  /// - Parameters:
  ///   - next: The cursor of the next page, `nil` when nothing follows.
  ///   - offset: The number of results on the pages before.
  ///   - cursor: The cursor that the page continues after, `nil` for a first page. The pages before are kept with it.
  func keep(_ items: [SearchResult], next: String?, offset: Int = 0, after cursor: String? = nil) {
    guard let file, let command = arguments.first else { return }
    guard isTerminal else { return items.isEmpty ? () : file.follow() }
    var list = LastList(
      command: command, arguments: Array(arguments.dropFirst()), next: next, first: offset + 1, items: items)
    if let cursor, let earlier = file.read(), earlier.command == command, earlier.next == cursor,
      earlier.last == offset
    {
      list.prepend(earlier)
    }
    if !list.items.isEmpty { file.keep(list) }
  }

  /// Forgets the former list, because results without numbers were printed behind it.
  func forget() { if isTerminal { file?.remove() } else { file?.follow() } }
}

/// `--next`: continues the last list of this terminal, with the arguments that it was printed with.
struct ListContinuation {
  /// The query of this command line; must be empty.
  var query: [String]

  /// Prints the next page.
  ///
  /// Options of this command line go behind those of the list and win over them.
  ///
  /// - Throws: `ForageError` without a list, for a list of another command, together with a query, and at the end of the list.
  func run(in context: Context) async throws -> ExitStatus {
    let given = context.arguments
    let command = given.first ?? ""
    guard query.isEmpty else {
      throw ForageError(
        "--next continues the last list and takes no query",
        hint: "leave out the query: forage \(command) --next; or leave out --next for a new list")
    }
    guard let list = LastListFile(context)?.read() else {
      throw ForageError(
        "there is no list on this terminal to continue",
        hint:
          "print one first\(command == "search" ? ", for example: forage search QUERY" : ": forage \(command)")"
      )
    }
    guard list.command == command else {
      let isList = ["search", "stars", "feed"].contains(list.command)
      throw ForageError(
        "the last list on this terminal is that of: forage \(list.command)",
        hint: isList
          ? "continue it with: forage \(list.command) --next" : "start again with: forage \(command)")
    }
    guard let next = list.next else {
      throw ForageError(
        "no further results", hint: "the last list on this terminal is complete", code: .nothingFound)
    }
    let options = given.dropFirst().filter { $0 != "--next" }
    try OptionValue.exclude(
      "--next",
      ["--after", "--stream", "--sample"].map { name in
        (name, options.contains { $0 == name || $0.hasPrefix(name + "=") })
      }, hint: "--next prints the next page of the last list on this terminal")
    let start =
      "start again: forage \(([command] + list.arguments).map(\.shellQuoted).joined(separator: " "))"
    // Behind a lone -- everything is a query.
    let end = list.arguments.firstIndex(of: "--") ?? list.arguments.endIndex
    let (before, after) = (list.arguments[..<end], list.arguments[end...])
    guard (try? SearchSessions(context.services).continued(next)) != nil else {
      throw ForageError(
        "the last list on this terminal can no longer be continued (places are stored for an hour)",
        hint: start)
    }
    if let reminder = list.reminder { context.output.message("continuing the list: \(reminder)") }
    let arguments = [command] + before + options + after
    let request = Entry.request([command] + before + options + ["--after", next] + after)
    switch request.kind {
    case .command(let continued):
      let context = try Context(
        context.surroundings, continued.common, continued.serviceOptions(), arguments: arguments)
      let outcome = await Result.of { try await continued.runFiltered(in: context) }
      await context.close()
      do {
        return try outcome.get()
      } catch let error as SearchError where error.code == .invalidCursor {
        guard options.isEmpty else {
          throw ForageError(
            "--next continues the last list with its own query, kinds, order and providers",
            hint: "leave out the options that choose other results: \(options.joined(separator: " "))")
        }
        // What was changed stands behind the colon.
        let change = error.message.split(separator: ": ", maxSplits: 1).dropFirst().first
        throw ForageError(
          "the last list on this terminal can no longer be continued: "
            + (change ?? "the settings were changed"),
          hint: start)
      }
    case .failed(let error): throw error
    case .version, .answered: return .success
    }
  }
}
