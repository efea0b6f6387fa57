import ArgumentParser
import ForageCore

/// The arguments of the program, as they are given and as the parser reads them.
///
/// The parser reads flags, options with values, and words. What else can be typed is written otherwise here,
/// and nowhere else; what is not in the table stays as it is:
///
/// | typed | as the parser reads it | what the parser lacks |
/// | --- | --- | --- |
/// | `--quiet clones run` | `clones run --quiet` | options of a command before its name |
/// | `--generate-completion-script fish` | `completion fish` | scripts of another maker |
/// | `-language:c` | ` -language:c` | words with a dash, which it takes for letters of options |
/// | `-- repos` | `--`, ` repos` | whether a word stands behind `--` |
/// | `--json`, `--json=` | `--json=,` | options that may be repeated and need no value |
/// | `--archived x` | `--archived=true x` | options whose value is one of a few words, or left out |
/// | `--forks 5` | `--\0qualifier=forks=5` | dozens of rare options that cost no time when not given |
/// | `-L -1` | `-L=-1` | values that begin with a dash |
/// | `-vC2` | `-v -C 2` | a value in one word with several letters |
struct ProgramArguments {
  /// As given, with the options of every command behind the name of the command.
  let given: [String]
  /// As the parser reads them, but for the last two, which need the options of the command: these are tried
  /// with what it refuses (``withPlainValues(_:)``).
  let prepared: [String]

  /// The first argument of a call from a completion script.
  static let completionCall = "---completion"
  /// The beginning of the name of an option that nobody can type: no argument of a process holds a zero byte.
  static let mark: Character = "\0"
  /// The option of `search` for those that the parser does not know, as `NAME=VALUE`.
  static let qualifierName = "\(mark)qualifier"

  /// - Parameter arguments: Without the program's own name.
  init(_ arguments: [String]) {
    given = Self.withCommonOptionsLast(arguments)
    if given.first == Self.completionCall {
      prepared = given
    } else if given.count == 2, given[0] == "--generate-completion-script" {
      prepared = ["completion", given[1]]
    } else {
      prepared = Self.rewritten(given)
    }
  }

  private static func rewritten(_ arguments: [String]) -> [String] {
    let line = Line(arguments)
    var (result, rest) = ([String](), arguments[...])
    while let argument = rest.first, argument != "--" {
      let written = rewritings.lazy.compactMap { $0(rest, line) }.first ?? (text: argument, count: 1)
      result.append(written.text)
      rest.removeFirst(written.count)
    }
    return result + rest.map { line.hasQuery && isNameOfSearch($0) ? " " + $0 : $0 }
  }

  /// What the rewriting of an argument depends on beside the argument.
  private struct Line {
    /// Whether the command has the options of `search` that stand for qualifiers.
    let isSearch: Bool
    /// Whether the words of the command are a query.
    let hasQuery: Bool
    /// Whether the first word is a search of gh.
    let isOfGH: Bool

    init(_ arguments: [String]) {
      isSearch = arguments.first == "search" || arguments.starts(with: ["searches", "save"])
      hasQuery = isSearch || ["stars", "browse"].contains(arguments.first)
      isOfGH = arguments.dropFirst().first.map(isNameOfSearch) == true
    }
  }

  /// An argument as the parser reads it, and how many that were given it stands for.
  private typealias Written = (text: String, count: Int)

  /// What is done with the first of some arguments, each `nil` where it stays; the first that fits counts.
  private static let rewritings: [@Sendable (ArraySlice<String>, Line) -> Written?] = [
    negatedQualifier, listOfFields, qualifier,
  ]

  /// A negated qualifier is a part of the query.
  private static func negatedQualifier(_ arguments: ArraySlice<String>, _ line: Line) -> Written? {
    guard line.hasQuery, let argument = arguments.first, isNegatedQualifier(argument) else { return nil }
    return (" " + argument, 1)
  }

  /// `--json` without field names gets an empty list.
  private static func listOfFields(_ arguments: ArraySlice<String>, _ line: Line) -> Written? {
    let hasNone = arguments.dropFirst().first?.hasPrefix("-") ?? true
    guard arguments.first == "--json=" || arguments.first == "--json" && hasNone else { return nil }
    return ("--json=,", 1)
  }

