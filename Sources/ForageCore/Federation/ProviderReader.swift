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
  /// Plans this part again with the provider's declaration; `nil` if its descriptor is complete.
  var planning: (@Sendable (ProviderDescriptor) -> PlannedPart)?

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
    plan.residual == nil && filter == nil && planning == nil
      ? min(max(wanted, Self.smallestPage), maximumPageSize) : maximumPageSize
  }

  /// Smaller pages save nothing, and later pages of the search would need more requests.
  private static let smallestPage = 30

  /// Reads pages until the given number of items is reached, and adds them to the progress.
  func read(_ progress: ProviderProgress, until target: Int) async {
    await Self.reporting(to: progress, index: index, name: provider.descriptor.name) {
      let reader = try await planned(progress)
      try await reader?.readPages(progress, until: target)
    }
  }

  /// The reader with its final plan; `nil` if the provider turns out not to support the search.
  private func planned(_ progress: ProviderProgress) async throws -> ProviderReader? {
    guard let planning else { return self }
    if let known = progress.state(index).planned { return known }
    let part = planning(try await provider.declaration(deadline: deadline))
    progress.update(index) { state in
      state.planned = part.reader
      state.outcome.isSortApproximate = part.outcome.isSortApproximate
      guard part.reader == nil else { return }
      state.outcome.state = part.outcome.state
      state.outcome.error = part.outcome.error
      state.outcome.otherKinds = part.outcome.otherKinds
      state.outcome.lacksKind = part.outcome.lacksKind
      state.part.isEnded = true
      state.isClosed = true
    }
    return part.reader
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
    var (cursor, seen, count) = (begun.part.cursor, begun.part.seen, begun.items.count)
    // The items before the interruption are already known.
    var isTruncated = begun.part.isTruncated
    // Pages that do not fill a window: many of them would exceed rate limits for a query with few matches.
    var (thinPages, windowEnd) = (0, count + RankFusion.window)
    var emptyPages = 0
    // With repeated items, because the provider counts them, too.
    var received = seen.count
    var size = begun.size
    while true {
      let request = SearchRequest(
        kind: kind, query: plan.pushed, sort: sort, order: search.order, matches: search.matches,
        pageSize: pageSize, cursor: cursor, deadline: deadline, requests: progress.requests(index))
      let page = try await page(request)
      plan.demote(page.unapplied)
      let fresh = Self.unseen(page.items, &seen)
      let isChecked = plan.residual != nil || filter != nil
      let kept = timed(isChecked ? fresh.filter { passes($0, plan) } : fresh, of: page)
      count += kept.count
      received += page.items.count
      let isEmpty = page.items.isEmpty
      emptyPages = isEmpty ? emptyPages + 1 : 0
      if !isEmpty || page.mayRepeat { thinPages += 1 }
      if count >= windowEnd { (thinPages, windowEnd) = (0, count + RankFusion.window) }
      let isPaused = page.gaps.shortfall?.isPause ?? false
      let isStalled =
        page.next != nil && !isPaused
        && emptyPages >= (page.mayRepeat ? Self.wholeScanCap : Self.emptyPageCap)
      // A page that has items but no new ones ends the list, because some servers repeat their last page.
      let isEnd =
        page.next == nil || isStalled
        || !isEmpty && fresh.isEmpty && !page.mayRepeat && !isTruncated && !isPaused
      isTruncated = page.gaps.failure != nil
      let isEnough = count >= target
      let isRepeating =
        !isEnough && isEnd && !isStalled && page.next != nil
        && page.total.map { $0.value > seen.count } ?? false
      let isCapped = isChecked && !isEnd && !isEnough && thinPages >= scanCap(pageSize)
      let pageBytes = kept.reduce(0) { $0 + $1.size }
      size += pageBytes
      // The next page may be as large as this one.
      let isFull = !isEnd && !isEnough && !isCapped && !isPaused && size + pageBytes > Self.sizeLimit
      let end = isStalled ? Self.stall(emptyPages) : isFull ? Self.full(count) : nil
      // Reported before the provider is closed, because the search may end then.
      if !kept.isEmpty { report(progress, kept) }
      let isOpen = progress.update(index) { state in
        state.part.pending += kept
        state.part.seen = seen
        state.part.isTruncated = page.gaps.failure != nil
        state.outcome.add(page, plan: plan, filter: filter)
        state.outcome.returned = min(state.items.count, target)
        if let failure = page.gaps.failure {
          state.outcome.error = failure
          state.outcome.state = state.items.isEmpty ? failure.state : .partial
          state.isClosed = true
          return
        }
        state.part.cursor = page.next
        state.part.isEnded = isEnd
        state.size = size
        if let end { state.outcome.shortfalls.append(end) }
        state.outcome.isScanLimited = isCapped
        state.isPaused = isPaused || isFull
        if isEnd || isEnough || isCapped || state.isPaused {
          state.outcome.state = .ok
          // Results beyond the reach of one page may be on another.
          if let total = state.outcome.total, !state.isPaused, seen.count >= total.value {
            state.outcome.shortfalls = []
          }
          state.outcome.reachable = reachedLimit(
            state, seen: seen.count, received: received, isEnough: isEnough)
          if isRepeating { state.repeat(provider.descriptor.name) }
          if let missing = page.coverage?.missing {
            state.outcome.error = missing
            state.outcome.state = .partial
          }
          // Of a whole list it is known how many results fit.
          if isChecked, page.next == nil, state.outcome.isComplete {
            state.outcome.total = ResultTotal(state.part.used + state.items.count)
          }
          state.isClosed = true
        }
      }
      if !isOpen { return }
      cursor = page.next
    }
  }

  /// Reports that reading stopped after consecutive pages without items.
  static func stall(_ pages: Int) -> SearchShortfall {
    SearchShortfall(
      "reading stopped after \(pages) consecutive pages without results",
      hint: "make the query more specific, or report this to the author of the provider")
  }

  /// Reports that reading stopped because the results are too large.
  private static func full(_ count: Int) -> SearchShortfall {
    SearchShortfall(
      "reading stopped after \(count) results, because the limit of \(sizeLimit >> 20) MB for the results of one search is reached",
      hint: "request fewer results at a time", isPause: true)
  }

  private func page(_ request: SearchRequest) async throws -> SearchPage {
    if search.isFeed { return try await provider.feed(request) }
    guard let names else { return try await provider.search(request) }
    return try await names.page(request, of: provider)
  }

  /// The items with new ids, without a copy if all are new.
  private static func unseen(_ items: [SearchResult], _ seen: inout Set<String>) -> [SearchResult] {
    seen.reserveCapacity(seen.count + items.count)
    let isNew = items.map { seen.insert($0.id).inserted }
    return isNew.contains(false) ? items.indices.filter { isNew[$0] }.map { items[$0] } : items
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

  /// The number of reachable results, if only a shortfall, the provider's maximum or an early end ended the
  /// list.
  private func reachedLimit(_ state: ProviderProgress.State, seen: Int, received: Int, isEnough: Bool) -> Int?
  {
    guard !isEnough else { return nil }
    if !state.outcome.shortfalls.isEmpty { return seen }
    guard !search.isFeed, seen > 0, let total = state.outcome.total else { return nil }
    if let reachable = abilities.reachable, total.value > reachable { return reachable }
    // A list without a next page is at its end; of its exact total all the results must have been there.
    let isShort =
      state.part.isEnded && state.part.cursor == nil && total.relation == .equal
      && total.value > received + state.outcome.unreadable
    return isShort ? seen : nil
  }
}

