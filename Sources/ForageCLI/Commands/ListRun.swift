import ForageCore

/// Makes a list from options to exit status: what `search`, `stars` and `feed` have in common.
struct ListRun {
  private enum Order: String, CaseIterable {
    case asc, desc
  }

  let options: ListOptions
  private let context: Context
  private let format: OutputFormat
  private let fields: [String]?
  /// How many results are wanted.
  let limit: Int
  private let order: SortOrder
  private let timeout: Duration
  private let start: ContinuousClock.Instant
  /// Tells what is needed before it is asked for.
  let notices: Notices
  /// The settings of the user, with what was asked for now in place of what they say.
  let settings: Settings

  /// Reads the options; nothing is sent yet.
  ///
  /// - Parameters:
  ///   - defaultLimit: How many results are wanted where the options do not say it.
  ///   - plugins: As given with `--plugin`; settings can be for them, too.
  /// - Throws: `CommandError` for an option that cannot be used.
  init(
    _ options: ListOptions, _ context: Context, defaultLimit: Int = ListOptions.defaultLimit,
    plugins: [String] = []
  ) throws {
    self.options = options
    self.context = context
    notices = Notices(context.output)
    let wanted = try ReportOptions.format(options.reporting.format, context.output)
    format = try Self.checked(wanted, options)
    fields = try options.reporting.json.map(SearchJSON.fields)
    limit =
      try options.limit.map { try OptionValue.number($0, 1...ListOptions.maximumLimit, of: "--limit") }
      ?? defaultLimit
    let order = try options.order.map { try OptionValue.choice(Order.self, $0, of: "--order") }
    self.order = order == .asc ? .ascending : .descending
    start = ContinuousClock.now
    var settings = try context.settings(naming: plugins)
    // What is asked for now wins over what the file says.
    if options.timeout != nil { for id in settings.providers.keys { settings.providers[id]?.timeout = nil } }
    self.settings = settings
    timeout = try TimeLimit.duration(options.timeout)
    context.setCacheMode(try CacheChoice.mode(offline: options.offline, noCache: options.noCache))
  }

  /// The providers to ask.
  ///
  /// - Parameters:
  ///   - names: As given with `--provider`.
  ///   - plugins: As given with `--plugin`; without names these take part beside what is enabled.
  ///   - maxRequests: As given with `--max-requests`.
  func choice(_ names: [String], plugins: [String] = [], maxRequests: String? = nil) throws -> ProviderChoice
  {
    let all = try context.registry(
      settings, named: ProviderChoice.ids(names), paths: plugins, reach: try reach(maxRequests: maxRequests))
    return try ProviderChoice(names: names, registry: all) { context.isEnabled($0, settings) }
  }

  /// Asks the providers and writes what they tell.
  ///
  /// - Parameters:
  ///   - search: What to ask; how much of it, in which direction and for how long is set here.
  ///   - sample: Chooses some of the results, `nil` for all; a list that was chosen from has no further pages.
  ///   - adviceForNothing: What to do when nothing was found, `nil` for what helps a search.
  func run(
    _ search: FederatedSearch, _ choice: ProviderChoice, sample: RandomSample? = nil,
    adviceForNothing: String? = nil
  ) async throws -> ExitStatus {
    let output = context.output
    let annotation = ResultAnnotation(context)
    var search = search
    search.limit = limit
    search.order = order
    if options.favorites { search.filter = try annotation.favoritesOnly() }
    let sessions = SearchSessions(context)
    let continued = try options.after.map(sessions.continued)
    if choice.registry["local"] != nil {
      try await ClonePreparation(context).scanWhatIsNew(within: timeout / 2)
    }
    search.timeout = max(.milliseconds(1), timeout - (ContinuousClock.now - start))
    let federation = Federation(choice.registry)
    let arrivals =
      options.stream ? ArrivalStream(limit: search.limit, annotation: annotation, output: output) : nil
    let display =
      arrivals == nil && !context.isTracing
      ? LiveDisplay(federation, choice.registry, search, output: output) : nil
    notices.setDisplay(display)
    search.observer = arrivals?.observer ?? display?.observer
    if let display { context.observeWaits { display.wait($0, for: $1) } }
    let isPaged =
      arrivals == nil && fields == nil && sample == nil && (format.hasEnvelope || output.isTerminal)
    let paging = Paging(
      federation: federation, search: search, sessions: isPaged ? sessions : nil, after: options.after,
      output: output,
      searched: {
        display?.clear()
        context.tellTroubles()
      })
    var (result, next) = try await arrivals.cancelling { try await paging.page(continued) }
    if let failure = arrivals?.failure { throw failure }
    if let sample { result.items = sample.chosen(result.items) }
    annotation.annotate(&result)
    var rendering = SearchRendering(
      result: result, query: search.query?.text, explains: options.explain, next: next?.text, output: output)
    if let adviceForNothing { rendering.adviceForNothing = adviceForNothing }
    if options.web {
      try await open(result.items.first)
    } else if let fields {
      try await context.paged { try $0.result(SearchJSON.selection(result.items, fields: fields)) }
    } else if options.stream {
      try rendering.writeSummary()
    } else {
      try await context.paged { [rendering] in try rendering.on($0).write(format) }
    }
    rendering.writeNotes()
    return status(result, named: choice.named)
  }

  /// Opens the page of the first result.
  private func open(_ first: MergedItem?) async throws {
    guard let result = first?.result else { return }
    guard let address = result.url else {
      throw CommandError(
        "the first result, \(result.title), has no page", hint: "leave --web out to see the list",
        status: .nothingFound)
    }
    try await Browser(environment: context.environmentWithoutTokens, program: context.terminalPrograms).open(
      address, output: context.output)
  }

  /// The format, which `--stream` decides by itself.
  private static func checked(_ format: OutputFormat, _ options: ListOptions) throws -> OutputFormat {
    if options.web,
      let (clash, _) = [("--stream", options.stream), ("--json", options.reporting.json != nil)].first(
        where: \.1)
    {
      throw CommandError(
        "--web and \(clash) exclude each other", hint: "--web opens the first result and writes no list")
    }
    guard options.stream else { return format }
    let clashes = [
      ("--after", options.after != nil), ("--sort", options.sort != nil),
      ("--json", options.reporting.json != nil),
      ("--format \(format.rawValue)", ![nil, "auto", "ndjson"].contains(options.reporting.format)),
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
    if options.strict, !result.isComplete { return .partial }
    let missing = result.outcomes.contains { outcome in
      named.contains(outcome.id) && outcome.state.isFailure
        && result.outcomes.contains { $0.id != outcome.id && $0.state.isAnswer }
    }
    if missing { return .partial }
    return result.items.isEmpty ? .nothingFound : .success
  }
}
