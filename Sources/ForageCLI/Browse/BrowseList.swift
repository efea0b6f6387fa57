import Forage
import ForageBrowse
import ForageCore
import ForageGitHub
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One list: a search, and its pages so far.
final class BrowseList: Sendable {
  private struct State {
    var found: [(provider: String, items: [SearchResult])] = []
    var outcomes: [ProviderOutcome] = []
    var pending: Set<String> = []
    var hasEnded = false
    var lastShown: ContinuousClock.Instant?
    var items: [MergedItem] = []
    var session: SearchSession?
    var offset = 0
    var requests = 0
  }

  /// The least time between two lists while results arrive.
  private static let interval: Duration = .milliseconds(40)
  /// The results of a further page: a page of a forge.
  private static let pageSize = 100

  private let services: BrowseServices
  private let request: BrowseRequest
  private let federation: Federation
  private let search: FederatedSearch
  private let held: [ProviderStatus]
  private let keep: @Sendable ([SearchResult]) -> Void
  private let tell: @Sendable (BrowseSearchEvent) -> Void
  private let began: Duration
  private let state = Mutex(State())

  /// Prepares a search.
  ///
  /// - Parameters:
  ///   - keep: Receives the results of all rows before the rows themselves, on any thread.
  ///   - tell: Receives its news, on any thread.
  /// - Throws: `QueryError` and `ForageError` for a request that cannot be made.
  init(
    _ request: BrowseRequest, _ services: BrowseServices,
    keep: @escaping @Sendable ([SearchResult]) -> Void = { _ in },
    tell: @escaping @Sendable (BrowseSearchEvent) -> Void
  ) async throws {
    (self.request, self.services, self.keep, self.tell) = (request, services, keep, tell)
    began = services.now
    services.choose(request.providers)
    let (registry, held) = try services.registry(for: request)
    self.held = held
    federation = Federation(registry)
    var search = try Self.search(request, services, registry)
    if services.options.showsOnlyFavorites {
      search.filter = try await ResultAnnotation(services.context.services).favoritesOnly(
        until: .now + search.timeout)
    }
    self.search = search
    if request.scope != .local { try await services.scanClones(within: search.timeout / 2) }
  }

  private static func search(
    _ request: BrowseRequest, _ services: BrowseServices, _ registry: ProviderRegistry
  ) throws -> FederatedSearch {
    let options = services.options
    let limit = request.isSample ? FeedCommand.sampleReach : options.limit
    if request.query.isEmpty {
      let offered = registry.providers.flatMap { provider in
        provider.descriptor.kinds.filter { provider.descriptor.isProvisional || $0.value.feed != nil }.keys
      }
      let kinds = Array(Set(offered)).sorted { $0.rawValue < $1.rawValue }
      let wanted = request.kinds.isEmpty ? kinds.isEmpty ? [.repo] : kinds : request.kinds
      return FederatedSearch(
        feedOf: wanted, limit: limit, sort: request.sort, order: request.order,
        timeout: SearchOptions.defaultTimeout)
    }
    let query = try QueryParser(vocabulary: registry.vocabulary).parse(request.query)
    return FederatedSearch(
      query: query, kinds: request.kinds.isEmpty ? [.repo] : request.kinds, limit: limit,
      sort: request.sort, order: request.order, timeout: SearchOptions.defaultTimeout)
  }

  /// Whether another page can be loaded.
  var hasMore: Bool { state.withLock { $0.session != nil } }

  /// The results so far.
  var items: [MergedItem] { state.withLock { $0.items } }

  /// Loads the first page; `nil` when the search was cancelled.
  func first() async -> BrowsePage? {
    var search = search
    if request.scope != .local {
      search.observer = { [weak self] in self?.follow($0) }
      if !held.isEmpty { tell(.started(held)) }
    }
    var result = await federation.search(search)
    guard !Task.isCancelled else { return nil }
    if request.isSample {
      result.items = RandomSample(count: BrowseState.sampleSize, seed: nil).chosen(result.items)
      result.session = nil
    }
    return await page(result, isFirst: true)
  }

  /// Loads the next page; `nil` when it was cancelled.
  ///
  /// - Throws: `SearchError` where the search cannot be continued.
  func next() async throws(SearchError) -> BrowsePage? {
    let (session, offset, requests) = state.withLock { ($0.session, $0.offset, $0.requests) }
    guard let session else { return BrowsePage(rows([]), isAppended: true) }
    let maximum = services.options.maximumRequests ?? SearchReach.defaultMaximumRequests
    guard requests < maximum else {
      state.withLock { $0.session = nil }
      let note = BrowseProblem(
        "the list ends here: \(HumanFormat.plural(maximum, "request")) were sent for it",
        hint: "start again with a larger --max-requests, or make the query more specific")
      return BrowsePage(rows([]), isAppended: true, notes: [note])
    }
    var search = search
    search.limit = Self.pageSize
    let result = try await federation.search(search, from: offset, of: session)
    guard !Task.isCancelled else { return nil }
    return await page(result, isFirst: false)
  }

