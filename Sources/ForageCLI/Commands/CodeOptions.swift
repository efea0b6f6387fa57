import ArgumentParser
import Forage
import ForageCore

struct CodeOptions: ParsableArguments {
  @Option(
    name: .letter("C"),
    help: ArgumentHelp(
      "Show n lines around matches in code. (0 to \(MatchOptions.maximumContext))",
      valueName: "n"))
  var context: String?

  @Option(
    help: ArgumentHelp(
      "Show at most n matching lines of a file. (default \(MatchOptions.defaultLimit))",
      valueName: "n"))
  var matches: String?

  @Flag(help: "Print every match of code as path:line:column:text.")
  var vimgrep = false

  @Flag(help: "Search uncommitted changes (needs repo: or path:).")
  var worktree = false

  /// Whether any is given.
  var areGiven: Bool { context != nil || matches != nil || vimgrep || worktree }

  /// The most lines of a file; more than any file of the default size has.
  private static let maximumMatches = 1_000_000

  /// How much of the matches is wanted.
  ///
  /// - Throws: `ForageError` for a search that is not one for code alone, for a number out of range, for
  ///   options that exclude each other, and for `--worktree` where no clone is named.
  func matches(_ kinds: [ResultKind], _ list: ListOptions, _ reporting: ReportOptions, _ query: Query)
    throws -> MatchOptions
  {
    let given = [
      ("-C", context != nil), ("--matches", matches != nil), ("--vimgrep", vimgrep), ("--worktree", worktree),
    ]
    if kinds != [.code], let option = given.first(where: \.1)?.0 {
      throw ForageError("\(option) needs --kind code", hint: "add -k code, or leave \(option) out")
    }
    if vimgrep {
      try OptionValue.exclude(
        "--vimgrep",
        [
          ("--web", list.web), ("--json", reporting.json != nil),
          ("--jq", reporting.jq != nil), ("--format", reporting.format.map { $0 != "auto" } ?? false),
        ], hint: "leave one of them out")
    }
    // The clone that one stands in is searched as it is on disk in any case.
    if worktree, !query.namesPlaces, !ReferencePath.isInClone(".") {
      throw ForageError(
        "--worktree needs repo: or path:", hint: "name the clone, for example: repo:apple/swift-nio")
    }
    var options = MatchOptions(searchesWorkTrees: worktree)
    if let context {
      options.contextLines = try OptionValue.number(
        context, 0...MatchOptions.maximumContext, of: "-C", unit: "lines")
    }
    if let matches {
      options.limit = try OptionValue.number(matches, 1...Self.maximumMatches, of: "--matches")
    } else if vimgrep {
      // The list of an editor is where one goes through all matches.
      options.limit = Self.maximumMatches
    }
    return options
  }
}

extension Query {
  /// Whether it has `repo:` or `path:`.
  fileprivate var namesPlaces: Bool { root.qualifiers.contains { ["repo", "path"].contains($0.name) } }
}
