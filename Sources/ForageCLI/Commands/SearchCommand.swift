import ArgumentParser
import ForageCore
import ForageLocal
import ForageStore

/// `forage search`: all chosen providers, one merged list.
struct SearchCommand: ReportingVerb {
  static let configuration = CommandConfiguration(
    commandName: "search", _superCommandName: ForageCommand.name,
    abstract: "Search all chosen providers, merge, print.",
    discussion: """
      The query is GitHub's search syntax: words (all must match), "quoted phrases", name:value, -name:value, NOT word, \
      >N >=N <N <=N A..B for numbers and ISO 8601 dates, OR, AND, parentheses.

      Exit status: 0 results, 1 nothing found, 2 usage, 3 a part is missing (--strict, or a provider named with -p), 4 no provider answered.
      """)

  /// The most results that can be asked for.
  static let maximumLimit = 10_000
  /// How many results there are by default.
  static let defaultLimit = 30

  @OptionGroup var reporting: ReportOptions

  @Argument(help: "What to look for.")
  var query: [String] = []

  @Option(
    name: [.customShort("p", allowingJoined: true), .long],
    help: ArgumentHelp("Ask only these providers (repeatable, or with commas).", valueName: "id"))
  var provider: [String] = []

  @Option(
    name: [.customShort("k", allowingJoined: true), .long],
    help: ArgumentHelp("Find these kinds of things.", valueName: "kind"))
  var kind: [String] = []

  @Option(
    name: [.customShort("L", allowingJoined: true), .long],
    help: ArgumentHelp("How many results, 1 to \(maximumLimit). (default: \(defaultLimit))", valueName: "n"))
  var limit: String?

  @Option(
    help: ArgumentHelp(
      "Sort by a key, for example stars, forks or updated, instead of by relevance.", valueName: "key"))
  var sort: String?

  @Option(
    help: ArgumentHelp("The direction of --sort: asc or desc. (default: desc)", valueName: "order"),
    completion: .list(["asc", "desc"]))
  var order: String?

  @Option(
    help: ArgumentHelp("How long the search may take; decimals are fine. (default: 10)", valueName: "seconds")
  )
  var timeout: String?

  @Flag(help: "End with status 3 unless every provider that can answer the query delivered everything.")
  var strict = false

  @Flag(help: "Tell for each result how its place came about.")
  var explain = false

  @Option(help: ArgumentHelp("Write an array of objects with just these fields.", valueName: "fields"))
  var json: String?

  @Option(
    help: ArgumentHelp(
      "Go on behind a page: the query as before, with the \"next\" of that page.", valueName: "cursor"))
  var after: String?

  @Flag(help: "Only favorites (see: forage favorite).")
  var favorites = false

  @Flag(help: "Send nothing: answer from what was kept of earlier searches, up to a day old.")
  var offline = false

  @Flag(help: "Neither use nor keep answers of earlier searches.")
  var noCache = false

  @Flag(help: "Write each result as it arrives, unranked, one JSON object a line; then a summary.")
  var stream = false

  // The qualifiers that people use every day; the same as writing them in the query.

  @Option(help: ArgumentHelp("Only in this programming language.", valueName: "language"))
  var language: String?

  @Option(help: ArgumentHelp("Only of this user or organisation.", valueName: "name"))
  var owner: String?

  @Option(help: ArgumentHelp("Only with this topic (repeatable: all must match).", valueName: "topic"))
  var topic: [String] = []

  @Option(help: ArgumentHelp("Only under this license.", valueName: "key"))
  var license: String?

  @Option(help: ArgumentHelp("Only with so many stars: 10, >10, 10..50.", valueName: "number"))
  var stars: String?

  @Option(help: ArgumentHelp("Only created then: 2024-01-31, >=2024-01-31.", valueName: "date"))
  var created: String?

  @Option(help: ArgumentHelp("Only changed then.", valueName: "date"))
  var updated: String?

  @Option(help: ArgumentHelp("Only archived ones (true) or only others (false).", valueName: "bool"))
  var archived: String?

  private enum Order: String, CaseIterable {
    case asc, desc
  }

