public import ForageCore

/// A provider that holds its items in memory: the model of a well-behaved one, and a stand-in for tests of what asks providers.
///
/// It evaluates the query that it is sent just as its descriptor says: words and `exact` qualifiers as the federation itself would; an
/// `inexact` qualifier as a superset (a text that contains the value in any letter case, any number, date or flag that is there at all);
/// an `unsupported` one not at all, and it is named in `unapplied`. Its own order is that of the items. It sends no requests.
public struct InMemoryProvider: SearchProvider {
  /// What a page does beside delivering items.
  public struct Behaviour: Sendable {
    /// How long the page takes; cancellation and the deadline end the wait.
    public var delay: Duration
    /// What the page throws after the wait, `nil` for a page that is delivered.
    public var failure: SearchError?

    /// Creates a behaviour.
    public init(delay: Duration = .zero, failure: SearchError? = nil) {
      self.delay = delay
      self.failure = failure
    }
  }

  /// What the provider says it is.
  public let descriptor: ProviderDescriptor
  /// Everything that it holds, best first.
  public var items: [SearchResult]
  /// What single pages of a search do, by their number from 1.
  public var pages: [Int: Behaviour]
  /// What the pages do that are not in `pages`.
  public var everyPage: Behaviour
  let vocabulary: QualifierVocabulary

  /// Creates a provider.
  ///
  /// - Parameters:
  ///   - items: Everything that it holds, best first, of any kind in the descriptor.
  ///   - descriptor: What it is and can do; its page sizes, reachable maxima, sorts and pushes are kept.
  ///   - everyPage: What every page does beside delivering items.
  ///   - pages: What single pages do instead, by their number from 1.
  public init(
    _ items: [SearchResult], descriptor: ProviderDescriptor, everyPage: Behaviour = Behaviour(),
    pages: [Int: Behaviour] = [:]
  ) {
    self.items = items
    self.descriptor = descriptor
    self.everyPage = everyPage
    self.pages = pages
    vocabulary = QualifierVocabulary.common.adding(descriptor.vocabulary)
  }

  /// Delivers one page.
  ///
  /// - Throws: `SearchError`: `unsupportedQuery` for what the descriptor does not offer, `invalidQuery` for a cursor of another search,
  ///   `timeout` and `cancelled` when the page is no longer wanted, and what `pages` asks for.
  @concurrent
  public func search(_ request: SearchRequest) async throws -> SearchPage {
    let abilities = try abilities(for: request)
    let place = try InMemoryCursor(request, name: descriptor.name)
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

  /// Delivers one page of everything that it holds of a kind.
  ///
  /// - Throws: `SearchError`, as `search` does.
  @concurrent
  public func feed(_ request: SearchRequest) async throws -> SearchPage {
    guard let abilities = descriptor.kinds[request.kind], let feed = abilities.feed else {
      throw refusal("a feed of kind \(request.kind.rawValue)", hint: "search it instead")
    }
    if let key = request.sort, !feed.sorts.contains(key) {
      throw refusal("a feed sorted by \(key)", hint: "leave the sort out")
    }
    if request.query != nil { throw refusal("a feed with a query", hint: "search instead") }
    if request.pageSize < 1 {
      throw refusal("a page of \(request.pageSize) items", hint: "ask for at least one")
    }
    let place = try InMemoryCursor(request, name: descriptor.name)
    try await behave(pages[place.page] ?? everyPage, deadline: request.deadline)
    let found = items.filter { $0.kind == request.kind }
    return page(of: found, request, at: place, size: abilities.maximumPageSize, reachable: nil)
  }

  /// The page of a list that a request asks for.
  private func page(
    of found: [SearchResult], _ request: SearchRequest, at place: InMemoryCursor, size: Int, reachable: Int?
  ) -> SearchPage {
    let sorted = request.sort.map { SortedMerge.sorted(found, by: $0, order: request.order) } ?? found
    let reached = sorted.prefix(reachable ?? sorted.count)
    let page = reached.dropFirst(place.offset).prefix(min(request.pageSize, size))
    return SearchPage(
      items: Array(page), next: page.endIndex < reached.endIndex ? place.next(offset: page.endIndex) : nil,
      total: ResultTotal(found.count))
  }

  /// Delivers the item with an id.
  ///
  /// - Throws: `SearchError`: `unsupportedQuery` where the descriptor has no details, otherwise as `search`.
  @concurrent
  public func details(of id: EntityReference, deadline: ContinuousClock.Instant, requests: RequestCounter)
    async throws -> SearchResult?
  {
    guard descriptor.hasDetails else {
      throw SearchError(
        .unsupportedQuery, "\(descriptor.name) has no details", hint: "ask another provider with --provider")
    }
    try await behave(everyPage, deadline: deadline)
    return items.first { $0.id == id.id }
  }

  /// What the descriptor offers for a request, when it offers all that the request asks for.
  private func abilities(for request: SearchRequest) throws(SearchError)
    -> ProviderDescriptor.KindAbilities
  {
    guard let abilities = descriptor.kinds[request.kind] else {
      throw refusal("results of kind \(request.kind.rawValue)", hint: "ask for another kind")
    }
    if let key = request.sort, !abilities.sorts.contains(key) {
      throw refusal("sorting by \(key)", hint: "leave the sort out")
    }
    if request.query == nil, abilities.needsText {
      throw refusal("a search for nothing", hint: "add a word to the query")
    }
    if request.query?.hasDisjunction == true, !abilities.booleans {
      throw refusal("OR", hint: "leave it out of the query")
    }
    if request.pageSize < 1 {
      throw refusal("a page of \(request.pageSize) items", hint: "ask for at least one")
    }
    return abilities
  }

  private func refusal(_ what: String, hint: String) -> SearchError {
    SearchError(.unsupportedQuery, "\(descriptor.name) does not offer \(what)", hint: hint)
  }

  private func behave(_ behaviour: Behaviour, deadline: ContinuousClock.Instant) async throws(SearchError) {
    let end = ContinuousClock.now + behaviour.delay
    do {
      try Task.checkCancellation()
      // A wait that costs nothing would still give the thread away.
      if behaviour.delay > .zero { try await Task.sleep(until: min(end, deadline), clock: .continuous) }
    } catch {
      throw SearchError(.cancelled, "the search was cancelled", hint: "run it again")
    }
    if ContinuousClock.now >= deadline {
      throw SearchError(
        .timeout, "\(descriptor.name) took too long", hint: "give it more time with --timeout")
    }
    if let failure = behaviour.failure { throw failure }
  }
}
