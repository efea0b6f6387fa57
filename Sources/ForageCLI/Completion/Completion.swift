import ArgumentParser
import Forage
import ForageCore

/// Words that a shell offers for a value. They are found on this machine, without a request or a child
/// process.
enum Completion {
  /// The variables by which settings and catalogue are found, `nil` for those of the process.
  @TaskLocal static var environment: [String: String]?

  /// Kinds of results, separated by commas.
  static let kinds = list { $0.kinds }
  /// Ids of providers, separated by commas.
  static let providers = list { $0.providers }
  /// The id of one provider.
  static let provider = one { $0.providers }
  /// The id of one GitHub.
  static let forge = one { $0.forges }
  /// A sort key.
  static let sorts = one { $0.sorts }
  /// The id of an installed plugin or manifest.
  static let plugin = one { $0.plugins }
  /// A folder that is searched for clones, or, where more is typed than one of these has, a clone.
  static let removable = CompletionKind.custom { _, _, prefix in
    let source = CompletionSource(environment)
    let folders = source.cloneFolders
    return answer(
      folders.contains { $0.hasPrefix(prefix) } ? folders : source.clonePaths, to: prefix, isList: false)
  }
  /// What is ignored, or what can be.
  static let ignorable = one { $0.ignored + $0.clonePaths }
  /// The id of a favorite.
  static let favorite = one { $0.favorites }
  /// A clone in the catalogue.
  static let clone = typed { $0.clones(beginning: $1) }
  /// A repository that is cloned here or a favorite.
  static let reference = typed { $0.references(beginning: $1) }
  /// The name of a saved search.
  static let savedSearch = one { $0.savedSearches }
  /// The beginning of a query: a saved search.
  static let savedQuery = one { $0.savedSearches.map { "@" + $0 } }
  /// A format of the output.
  static let formats = CompletionKind.custom { words, _, prefix in
    let own = words.contains("inspect") ? ["html"] : []
    return answer(OutputFormat.allCases.map(\.rawValue) + own, to: prefix, isList: false)
  }
  /// The same, or a file or folder.
  static let place = typed { $0.references(beginning: $1) + $0.files(beginning: $1) }
  /// A type of files, as rg has them.
  static let fileTypes = CompletionKind.custom { _, _, prefix in
    answer(CodeLanguage.ripgrepTypes, to: prefix, isList: false)
  }
  /// Fields of the command's JSON document, separated by commas.
  static let fields = CompletionKind.custom { words, _, prefix in
    answer(fieldNames(words), to: prefix, isList: true)
  }

  private static func one(_ words: @escaping @Sendable (CompletionSource) -> [String]) -> CompletionKind {
    typed { source, _ in words(source) }
  }

  /// One of the words that depend on what is typed.
  private static func typed(_ words: @escaping @Sendable (CompletionSource, String) -> [String])
    -> CompletionKind
  {
    .custom { _, _, prefix in
      answer(words(CompletionSource(environment), prefix), to: prefix, isList: false)
    }
  }

  private static func list(_ words: @escaping @Sendable (CompletionSource) -> [String]) -> CompletionKind {
    .custom { _, _, prefix in answer(words(CompletionSource(environment)), to: prefix, isList: true) }
  }

  /// One of these words, or several separated by commas.
  static func list(of words: [String]) -> CompletionKind {
    .custom { _, _, prefix in answer(words, to: prefix, isList: true) }
  }

  /// The words that a shell may show: of a list, what is typed up to the last comma and each word that it
  /// does not name yet.
  static func answer(_ words: [String], to prefix: String, isList: Bool) -> [String] {
    let typed = isList ? prefix.split(separator: ",", omittingEmptySubsequences: false).dropLast() : []
    let start = typed.map { $0 + "," }.joined()
    var seen = Set(typed.map(String.init))
    return words.filter { isHarmless($0) && seen.insert($0).inserted }.map { word in
      switch CompletionShell.requesting {
      // In zsh a description follows a colon.
      case .zsh: (start + word).replacing(":", with: "\\:")
      // In fish it follows a tab; a word without one gets the description of the option.
      case .fish: start + word + "\t"
      // Bash expands the words, and takes what comes of it as it stands.
      default: start + word.map { Self.isPlain($0) ? String($0) : "\\\\\($0)" }.joined()
      }
    }
  }

  /// Whether a character means nothing else in a word of bash.
  private static func isPlain(_ character: Character) -> Bool {
    !character.isASCII || character.isLetter || character.isNumber || "-_./:@%+=,~".contains(character)
  }

  /// Whether a word contains nothing that a shell expands or a terminal interprets: bash expands the words
  /// that it is given.
  private static func isHarmless(_ word: String) -> Bool {
    !word.isEmpty && SafeText.line(word) == word
      && !word.contains { "$`\\\"'".contains($0) || $0.isNewline }
  }

  /// The fields of the command among the words of a command line.
  private static func fieldNames(_ words: [String]) -> [String] {
    var commands = ForageCommand.configuration.subcommands
    var command: (any ParsableCommand.Type)?
    for word in words.dropFirst() {
      guard let next = commands.first(where: { $0.isCalled(word) }) else { continue }
      (command, commands) = (next, next.configuration.subcommands)
      if commands.isEmpty { break }
    }
    let chosen = commands.isEmpty ? command : command?.configuration.defaultSubcommand
    let first = words.drop { $0 != chosen?.configuration.commandName }.dropFirst().first
    if chosen is SearchCommand.Type, let search = first.flatMap(GhSearch.init(rawValue:)) {
      return search.fields.names
    }
    return (chosen as? any ReportingCommand.Type)?.fields.names ?? []
  }
}
