import ArgumentParser
import ForageCore

/// A command as the parser describes it.
struct CommandDescription: Sendable {
  let tree: JSONTree

  /// The whole program.
  static let program = try? CommandDescription(dump: ForageCommand._dumpHelp())

  /// Reads what the parser dumps.
  ///
  /// - Throws: `JSONTree.Failure` where it cannot be read.
  init(dump: String) throws { tree = try JSONTree(parsing: Array(dump.utf8))["command"] ?? .null }

  private init(_ tree: JSONTree) { self.tree = tree }

  var commands: [CommandDescription] { (tree["subcommands"]?.array ?? []).map(CommandDescription.init(_:)) }
  var name: String { tree["commandName"]?.string ?? "" }
  /// The names that call it.
  var names: [String] { [name] + (tree["aliases"]?.array ?? []).compactMap(\.string) }
  var isShown: Bool { tree["shouldDisplay"]?.bool != false }
  var usual: CommandDescription? { commands.first { $0.name == tree["defaultSubcommand"]?.string } }
  var arguments: [JSONTree] { tree["arguments"]?.array ?? [] }

  /// The options with their dashes, and whether each takes a value.
  var options: [String: Bool] {
    var options: [String: Bool] = [:]
    for argument in arguments {
      for name in argument["names"]?.array ?? [] {
        let dashes = name["kind"]?.string == "long" ? "--" : "-"
        options[dashes + (name["name"]?.string ?? "")] = argument["kind"]?.string == "option"
      }
    }
    return options
  }

  /// Follows the names of subcommands as far as they go.
  ///
  /// - Returns: The names from this command on, the last command, and the words after it.
  func resolve(_ words: ArraySlice<String>)
    -> (path: [String], command: CommandDescription, rest: ArraySlice<String>)
  {
    var (path, command, rest) = ([name], self, words)
    while let first = rest.first, let next = command.commands.first(where: { $0.names.contains(first) }) {
      (path, command, rest) = (path + [next.name], next, rest.dropFirst())
    }
    return (path, command, rest)
  }
}
