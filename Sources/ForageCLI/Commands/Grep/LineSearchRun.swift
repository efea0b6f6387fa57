import Forage
import ForageCore

/// `forage grep --symbol`, `--uses` and `--ref`, which rg cannot answer: the search for code does, and its
/// lines are printed as rg prints them.
struct LineSearchRun {
  /// The most context lines that can be asked for.
  private static let maximumContext = 1_000_000

  private let arguments: GrepArguments
  /// The names that are looked for in place of patterns; `nil` for patterns.
  private let names: (qualifier: String, values: [String])?
  private var context: Context
  private var style = LineStyle()
  private var isQuiet = false
  private var caseRule: String
  private var isLiteral = false
  private var word = false
  private var line = false
  private var patterns: [String] = []
  private var conditions: [QueryExpression] = []
  private var languages: [QueryExpression] = []
  private var globs: [QueryExpression] = []

  /// Options that change nothing here: what is searched has no ignored files, and patterns are those of
  /// PCRE2.
  private static let ignored: Set = [
    "--with-filename", "--sort", "--sort-files", "--threads", "--hidden", "--no-messages", "--pcre2",
    "--no-config", "--crlf",
    "--no-ignore", "--no-ignore-vcs", "--line-buffered", "--unicode", "--mmap", "--no-mmap",
  ]

  /// Reads the options.
  ///
  /// - Throws: `ForageError` for an option of rg that it has not.
  init(_ arguments: GrepArguments, _ context: Context) throws {
    self.arguments = arguments
    self.context = context
    names = try arguments.names
    // Names that are sought are often typed in lower case, and used as they are written.
    caseRule = names?.qualifier == "symbol" ? "smart" : "yes"
    style.hasHeadings = context.output.isTerminal
    // What is not known here does no harm in a configuration.
    let configuration = RipgrepConfiguration(environment: context.process.environment, arguments)
    for given in configuration.options ?? [] { try? read(given) }
    for given in arguments.given { try read(given) }
    if let names, !patterns.isEmpty || isLiteral || word || line {
      throw ForageError(
        "--\(names.qualifier) takes no pattern",
        hint: "--\(names.qualifier) NAME finds the lines that "
          + (names.qualifier == "symbol" ? "define a name" : "use a name"))
    }
  }

  private mutating func read(_ given: GrepArguments.Given) throws {
    let (name, value) = (given.option?.name ?? given.name, given.value?.text ?? "")
    switch name {
    case "--line-number": style.hasNumbers = true
    case "--no-line-number": style.hasNumbers = false
    case "--no-filename": style.hasNames = false
    case "--column": style.hasColumns = true
    case "--vimgrep": (style.rowPerMatch, style.hasColumns, style.hasHeadings) = (true, true, false)
    case "--only-matching": (style.rowPerMatch, style.onlyMatching) = (true, true)
    case "--null": style.endsNames = true
    case "--max-count": style.maximum = try Self.lines(value, name)
    case "--color":
      context.output.setColor(try OptionValue.choice(ColorChoice.self, value, of: "--color"))
    case "--pretty":
      context.output.setColor(.always)
      style.hasHeadings = true
    case _ where Self.ignored.contains(name): break
    case "--files-with-matches": style.layout = .names
    case "--count": style.layout = .counts
    case "--json": style.layout = .json
    case "--quiet": isQuiet = true
    case "--heading": style.hasHeadings = true
    case "--no-heading": style.hasHeadings = false
    case "--after-context": style.context.after = try Self.lines(value, name)
    case "--before-context": style.context.before = try Self.lines(value, name)
    case "--context":
      let count = try Self.lines(value, name)
      style.context = (count, count)
    case "--ignore-case": caseRule = "no"
    case "--case-sensitive": caseRule = "yes"
    case "--smart-case": caseRule = "smart"
    case "--fixed-strings": isLiteral = true
    case "--word-regexp": word = true
    case "--line-regexp": line = true
    case "--regexp": patterns.append(value)
    case "--type": languages.append(try Self.language(value, "-t"))
    case "--type-not": conditions.append(.not(try Self.language(value, "-T")))
    case "--glob":
      if value.hasPrefix("!") {
        conditions.append(.not(Self.glob(value.dropFirst())))
      } else {
        globs.append(Self.glob(value[...]))
      }
    default:
      throw ForageError(
        "\(given.name) cannot be used with --\(names?.qualifier ?? "ref")",
        hint: "these can: \(names == nil ? "-e -F -w -x " : "")-i -s -S -g -t -T -A -B -C -m "
          + "-n -N -H -I -l -c -o -q -0 --column --vimgrep --heading --color --json")
    }
  }

  private static func lines(_ text: String, _ option: String) throws -> Int {
    try OptionValue.number(text, 0...maximumContext, of: option, unit: "lines")
  }

  private static func language(_ name: String, _ option: String) throws -> QueryExpression {
    .or(try CodeLanguage.names(name, option: option).map { .qualifier(Qualifier("language", .text($0))) })
  }

