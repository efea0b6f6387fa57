import ArgumentParser
import Forage
import ForageCore

/// Finds the unknown command or option in arguments that the parser refuses, and what was probably meant.
enum ArgumentMistake {
  /// The error for the first mistake, `nil` where the parser's own message says it.
  static func error(_ arguments: [String]) -> ForageError? {
    guard let root = CommandDescription.program else { return nil }
    let wantsHelp = arguments.first == "help"
    var (path, command, rest) = root.resolve(wantsHelp ? arguments.dropFirst() : arguments[...])
    let group = command.commands.isEmpty ? nil : command
    if wantsHelp {
      guard let word = rest.first, group != nil, !word.hasPrefix("-") else { return nil }
      return unknown(command: word, among: command, path: path)
    }
    if let usual = command.usual { command = usual }
    switch unexpected(in: rest, of: command, takesWords: group == nil) {
    case .word(let word):
      let next = rest.drop { $0 != word }.dropFirst().first
      return unknown(command: word, next: next, among: group ?? command, path: path)
    case .option(let option): return unknown(option, of: command, path: path, root: root)
    case nil: return nil
    }
  }

  private static func unknown(
    command word: String, next: String? = nil, among command: CommandDescription, path: [String]
  ) -> ForageError {
    let called = (path.dropFirst() + [word]).joined(separator: " ")
    let names = command.commands.filter(\.isShown).flatMap(\.names) + (path.count > 1 ? [] : ["help"])
    let help = "see: \(path.joined(separator: " ")) --help"
    let hint: String? =
      switch called {
      case "auth login": "to log in to github.com, run: gh auth login"
      case "providers add":
        "describe it in the settings (see: forage manual), or run: forage plugin new --help"
      case let first where path.count == 1 && Self.usualWords[first] != nil: Self.usualWords[first]
      default:
        kind(word, path).map {
          next.flatMap { verbs[$0] } ?? "to search for these, run: forage search -k \($0) QUERY"
        }
          ?? NearestName.hint(for: word, among: names) { (path.dropFirst() + [$0]).joined(separator: " ") }
      }
    return ForageError("there is no command \"\(called)\"", hint: hint.map { "\($0) (\(help))" } ?? help)
  }

  /// What commands of git, gh and shells are here.
  private static let usualWords = [
    "ls": "to list your clones, run: forage clones list",
    "list": "to list your clones, run: forage clones list",
    "status": "to see the state of your clones, run: forage clones list --status",
    "pull": "to update your clones, run: forage clones pull",
    "fetch": "to fetch in your clones, run: forage clones fetch",
    "find": "to find repositories, run: forage search QUERY; a clone: forage pick",
    "cd": "to go to a clone, run: cd \"$(forage pick)\"; a function for that: forage shell-init --help",
    "log": "to search commits, run: forage search -k commit QUERY; for the facts of a clone: forage inspect",
    "api": "for answers as JSON, run: forage show REF --format json, or forage search QUERY --format json",
    "version": "run: forage --version",
  ]

  /// What the second words of commands of gh, behind the name of a kind, are here.
  private static let verbs = [
    "view": "to see one, run: forage show REF", "clone": "to clone one, run: forage clone REF",
  ]

  /// The kind of results that the name of a command means, as in gh.
  private static func kind(_ word: String, _ path: [String]) -> String? {
    path.count > 1 ? nil : KnownNames.kind(named: word, among: ResultKind.names)
  }

  /// An argument that a command does not take.
  private enum Unexpected {
    case word(String)
    case option(GivenOption)
  }

  /// The first argument that a command does not take; clusters of its short options are left to the parser.
  private static func unexpected(
    in arguments: ArraySlice<String>, of command: CommandDescription, takesWords: Bool
  ) -> Unexpected? {
    let options = command.options
    var takesValue = false
    for (index, argument) in zip(arguments.indices, arguments) {
      if argument == "--" { return nil }
      if takesValue {
        takesValue = false
        continue
      }
      let name = String(argument.prefix { $0 != "=" })
      if let hasValue = options[name] {
        takesValue = hasValue && name == argument
      } else if name.hasPrefix("--") || !isCluster(name, options) {
        let next = arguments[(index + 1)...].first
        return .option(
          GivenOption(
            name: name, value: argument.contains("=") ? String(argument.dropFirst(name.count + 1)) : nil,
            next: next?.hasPrefix("-") == false ? next : nil,
            needsKind: options["-k"] != nil
              && !arguments.contains { $0.hasPrefix("-k") || $0.hasPrefix("--kind") }))
      } else if !takesWords, !name.hasPrefix("-") {
        return .word(argument)
      }
    }
    return nil
  }

