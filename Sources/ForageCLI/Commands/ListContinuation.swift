import Forage
import ForageCore

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
        context.process, continued.common, continued.serviceOptions(), arguments: arguments)
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
