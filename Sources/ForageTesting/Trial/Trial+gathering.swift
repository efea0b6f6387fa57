import ForageCore

extension Trial {
  private static let maximumPages = ProviderComplianceTests.maximumPages
  /// The pages of a sorted list that are read; it is evaluated item by item and need not be complete.
  private static let sortPages = 3
  /// The consecutive pages without items that a list may have, as in a search; a server may filter whole pages.
  static let emptyPages = 20

  /// Reads the lists that the checks evaluate, one after another.
  mutating func gather() async {
    guard !samples.words.isEmpty else { return }
    await gatherLists()
    await gatherFeeds()
  }

  /// Reads the feeds: in their own order as far as the samples allow, and a few pages in each other order.
  private mutating func gatherFeeds() async {
    guard declaration.canHaveFeeds else { return }
    for kind in kinds {
      guard let abilities = abilities[kind], let feed = abilities.feed, abilities.maximumPageSize > 0
      else { continue }
      var request = request(kind, nil, abilities)
      await read(.feed(sort: nil, .descending), request, pages: Self.maximumPages)
      for sort in feed.sorts {
        for order in Self.orders(of: sort, feed.onlyOrders) {
          request.sort = sort
          request.order = order
          await read(.feed(sort: sort, order), request, pages: Self.sortPages)
        }
      }
    }
  }

  private mutating func gatherLists() async {
    for kind in kinds {
      guard let abilities = abilities[kind], abilities.maximumPageSize > 0 else { continue }
      var best: String?
      for word in samples.words {
        guard let plan = plan(word, nil, kind, abilities) else { continue }
        await read(.word, request(kind, plan.pushed, abilities), pages: Self.maximumPages)
        if best == nil, walks.last?.items.isEmpty == false { best = word }
      }
      guard let word = best ?? samples.words.first else { continue }
      await readSorts(kind, word, abilities)
      for condition in conditions(word, kind, abilities) {
        let pushed = plan(word, condition.expression, kind, abilities)?.pushed
        await read(
          .condition(condition), request(kind, pushed, abilities), pages: Self.maximumPages)
      }
      var largest = request(kind, plan(word, nil, kind, abilities)?.pushed, abilities)
      largest.pageSize = abilities.maximumPageSize
      await read(.largest, largest, pages: 1)
    }
  }

  private static func orders(of sort: String, _ only: [String: SortOrder]) -> [SortOrder] {
    only[sort].map { [$0] } ?? [.ascending, .descending]
  }

  private mutating func readSorts(
    _ kind: ResultKind, _ word: String, _ abilities: Abilities
  ) async {
    for sort in abilities.sorts {
      for order in Self.orders(of: sort, abilities.onlyOrders) {
        var request = request(kind, plan(word, nil, kind, abilities)?.pushed, abilities)
        request.sort = sort
        request.order = order
        await read(.sort(sort, order), request, pages: Self.sortPages)
      }
    }
  }

  /// Plans the query for a word and an optional condition; `nil` if the provider does not support it.
  func plan(
    _ word: String, _ condition: QueryExpression?, _ kind: ResultKind,
    _ abilities: Abilities
  ) -> QueryPlan? {
    let term = QueryExpression.term(QueryTerm(word, isPhrase: word.contains(where: \.isWhitespace)))
    let query = condition.flatMap { QueryExpression.all([term, $0]) } ?? term
    return try? QueryPlan(query, abilities: abilities, vocabulary: vocabulary.of(kind))
  }

  /// Returns a request for the first page; its deadline is set when it is sent.
  func request(
    _ kind: ResultKind, _ query: QueryExpression?, _ abilities: Abilities
  ) -> SearchRequest {
    SearchRequest(
      kind: kind, query: query, pageSize: min(ProviderComplianceTests.pageSize, abilities.maximumPageSize),
      deadline: .now)
  }

  private mutating func read(_ purpose: Walk.Purpose, _ request: SearchRequest, pages: Int) async {
    if probe.hangs >= ProviderComplianceTests.hangLimit || Task.isCancelled { return }
    var walk = Walk(label: "", purpose: purpose, request: request)
    walk.label = Self.label(request, isFeed: walk.isFeed)
    var seen: Set<String> = []
    var (empty, filled) = (0, 0)
    while filled < pages {
      var asked = request
      asked.cursor = walk.steps.last?.page.next
      let answer = await ask(walk.subject(page: walk.steps.count), asked, isFeed: walk.isFeed)
      guard case .value(let page) = answer.result else {
        if case .failed(let error) = answer.result { walk.end = .failed(error) } else { walk.end = .late }
        break
      }
      let isFresh = page.items.reduce(false) { seen.insert($1.id).inserted || $0 }
      if !page.items.isEmpty, !isFresh, !page.mayRepeat {
        walk.end = .repeating
        break
      }
      walk.steps.append(Walk.Step(cursor: asked.cursor, page: page, requests: answer.requests))
      let isEmpty = page.items.isEmpty && !page.mayRepeat
      (empty, filled) = isEmpty ? (empty + 1, filled) : (0, filled + 1)
      // A paused list could be resumed by another search; this walk ends here.
      if page.isPaused { break }
      if page.next == nil {
        walk.end = .ended
        break
      }
      if empty > Self.emptyPages {
        walk.end = .empty
        break
      }
    }
    walks.append(walk)
  }

  private static func label(_ request: SearchRequest, isFeed: Bool) -> String {
    let query = request.query.map { QueryTerm.quoted($0.description) } ?? (isFeed ? "feed" : "everything")
    let sort = request.sort.map { " by \($0) \(request.order.rawValue)" } ?? ""
    return request.kind.rawValue + " " + ReportText.short(query) + sort
  }
}