  /// Keeps a page and turns it into rows.
  private func page(_ found: FederatedResult, isFirst: Bool) async -> BrowsePage {
    var result = found
    let annotation = ResultAnnotation(services.context.services, isQuiet: true)
    await annotation.annotate(&result, until: .now + search.timeout)
    annotation.remember(result.items.map(\.result))
    let fresh = result.items
    let (all, isSame) = state.withLock { state in
      let isSame = Set(state.items.map(\.result.kind)).isSuperset(of: fresh.map(\.result.kind))
      state.items = isFirst ? fresh : state.items + fresh
      state.session = result.session
      state.offset = result.nextOffset
      state.requests += result.outcomes.reduce(0) { $0 + $1.requests }
      state.outcomes = isFirst ? result.outcomes : Self.joined(state.outcomes, result.outcomes)
      (state.pending, state.hasEnded) = ([], true)
      return (state.items, isSame)
    }
    tellStatuses()
    // Another kind changes the columns of all rows.
    let isAppended = !isFirst && isSame
    return BrowsePage(
      rows(isAppended ? fresh : all), isAppended: isAppended,
      hasMore: result.session != nil && request.scope != .local, notes: notes(result, isFirst: isFirst))
  }

  /// The outcomes of all pages: those of the last one, with totals that only an earlier one told.
  private static func joined(_ old: [ProviderOutcome], _ new: [ProviderOutcome]) -> [ProviderOutcome] {
    new.map { outcome in
      let before = old.first { $0.id == outcome.id && $0.kind == outcome.kind }
      var joined = outcome
      joined.total = outcome.total ?? before?.total
      // A provider that has ended is not asked for a further page.
      if outcome.requests == 0, outcome.error == nil, let before { joined.state = before.state }
      return joined
    }
  }

  /// The messages that a search on the command line would end with.
  private func notes(_ result: FederatedResult, isFirst: Bool) -> [BrowseProblem] {
    guard request.scope != .local else { return [] }
    let text = CollectedText()
    let output = Output(
      writeResult: { _ in }, writeMessage: { text.add($0) }, isTerminal: false, isMessageTerminal: false,
      now: services.context.output.now)
    let rendering = SearchRendering(
      result: result, query: request.query, explains: false, next: nil, output: output)
    rendering.writeNotes()
    let warnings = isFirst ? search.query?.warnings ?? [] : []
    return warnings.map { BrowseProblem($0.message, hint: $0.hint ?? "") }
      + BrowseProblem.read(text.text).filter { !$0.message.hasPrefix("nothing found") }
  }

  /// The rows of results.
  private func rows(_ items: [MergedItem]) -> BrowseRows {
    keep(items.map(\.result))
    let kinds = Set(state.withLock { $0.items.map(\.result.kind) } + items.map(\.result.kind))
    return BrowseRows(items, kinds: kinds.isEmpty ? Set(search.kinds) : kinds, ShownOrder(search), services)
  }

  /// Follows the search while it runs.
  private func follow(_ event: SearchEvent) {
    let now = ContinuousClock.now
    var fresh: [SearchResult] = []
    if case .found(_, let items) = event {
      fresh = items
      ResultAnnotation(services.context.services, isQuiet: true).annotate(&fresh)
    }
    let shown = state.withLock { state -> [(provider: String, items: [SearchResult])]? in
      guard !state.hasEnded else { return nil }
      switch event {
      case .started(let outcomes):
        state.outcomes = outcomes
        state.pending = Set(outcomes.map { "\($0.id) \($0.kind.rawValue)" })
      case .found(let outcome, _):
        state.found.append((outcome.id, fresh))
        update(&state, outcome)
        if let last = state.lastShown, now - last < Self.interval { return nil }
        state.lastShown = now
        return state.found
      case .ended(let outcome):
        update(&state, outcome)
        state.pending.remove("\(outcome.id) \(outcome.kind.rawValue)")
      }
      return nil
    }
    tellStatuses()
    if let shown { tell(.rows(rows(federation.provisional(shown, limit: search.limit)))) }
  }

  private func update(_ state: inout State, _ outcome: ProviderOutcome) {
    if let index = state.outcomes.firstIndex(where: { $0.id == outcome.id && $0.kind == outcome.kind }) {
      state.outcomes[index] = outcome
    } else {
      state.outcomes.append(outcome)
    }
  }

  /// Tells what each provider does.
  private func tellStatuses() {
    let (outcomes, pending, items, hasEnded) = state.withLock {
      ($0.outcomes, $0.pending, $0.items, $0.hasEnded)
    }
    var statuses = held
    for outcome in outcomes where !outcome.state.isExcluded {
      // Clones and the cache are asked without a word about who has no answer.
      if request.scope == .local, outcome.state != .ok { continue }
      if statuses.contains(where: { $0.id == outcome.id }) { continue }
      let own = outcomes.filter { $0.id == outcome.id && !$0.state.isExcluded }
      var status = ProviderStatus(id: outcome.id, state: .answered)
      status.count =
        hasEnded
        ? items.count { item in item.sources.contains { $0.provider == outcome.id } }
        : own.reduce(0) { $0 + $1.returned }
      let totals = own.compactMap(\.total)
      status.total =
        totals.isEmpty
        ? nil
        : ResultTotal(
          totals.reduce(0) { min($0 + $1.value, .max / 2) },
          totals.allSatisfy { $0.relation == .equal } ? .equal : .atLeast)
      status.isCached = own.allSatisfy { $0.cache.age != nil }
      if own.contains(where: { pending.contains("\($0.id) \($0.kind.rawValue)") }) {
        status.state = .waiting(since: began)
      } else if let failed = own.first(where: \.state.isFailure), let error = failed.error {
        status.state =
          error.code == .rateLimited && error.retryAfterMilliseconds != nil
          ? .limited(until: services.now + .milliseconds(error.retryAfterMilliseconds ?? 0))
          : .failed(BrowseProblem(error.message, hint: error.advice))
      }
      statuses.append(status)
    }
    tell(.started(statuses))
  }
}
