import ForageFoundation
import ForagePlatform

/// The part of a search that one provider does for one kind of results: what it is sent, its place in the
/// list, the items so far and the outcome.
///
/// `SearchRun` owns the value. It asks for one page at a time with `request`, and passes on what comes of it
/// with `receive` or `fail`. The value does no work of its own and does not depend on time.
struct ProviderRun: Sendable {
  /// The maximum number of pages to read for a window of items that pass the residual filter.
  static let scanCap = 5
  /// The maximum for a feed, whose end is wanted: 10,000 results of a forge.
  static let wholeScanCap = 100
  /// The maximum number of consecutive pages without items: a server may filter several whole pages, but an
  /// endless list of empty ones must not use up the time limit.
  static let emptyPageCap = 20
  /// The maximum size of the results of one provider for one part of the list, in bytes of memory: 10,000
  /// repositories as forges describe them. A search needs about three times as much until it is printed.
  static let sizeLimit = 16 << 20
  /// How often in a row a provider may fail before it is not asked again.
  private static let failureCap = 1

  /// What the provider is asked for; what turns out not to be applied moves to the part that is checked here.
  private(set) var plan: ProviderPlan

  // MARK: Progress

  /// The items that passed the residual filter, in the provider's order.
  var items: [SearchResult] = []
  /// The ids of all items, with those that did not pass.
  private(set) var seen: Set<ExactText> = []
  /// The number of items on all pages with repeated ones, because the provider counts them, too.
  private var received = 0
  /// About the number of bytes in memory of the items for the part of the list that is read.
  private var size = 0
  private var cursor: String?
  /// Whether the list has ended.
  var isEnded = false
  /// Whether reading stopped, after a failure too, until the list is continued.
  private(set) var isPaused = false
  /// Whether the page at the cursor was interrupted, so that a part of it is known.
  private var isTruncated = false
  /// The number of consecutive continuations that failed without further items.
  private var failures = 0
  /// The number of items when the provider was last asked.
  private var itemsBefore = 0
  /// Consecutive pages without items, and pages that do not fill the window that ends at `windowEnd`.
  private var emptyPages = 0
  private var thinPages = 0
  private var windowEnd = 0
  /// The ends of the windows in `items` that the fixed blocks of the merged list took.
  var blockEnds: [Int] = []

  // MARK: Outcome

  /// The outcome without what only the report knows.
  var outcome: ProviderOutcome
  private var unreadable = 0
  /// The number of items that leave a condition undecided, and the names of these conditions.
  private var undecided: (items: Int, names: Set<String>) = (0, [])
  /// Why the list is interrupted, until it is continued.
  private var pauses: [Note] = []
  /// Whether something of the list stands after the window that is sorted here.
  private var isCut = false
  /// Why reading ended before enough items were found; of no importance for a list that is full without them.
  private var ending: Note?
  /// Counts the requests for the part of the list that is read.
  private(set) var requests = RequestCounter()

  init(_ plan: ProviderPlan) {
    self.plan = plan
    outcome = ProviderOutcome(id: plan.entry.info.id, name: plan.entry.info.name, kind: plan.kind)
    guard let exclusion = plan.exclusion else { return }
    (outcome.state, outcome.error) = (.unsupported, exclusion.error)
    (outcome.otherKinds, outcome.lacksKind) = (exclusion.otherKinds, exclusion.lacksKind)
    outcome.isInClones = exclusion.isInClones
  }

  /// A list of items that is not read, for merging.
  init(listing items: [SearchResult], of entry: ProviderRegistry.Entry) {
    self.init(ProviderPlan(entry, .repo))
    (self.items, isEnded) = (items, true)
  }

  /// Whether it takes part in the search; otherwise the outcome gives the reason.
  var isAsked: Bool { plan.exclusion == nil }

  /// Whether another request can return more items.
  var canDeliver: Bool { isAsked && !isEnded && !isPaused }
}

// MARK: Reading

extension ProviderRun {
  /// Lets reading go on where it stopped for an earlier part of the list.
  mutating func resume() {
    (isPaused, pauses, itemsBefore, size, requests) = (false, [], items.count, 0, RequestCounter())
  }

  /// Begins to read further pages.
  mutating func begin() {
    (emptyPages, thinPages, windowEnd) = (0, 0, items.count + RankFusion.window)
    (outcome.state, outcome.error, ending) = (.ok, nil, nil)
  }

