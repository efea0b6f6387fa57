import Forage
import ForageBrowse
import ForageCore
import ForagePlatform

/// One list: a search, and its pages so far.
struct BrowseList: Sendable {
  /// The least time between two lists while results arrive.
  private static let interval: Duration = .milliseconds(40)
  /// The results of a further page: a page of a forge.
  private static let pageSize = 100

  private let services: BrowseServices
  private let request: BrowseRequest
  private let runner: SearchRunner
  private let search: FederatedSearch
  private let excluded: [ProviderStatus]
  private let tell: (@Sendable (BrowseSearchEvent) -> Void)?
  private let began: Duration

  /// The last page.
  private var report: SearchReport?
  /// The results so far.
  private(set) var items: [MergedItem] = []
  private var found: [(provider: String, items: [SearchResult])] = []
  private var outcomes: [ProviderOutcome] = []
  /// The providers that have not answered, with their kinds.
  private var pending: Set<String> = []
  /// Until when providers wait for limits.
  private let waits = Locked<[String: Duration]>([:])
  /// Until when the limits hold that refused requests of the list.
  private var limitEnds: [String: Duration] = [:]
  private var lastShown: ContinuousClock.Instant?
  private var requests = 0

  /// Prepares a search.
  ///
  /// - Parameter tell: Receives its news, for screens that show what each provider does; `nil` where only
  ///   pages are shown.
  /// - Throws: `QueryError` and `ForageError` for a request that cannot be made.
  init(
    _ request: BrowseRequest, _ services: BrowseServices,
    tell: (@Sendable (BrowseSearchEvent) -> Void)? = nil
  ) async throws {
    (self.request, self.services, self.tell) = (request, services, tell)
    began = services.now
    excluded = await services.excludedProviders(request)
    runner = try services.reporting { [waits] reporter in
      let report = reporter.waiting
      reporter.waiting = { provider, duration in
        waits.withLock { $0[provider] = services.now + duration }
        report(provider, duration)
      }
    }.runner(request, without: Set(excluded.map(\.id)))
    var search =
      request.query.isEmpty
      ? try runner.feed(of: request.kinds.isEmpty ? runner.usualFeedKinds : request.kinds)
      : try runner.search(
        for: try runner.read(request.query),
        kinds: request.kinds.isEmpty ? runner.usualKinds : request.kinds)
    // The chosen sort key replaces the order of the query.
    if let sort = request.sort { (search.sort, search.order) = (sort, request.order ?? .usual(of: sort)) }
    self.search = search
  }

  private var isLocal: Bool { request.scope == .local }

  /// Loads the first page; `nil` when the search was cancelled.
  mutating func first() async throws -> BrowsePage? {
    if !excluded.isEmpty { tell?(.providers(excluded)) }
    do {
      for try await update in runner.updates(search) {
        if case .finished(let report) = update { return page(report, isFirst: true) }
        if !isLocal { follow(update) }
      }
    } catch is CancellationError {}
    return nil
  }

  /// Loads the next page; `nil` when it was cancelled.
  mutating func next() async -> BrowsePage? {
    guard let last = report else { return BrowsePage(rows([]), isAppended: true) }
    let maximum = services.options.maximumRequests ?? SearchOptions.defaultMaximumRequests
    guard requests < maximum else {
      report = nil
      let note = BrowseProblem(
        "the list ends here: \(HumanFormat.plural(maximum, "request")) were sent for it",
        hint: "start again with a larger --max-requests, or make the query more specific")
      return BrowsePage(rows([]), isAppended: true, notes: [note])
    }
    let more = await last.more(limit: Self.pageSize)
    guard let more, !Task.isCancelled else { return nil }
    return page(more, isFirst: false)
  }

  /// Keeps a page and turns it into rows.
  private mutating func page(_ page: SearchReport, isFirst: Bool) -> BrowsePage {
    page.remember()
    report = page
    let fresh = page.items
    let isSame = Set(items.map(\.result.kind)).isSuperset(of: fresh.map(\.result.kind))
    items += fresh
    requests += page.outcomes.reduce(0) { $0 + $1.requests }
    for outcome in page.outcomes { noteLimit(outcome) }
    outcomes = page.outcomes
    pending = []
    tell?(.providers(statuses))
    // Another kind changes the columns of all rows.
    let isAppended = !isFirst && isSame
    return BrowsePage(
      rows(isAppended ? fresh : items), isAppended: isAppended,
      hasMore: page.hasMore && !isLocal && !request.isSample, notes: notes(page, isFirst: isFirst))
  }

  /// What hints say of options that have keys here.
  private static let optionsElsewhere = [
    ", with --provider", " with --provider", SearchRendering.onlyClones,
  ]

  /// A hint with keys in place of options.
  static func keyed(_ hint: String) -> String {
    let hint = optionsElsewhere.reduce(hint) { $0.replacing($1, with: "") }
    // The kinds are at the end.
    guard let option = hint.firstRange(of: ", or use -k ") else { return hint }
    return hint[..<option.lowerBound] + ", or choose another kind with Tab"
  }