  /// An option of the table that the parser does not know is the value of one that it knows (see
  /// ``SearchQualifier``).
  ///
  /// One that needs no value, such as `--archived`, is `true` without one; a word that is no truth value
  /// belongs to the query. What only gh has takes `true` or `false`, and its letters a value in the same word
  /// only after a search of gh.
  private static func qualifier(_ arguments: ArraySlice<String>, _ line: Line) -> Written? {
    guard line.isSearch, let argument = arguments.first, argument.hasPrefix("-") else { return nil }
    let next = arguments.dropFirst().first
    let isLong = argument.hasPrefix("--")
    let name = isLong ? argument.prefix { $0 != "=" } : argument.prefix(2)
    guard let option = SearchQualifier.named[String(name)],
      option.isFurther || option.isFlag && argument == name, isLong || line.isOfGH || argument == name
    else { return nil }
    var value = argument.count > name.count ? String(argument.dropFirst(name.count)) : nil
    if value?.hasPrefix("=") == true { value?.removeFirst() }
    let isNextValue =
      value == nil
      && (option.isFlag
        ? next.map { (option.isFurther ? ["true", "false"] : truthValues).contains($0.lowercased()) } == true
        : next.map { !$0.hasPrefix("-") || isNegativeNumber($0) } == true)
    value = value ?? (isNextValue ? next : option.isFlag ? "true" : nil)
    if option.isFlag { value = value?.lowercased() }
    let given = value.map { "=" + $0 } ?? ""
    return (
      option.isFurther ? "--\(qualifierName)=\(option.name)\(given)" : "--\(option.name)\(given)",
      isNextValue ? 2 : 1
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
  private static func withCommonOptionsLast(_ arguments: [String]) -> [String] {
    var names: [String] = []
    var options: [String] = []
    var rest = arguments[...]
    // Those that can be named next; `nil` for those of the program, which are made when a word asks for them.
    var commands: [any ParsableCommand.Type]?
    while let first = rest.first {
      if let count = lengthOfCommonOption(rest) {
        options += rest.prefix(count)
        rest = rest.dropFirst(count)
      } else if !first.hasPrefix("-"),
        let command = (commands ?? ForageCommand.configuration.subcommands).first(where: {
          $0.isCalled(first)
        })
      {
        names.append(first)
        rest = rest.dropFirst()
        let further = command.configuration.subcommands
        if further.isEmpty { break }
        commands = further
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

  private static func isNegativeNumber(_ argument: String) -> Bool {
    argument.hasPrefix("-") && Double(argument) != nil
  }

  private static func isNegatedQualifier(_ argument: String) -> Bool {
    guard argument.hasPrefix("-"), let colon = argument.firstIndex(of: ":") else { return false }
    let name = argument[..<colon].dropFirst()
    if QualifierVocabulary.common[name] != nil { return true }
    // Providers have more; options with a letter and a value have no such values.
    return name.count > 2 && name.allSatisfy { ("a"..."z").contains($0) } && !"kpq".contains(name.prefix(1))
  }
}

extension ProgramArguments {
  /// Arguments that the parser refuses with the values of their options as it finds them: apart where they
  /// follow flags and the option in one word, as in `-vC2`, and joined where they are negative numbers. The
  /// command then says which numbers it takes.
  ///
  /// - Returns: `nil` where there are no such values.
  static func withPlainValues(_ arguments: [String]) -> [String]? {
    guard let (_, command, rest) = CommandDescription.program?.resolve(arguments[...]) else { return nil }
    let options = (command.usual ?? command).options
    var result = Array(arguments[..<rest.startIndex])
    var isValue = false
    for (index, argument) in zip(rest.indices, rest) {
      if argument == "--", !isValue {
        result += rest[index...]
        break
      }
      if isValue, isNegativeNumber(argument), let option = result.popLast() {
        result.append(option + "=" + argument)
        isValue = false
        continue
      }
      guard !isValue, argument.hasPrefix("-"), !argument.hasPrefix("--") else {
        isValue = !isValue && options[argument] == true
        result.append(argument)
        continue
      }
      let flags = argument.dropFirst().prefix { options["-\($0)"] == false }
      let value = argument.dropFirst(flags.count + 2)
      let letter = argument.dropFirst(flags.count + 1).first
      let takesValue = letter.map { options["-\($0)"] == true } ?? false
      if takesValue, let letter, !flags.isEmpty, !value.isEmpty {
        result += ["-" + flags, "-\(letter)", String(value)]
      } else {
        result.append(argument)
        isValue = takesValue && value.isEmpty
      }
    }
    return result == arguments ? nil : result
  }
}

extension ParsableCommand {
  /// Whether a word calls the command.
  static func isCalled(_ name: String) -> Bool {
    configuration.commandName == name || configuration.aliases.contains(name)
  }
}