  /// Writes the name of an account in place of `@me`.
  mutating func name(account: String) { plan.query.name(account: account) }

  /// The request for the next page.
  func request(of search: FederatedSearch, deadline: ContinuousClock.Instant) -> SearchRequest {
    var request = SearchRequest(
      kind: outcome.kind, query: plan.query.pushed, sort: plan.sort, order: search.order,
      matches: search.matches,
      pageSize: plan.pageSize, cursor: cursor, deadline: deadline)
    request.depth = search.depth
    request.includesRead = search.includesRead
    request.vocabulary = plan.vocabulary
    return request
  }

  /// Adds a page.
  ///
  /// - Parameters:
  ///   - page: What the provider returned for the last request.
  ///   - target: The number of items wanted.
  ///   - filter: A condition besides the query.
  ///   - now: The time of the search. Answers count as observed then, so that results do not depend on
  ///     timing.
  /// - Returns: The new items that passed.
  mutating func receive(_ page: SearchPage, until target: Int, filter: ResultFilter?, now: Date)
    -> [SearchResult]
  {
    plan.query.demote(page.unapplied)
    let fresh = unseen(page.items)
    let isChecked = plan.query.residual != nil || filter != nil
    let kept = timed(
      isChecked
        ? fresh.filter {
          plan.query.residual?.matches($0, vocabulary: plan.vocabulary) ?? true && filter?.passes($0) ?? true
        } : fresh, of: page, now: now)
    if isChecked, kept.count < fresh.count { addUndecided(fresh) }
    items += kept
    received += page.items.count
    outcome.residual = (plan.query.residualNames + (filter.map { [$0.name] } ?? [])).sorted()
    note(page)
    outcome.returned = min(items.count, target)
    if let failure = page.failure {
      isTruncated = true
      fail(failure)
      return kept
    }
    (cursor, failures) = (page.next, 0)
    end(after: page, isKnown: fresh.isEmpty, kept: kept, isChecked: isChecked, target: target)
    isTruncated = false
    return kept
  }

  /// Stops reading with an error. If there are items, the provider is partial.
  ///
  /// The list can be continued, unless the provider fails a second time without having returned anything in
  /// between.
  mutating func fail(_ error: SearchError) {
    outcome.error = error
    outcome.state = items.isEmpty ? error.state : .partial
    failures = items.count > itemsBefore ? 0 : failures + 1
    (isPaused, isEnded) = (true, isEnded || outcome.state.isExcluded || failures > Self.failureCap)
    guard failures > Self.failureCap else { return }
    outcome.notes.append(
      Note(
        .dropped, "\(outcome.name) failed on \(failures) consecutive pages and is not asked again",
        hint: "see its error, then search again"))
  }

  /// Counts the items of a forge that lack what decides a condition.
  private mutating func addUndecided(_ fresh: [SearchResult]) {
    // Who does not know the repositories first-hand knows some flags of some of them.
    guard !plan.entry.info.hosts.isEmpty, let abilities = plan.entry.kinds[plan.kind] else { return }
    for item in fresh {
      let names = plan.query.undecided(by: item, abilities: abilities, vocabulary: plan.vocabulary)
      if !names.isEmpty { undecided = (undecided.items + 1, undecided.names.union(names)) }
    }
  }

  /// The items with new ids, without a copy if all are new.
  private mutating func unseen(_ items: [SearchResult]) -> [SearchResult] {
    seen.reserveCapacity(seen.count + items.count)
    let isNew = items.map { seen.insert(ExactText($0.id)).inserted }
    return isNew.contains(false) ? items.indices.filter { isNew[$0] }.map { items[$0] } : items
  }

  /// The items of a page with its time, and without future times, which would count as the most recent.
  private func timed(_ items: [SearchResult], of page: SearchPage, now: Date) -> [SearchResult] {
    let time = page.cache.age.map { min(now, now - $0 / .seconds(1)) } ?? now
    var items = items
    let definitions = plan.entry.info.fields
    for index in items.indices {
      items[index].readAt = time
      items[index].definitions = definitions
      if let time = items[index].observedAt, time > now { items[index].observedAt = now }
    }
    return items
  }