  private static func unknown(
    _ option: GivenOption, of command: CommandDescription, path: [String], root: CommandDescription
  ) -> ForageError {
    let name = option.name
    let help = "see: \(path.joined(separator: " ")) --help"
    // The options of every command may stand before the command, too.
    var options = Set(command.options.keys)
    if path.count == 1 { options.formUnion(["--color", "--quiet", "--verbose"]) }
    if name == "--color" {
      return missing(name, nil, ColorChoice.allCases.map(\.rawValue), help: help)
    }
    let hint: String
    if name == "--no-color" {
      hint = "did you mean --color never?"
    } else if command.name == "search", let other = hintForSearch(name) {
      hint = other
    } else if name.hasPrefix("--") {
      hint = self.hint(for: option, command, options) ?? help
    } else {
      let meant = takesQuery(command) ? query(for: option).map { $0 + "; " } : nil
      let word = takesQuery(command) ? "to leave out a word, write: NOT \(name.dropFirst()); " : ""
      let isOfGrep = takesQuery(command) && RipgrepOption.all[name] != nil
      hint = (meant ?? "") + word + (isOfGrep ? "\(name) is an option of: forage grep" : help)
    }
    return ForageError("there is no option \(name)", hint: hint)
  }

  /// What to do instead of an option of gh or rg that `search` does not have.
  private static func hintForSearch(_ name: String) -> String? {
    switch name {
    case "-t", "--template": return "did you mean --jq? (templates are not supported)"
    case "-i", "--ignore-case": return "leave it out: case is ignored already"
    default:
      return name.hasPrefix("--") && RipgrepOption.all[name] != nil ? "it is an option of: forage grep" : nil
    }
  }

  /// Whether an argument is no option, or one or more short ones in one word.
  private static func isCluster(_ word: String, _ options: [String: Bool]) -> Bool {
    guard word.hasPrefix("-"), word.count > 1 else { return true }
    for letter in word.dropFirst() {
      guard let takesValue = options["-\(letter)"] else { return false }
      if takesValue { return true }
    }
    return true
  }

  private static func takesQuery(_ command: CommandDescription) -> Bool {
    ["search", "stars"].contains(command.name)
  }

  /// What was probably meant by an option, `nil` where nothing is near.
  private static func hint(
    for option: GivenOption, _ command: CommandDescription, _ options: Set<String>
  ) -> String? {
    let name = String(option.name.dropFirst(2))
    let query = takesQuery(command) ? query(for: option) : nil
    if let query, SearchQualifier.named[option.name] != nil { return query }
    let further = command.name == "search" ? SearchQualifier.further.map(\.name) : []
    let known =
      options.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
      .filter { $0.first != ProgramArguments.mark } + further
    if let query, NearestName.of(name, among: known, byBeginning: false) == nil { return query }
    return NearestName.hint(for: name, among: known) { "--" + $0 }
  }
}

/// What to say about an argument, or the value of an option, that is not there.
extension ArgumentMistake {
  /// What the parser says of an option without its value, and of an argument that is required.
  private static let beginnings = ["Missing value for '", "Missing expected argument '"]

  /// The error in our own words for a message of the parser, `nil` for any other message.
  static func missing(_ message: String, in arguments: [String]) -> ForageError? {
    guard let beginning = beginnings.first(where: message.hasPrefix),
      let (path, command, _) = CommandDescription.program?.resolve(arguments[...])
    else { return nil }
    let described = message.dropFirst(beginning.count).prefix { $0 != "'" }
    let name = String(described.prefix { $0 != " " })
    let help = "see: \(path.joined(separator: " ")) --help"
    let known = (command.usual ?? command).arguments
    guard name.hasPrefix("-") else {
      let argument = known.first { "<\($0["valueName"]?.string ?? "")>" == name }
      let expected = argument?["abstract"]?.string.map { "expected: \(phrase($0)); " } ?? ""
      return ForageError("\(name) is missing", hint: expected + help)
    }
    let option = known.first { argument in
      (argument["names"]?.array ?? []).contains { name.drop { $0 == "-" } == $0["name"]?.string ?? "" }
    }
    let choices = option?["completionKind"]?["list"]?["values"]?.array?.compactMap(\.string)
    return missing(name, option?["valueName"]?.string, choices ?? [], help: help)
  }

  /// The error for an option without its value.
  static func missing(_ option: String, _ valueName: String?, _ choices: [String], help: String)
    -> ForageError
  {
    ForageError("\(option) takes \(values(valueName, choices))", hint: help)
  }

  /// The help of an argument within a sentence.
  private static func phrase(_ help: String) -> String {
    let text = help.hasSuffix(".") ? help.dropLast() : help[...]
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  /// The values of an option: `a number of seconds`, `a key`, `asc or desc`.
  private static func values(_ valueName: String?, _ choices: [String]) -> String {
    if choices.count > 1 { return HumanFormat.alternatives(choices) }
    switch valueName {
    case "seconds": return "a number of seconds, for example 2.5"
    case "n", "number": return "a number"
    case let name? where name.contains("|"): return name.replacing("|", with: " or ")
    case let name?: return (name.first.map { "aeiou".contains($0) } == true ? "an " : "a ") + name
    case nil: return "a value"
    }
  }
}
