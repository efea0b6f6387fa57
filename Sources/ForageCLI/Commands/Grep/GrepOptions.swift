import ArgumentParser

/// How case is treated; the last one counts.
enum GrepCase: EnumerableFlag {
  case ignored, exact, smart

  static func name(for value: GrepCase) -> NameSpecification {
    switch value {
    case .ignored: [.customShort("i"), .customLong("ignore-case")]
    case .exact: [.customShort("s"), .customLong("case-sensitive")]
    case .smart: [.customShort("S"), .customLong("smart-case")]
    }
  }

  static func help(for value: GrepCase) -> ArgumentHelp? {
    switch value {
    case .ignored: "Ignore case."
    case .exact: "Respect case."
    case .smart: "Ignore case unless a pattern has an upper-case letter (default)."
    }
  }
}

extension NameSpecification {
  /// A long name and a letter, whose value may follow without a space: `-m5`.
  fileprivate static func names(_ letter: Character, _ name: String) -> NameSpecification {
    [.customShort(letter, allowingJoined: true), .customLong(name)]
  }
}

/// What a line must have.
struct GrepPatternOptions: ParsableArguments {
  @Option(
    name: .names("e", "regexp"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Find lines that match this or another pattern (repeatable).", valueName: "pattern"))
  var expression: [String] = []

  @Flag(
    name: [.customShort("F"), .customLong("fixed-strings")],
    help: "Take patterns as literal texts.")
  var literal = false

  @Flag(
    name: [.customShort("w"), .customLong("word-regexp")],
    help: "Match whole words only.")
  var word = false

  @Flag(
    name: [.customShort("x"), .customLong("line-regexp")],
    help: "Match whole lines only.")
  var line = false

  @Flag(exclusivity: .chooseLast)
  var caseRule: GrepCase = .smart

  @Flag(
    name: [.customShort("U"), .customLong("multiline")],
    help: "Let a match extend over several lines.")
  var multiline = false

  @Option(help: ArgumentHelp("Find the lines that define a name, without a pattern.", valueName: "name"))
  var symbol: String?
}

/// The files that are searched.
struct GrepFileOptions: ParsableArguments {
  @Flag(help: "Search every clone in the catalogue.")
  var all = false

  @Option(
    name: .names("R", "repo"),
    help: ArgumentHelp(
      "Search the clones with this owner/name, glob or word (repeatable).", valueName: "clone"),
    completion: Completion.clone)
  var repositories: [String] = []

  @Flag(help: "Search the whole clone, not only the current folder.")
  var top = false

  @Option(
    help: ArgumentHelp("Search the files of a branch, tag or commit.", valueName: "name"))
  var ref: String?

  @Option(
    name: .names("g", "glob"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Search files that match a glob; !glob excludes (repeatable).", valueName: "glob"))
  var globs: [String] = []

  @Option(
    name: [.customShort("t", allowingJoined: true), .customLong("type"), .customLong("language")],
    help: ArgumentHelp("Search files of a language only (repeatable).", valueName: "language"))
  var languages: [String] = []

  @Option(
    name: .names("T", "type-not"),
    help: ArgumentHelp("Search no files of a language (repeatable).", valueName: "language"))
  var otherLanguages: [String] = []

  @Flag(help: "Search hidden files and folders.")
  var hidden = false

  @Flag(help: "Search ignored files.")
  var noIgnore = false

  @Flag(
    name: [.customShort("u"), .customLong("unrestricted")],
    help: "Search ignored files; twice, hidden ones too.")
  var unrestricted: Int

  @Option(
    name: .names("d", "max-depth"),
    help: ArgumentHelp("Search at most n folders deep (1: no subfolders).", valueName: "n"))
  var depth: String?

  @Flag(help: "Search no tests.")
  var noTests = false

  @Flag(help: "Exit with status 2 if files were not searched.")
  var strict = false
}

/// What is printed.
struct GrepOutputOptions: ParsableArguments {
  @Option(
    name: .names("A", "after-context"),
    help: ArgumentHelp("Print n lines after each match.", valueName: "n"))
  var after: String?

  @Option(
    name: .names("B", "before-context"),
    help: ArgumentHelp("Print n lines before each match.", valueName: "n"))
  var before: String?

  @Option(
    name: .names("C", "context"),
    help: ArgumentHelp("Print n lines before and after each match.", valueName: "n"))
  var context: String?

  @Option(
    name: .names("m", "max-count"),
    help: ArgumentHelp("Stop after n matching lines of a file.", valueName: "n"))
  var maximum: String?

  @Flag(
    name: [.customShort("l"), .customLong("files-with-matches")],
    help: "Print the paths of files with a match.")
  var names = false

  @Flag(help: "Print the paths of files without a match.")
  var filesWithoutMatch = false

  @Flag(
    name: [.customShort("c"), .customLong("count")],
    help: "Print path:count of the matching lines.")
  var counts = false

  @Flag(
    name: [.customShort("o"), .customLong("only-matching")],
    help: "Print each match, without the rest of its line.")
  var onlyMatching = false

  @Flag(
    name: .customShort("q"),
    help: "Print nothing; the exit status tells the result.")
  var onlyStatus = false

  @Flag(help: "Print a row for each match: path:line:column:text.")
  var vimgrep = false

  @Flag(help: "Print JSON as search --kind code does.")
  var json = false

  @Flag(
    inversion: .prefixedNo,
    help: "Print paths above their lines, or in each row. (default: above, in a pipe in each row)")
  var heading: Bool?

  @Flag(
    name: [.customShort("n"), .customLong("line-number")],
    help: "Print line numbers (always on).")
  var lineNumber = false

  @Flag(
    name: [.customShort("H"), .customLong("with-filename")],
    help: "Print paths (always on).")
  var withFilename = false

  @Flag(help: "Print columns (always on in rows with a path).")
  var column = false
}
