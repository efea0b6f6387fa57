import ArgumentParser
import Forage
import ForageCore

/// `forage grep`: prints lines of the files of clones.
struct GrepCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "grep", _superCommandName: ForageCommand.name,
    abstract: "Print the lines of clones that match a pattern.",
    discussion: """
      In a clone it searches the files on disk below the current folder, elsewhere every clone in the catalogue. A pattern is a regular \
      expression, as for rg, and the options are those of rg. Ignored, hidden and binary files are left out.

      Examples:
        forage grep 'func \\w+Handler'
        forage grep -w -t swift -C 2 EventLoop Sources
        forage grep --all --symbol parse
        forage grep -R apple/swift-nio -R 'vapor/*' -l Sendable

      Exit status: 0 matches; 1 none; 2 usage, a path that does not exist (with -q only if nothing matches), or under --strict a file \
      that could not be searched.
      """)

  /// The most context lines, and the most matching lines of a file that can be asked for.
  private static let maximumLines = 1_000_000

  @OptionGroup(title: "Pattern") var pattern: GrepPatternOptions
  @OptionGroup(title: "Files") var files: GrepFileOptions
  @OptionGroup(title: "Output") var output: GrepOutputOptions
  @OptionGroup var common: CommonOptions

  @Argument(help: ArgumentHelp("A regular expression; with -e or --symbol a path.", valueName: "pattern"))
  var first: String?

  @Argument(
    help: ArgumentHelp("Files and folders. (default: the current folder)", valueName: "path"),
    completion: .file())
  var paths: [String] = []

  func run(in context: Context) async throws -> ExitStatus {
    if common.verbose, !context.arguments.prefix(while: { $0 != "--" }).contains("--verbose") {
      // rg's meaning would be the opposite.
      throw ForageError(
        "-v is --verbose here, and lines without a match cannot be printed",
        hint: "write --verbose, or run: rg -v")
    }
    do {
      return try await search(in: context)
    } catch let error as Output.WriteFailure {
      throw ForageError("the results could not be written: \(error.reason)", hint: error.hint)
    } catch let error where !(error is QueryError) {
      // As for grep, every error has one status.
      guard var known = ForageError(describing: error), known.code != .interrupted else { throw error }
      known.code = .usage
      throw known
    }
  }

  private func search(in context: Context) async throws -> ExitStatus {
    let style = try style(context)
    let (request, missing) = try request(for: style)
    for error in missing { context.output.problem(error.message, hint: error.hint) }
    if case .paths(let paths) = request.scope, paths.isEmpty { return .usage }
    let writer = GrepWriter(style, context)
    let summary: GrepSummary
    do {
      summary = try await context.forage.grep(request) { file in
        if style.layout == .nothing { throw Found() }
        try writer.write(file)
      }
    } catch is Found {
      await writer.abandon()
      return .success
    } catch {
      await writer.abandon()
      throw error
    }
    try await writer.end(summary, query: request.symbol ?? request.patterns.joined(separator: "|"))
    for error in summary.errors { context.output.problem(error.message, hint: error.hint) }
    for note in summary.notes { context.output.warning(note.message, hint: note.hint) }
    if !writer.hasFound, paths.isEmpty, context.output.isMessageTerminal, context.input.isPipe {
      context.output.message("the standard input was not searched; to search it, use rg")
    }
    if !missing.isEmpty || !summary.errors.isEmpty || files.strict && !summary.notes.isEmpty { return .usage }
    return writer.hasFound ? .success : .nothingFound
  }

  /// Ends a search at the first match.
  private struct Found: Error {}

  /// What is searched for, and an error for each path that does not exist.
  ///
  /// - Throws: `ForageError` for options that cannot be used.
  func request(for style: GrepStyle) throws -> (request: GrepRequest, missing: [ForageError]) {
    var paths = paths
    var request = GrepRequest(scope: .all)
    if let symbol = pattern.symbol {
      try OptionValue.exclude(
        "--symbol",
        [
          ("-e", !pattern.expression.isEmpty), ("-F", pattern.literal), ("-w", pattern.word),
          ("-x", pattern.line), ("-U", pattern.multiline),
        ], hint: "--symbol NAME finds the lines that define a name")
      guard !symbol.isEmpty else {
        throw ForageError("--symbol takes a name", hint: "for example: --symbol parse")
      }
      request.symbol = symbol
    } else {
      request.patterns = pattern.expression
    }
    if request.symbol == nil, request.patterns.isEmpty {
      guard let first else {
        throw ForageError(
          "<pattern> is missing", hint: "expected: a regular expression; see: forage grep --help")
      }
      request.patterns = [first]
    } else if let first {
      paths.insert(first, at: 0)
    }
    request.isLiteral = pattern.literal
    request.matchesWords = pattern.word
    request.matchesLines = pattern.line
    request.crossesLines = pattern.multiline
    request.caseRule =
      switch pattern.caseRule {
      case .ignored: .ignored
      case .exact: .exact
      case .smart: .smart
      }
    let (scope, typed, missing) = try scope(paths)
    (request.scope, request.typedPaths) = (scope, typed)
    request.globs = files.globs
    request.languages = try languages(files.languages, "-t")
    request.otherLanguages = try languages(files.otherLanguages, "-T")
    guard files.unrestricted < 3 else {
      throw ForageError(
        "-uuu is not supported: binary files are not searched", hint: "write -uu, or run: rg -uuu")
    }
    request.includesHidden = files.hidden || files.unrestricted > 1
    request.includesIgnored = files.noIgnore || files.unrestricted > 0
    request.maximumDepth = try number(files.depth, "--max-depth", unit: "folders")
    request.includesTests = !files.noTests
    request.ref = files.ref
    if files.ref != nil {
      try OptionValue.exclude(
        "--ref", [("--no-ignore", files.noIgnore), ("-u", files.unrestricted > 0)],
        hint: "a commit has no ignored files")
    }
    try readLines(&request)
    request.report =
      output.filesWithoutMatch
      ? .namesWithoutMatch
      : output.names || output.onlyStatus ? .names : output.counts ? .counts : .lines
    request.wantsRanges = output.vimgrep || output.onlyMatching || style.marksMatches
    request.countsFirstLines = output.vimgrep
    request.wantsText = style.layout != .json
    request.wantsResults = style.layout == .json || style.isNumbered
    request.ranks = style.isNumbered
    return (request, missing)
  }

  private func languages(_ names: [String], _ option: String) throws -> Set<String> {
    Set(try names.flatMap { try GrepSummary.languages($0, option: option) })
  }

  private func number(_ text: String?, _ option: String, unit: String = "lines") throws -> Int? {
    try text.map { try OptionValue.number($0, 0...Self.maximumLines, of: option, unit: unit) }
  }

  private func readLines(_ request: inout GrepRequest) throws {
    let around = try number(output.context, "-C") ?? 0
    request.context = (
      try number(output.before, "-B") ?? around, try number(output.after, "-A") ?? around
    )
    request.maximumCount = try number(output.maximum, "-m")
  }

  private func scope(
    _ paths: [String]
  ) throws -> (scope: GrepRequest.Scope, typed: [[UInt8]: String], missing: [ForageError]) {
    let others = [
      ("--all", files.all), ("--repo", !files.repositories.isEmpty), ("--top", files.top),
    ]
    for (place, option) in others.enumerated() where option.1 {
      try OptionValue.exclude(
        option.0, Array(others[(place + 1)...]) + [("a path", !paths.isEmpty)],
        hint: paths.isEmpty
          ? "leave one of them out" : "to choose files in clones, use -g, for example: -g 'src/**'")
    }
    if files.all { return (.all, [:], []) }
    if !files.repositories.isEmpty { return (.clones(files.repositories), [:], []) }
    if files.top { return (.wholeClone, [:], []) }
    if paths.isEmpty { return (.current, [:], []) }
    return GrepRequest.Scope.named(paths, mustExist: files.ref == nil)
  }

  /// How files are written.
  private func style(_ context: Context) throws -> GrepStyle {
    let layouts = [
      ("--files-with-matches", output.names), ("--files-without-match", output.filesWithoutMatch),
      ("--count", output.counts), ("--vimgrep", output.vimgrep), ("--json", output.json),
      ("--only-matching", output.onlyMatching && !output.vimgrep),
    ]
    for (place, layout) in layouts.enumerated() where layout.1 {
      try OptionValue.exclude(layout.0, Array(layouts[(place + 1)...]), hint: "leave one of them out")
    }
    var style = GrepStyle()
    let isTerminal = context.output.isTerminal
    if output.onlyStatus {
      style.layout = .nothing
    } else if output.json {
      style.layout = .json
    } else if output.names || output.filesWithoutMatch {
      style.layout = .names
    } else if output.counts {
      style.layout = .counts
    } else {
      let hasHeading = output.heading ?? (isTerminal && !output.vimgrep)
      style.layout = hasHeading ? .headings : .rows
    }
    style.hasColumns = output.column || output.vimgrep || style.layout == .rows
    style.rowPerMatch = output.vimgrep
    style.onlyMatching = output.onlyMatching
    style.hasGroups = [output.context, output.after, output.before].contains { $0 != nil && $0 != "0" }
    style.marksMatches = context.output.hasColor
    style.isNumbered = isTerminal && [.headings, .names, .counts].contains(style.layout)
    style.showsNumbers = try context.forage.settings().showsNumbers
    style.bareHost = context.forage.bareHost
    return style
  }
}
