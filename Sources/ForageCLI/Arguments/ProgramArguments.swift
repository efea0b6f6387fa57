import ArgumentParser
import ForageCore

/// Brings arguments into the form that the parser reads.
enum ProgramArguments {
  /// The first argument of a call from a completion script.
  static let completionCall = "---completion"
  /// The beginning of the names of options that only ``prepared(_:)`` writes. Nobody can type them: no
  /// argument of a process holds a zero byte.
  static let mark: Character = "\0"
  /// The option of `search` for those that the parser does not know, as `NAME=VALUE`.
  static let qualifierName = "\(mark)qualifier"
  /// The option of `clones run` for what stands behind `--`.
  static let commandName = "\(mark)command"

  /// Whether what follows a prepared argument are no options of the command.
  static func endsOptions(_ argument: String) -> Bool { ["--", "--" + commandName].contains(argument) }

  /// The arguments with what the parser cannot express rewritten.
  ///
  /// - Options of every command may come before the command.
  /// - `--json` without field names gets an empty list.
  /// - Options of `search` that the parser does not know become values of an option (see
  ///   ``SearchQualifier``).
  /// - One of `search` that needs no value, such as `--archived`, is `true` without one; a word that is no
  ///   truth value belongs to the query. What only gh has takes `true` or `false`, and its letters a value in
  ///   the same word only after a search of gh.
  /// - What stands behind `--` in `clones run` is the value of an option: the parser has one list of
  ///   arguments for a command.
  /// - `--generate-completion-script SHELL` is `completion SHELL`.
  /// - A negated qualifier at the beginning of an argument is part of a query rather than a cluster of
  ///   options, and the name of a search of gh behind `--` is a word.
  static func prepared(_ arguments: [String]) -> [String] {
    guard arguments.first != completionCall else { return arguments }
    if arguments.count == 2, arguments[0] == "--generate-completion-script" {
      return ["completion", arguments[1]]
    }
    let arguments = withCommonOptionsLast(arguments)
    let isSaved = arguments.starts(with: ["searches", "save"])
    let isSearch = arguments.first == "search" || isSaved
    let hasQuery = isSearch || ["stars", "browse"].contains(arguments.first)
    var result: [String] = []
    var index = 0
    while index < arguments.count {
      let argument = arguments[index]
      let next = index + 1 < arguments.count ? arguments[index + 1] : nil
      index += 1
      if argument == "--" {
        result.append(arguments.starts(with: ["clones", "run"]) ? "--" + commandName : argument)
        return result + arguments[index...].map { hasQuery && isNameOfSearch($0) ? " " + $0 : $0 }
      }
      if hasQuery, isNegatedQualifier(argument) {
        result.append(" " + argument)
      } else if argument == "--json", next == nil || next?.hasPrefix("-") == true {
        result.append("--json=,")
      } else if isSearch,
        let given = qualifier(argument, next, isOfGH: arguments.dropFirst().first.map(isNameOfSearch) == true)
      {
        result.append(given.argument)
        if given.takesNext { index += 1 }
      } else {
        result.append(argument)
      }
    }
    return result
  }

  /// An option of the table that the parser does not know, or that needs no value, as the parser reads it.
  ///
  /// - Parameter next: The argument behind it.
  /// - Returns: `nil` for any other argument.
  private static func qualifier(
    _ argument: String, _ next: String?, isOfGH: Bool
  ) -> (argument: String, takesNext: Bool)? {
    guard argument.hasPrefix("-") else { return nil }
    let isLong = argument.hasPrefix("--")
    let name = isLong ? argument.prefix { $0 != "=" } : argument.prefix(2)
    guard let option = SearchQualifier.named[String(name)],
      option.isFurther || option.isFlag && argument == name, isLong || isOfGH || argument == name
    else { return nil }
    var value = argument.count > name.count ? String(argument.dropFirst(name.count)) : nil
    if value?.hasPrefix("=") == true { value?.removeFirst() }
    let isNextValue =
      value == nil
      && (option.isFlag
        ? next.map { (option.isFurther ? ["true", "false"] : truthValues).contains($0.lowercased()) } == true
        : next?.hasPrefix("-") == false)
    value = value ?? (isNextValue ? next : option.isFlag ? "true" : nil)
    if option.isFlag { value = value?.lowercased() }
    let given = value.map { "=" + $0 } ?? ""
    return (
      option.isFurther
        ? "--\(qualifierName)=\(option.name)\(given)" : "--\(option.name)\(given)",
      isNextValue
    )
  }

  /// The query of words from prepared arguments, as it was written.
  static func query(_ words: [String]) -> String { self.words(words).joined(separator: " ") }

  /// The words of a query from prepared arguments, as they were written.
  static func words(_ words: [String]) -> [String] {
    words.map { word in
      let rest = String(word.dropFirst())
      return word.hasPrefix(" ") && (isNegatedQualifier(rest) || isNameOfSearch(rest)) ? rest : word
    }
  }

  private static func isNameOfSearch(_ word: String) -> Bool { GhSearch(rawValue: word) != nil }

  /// What is read as the value of `--archived`: its two values, and those of other programs, which are
  /// refused with these two.
  private static let truthValues: Set = ["true", "false", "yes", "no", "on", "off", "0", "1", "maybe"]

  /// The valid `--color` among arguments, whether they can be parsed or not.
  static func color(_ arguments: [String]) -> ColorChoice? {
    let arguments = arguments.prefix { $0 != "--" }
    for (argument, next) in zip(arguments, arguments.dropFirst() + [""]) where argument.hasPrefix("--color") {
      if argument == "--color" { return ColorChoice(rawValue: next) }
      if argument.hasPrefix("--color=") { return ColorChoice(rawValue: String(argument.dropFirst(8))) }
    }
    return nil
  }

  /// The arguments with the options of every command moved from before a command to after it.
  static func withCommonOptionsLast(_ arguments: [String]) -> [String] {
    var names: [String] = []
    var options: [String] = []
    var rest = arguments[...]
    var commands = ForageCommand.configuration.subcommands
    while let first = rest.first {
      if let count = lengthOfCommonOption(rest) {
        options += rest.prefix(count)
        rest = rest.dropFirst(count)
      } else if let command = commands.first(where: { $0.isCalled(first) }) {
        names.append(first)
        rest = rest.dropFirst()
        commands = command.configuration.subcommands
        if commands.isEmpty { break }
      } else {
        break
      }
    }
    return options.isEmpty ? arguments : names.isEmpty ? Array(rest) : names + options + rest
  }

  /// How many arguments an option of every command takes, `nil` for any other argument.
  private static func lengthOfCommonOption(_ arguments: ArraySlice<String>) -> Int? {
    guard let first = arguments.first else { return nil }
    if ["-v", "--verbose", "--quiet"].contains(first) || first.hasPrefix("--color=") { return 1 }
    return first == "--color" && arguments.count > 1 ? 2 : nil
  }

  private static func isNegatedQualifier(_ argument: String) -> Bool {
    guard argument.hasPrefix("-"), let colon = argument.firstIndex(of: ":") else { return false }
    let name = argument[..<colon].dropFirst()
    if QualifierVocabulary.common[name] != nil { return true }
    // Providers have more; options with a letter and a value have no such values.
    return name.count > 2 && name.allSatisfy { ("a"..."z").contains($0) } && !"kpq".contains(name.prefix(1))
  }
}

extension ParsableCommand {
  /// Whether a word calls the command.
  static func isCalled(_ name: String) -> Bool {
    configuration.commandName == name || configuration.aliases.contains(name)
  }
}
