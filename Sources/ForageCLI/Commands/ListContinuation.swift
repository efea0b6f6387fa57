import ArgumentParser
import Forage
import ForageCore

/// `--next`: makes the last list of this terminal again, with the arguments that it was printed with and
/// further results.
struct ListContinuation {
  /// The query of this command line; must be empty.
  var query: [String]

  /// The name of a command that a word calls.
  private static func command(_ word: String) -> String {
    ForageCommand.configuration.subcommands.first { $0.isCalled(word) }?.configuration.commandName ?? word
  }

  /// Prints the next page.
  ///
  /// Options of this command line go behind those of the list and win over them.
  ///
  /// - Throws: `ForageError` without a list, for a list of another command, together with a query, and at the
  ///   end of the list.
  func run(in context: Context) async throws -> ExitStatus {
    let given = context.arguments
    let command = Self.command(given.first ?? "")
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
    guard Self.command(list.command) == command else {
      let isList = ["search", "stars", "feed", "notification"].contains(Self.command(list.command))
      throw ForageError(
        "the last list on this terminal is that of: forage \(list.command)",
        hint: isList
          ? "continue it with: forage \(list.command) --next" : "start again with: forage \(command)")
    }
    guard list.hasMore, list.last < SearchOptions.maximumLimit else {
      throw ForageError(
        "no further results", hint: "the last list on this terminal is complete", code: .nothingFound)
    }
    // The words before the first option are names of a command: there is no query.
    let options = given.drop { !$0.hasPrefix("-") }.filter { $0 != "--next" }
    try OptionValue.exclude(
      "--next", [("--sample", options.contains { $0 == "--sample" || $0.hasPrefix("--sample=") })],
      hint: "--next prints the next page of the last list on this terminal")
    // Behind a lone -- everything is a query.
    let end = list.arguments.firstIndex(of: "--") ?? list.arguments.endIndex
    let (before, after) = (list.arguments[..<end], list.arguments[end...])
    if let reminder = list.reminder { context.output.message("continuing the list: \(reminder)") }
    let arguments = [command] + before + options + after
    let request = Entry.request(arguments)
    switch request.kind {
    case .command(let continued):
      var context = try Context(
        context.process, continued.common, arguments: arguments, configure: continued.configure)
      context.continued = list
      let outcome = await Result.of { [context] in try await continued.runFiltered(in: context) }
      await context.close()
      return try outcome.get()
    case .failed(let error): throw error
    case .version, .answered, .grep: return .success
    }
  }
}
