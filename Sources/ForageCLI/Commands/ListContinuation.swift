import ArgumentParser
import Forage
import ForageCore

/// What `--next` stands for: the command of the last list of this terminal, to be run again for further
/// results.
struct ListContinuation {
  /// The command with the arguments of the list. Options of this command line go behind those and win over
  /// them.
  let command: any Command
  /// What it runs with: the list as the one that is continued.
  let context: Context

  /// Finds the list.
  ///
  /// - Parameter next: The command of this command line; its query must be empty.
  /// - Throws: `ForageError` without a list, for a list of another command, together with a query, and at the
  ///   end of the list.
  init(_ next: any ListCommand, in context: Context) throws {
    let given = context.arguments
    let name = Self.type(given.first ?? "")?.configuration.commandName ?? ""
    guard next.query.isEmpty else {
      throw ForageError(
        "--next continues the last list and takes no query",
        hint: "leave out the query: forage \(name) --next; or leave out --next for a new list")
    }
    let none = ForageError(
      "there is no list on this terminal to continue",
      hint: "print one first\(name == "search" ? ", for example: forage search QUERY" : ": forage \(name)")")
    guard let list = LastListFile(context)?.read() else { throw none }
    guard Self.type(list.command) == Self.type(name) else {
      throw ForageError(
        "the last list on this terminal is that of: forage \(list.command)",
        hint: Self.isPossible(list.command)
          ? "continue it with: forage \(list.command) --next" : "start again with: forage \(name)")
    }
    guard list.hasMore, list.last < SearchOptions.maximumLimit else {
      throw ForageError(
        "no further results", hint: "the last list on this terminal is complete", code: .nothingFound)
    }
    let (sample, news) = ((next as? FeedCommand)?.sample, (next as? SearchCommand)?.news ?? false)
    try OptionValue.exclude(
      "--next", [("--sample", sample != nil), ("--new", news)],
      hint: "--next prints the next page of the last list on this terminal")
    // The words before the first option are names of a command: there is no query.
    let options = given.drop { !$0.hasPrefix("-") }.filter { $0 != "--next" }
    // Behind a lone -- everything is a query.
    let end = list.arguments.firstIndex(of: "--") ?? list.arguments.endIndex
    let (before, after) = (list.arguments[..<end], list.arguments[end...])
    if let reminder = list.reminder { context.output.message("continuing the list: \(reminder)") }
    let arguments = [name] + before + options + after
    let command: any Command
    switch Entry.request(arguments).kind {
    case .command(let found): command = found
    case .failed(let error): throw error
    case .version, .answered, .grep: throw none
    }
    // Plugins of the list are those of its folder, those of this command line of the present one.
    let added = (next as? SearchCommand)?.plugins.plugin ?? (next as? FeedCommand)?.plugins.plugin ?? []
    var continued = try Context(context.process, command.common, arguments: arguments) { setup in
      try command.configure(&setup)
      guard let folder = list.folder else { return }
      for place in setup.pluginPaths.indices.dropLast(added.count)
      where !setup.pluginPaths[place].hasPrefix("/") {
        setup.pluginPaths[place] = folder + "/" + setup.pluginPaths[place]
      }
    }
    continued.continued = list
    (self.command, self.context) = (command, continued)
  }

  /// The command that a word calls.
  private static func type(_ word: String) -> (any ParsableCommand.Type)? {
    ForageCommand.configuration.subcommands.first { $0.isCalled(word) }
  }

  /// Whether a command, or its usual subcommand, has `--next`.
  static func isPossible(_ word: String) -> Bool {
    let type = type(word)
    return (type?.configuration.defaultSubcommand ?? type) is any ListCommand.Type
  }
}
