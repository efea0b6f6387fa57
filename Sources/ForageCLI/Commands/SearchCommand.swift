import ArgumentParser
import Forage
import ForageCore

/// `forage search`: searches all chosen providers and prints one merged list.
struct SearchCommand: ListCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", _superCommandName: ForageCommand.name,
    abstract: "Search all chosen providers and print one merged list.",
    discussion: """
      The query uses GitHub's search syntax: words (all must match), "phrases", name:value, -word, >N and A..B for numbers and dates, OR, \
      parentheses, sort:stars (see: forage manual).
      repos, issues, prs or commits as the first of several words is the kind, as for gh, with gh's options and fields; -- repos is the word. \
      -k issue finds pull requests too; is:issue leaves them out.
      @NAME first is a saved search (see: forage searches --help).

      Exit status: 0 results, 1 nothing found, 2 usage, 3 part missing, 4 failure.

      For example: forage search prs --review-requested @me --state open
      """)

  /// The most requests that can be allowed: a page each for ten times the results that can be asked for.
  static let maximumRequests = 1000

  @OptionGroup(title: "Results") var providers: ProviderOptions
  @OptionGroup(title: "Results") var list: ListOptions
  @OptionGroup(title: "Output") var reporting: ReportOptions
  @OptionGroup(title: "Qualifiers") var qualifiers: QualifierOptions
  @OptionGroup(title: "Code") var code: CodeOptions
  @OptionGroup var answers: AnswerOptions

  @Argument(help: "Words and qualifiers; @NAME for a saved search.", completion: Completion.savedQuery)
  var query: [String] = []

  @Flag(name: .customLong("new"), help: "Of a saved search, show what is new or updated.")
  var news = false

  @Flag(help: "With --new, show it again the next time.")
  var peek = false

  @Option(
    help: ArgumentHelp(
      "Send at most n requests beyond 1000. (default \(SearchOptions.defaultMaximumRequests))",
      valueName: "n"))
  var maxRequests: String?

  @OptionGroup var plugins: PluginOptions
  @OptionGroup var common: CommonOptions

  /// The command for the repositories that meet a query.
  static func ofRepositories(_ query: String, _ reporting: ReportOptions, _ common: CommonOptions) throws
    -> SearchCommand
  {
    var command = try SearchCommand.parse([query, "--kind", ResultKind.repo.rawValue])
    (command.reporting, command.common) = (reporting, common)
    return command
  }

  func configure(_ setup: inout ForageSetup) { plugins.configure(&setup) }

  func run(in context: Context) async throws -> ExitStatus {
    let (command, saved) = try withSavedSearch(context)
    var context = context
    context.savedSearch = saved
    return try await command.forCode.run(saved, in: context)
  }

  /// The command with `code` as the kind where that is the first word, as for gh, and something is asked for
  /// that only code has.
  private var forCode: SearchCommand {
    let kind = ResultKind.code.rawValue
    guard providers.kind.isEmpty, query.first == kind else { return self }
    let names = ["extension:", "filename:", "path:", "symbol:", "uses:", "content:"]
    let areWritten = query.dropFirst().flatMap { $0.split(separator: " ") }.contains { word in
      names.contains(where: word.drop { $0 == "-" || $0 == "(" }.hasPrefix)
    }
    guard areWritten || !qualifiers.filename.isEmpty || !qualifiers.extension.isEmpty || code.areGiven else {
      return self
    }
    var command = self
    command.providers.kind = [kind]
    command.query.removeFirst()
    return command
  }

  private func run(_ saved: SavedSearch?, in context: Context) async throws -> ExitStatus {
    var style = ListStyle()
    style.format = try list.format(reporting, context.output)
    var options = try SearchOptions(list, answers, continuing: context.continued)
    options.providers = providers.provider
    var seen: ListPrinter.News?
    if news, let saved {
      try OptionValue.exclude(
        "--new", [("--offline", answers.offline), ("--web", list.web)], hint: "--new asks for what is new now"
      )
      options.cache = .bypass
      style.adviceForNothing =
        "nothing is new since the last --new; for all: forage search @\(saved.name)"
      seen = ListPrinter.News(
        seen: SeenResults(context.forage.paths, of: saved.name), name: saved.name, isKept: !peek)
    }
    options.maximumRequestsPerProvider = try maxRequests.map {
      try OptionValue.number($0, 1...Self.maximumRequests, of: "--max-requests")
    }
    let search = ghSearch
    let hasRecords = search != nil && reporting.json != nil
    options.keepsAnswers = hasRecords
    let runner = try SearchRunner(options, context.forage)
    if let search, hasRecords {
      if answers.explain {
        throw ForageError(
          "--explain has no effect on the fields of gh",
          hint:
            "leave it out, or use -k \(search.kind.rawValue) in place of \(search.rawValue), with its own fields"
        )
      }
      try checkProviders(of: search, runner.choice, context.forage.forges)
      style.documents = .gh(search)
    }
    var (kinds, conditions) = try kinds(runner)
    if search != nil || qualifiers.areGiven {
      try qualifiers.checkMatch(kinds)
      conditions = try qualifiers.conditions(runner, for: search) + conditions
    }
    let query = try runner.parsed(text(runner), and: conditions)
    let matches = code.areGiven ? try code.matches(kinds, list, reporting, query) : nil
    let meant = search == nil ? try hintAtKind(runner, context.output) : nil
    let name = ResultKind.pullRequest.rawValue
    if meant == name || query.asksForPullRequests { style.nameOfIssues = name }
    try runner.checkOrder(of: query, search == nil ? kinds : nil)
    let request = try runner.search(for: query, kinds: kinds, matches: matches)
    if list.web, case let pages = runner.pages(of: request), !pages.isEmpty {
      return try await context.open(pages)
    }
    style.isForEditors = code.vimgrep
    if let search, seen == nil {
      let words = query.text.isEmpty ? "" : " …"
      style.adviceForNothing =
        "\"\(search.rawValue)\" is the kind of results here; to search for the word, write: forage search -- \(search.rawValue)\(words)"
    }
    var printer = ListPrinter(list, answers, style, context)
    printer.news = seen
    let status = try await printer.printResults(of: request, by: runner)
    if kinds == [.repo] { noteOtherKinds(runner, context.output) }
    return status
  }

  /// Says on a terminal which enabled providers a search for repositories, without kind and provider, does
  /// not ask.
  private func noteOtherKinds(_ runner: SearchRunner, _ output: Output) {
    guard output.isTerminal, output.isMessageTerminal, !output.isQuiet, !list.favorites,
      providers.kind.isEmpty,
      ghSearch == nil, providers.provider.isEmpty,
      case let notice = OtherKindsNotice(runner), notice.take()
    else { return }
    output.warning(notice.message, hint: notice.advice)
  }
}