  /// Adds to the outcome what a page says besides its items.
  private mutating func note(_ page: SearchPage) {
    outcome.pages += 1
    outcome.total = page.total ?? outcome.total
    outcome.coverage = page.coverage ?? outcome.coverage
    unreadable += page.unreadable
    outcome.cache.add(page.cache)
    if page.isPaused {
      pauses = page.notes
      return
    }
    for note in page.notes + (Note.stale(outcome.cache, of: outcome.name).map { [$0] } ?? []) {
      // What the whole list lacks is told as of the last page.
      outcome.notes.removeAll {
        $0.code == note.code && ($0.code == .stale || $0.code.makesPartial || $0.message == note.message)
      }
      outcome.notes.append(note)
    }
  }

  /// Decides after a page whether reading ends.
  private mutating func end(
    after page: SearchPage, isKnown: Bool, kept: [SearchResult], isChecked: Bool, target: Int
  ) {
    let isEmpty = page.items.isEmpty
    emptyPages = isEmpty ? emptyPages + 1 : 0
    if !isEmpty || page.mayRepeat { thinPages += 1 }
    if items.count >= windowEnd { (thinPages, windowEnd) = (0, items.count + RankFusion.window) }
    let isEnough = items.count >= target
    isPaused = page.isPaused
    let isStalled =
      page.next != nil && !isPaused && emptyPages >= (page.mayRepeat ? Self.wholeScanCap : Self.emptyPageCap)
    // A page that has items but no new ones ends the list, because some servers repeat their last page.
    let isRepeated = !isEmpty && isKnown && !page.mayRepeat && !isTruncated && !isPaused
    isEnded = page.next == nil || isStalled || isRepeated
    let pageBytes = kept.reduce(0) { $0 + $1.size }
    size += pageBytes
    if isStalled { ending = .stalled(after: emptyPages) }
    if isEnded, !isEnough, !isStalled {
      if page.next != nil, outcome.total.map({ $0.value > seen.count }) ?? false {
        outcome.error = SearchError(
          .invalidResponse, "\(outcome.name) repeats its pages; its list ends early")
        outcome.state = items.isEmpty ? .failed : .partial
      }
      ending = unreached
      // Of a whole list it is known how many results fit.
      if isChecked, page.next == nil, outcome.state == .ok, ending == nil,
        unreadable == 0, undecided.items == 0, !outcome.notes.contains(where: \.isMissing)
      {
        outcome.total = ResultTotal(items.count)
      }
    }
    guard !isEnded, !isEnough, !isPaused else { return }
    if isChecked, thinPages >= plan.pageCap {
      (isPaused, ending) = (true, .scanLimited(pages: outcome.pages, for: outcome.residual))
    } else if size + pageBytes > plan.sizeCap {
      // The next page may be as large as this one.
      (isPaused, ending) = (true, .sizeLimited(results: items.count))
    }
  }

  /// The note for results that the provider counts but does not return; `nil` if another note says so.
  private var unreached: Note? {
    guard let total = outcome.total, !seen.isEmpty,
      !outcome.notes.contains(where: { $0.code == .outOfReach })
    else { return nil }
    if let reach = plan.reach, total.value > reach {
      return .unreached(reach, of: total.value, in: plan)
    }
    // A list without a next page is at its end; of its exact total all the results must have been there.
    let isShort = cursor == nil && total.relation == .equal && total.value > received + unreadable
    return isShort ? .unreached(seen.count, of: total.value, in: plan) : nil
  }
}

// MARK: Reporting

extension ProviderRun {
  /// The outcome for a part of the merged list.
  ///
  /// - Parameters:
  ///   - isFull: Whether the list has all the results that were wanted.
  ///   - isFilled: Whether the provider alone could fill it.
  func report(isFull: Bool, isFilled: Bool) -> ProviderOutcome {
    var outcome = outcome
    outcome.requests = requests.count
    if undecided.items > 0 {
      outcome.notes.append(.undecided(undecided.items, undecided.names.sorted(), by: outcome.name))
    }
    if outcome.state == .ok, let index = outcome.notes.firstIndex(where: \.code.makesPartial) {
      outcome.error = SearchError(outcome.notes.remove(at: index))
      outcome.state = .partial
    }
    if unreadable > 0 {
      let results = HumanFormat.plural(unreadable, "result")
      let error = SearchError(
        .invalidResponse,
        "\(results) of \(outcome.name) could not be read and \(unreadable == 1 ? "is" : "are") left out")
      if outcome.state == .ok {
        (outcome.state, outcome.error) = (seen.isEmpty ? .failed : .partial, error)
        outcome.isMissingItems = true
      } else {
        outcome.notes.append(Note(error))
      }
    }
    outcome.notes += pauses
    if let ending, !(isFull && isFilled) { outcome.notes.append(ending) }
    if plan.isSortedHere, outcome.state.isAnswer, outcome.returned > 0,
      isCut || outcome.total.map({ $0.value > outcome.returned }) ?? false
    {
      let results = HumanFormat.plural(outcome.returned, "result")
      outcome.notes.append(
        Note(
          .sortApproximate, "cannot sort by this key, so only its first \(results) are sorted",
          hint: "choose a provider that can", isMissing: isCut && !isFull))
    }
    return outcome
  }