  /// The messages that a search on the command line would end with.
  private func notes(_ page: SearchReport, isFirst: Bool) -> [BrowseProblem] {
    guard !isLocal else { return [] }
    var page = page
    // Who could answer may be among those that were left out.
    if !excluded.isEmpty { page.result.outcomes.removeAll(where: \.state.isExcluded) }
    // Nobody asked for the feed, which needs no login: that a token is missing is said in the status line
    // alone.
    if tell != nil, search.isFeed, !items.isEmpty { page.result.outcomes.removeAll(where: \.lacksToken) }
    for index in page.result.outcomes.indices {
      page.result.outcomes[index].error = page.result.outcomes[index].error?.forScreens
    }
    let rendering = SearchRendering(page, runner.choice, output: services.context.output)
    let warnings = isFirst ? search.query?.warnings ?? [] : []
    return warnings.map { BrowseProblem($0.message, hint: $0.hint ?? "") }
      + rendering.notes.map { BrowseProblem($0.message, hint: Self.keyed($0.hint)) }
  }

  private func rows(_ shown: [MergedItem]) -> BrowseRows {
    let kinds = Set((items + shown).map(\.result.kind))
    return BrowseRows(shown, kinds: kinds.isEmpty ? Set(search.kinds) : kinds, ShownOrder(search), services)
  }

  /// Follows the search while it runs.
  private mutating func follow(_ update: SearchUpdate) {
    switch update {
    case .event(.started(let asked)):
      outcomes = asked
      pending = Set(asked.map(Self.name))
    case .event(.found(let outcome, var results)):
      self.update(outcome)
      ResultAnnotation(services.forage, isQuiet: true).annotate(&results)
      found.append((outcome.id, results))
    case .event(.ended(let outcome)):
      self.update(outcome)
      pending.remove(Self.name(outcome))
    case .waiting, .warning, .finished: return
    }
    tell?(.providers(statuses))
    guard case .event(.found) = update else { return }
    if let lastShown, .now - lastShown < Self.interval { return }
    lastShown = .now
    tell?(.rows(rows(runner.choice.registry.preview(found, limit: search.limit))))
  }

  private static func name(_ outcome: ProviderOutcome) -> String { "\(outcome.id) \(outcome.kind.rawValue)" }

  /// Notes until when a limit holds: of several answers the latest end counts.
  private mutating func noteLimit(_ outcome: ProviderOutcome) {
    guard let error = outcome.error, error.code == .rateLimited, let wait = error.retryAfterMilliseconds
    else { return }
    limitEnds[outcome.id] = max(limitEnds[outcome.id] ?? .zero, services.now + .milliseconds(wait))
  }

  private mutating func update(_ outcome: ProviderOutcome) {
    noteLimit(outcome)
    if let index = outcomes.firstIndex(where: { Self.name($0) == Self.name(outcome) }) {
      outcomes[index] = outcome
    } else {
      outcomes.append(outcome)
    }
  }

  /// What each provider does.
  var statuses: [ProviderStatus] {
    var statuses = excluded
    for outcome in outcomes where !outcome.state.isExcluded {
      // Clones and the cache are asked without a word about who has no answer.
      if isLocal, outcome.state != .ok { continue }
      if statuses.contains(where: { $0.id == outcome.id }) { continue }
      statuses.append(status(of: outcomes.filter { $0.id == outcome.id && !$0.state.isExcluded }))
    }
    return statuses
  }

  /// What a provider does.
  ///
  /// - Parameter own: Its outcome for each kind.
  private func status(of own: [ProviderOutcome]) -> ProviderStatus {
    let id = own[0].id
    // What a provider leaves out of its whole list is a note, and no failure.
    func hasFailed(_ outcome: ProviderOutcome) -> Bool {
      outcome.state.isFailure && !outcome.isPartialByItsWord
    }
    var status = ProviderStatus(id: id, state: .answered)
    status.count =
      report == nil
      ? own.reduce(0) { $0 + $1.returned }
      : items.count { item in item.sources.contains { $0.provider == id } }
    let totals = own.compactMap(\.total)
    if !totals.isEmpty {
      status.total = ResultTotal(
        totals.reduce(0) { $0 + Count(nearest: $1.value) }.value,
        totals.allSatisfy { $0.relation == .equal } ? .equal : .atLeast)
    }
    status.isCached = own.allSatisfy { $0.cache.age != nil }
    if own.contains(where: { pending.contains(Self.name($0)) }) {
      let end = waits.withLock { $0[id] }.flatMap { $0 > services.now ? $0 : nil }
      status.state = end.map { .limited(until: $0) } ?? .waiting(since: began)
    } else if let end = limitEnds[id], end > services.now || own.contains(where: hasFailed) {
      status.state = .limited(until: end)
    } else if status.count == 0, own.contains(where: \.lacksToken),
      !own.contains(where: { hasFailed($0) && !$0.lacksToken })
    {
      status.state = .lacksToken
    } else if let error = own.first(where: hasFailed)?.error,
      // The end of a list that the user limits is no failure; the notes tell it.
      status.count == 0 || error.code != .requestLimit
    {
      status.state = .failed(BrowseProblem(error))
    }
    return status
  }
}

extension ProviderOutcome {
  /// Whether nothing was sent because that needs a token, and there is none.
  fileprivate var lacksToken: Bool { state == .unauthorized && requests == 0 }
}