  /// A glob of rg for files and folders: with a slash inside it counts from the root.
  private static func glob(_ text: Substring) -> QueryExpression {
    var text = text
    while text.hasSuffix("/") { text.removeLast() }
    let isAnchored = text.contains("/")
    if text.hasPrefix("/") { text.removeFirst() }
    let pattern = (isAnchored ? "/" : "**/") + text
    return .or(["", "/**"].map { .qualifier(Qualifier("path", .text(pattern + $0))) })
  }

  // MARK: The search

  func run() async throws -> ExitStatus {
    let start = ContinuousClock.now
    let (query, text) = try query()
    var paths = arguments.paths.map(\.text)
    // With names no word is a pattern.
    if names != nil { paths = arguments.words.map(\.text) }
    let locations = try await locations(paths)
    var request = CodeLines(query, in: locations)
    request.context = max(style.context.before, style.context.after)
    let wait = isQuiet ? nil : context.output.showStatus { [StatusDisplay.Row(text: "searching")] }
    let outcome = await Result.of { [request] in try await context.forage.lines(request) }
    wait?.end()
    let page: SearchPage
    do { page = try outcome.get() } catch let error as SearchError { throw Self.described(error) }
    if style.layout == .json {
      let result = Forage.result(page, elapsed: .now - start)
      let envelope = ListEnvelope.object(SearchJSON.envelope(result, query: text), list: "items")
      try context.output.result(result.items, in: envelope) { SearchJSON.item($0, explains: false) }
    } else if !isQuiet {
      let roots = Set((locations ?? []).map(\.root))
      let rendering = LineRendering(
        style, context.output, bareHost: context.forage.bareHost,
        root: roots.count == 1 && !arguments.choosesClones ? roots.first : nil)
      try context.output.writeBytes(rendering.text(page.items))
    }
    for note in page.notes { context.output.warning(note.message, hint: note.hint) }
    return page.items.isEmpty ? .nothingFound : .success
  }

  /// What is searched; `nil` for all clones.
  private func locations(_ paths: [String]) async throws -> [GrepLocation]? {
    if arguments.choosesClones {
      if arguments.clones.isEmpty, arguments.conditions.isEmpty, paths.isEmpty { return nil }
      let clones = try await ClonesCommand.grepClones(arguments, context)
      guard arguments.ref != nil else {
        return try context.forage.grepLocations(
          clones, paths.map { Array($0.utf8) }, hint: arguments.hintForPaths)
      }
      // Which of them have a path is asked of the ref.
      let parts = paths.isEmpty ? [[]] : paths.map { Array($0.utf8) }
      return clones.flatMap { clone in parts.map { GrepLocation(root: clone.path, path: $0) } }
    }
    return try context.forage.currentLocations(paths, ofRef: arguments.ref != nil)
  }

  /// An error of a search in the words of this command.
  private static func described(_ error: SearchError) -> any Error {
    switch error.code {
    case .unknownRef:
      ForageError(error.message, hint: "see which there are: git branch --all, or: git tag")
    case .invalidQuery: ForageError(error.message, hint: "use -F for a literal text")
    case .nothingToAsk:
      ForageError(error.message, hint: "add the folders that contain them: forage clones add DIR")
    default: error
    }
  }

  private func query() throws -> (query: QueryExpression, text: String) {
    var parts = conditions
    let text: String
    if let names {
      text = names.values.joined(separator: "|")
      parts.append(.or(names.values.map { .qualifier(Qualifier(names.qualifier, .text($0))) }))
    } else {
      let patterns = patterns.isEmpty ? arguments.words.prefix(1).map(\.text) : patterns
      guard !patterns.isEmpty, !patterns.contains("") else {
        throw ForageError("<pattern> is missing", hint: "see: forage help grep")
      }
      text = patterns.joined(separator: "|")
      parts.append(.or(patterns.map { .term(term($0)) }))
    }
    parts.append(.qualifier(Qualifier("case", .text(caseRule))))
    if let ref = arguments.ref { parts.append(.qualifier(Qualifier("ref", .text(ref)))) }
    for alternatives in [languages, globs] where !alternatives.isEmpty { parts.append(.or(alternatives)) }
    return (.and(parts), text)
  }

  private func term(_ pattern: String) -> QueryTerm {
    guard !isLiteral || word || line else { return QueryTerm(pattern, isPhrase: true) }
    let text = isLiteral ? Self.quoted(pattern) : pattern
    if line { return QueryTerm("^(?:\(text))$", isExpression: true) }
    return QueryTerm(word ? "(?<!\\w)(?:\(text))(?!\\w)" : text, isExpression: true)
  }

  /// An expression for a literal text.
  private static func quoted(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      scalar.isASCII && !scalar.properties.isAlphabetic && !("0"..."9").contains(scalar)
        ? "\\\(scalar)" : "\(scalar)"
    }.joined()
  }
}