  /// Sorts the window of a provider that cannot sort, once it is complete; nothing after it takes part.
  mutating func sortWindow(by key: String, order: SortOrder) {
    guard plan.isSortedHere, items.count >= RankFusion.window || !canDeliver else { return }
    isCut = isCut || !isEnded || items.count > RankFusion.window
    items = ResultOrder.sorted(Array(items.prefix(RankFusion.window)), by: key, order: order)
    isEnded = true
  }
}

extension SearchError {
  /// Creates the error of a provider whose answer lacks a part by its own word.
  fileprivate init(_ note: Note) { self.init(note.code, note.message, hint: note.hint) }
}

extension Note {
  /// That an answer is an old one from the cache; `nil` for a current one.
  ///
  /// - Parameter name: The provider's display name.
  static func stale(_ use: CacheUse, of name: String) -> Note? {
    guard use.isStale, let age = use.age else { return nil }
    let old = "its answer is from the cache and \(HumanFormat.span(age)) old"
    return Note(
      .stale,
      use.failure.map { "\(name) could not be asked again (\($0)); \(old)" }
        ?? "\(name) was not asked again; \(old)",
      hint: use.failure == nil ? "" : "ask again later")
  }

  /// - Parameter names: The conditions that results leave undecided.
  fileprivate static func undecided(_ count: Int, _ names: [String], by name: String) -> Note {
    Note(
      .incompleteSearch,
      "\(name) does not tell what \(names.map { $0 + ":" }.joined(separator: " and ")) asks for of \(HumanFormat.plural(count, "result"))",
      hint: "it tells more to an account: set a token, or leave the condition out")
  }

  fileprivate static func stalled(after pages: Int) -> Note {
    Note(
      .scanLimited, "reading stopped after \(pages) consecutive pages without results",
      hint: "report this to the author of the provider")
  }

  fileprivate static func scanLimited(pages: Int, for residual: [String]) -> Note {
    Note(
      .scanLimited,
      "only \(HumanFormat.plural(pages, "page")) of results \(pages == 1 ? "was" : "were") checked for \(residual.joined(separator: ", "))",
      hint: "use rarer words, or leave these conditions out")
  }

  fileprivate static func sizeLimited(results: Int) -> Note {
    Note(
      .sizeLimited,
      "reading stopped after \(results) results, because the limit of \(ProviderRun.sizeLimit >> 20) MB for the results of one search is reached",
      hint: "request fewer results at a time")
  }

  fileprivate static func unreached(_ reached: Int, of total: Int, in plan: ProviderPlan) -> Note {
    // Only what the provider itself applies makes it count fewer results.
    let applied = plan.entry.kinds[plan.kind]?.qualifiers.filter { $0.value != .unsupported } ?? [:]
    let used = Set((plan.query.pushed?.qualifiers ?? []).map(\.name))
    func named(_ names: [String], unused: Bool = false) -> String? {
      let names = names.filter { applied[$0] != nil && !(unused && used.contains($0)) }.prefix(2)
      return names.isEmpty ? nil : names.map { $0 + ":" }.joined(separator: " or ")
    }
    return Note(
      .outOfReach,
      "\(plan.entry.info.name) returns at most \(HumanFormat.grouped(reached)) of \(HumanFormat.grouped(total)) results",
      hint: named(["created", "stars"]).map { "split the search, for example by \($0) ranges" }
        ?? named(["language", "repo", "user", "author", "tag"], unused: true).map {
          "narrow the search, for example by \($0)"
        }
        ?? "make the query more specific")
  }
}
