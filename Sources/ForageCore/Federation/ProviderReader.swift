import ForageFoundation

/// Reads the pages of one provider until enough items pass the residual filter.
struct ProviderReader: Sendable {
  /// The maximum number of pages to read for a window of items that pass the residual filter.
  static let scanCap = 5
  /// The maximum for a feed, and for a filter whose results are known: 10,000 results of a forge.
  static let wholeScanCap = 100
  /// The maximum number of consecutive pages without items: a server may filter several whole pages, but an
  /// endless list of empty ones must not use up the time limit.
  static let emptyPageCap = 20
  /// The maximum size of the results of one provider in one search, in bytes of memory: 10,000 repositories as
  /// forges describe them. A search needs about three times as much until it is printed.
  static let sizeLimit = 16 << 20

  let provider: any SearchProvider
  let search: FederatedSearch
  let kind: ResultKind
  var plan: QueryPlan
  let vocabulary: QualifierVocabulary
  let abilities: ProviderDescriptor.KindAbilities
  /// The repositories to request by name; `nil` to read the list by pages.
  var names: RepositoryNames?
  let deadline: ContinuousClock.Instant
  let index: Int
  /// When the search began. Answers count as observed then, so that results do not depend on timing.
  let now: Date

  /// The sort key of the search; `nil` if the provider does not support it, or not in this order.
  var sort: String? {
    let (keys, only) =
      search.isFeed
      ? (abilities.feed?.sorts ?? [], abilities.feed?.onlyOrders ?? [:])
      : (abilities.sorts, abilities.onlyOrders)
    return search.sort.flatMap { keys.contains($0) && only[$0] ?? search.order == search.order ? $0 : nil }
  }

  private var filter: ResultFilter? { search.filter }
  private var maximumPageSize: Int { abilities.maximumPageSize }

  /// The page size for a number of items: not more than wanted, unless some will not pass the residual
  /// filter.
  func pageSize(wanted: Int) -> Int {
    plan.residual == nil && filter == nil
      ? min(max(wanted, Self.smallestPage), maximumPageSize) : maximumPageSize
  }

  /// Smaller pages save nothing, and later pages of the search would need more requests.
  private static let smallestPage = 30

  /// Reads pages until the given number of items is reached, and adds them to the progress.
  func read(_ progress: ProviderProgress, until target: Int) async {
    await Self.reporting(to: progress, index: index, name: provider.descriptor.name) {
      try await readPages(progress, until: target)
    }
  }

  /// The maximum number of consecutive pages without enough items; it is higher for small pages.
  private func scanCap(_ pageSize: Int) -> Int {
    // All results that can pass are known, so the whole list is read.
    let isWholeWanted = search.isFeed || filter?.ids != nil
    return max(
      isWholeWanted ? Self.wholeScanCap : Self.scanCap, (RankFusion.window + pageSize - 1) / max(1, pageSize))
  }

  /// Does a provider's work and turns errors into its outcome.
  static func reporting(
    to progress: ProviderProgress, index: Int, name: String, _ work: () async throws -> Void
  ) async {
    do {
      try await work()
    } catch {
      // Whoever cancelled the work reports why.
      if Task.isCancelled { return }
      let other =
        error is CancellationError
        ? SearchError(.cancelled, "the search was cancelled")
        : SearchError(.other, "\(name) failed: \(error)")
      progress.fail(index, error as? SearchError ?? other)
    }
  }

  private func readPages(_ progress: ProviderProgress, until target: Int) async throws {
    var plan = plan
    let begun = progress.state(index)
    let pageSize = min(begun.part.pageSize, maximumPageSize)
    var (cursor, count) = (begun.part.cursor, PageCount(begun))
    while true {
      let request = SearchRequest(
        kind: kind, query: plan.pushed, sort: sort, order: search.order, matches: search.matches,
        pageSize: pageSize, cursor: cursor, deadline: deadline, requests: progress.requests(index))
      let page = try await page(request)
      plan.demote(page.unapplied)
      let fresh = count.unseen(page.items)
      let isChecked = plan.residual != nil || filter != nil
      let kept = timed(isChecked ? fresh.filter { passes($0, plan) } : fresh, of: page)
      let ending = count.ending(
        after: page, isKnown: fresh.isEmpty, kept: kept, target: target,
        scanCap: isChecked ? scanCap(pageSize) : .max)
      // Reported before the provider is closed, because the search may end then.
      if !kept.isEmpty { report(progress, kept) }
      let isOpen = progress.update(index) { state in
        state.part.pending += kept
        state.part.seen = count.seen
        state.part.isTruncated = count.isTruncated
        state.outcome.add(page, plan: plan, filter: filter)
        state.outcome.returned = min(state.items.count, target)
        if let failure = page.gaps.failure {
          state.outcome.error = failure
          state.outcome.state = state.items.isEmpty ? failure.state : .partial
          state.isClosed = true
          return
        }
        state.size = count.size
        state.part.cursor = page.next
        state.apply(ending)
        guard ending.isReached else { return }
        close(&state, after: page, ending, count)
        // Of a whole list it is known how many results fit.
        if isChecked, page.next == nil, state.outcome.isComplete {
          state.outcome.total = ResultTotal(state.part.used + state.items.count)
        }
      }
      if !isOpen { return }
      cursor = page.next
    }
  }