extension SearchCommand {
  /// The search of gh that the first word names, where something follows it; `nil` for any other word and
  /// where a kind is given.
  var ghSearch: GhSearch? {
    guard providers.kind.isEmpty,
      query.count > 1 || qualifiers.areGiven || reporting.json != nil || list.favorites
    else { return nil }
    return query.first.flatMap(GhSearch.init(rawValue:))
  }

  var fields: DocumentFields { ghSearch?.fields ?? Self.fields }

  /// The query, without the name of a search of gh.
  private func text(_ runner: SearchRunner) -> String {
    guard ghSearch != nil else { return ProgramArguments.query(query) }
    return GhSearch.query(
      ProgramArguments.words(Array(query.dropFirst())), runner.choice.registry.vocabulary)
  }

  /// - Throws: `ForageError` for favorites and a named provider, whose results have no fields of gh, and
  ///   where no other one is enabled.
  private func checkProviders(of search: GhSearch, _ choice: ProviderChoice, _ forges: [Forge]) throws {
    let areStored = list.favorites && choice.named.isEmpty
    let other = choice.registry.ids.first { id in !forges.contains { $0.id == id } }
    guard areStored || other != nil else { return }
    let isNamed = areStored || other.map(choice.named.contains) == true
    throw ForageError(
      "--json after \(search.rawValue) prints the fields of gh, which "
        + (areStored
          ? "favorites do not have"
          : isNamed ? "results of \(other ?? "") do not have" : "no enabled provider has"),
      hint: isNamed
        ? "use -k \(search.kind.rawValue) in place of \(search.rawValue) for the fields of every provider"
        : "enable GitHub: forage providers enable \(BuiltInProvider.all[0].info.id)")
  }

