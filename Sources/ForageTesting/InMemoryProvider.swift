public import ForageCore

/// A provider that holds its items in memory: a reference implementation, and a stand-in for tests of code
/// that calls providers.
///
/// It evaluates a query as its abilities say. Words and `exact` qualifiers are evaluated as the search
/// evaluates them. An `inexact` qualifier selects a superset: texts that contain the value in any letter
/// case, and any number, date or flag that is present. An `unsupported` qualifier is not applied and is named
/// in `unapplied`. Without a sort the items keep their order. It sends no requests.
public struct InMemoryProvider: FeedProvider, DetailsProvider {
  /// The behaviour of a page besides returning items.
  public struct Behaviour: Sendable {
    /// The delay before the answer; cancellation and the deadline end it.
    public var delay: Duration
    /// The error after the delay; `nil` returns the page.
    public var failure: SearchError?

    /// Creates a behaviour.
    public init(delay: Duration = .zero, failure: SearchError? = nil) {
      self.delay = delay
      self.failure = failure
    }
  }

  /// Who the provider is.
  public let info: ProviderInfo
  /// What it can do for each kind of results.
  public let kinds: [ResultKind: Abilities]
  /// The kinds of entities that it has details of.
  public let detailedKinds: Set<ResultKind>
  /// All items, best first.
  public var items: [SearchResult]
  /// The behaviour of single pages, by their number from 1.
  public var pages: [Int: Behaviour]
  /// The behaviour of pages that are not in `pages`.
  public var everyPage: Behaviour
  let vocabulary: QualifierVocabulary

  /// Creates a provider.
  ///
  /// - Parameters:
  ///   - items: All items, best first, of any of the kinds.
  ///   - info: Who the provider is.
  ///   - kinds: What it can do for each kind; page sizes, reachable maxima, sorts and pushes are enforced.
  ///   - detailedKinds: The kinds of entities that it has details of.
  ///   - everyPage: The behaviour of every page.
  ///   - pages: The behaviour of single pages instead, by their number from 1.
  public init(
    _ items: [SearchResult], info: ProviderInfo, kinds: [ResultKind: Abilities],
    detailedKinds: Set<ResultKind> = [], everyPage: Behaviour = Behaviour(), pages: [Int: Behaviour] = [:]
  ) {
    self.items = items
    self.info = info
    self.kinds = kinds
    self.detailedKinds = detailedKinds
    self.everyPage = everyPage
    self.pages = pages
    vocabulary = QualifierVocabulary.common.adding(info.vocabulary)
  }

  /// Returns a page of a search.
  ///
  /// - Throws: `SearchError`: `unsupportedQuery` for a request that its abilities do not support,
  ///   `invalidQuery` for a cursor of another search, `timeout`, `cancelled`, and the failure in `pages`.
  @concurrent
  public func search(_ request: SearchRequest) async throws -> SearchPage {
    let abilities = try abilities(for: request)
    let place = try InMemoryCursor(request, name: info.name)
    try await behave(pages[place.page] ?? everyPage, deadline: request.deadline)
    let filter = InMemoryFilter(abilities: abilities, vocabulary: vocabulary)
    let query = request.query?.negationNormalForm
    let found = items.filter { item in
      item.kind == request.kind && (query.map { filter.accepts(item, $0) } ?? true)
    }
    var page = page(
      of: found, request, at: place, size: abilities.maximumPageSize, reachable: abilities.reachable)
    page.unapplied = filter.unapplied(query)
    return page
  }

  /// Returns a page of all items of a kind.
  ///
  /// - Throws: `SearchError`, as `search` does.
  @concurrent
  public func feed(_ request: SearchRequest) async throws -> SearchPage {
    guard let abilities = kinds[request.kind], let feed = abilities.feed else {
      throw refusal("a feed of kind \(request.kind.rawValue)", hint: "search instead")
    }
    if let key = request.sort, !feed.sorts.contains(key) {
      throw refusal("a feed sorted by \(key)", hint: "remove the sort")
    }
    if request.query != nil { throw refusal("a feed with a query", hint: "search instead") }
    if request.pageSize < 1 {
      throw refusal("a page of \(request.pageSize) items", hint: "request at least one item")
    }
    let place = try InMemoryCursor(request, name: info.name)
    try await behave(pages[place.page] ?? everyPage, deadline: request.deadline)
    let found = items.filter { $0.kind == request.kind }
    return page(of: found, request, at: place, size: abilities.maximumPageSize, reachable: nil)
  }

  private func page(
    of found: [SearchResult], _ request: SearchRequest, at place: InMemoryCursor, size: Int, reachable: Int?
  ) -> SearchPage {
    let sorted = request.sort.map { ResultOrder.sorted(found, by: $0, order: request.order) } ?? found
    let reached = sorted.prefix(reachable ?? sorted.count)
    let page = reached.dropFirst(place.offset).prefix(min(request.pageSize, size))
    return SearchPage(
      items: Array(page), next: page.endIndex < reached.endIndex ? place.next(offset: page.endIndex) : nil,
      total: ResultTotal(found.count))
  }

  /// Returns the item with an id; `nil` if there is none.
  ///
  /// - Throws: `SearchError`: `unsupportedQuery` for a kind without details, otherwise as `search`.
  @concurrent
  public func details(of id: EntityReference, deadline: ContinuousClock.Instant) async throws
    -> EntityDetails?
  {
    guard detailedKinds.contains(id.kind) else {
      throw SearchError(.unsupportedQuery, "\(info.name) has no details of the kind \(id.kind.rawValue)")
    }
    try await behave(everyPage, deadline: deadline)
    return items.first { $0.id == id.id }.map { EntityDetails(item: $0) }
  }

  /// Returns the abilities for a request if it supports all of it.
  private func abilities(for request: SearchRequest) throws(SearchError) -> Abilities {
    guard let abilities = kinds[request.kind] else {
      throw refusal("results of kind \(request.kind.rawValue)", hint: "request another kind")
    }
    if let key = request.sort, !abilities.sorts.contains(key) {
      throw refusal("sorting by \(key)", hint: "remove the sort")
    }
    if request.query == nil, abilities.needsText {
      throw refusal("an empty query", hint: "add a word to the query")
    }
    if request.query?.hasDisjunction == true, !abilities.booleans {
      throw refusal("OR", hint: "remove OR from the query")
    }
    if request.pageSize < 1 {
      throw refusal("a page of \(request.pageSize) items", hint: "request at least one item")
    }
    return abilities
  }

  private func refusal(_ what: String, hint: String) -> SearchError {
    SearchError(.unsupportedQuery, "\(info.name) does not offer \(what)", hint: hint)
  }

  private func behave(_ behaviour: Behaviour, deadline: ContinuousClock.Instant) async throws(SearchError) {
    let end = ContinuousClock.now + behaviour.delay
    do {
      try Task.checkCancellation()
      // Even an empty sleep would suspend the task.
      if behaviour.delay > .zero { try await Task.sleep(until: min(end, deadline), clock: .continuous) }
    } catch {
      throw SearchError(.cancelled, "the search was cancelled", hint: "run it again")
    }
    if ContinuousClock.now >= deadline {
      throw SearchError(.timeout, "\(info.name) took too long")
    }
    if let failure = behaviour.failure { throw failure }
  }
}