  /// Closes a provider whose reading has ended.
  private func close(
    _ state: inout ProviderProgress.State, after page: SearchPage, _ ending: PageCount.Ending,
    _ count: PageCount
  ) {
    state.outcome.state = .ok
    // Results beyond the reach of one page may be on another.
    if let total = state.outcome.total, !state.isPaused, count.seen.count >= total.value {
      state.outcome.shortfalls = []
    }
    state.outcome.reachable = ending.isEnough ? nil : reachedLimit(state, count)
    if ending.isRepeating { state.repeat(provider.descriptor.name) }
    if let omission = state.outcome.omission {
      state.outcome.error = omission
      state.outcome.state = .partial
    }
    state.isClosed = true
  }

  /// The number of reachable results, if only a shortfall, the provider's maximum or an early end ended the
  /// list.
  private func reachedLimit(_ state: ProviderProgress.State, _ count: PageCount) -> Int? {
    let seen = count.seen.count
    if !state.outcome.shortfalls.isEmpty { return seen }
    guard !search.isFeed, seen > 0, let total = state.outcome.total else { return nil }
    if let reachable = abilities.reachable, total.value > reachable { return reachable }
    // A list without a next page is at its end; of its exact total all the results must have been there.
    let isShort =
      state.part.isEnded && state.part.cursor == nil && total.relation == .equal
      && total.value > count.received + state.outcome.unreadable
    return isShort ? seen : nil
  }

  private func page(_ request: SearchRequest) async throws -> SearchPage {
    if search.isFeed { return try await provider.feed(request) }
    guard let names else { return try await provider.search(request) }
    return try await names.page(request, of: provider)
  }

  /// The items of a page with its time, and without future times, which would count as the most recent.
  private func timed(_ items: [SearchResult], of page: SearchPage) -> [SearchResult] {
    let time = page.cache.age.map { min(now, now - $0.inSeconds) } ?? now
    var items = items
    for index in items.indices {
      items[index].readAt = time
      if let time = items[index].observedAt, time > now { items[index].observedAt = now }
    }
    return items
  }

  private func report(_ progress: ProviderProgress, _ items: [SearchResult]) {
    let state = progress.state(index)
    if !state.isClosed { search.observer?(.found(state.outcome, items)) }
  }

  private func passes(_ item: SearchResult, _ plan: QueryPlan) -> Bool {
    (plan.residual?.matches(item, vocabulary: vocabulary) ?? true) && filter?.passes(item) ?? true
  }

}

extension ProviderOutcome {
  fileprivate mutating func add(_ page: SearchPage, plan: QueryPlan, filter: ResultFilter?) {
    pages += 1
    total = page.total ?? total
    isIncomplete = isIncomplete || page.gaps.isIncomplete
    unreadable += page.gaps.unreadable
    coverage = page.coverage ?? coverage
    omission = page.coverage.map(\.missing) ?? page.gaps.omission ?? omission
    residual = (plan.residualNames + (filter.map { [$0.name] } ?? [])).sorted()
    cache.add(page.cache)
    if let shortfall = page.gaps.shortfall, !shortfalls.contains(shortfall) { shortfalls.append(shortfall) }
  }
}

extension ProviderProgress.State {
  fileprivate mutating func apply(_ ending: PageCount.Ending) {
    part.isEnded = ending.isEnd
    if let shortfall = ending.shortfall { outcome.shortfalls.append(shortfall) }
    outcome.isScanLimited = ending.isCapped
    isPaused = ending.isPaused
  }

  /// Records that the list ends early because its pages repeat.
  fileprivate mutating func `repeat`(_ name: String) {
    outcome.error = SearchError(.invalidResponse, "\(name) repeats its pages; its list ends early")
    outcome.state = outcome.returned == 0 ? .failed : .partial
  }
}
