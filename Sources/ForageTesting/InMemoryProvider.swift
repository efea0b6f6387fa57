public import ForageCore

/// A provider that holds its items in memory: a reference implementation, and a stand-in for tests of code
/// that calls providers.
///
/// It evaluates words and qualifiers as the search evaluates them. Without a sort the items keep their order.
/// It sends no requests.
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
  /// The abilities of the provider for each kind of results.
  public let kinds: [ResultKind: Abilities]
  /// The kinds of entities that it has details of.
  public let detailedKinds: Set<ResultKind>
  /// All items, best first.
  public var items: [SearchResult]
  /// The behaviour of single pages, by their number from 1.
  public var pages: [Int: Behaviour]
  /// The behaviour of pages that are not in `pages`.
  public var everyPage: Behaviour
  private let vocabulary: QualifierVocabulary

  /// Creates a provider.
  ///
  /// - Parameters:
  ///   - items: All items, best first, of any of the kinds.
  ///   - info: Who the provider is.
  ///   - kinds: What it can do for each kind; page sizes, reachable maxima, sorts and `booleans` are
  ///     enforced.
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

  /// Creates a provider that supports all that its items allow: every common qualifier and sort whose field
  /// an item has, exactly. Its feed has all items.
  ///
  /// - Parameters:
  ///   - id: The id of the provider.
  ///   - items: All items, best first.
  ///   - pageSize: The largest page.
  ///   - hosts: The hosts whose entities it knows first-hand; if there are any, it also has details.
  public init(id: String, items: [SearchResult], pageSize: Int = 100, hosts: [String] = []) {
    let kinds = Dictionary(grouping: items, by: \.kind).mapValues {
      Self.abilities(for: $0, pageSize: pageSize)
    }
    self.init(
      items, info: ProviderInfo(id: id, hosts: hosts), kinds: kinds,
      detailedKinds: hosts.isEmpty ? [] : Set(kinds.keys))
  }

  /// The abilities of a provider that evaluates all fields of some items of one kind exactly.
  private static func abilities(for items: [SearchResult], pageSize: Int) -> Abilities {
    let fields = Set(items.flatMap(\.fields.keys))
    let common = QualifierVocabulary.common
    let readable = common.names.filter { name in
      // `repo:` reads the owner and the name.
      name == "repo"
        ? fields.isSuperset(of: [.owner, .name, .fullName])
        : common[name]?.field.map(fields.contains) ?? false
    }
    let sortable = items.flatMap(\.fields).filter { field in
      switch field.value {
      case .number, .date, .text: true
      default: false
      }
    }
    let sorts = Set(sortable.map(\.key.rawValue)).sorted()
    return Abilities(
      fields: fields, qualifiers: Dictionary(uniqueKeysWithValues: (readable + ["in"]).map { ($0, .exact) }),
      sorts: sorts, booleans: true, needsText: false, maximumPageSize: pageSize,
      feed: Abilities.Feed(sorts: sorts))
  }

  /// Returns a page of a search.
  ///
  /// - Throws: `SearchError`: `unsupportedQuery` for a request that its abilities do not support,
  ///   `invalidCursor` for a cursor of another search, `timeout`, `cancelled`, and the failure in `pages`.
  @concurrent
  public func search(_ request: SearchRequest) async throws -> SearchPage {
    guard let abilities = kinds[request.kind] else {
      throw refusal("results of kind \(request.kind.rawValue)")
    }
    if request.query?.hasDisjunction == true, !abilities.booleans { throw refusal("OR") }
    return try await page(
      request, sorts: abilities.sorts, size: abilities.maximumPageSize, reachable: abilities.reachable)
  }

  /// Returns a page of all items of a kind.
  ///
  /// - Throws: `SearchError`, as `search` does.
  @concurrent
  public func feed(_ request: SearchRequest) async throws -> SearchPage {
    guard let abilities = kinds[request.kind], let feed = abilities.feed else {
      throw refusal("a feed of kind \(request.kind.rawValue)")
    }
    return try await page(request, sorts: feed.sorts, size: abilities.maximumPageSize)
  }

  private func page(_ request: SearchRequest, sorts: [String], size: Int, reachable: Int? = nil) async throws
    -> SearchPage
  {
    if let key = request.sort, !sorts.contains(key) { throw refusal("sorting by \(key)") }
    let place = try InMemoryCursor(request, name: info.name)
    try await behave(pages[place.page] ?? everyPage, deadline: request.deadline)
    let found = items.filter { item in
      item.kind == request.kind && request.query?.matches(item, vocabulary: vocabulary) ?? true
    }
    let sorted = request.sort.map { ResultOrder.sorted(found, by: $0, order: request.order) } ?? found
    let reached = sorted.prefix(reachable ?? sorted.count)
    let page = reached.dropFirst(place.offset).prefix(max(1, min(request.pageSize, size)))
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
    guard detailedKinds.contains(id.kind) else { throw refusal("details of the kind \(id.kind.rawValue)") }
    try await behave(everyPage, deadline: deadline)
    return items.first { $0.id == id.id }.map { EntityDetails(item: $0) }
  }

  private func refusal(_ what: String) -> SearchError {
    SearchError(.unsupportedQuery, "\(info.name) does not offer \(what)", hint: "leave it out")
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
    if ContinuousClock.now >= deadline { throw SearchError(.timeout, "\(info.name) took too long") }
    if let failure = behaviour.failure { throw failure }
  }
}
