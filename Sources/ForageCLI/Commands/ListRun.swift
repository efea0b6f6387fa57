import ForageCore

/// Makes a list from options to exit status: what `search`, `stars` and `feed` have in common.
struct ListRun {
  private enum Order: String, CaseIterable {
    case asc, desc
  }

  let options: ListOptions
  private let context: Context
  private let format: OutputFormat
  /// How many results are wanted.
  let limit: Int
  /// The sort key, of `--sort` or of the query.
  private(set) var sort: String?
  private var order: SortOrder
  private let timeout: Duration
  private let start: ContinuousClock.Instant
  /// Whether the list is that of the stars of the token's account.
  var isOwnStars = false
  /// Reports the number of requests before they are sent.
  let notices: Notices
  /// The settings of the user, with the time limit of the command line.
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
    limit =
      try options.limit.map { try OptionValue.number($0, 1...ListOptions.maximumLimit, of: "--limit") }
      ?? defaultLimit
    let order = try options.order.map { try OptionValue.choice(Order.self, $0, of: "--order") }
    self.order = order == .asc ? .ascending : .descending
    sort = options.sort
    start = ContinuousClock.now
    timeout = try TimeLimit.duration(options.timeout)
    var settings = try context.settings(naming: plugins)
    if options.timeout != nil { settings.commandTimeout = timeout }
    self.settings = settings
    context.setCacheMode(try CacheChoice.mode(offline: options.offline, noCache: options.noCache))
  }

  /// Uses the order that a query asks for, as if it were given with `--sort` and `--order`.
  ///
  /// - Throws: `CommandError` where an option contradicts it.
  mutating func takeOrder(of query: Query?) throws {
    guard let wanted = query?.sort else { return }
    let isOtherOrder = options.order != nil && wanted.order != nil && wanted.order != order
    guard options.sort == nil || options.sort == wanted.key, !isOtherOrder else {
      throw CommandError(
        "sort: in the query and \(isOtherOrder ? "--order" : "--sort") contradict each other",
        hint: "leave one of them out")
    }
    if options.stream { throw Self.clash("--stream", "sort:", Self.streamHint) }
    sort = wanted.key
    order = wanted.order ?? order
  }

  /// The providers to ask.
  ///
  /// - Parameters:
  ///   - names: As given with `--provider`.
  ///   - plugins: As given with `--plugin`; without names these are searched in addition to the enabled ones.
  ///   - maxRequests: As given with `--max-requests`.
  func choice(_ names: [String], plugins: [String] = [], maxRequests: String? = nil) throws -> ProviderChoice
  {
    let all = try context.registry(
      settings, named: ProviderChoice.ids(names), paths: plugins, reach: try reach(maxRequests: maxRequests))
    var choice = try ProviderChoice(names: names, registry: all) { context.isEnabled($0, settings) }
    if choice.named.isEmpty {
      choice.disabled = all.ids.filter {
        context.isBuiltIn($0, settings) && settings.providers[$0]?.isEnabled == false
      }
    }
    context.warnOfSecrets(choice.registry.ids, settings)
    return choice
  }

  /// Asks the providers and writes their results.
  ///
  /// - Parameters:
  ///   - search: What to ask; the number of results, the direction and the time limit are set here.
  ///   - sample: Chooses some of the results, `nil` for all; a sample has no further pages.
  ///   - adviceForNothing: The hint when nothing was found, `nil` for that of a search.
  ///   - isForEditors: Whether matches in files are written as `path:line:column:text`.
  func run(
    _ search: FederatedSearch, _ choice: ProviderChoice, sample: RandomSample? = nil,
    adviceForNothing: String? = nil, isForEditors: Bool = false
  ) async throws -> ExitStatus {
    let output = context.output
    let annotation = ResultAnnotation(context)
    var search = search
    search.limit = limit
    search.order = order
    let deadline = start + timeout
    if options.favorites { search.filter = try await annotation.favoritesOnly(until: deadline) }
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
      ? LiveDisplay(federation, output: output) : nil
    notices.setDisplay(display)
    search.observer = arrivals?.observer ?? display?.observer
    let waits = display == nil && output.hasProgress ? SearchWaits(context.waits) : nil
    if let waits {
      search.observer = { [observer = search.observer] event in
        observer?(event)
        waits.follow(event)
      }
    }
    if let display { context.observeWaits { display.wait($0, for: $1) } }
    let isPaged =
      arrivals == nil && options.reporting.json == nil && sample == nil
      && (format.hasEnvelope || output.isTerminal)
    let paging = Paging(
      federation: federation, search: search, sessions: isPaged ? sessions : nil, after: options.after,
      output: output,
      searched: {
        await display?.clear()
        waits?.end()
        context.reportCacheProblems()
      })
    var (result, next) = try await arrivals.cancelling { try await paging.page(continued) }
    defer { paging.store(next) }
    if let failure = arrivals?.failure { throw failure }
    if let sample {
      result.items = sample.chosen(result.items)
      result.nextOffset = result.items.count
    }
    await annotation.annotate(&result, until: deadline)
    let isInterrupted = Task.isCancelled
    var rendering = SearchRendering(
      result: result, query: search.query?.text, explains: options.explain, next: next?.text, output: output)
    if let adviceForNothing { rendering.adviceForNothing = adviceForNothing }
    rendering.matches = search.matches
    rendering.isForEditors = isForEditors
    let memory = ListMemory(context)
    let offset = result.nextOffset - result.items.count
    rendering.marks = ListMarks(
      output, showsNumbers: options.number || settings.showsNumbers, first: offset + 1)
    if !options.web, !options.stream { rendering.continuation = memory.continuation }
    rendering.named = choice.named
    rendering.disabled = choice.disabled
    rendering.order = ShownOrder(search)
    rendering.showsList = !options.web
    rendering.listsExcluded = options.explain && !format.hasEnvelope
    if options.web {
      if !isInterrupted { try await open(result.items.first) }
    } else if options.stream {
      try rendering.writeSummary()
    } else {
      try await paged { [rendering] in try rendering.on($0).write(format) }
    }
    if options.stream {
      memory.forget()
    } else if !options.web {
      memory.keep(result.items.map(\.result), next: next?.text, offset: offset, after: options.after)
    }
    if !isInterrupted {
      annotation.remember(result.items.map(\.result), isEveryStar: isEveryStar(search, result))
    }
    if isInterrupted { rendering.writeInterruption() } else { rendering.writeNotes() }
    return isInterrupted ? .interrupted : status(result, named: choice.named)
  }

  /// Writes results, through the pager where there is one; an interrupted command starts no program.
  private func paged(_ body: (Output) throws -> Void) async throws {
    if Task.isCancelled { try body(context.output) } else { try await context.paged(body) }
  }

  /// Whether a list has every star of the token's account, so that nothing else is starred.
  private func isEveryStar(_ search: FederatedSearch, _ result: FederatedResult) -> Bool {
    isOwnStars && search.query == nil && search.filter == nil && options.after == nil && result.isComplete
      && result.items.count < limit
  }

  /// Opens the page of the first result.
  private func open(_ first: MergedItem?) async throws {
    guard let result = first?.result else { return }
    guard let address = result.url else {
      throw CommandError(
        "the first result, \(result.title), has no page", hint: "leave --web out to see the list",
        code: .nothingFound)
    }
    try await Browser(environment: context.environmentWithoutTokens, program: context.terminalPrograms).open(
      address, output: context.output)
  }

  private static let streamHint = "--stream writes lines of JSON in the order of arrival"

  /// The format, which `--stream` decides by itself.
  ///
  /// - Throws: `CommandError` for options that have no effect together.
  private static func checked(_ format: OutputFormat, _ options: ListOptions) throws -> OutputFormat {
    let json = ("--json", options.reporting.json != nil)
    if options.web {
      try exclude(
        "--web", [("--stream", options.stream), json, ("--format", options.reporting.format != nil)],
        "--web opens the first result and writes no list")
    }
    guard options.stream else { return format }
    let isOther = ![nil, "auto", "ndjson"].contains(options.reporting.format)
    try exclude(
      "--stream",
      [
        ("--after", options.after != nil), ("--sort", options.sort != nil), json,
        ("--format \(format.rawValue)", isOther), ("--number", options.number),
        ("--explain", options.explain),
      ], streamHint)
    return .ndjson
  }

  private static func exclude(_ option: String, _ others: [(String, Bool)], _ hint: String) throws {
    if let (other, _) = others.first(where: \.1) { throw clash(option, other, hint) }
  }

  private static func clash(_ option: String, _ other: String, _ hint: String) -> CommandError {
    CommandError("\(option) and \(other) exclude each other", hint: hint)
  }

  /// The exit status after a search.
  private func status(_ result: FederatedResult, named: Set<String>) -> ExitStatus {
    let failed = result.outcomes.filter(\.state.isFailure)
    if result.items.isEmpty, !failed.isEmpty {
      return result.outcomes.isMisconfigured ? .usage : .noAnswer
    }
    if result.outcomes.areAllUnsupported(named: named) { return .usage }
    if options.strict, !result.isComplete { return .partial }
    if failed.contains(where: { named.contains($0.id) }) { return .partial }
    return result.items.isEmpty ? .nothingFound : .success
  }
}