  func run(in context: Context) async throws -> ExitStatus {
    let format = try checkedFormat(try reporting.format(context.output))
    let fields = try json.map(SearchJSON.fields)
    let limit = try limit.map { try OptionValue.number($0, 1...Self.maximumLimit, of: "--limit") }
    let order = try order.map { try OptionValue.choice(Order.self, $0, of: "--order") }
    let start = ContinuousClock.now
    var settings = try context.settings()
    // What is asked for now wins over what the file says.
    if timeout != nil { for id in settings.providers.keys { settings.providers[id]?.timeout = nil } }
    let timeout = try TimeLimit.duration(timeout)
    context.setCacheMode(try CacheChoice.mode(offline: offline, noCache: noCache))
    let all = context.registry(settings, named: ProviderChoice.ids(provider))
    let choice = try ProviderChoice(names: provider, registry: all, settings: settings)
    let annotation = ResultAnnotation(context)
    let query = try parsedQuery(choice.registry.vocabulary, output: context.output)
    let kinds = try kinds(choice.registry)
    var search = FederatedSearch(
      query: query, kinds: kinds, limit: limit ?? Self.defaultLimit,
      sort: try sortKey(choice.registry, kinds), order: order == .asc ? .ascending : .descending,
      timeout: timeout)
    if favorites { search.filter = try annotation.favoritesOnly() }
    let sessions = SearchSessions(context)
    let continued = try after.map(sessions.continued)
    if choice.registry["local"] != nil {
      try await ClonePreparation(context).scanWhatIsNew(within: timeout / 2)
    }
    search.timeout = max(.milliseconds(1), timeout - (ContinuousClock.now - start))
    let federation = Federation(choice.registry)
    let arrivals =
      stream ? ArrivalStream(limit: search.limit, annotation: annotation, output: context.output) : nil
    let display =
      arrivals == nil && !context.isTracing
      ? LiveDisplay(federation, choice.registry, search, output: context.output) : nil
    search.observer = arrivals?.observer ?? display?.observer
    if let display { context.observeWaits { display.wait($0, for: $1) } }
    let isPaged = arrivals == nil && fields == nil && (format.hasEnvelope || context.output.isTerminal)
    let paging = Paging(
      federation: federation, search: search, sessions: isPaged ? sessions : nil, after: after,
      output: context.output,
      searched: {
        display?.clear()
        context.tellTroubles()
      })
    var (result, next) = try await arrivals.cancelling { try await paging.page(continued) }
    if let failure = arrivals?.failure { throw failure }
    annotation.annotate(&result)
    let rendering = SearchRendering(
      result: result, query: search.query.text, explains: explain, next: next?.text, output: context.output)
    if let fields {
      try context.output.result(SearchJSON.selection(result.items, fields: fields))
    } else if stream {
      try rendering.writeSummary()
    } else {
      try rendering.write(format)
    }
    rendering.writeNotes(named: choice.named)
    return status(result, named: choice.named)
  }

  /// The format, which `--stream` decides by itself.
  private func checkedFormat(_ format: OutputFormat) throws -> OutputFormat {
    guard stream else { return format }
    let clashes = [
      ("--after", after != nil), ("--sort", sort != nil), ("--json", json != nil),
      ("--format \(format.rawValue)", ![nil, "auto", "ndjson"].contains(reporting.format)),
    ]
    if let (clash, _) = clashes.first(where: \.1) {
      throw CommandError(
        "--stream and \(clash) exclude each other",
        hint: "--stream writes lines of JSON in the order of arrival")
    }
    return .ndjson
  }

  private func status(_ result: FederatedResult, named: Set<String>) -> ExitStatus {
    guard result.outcomes.contains(where: \.state.isAnswer) else {
      return result.outcomes.isMisconfigured ? .usage : .noAnswer
    }
    if strict, !result.isComplete { return .partial }
    let missing = result.outcomes.contains { outcome in
      named.contains(outcome.id) && outcome.state.isFailure
        && result.outcomes.contains { $0.id != outcome.id && $0.state.isAnswer }
    }
    if missing { return .partial }
    return result.items.isEmpty ? .nothingFound : .success
  }
}