  /// The kinds of results with conditions for the query.
  private func kinds(_ runner: SearchRunner) throws -> (kinds: [ResultKind], conditions: [QueryExpression]) {
    if let search = ghSearch { return try runner.kinds(of: [search.kind]) }
    let named = try OptionValue.kinds(providers.kind, among: runner.kindNames, what: "results") {
      runner.ids(having: $0)
    }
    return try runner.kinds(of: named ?? [])
  }

  /// The fields that results of these kinds can have.
  func listedFields(_ forage: Forage) -> [String]? {
    guard ghSearch == nil else { return nil }
    var options = SearchOptions()
    options.providers = providers.provider
    guard let runner = try? SearchRunner(options, forage), let kinds = try? self.kinds(runner).kinds
    else {
      return nil
    }
    return SearchJSON.fieldNames(of: kinds, in: runner.choice.registry)
  }

  /// Says how to choose a kind, where the first word is the name of one, as in gh.
  ///
  /// - Returns: The name of the kind; `nil` where the first word is none, or nothing else is searched for.
  func hintAtKind(_ runner: SearchRunner, _ output: Output) throws -> String? {
    guard providers.kind.isEmpty, query.count > 1 || qualifiers.areGiven, let first = query.first,
      let meant = KnownNames.kind(named: first, among: runner.kindNames)
    else { return nil }
    output.warning(
      "\"\(first)\" is searched for as a word",
      hint: "to find only \(meant) results, use -k \(meant) instead of the word \"\(first)\"")
    return meant
  }
}

extension SearchCommand {
  /// The command with what the saved search has that its first word names, unless an option says otherwise;
  /// and the search. A list that goes on has the search that it began with.
  ///
  /// - Throws: `ForageError` for a name that no saved search has.
  func withSavedSearch(_ context: Context) throws -> (command: SearchCommand, saved: SavedSearch?) {
    guard let name = query.first.flatMap(SavedSearch.name) else {
      guard !news, !peek else {
        throw ForageError(
          "\(news ? "--new" : "--peek") needs a saved search", hint: "for example: forage search @NAME --new")
      }
      return (self, nil)
    }
    guard news || !peek else {
      throw ForageError("--peek needs --new", hint: "write: forage search @\(name) --new --peek")
    }
    let saved = try context.continued?.savedSearch ?? context.forage.savedSearch(name)
    var command = self
    command.query = saved.query(with: query.dropFirst())
    command.providers = saved.completing(providers)
    (command.list.sort, command.list.order, command.list.limit) = saved.completing(
      list.sort, list.order, list.limit)
    // By time, what is new comes first, and the list is read as far as it goes.
    if news, command.list.sort == nil { command.list.sort = Self.newsSort(of: command.providers.kind) }
    return (command, saved)
  }

  /// The sort key by which what is new of some kinds comes first; `nil` where that is not what is looked for.
  private static func newsSort(of kinds: [String]) -> String? {
    let issues: Set = [ResultKind.issue.rawValue, ResultKind.pullRequest.rawValue]
    if kinds.isEmpty { return nil }
    if issues.isSuperset(of: kinds) { return "updated" }
    return kinds == [ResultKind.commit.rawValue] ? "committer-date" : nil
  }
}

extension Query {
  /// Whether it asks for pull requests only.
  var asksForPullRequests: Bool {
    root.conjuncts.contains(.qualifier(Qualifier("is", .text(ResultKind.pullRequest.rawValue))))
  }

  /// Whether it is one word and nothing else.
  var isOneWord: Bool { if case .term(let term) = root { !term.text.contains(" ") } else { false } }
}