extension ProviderOutcome {
  fileprivate mutating func add(_ page: SearchPage, plan: QueryPlan, filter: ResultFilter?) {
    pages += 1
    total = page.total ?? total
    isIncomplete = isIncomplete || page.gaps.isIncomplete
    unreadable += page.gaps.unreadable
    coverage = page.coverage ?? coverage
    residual = (plan.residualNames + (filter.map { [$0.name] } ?? [])).sorted()
    cache.add(page.cache)
    if let shortfall = page.gaps.shortfall, !shortfalls.contains(shortfall) { shortfalls.append(shortfall) }
  }
}

extension ProviderProgress.State {
  /// Records that the list ends early because its pages repeat.
  fileprivate mutating func `repeat`(_ name: String) {
    outcome.error = SearchError(.invalidResponse, "\(name) repeats its pages; its list ends early")
    outcome.state = outcome.returned == 0 ? .failed : .partial
  }
}

extension SearchResult {
  /// The number of bytes of a result besides its texts and fields.
  private static let overhead = 160
  /// The length in bytes up to which the name of a field takes no memory of its own.
  private static let shortName = 15

  /// About the number of bytes that the result takes in memory.
  var size: Int {
    var size = Self.overhead + id.utf8.count + title.utf8.count + (url?.utf8.count ?? 0)
    for (field, value) in fields {
      let length = field.rawValue.utf8.count
      // The name of a field occurs again in the record of its providers.
      size += value.size + (length > Self.shortName ? 2 * length : 0)
    }
    for entity in related { size += FieldValue.overhead + entity.id.utf8.count }
    return size
  }
}

extension FieldValue {
  /// The number of bytes of a value besides its text.
  fileprivate static let overhead = 64

  fileprivate var size: Int {
    switch self {
    case .text(let text): Self.overhead + text.utf8.count
    case .number, .fraction, .flag, .date: Self.overhead
    case .list(let texts): texts.reduce(Self.overhead) { $0 + Self.overhead + $1.utf8.count }
    case .items(let values): values.reduce(Self.overhead) { $0 + $1.size }
    case .record(let members): members.reduce(Self.overhead) { $0 + $1.key.utf8.count + $1.value.size }
    }
  }
}
