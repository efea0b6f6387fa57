#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A place that can be searched.
///
/// The protocol is the contract between the federation and everything that answers queries:
///
/// - The descriptor is constant for the life of the value.
/// - `search` returns one page at a time. Its items are in the provider's own order, best first. Ranks are counted across the pages.
/// - Throwing means that this page is lost and no further one will be asked for; pages returned before are kept. Throw `SearchError`
///   where the cause is known, so that the user gets a sentence and a hint.
/// - A provider that has nothing to search, for example an empty catalogue, throws code `nothingToAsk` for the first page, with the reason
///   as the message. One that turns out not to support the query throws `unsupportedQuery`. Either way it counts as not asked: nothing is
///   missing from the answer, and the reason is reported only where the user asks for it.
/// - When the task is cancelled, return or throw soon; the search does not wait, and discards what is returned then.
/// - Calls may run at the same time on any thread, and may block: each provider of a search has a thread of its own.
public protocol SearchProvider: Sendable {
  /// What the provider is and can do.
  var descriptor: ProviderDescriptor { get }

  /// Tells what the provider can do where only asking it tells: a program of its own, that has to be started for it.
  ///
  /// Called before the first page of a search when the descriptor is provisional. Id, group, weight, hosts and timeout stay as they are there.
  ///
  /// - Parameter deadline: When the answer is no longer wanted.
  /// - Returns: The whole descriptor; the default returns `descriptor`.
  /// - Throws: `SearchError` when it cannot be asked, which is then the outcome of its search.
  func declaration(deadline: ContinuousClock.Instant) async throws -> ProviderDescriptor

  /// Delivers one page of results.
  ///
  /// - Parameter request: What to look for. Its query holds only what the descriptor says can be pushed.
  /// - Returns: At most `request.pageSize` items.
  /// - Throws: `SearchError`, or any other error, which is reported as `other`.
  func search(_ request: SearchRequest) async throws -> SearchPage

  /// Delivers one page of what the provider has to show without a query, of a kind for which the descriptor declares a feed.
  ///
  /// The rules for pages, cursors and errors are those of `search`.
  ///
  /// - Parameter request: What is wanted. Its query is always `nil`; its sort is one of the feed's.
  /// - Returns: At most `request.pageSize` items.
  /// - Throws: As `search`; the default throws `unsupportedQuery`.
  func feed(_ request: SearchRequest) async throws -> SearchPage

  /// Delivers what one request tells of one entity.
  ///
  /// - Parameters:
  ///   - id: The entity, of whatever kind; one of a kind that the provider does not know is none.
  ///   - deadline: When the answer is no longer wanted.
  ///   - requests: To be told of every request that is sent.
  /// - Returns: The entity, `nil` when there is none.
  /// - Throws: `SearchError`; the default throws `unsupportedQuery`.
  func details(of id: EntityReference, deadline: ContinuousClock.Instant, requests: RequestCounter)
    async throws
    -> SearchResult?

  /// Delivers everything that is known of one entity, which may take several requests.
  ///
  /// A part that cannot be had is named in the answer and spoils nothing else. The default delivers what `details` does.
  ///
  /// - Parameters: As of `details`.
  /// - Returns: The entity, `nil` when there is none.
  /// - Throws: `SearchError` when nothing at all can be told.
  func fullDetails(of id: EntityReference, deadline: ContinuousClock.Instant, requests: RequestCounter)
    async throws
    -> FullDetails?
}

extension SearchProvider {
  /// Tells what the descriptor tells.
  public func declaration(deadline: ContinuousClock.Instant) async throws -> ProviderDescriptor { descriptor }

  /// Says that the provider has no feed.
  public func feed(_ request: SearchRequest) async throws -> SearchPage {
    throw SearchError(
      .unsupportedQuery, "\(descriptor.name) has no feed", hint: "ask another provider with --provider")
  }

  /// Says that the provider has no details.
  public func details(of id: EntityReference, deadline: ContinuousClock.Instant, requests: RequestCounter)
    async throws
    -> SearchResult?
  {
    throw SearchError(
      .unsupportedQuery, "\(descriptor.name) has no details", hint: "ask another provider with --provider")
  }

  /// Delivers what `details` does.
  public func fullDetails(of id: EntityReference, deadline: ContinuousClock.Instant, requests: RequestCounter)
    async throws
    -> FullDetails?
  {
    try await details(of: id, deadline: deadline, requests: requests).map { FullDetails(item: $0) }
  }
}

/// In which direction a sort key runs.
public enum SortOrder: String, Hashable, Sendable {
  /// Smallest, oldest, A first.
  case ascending = "asc"
  /// Largest, newest, Z first.
  case descending = "desc"
}

/// What one page is asked for.
public struct SearchRequest: Sendable {
  /// The kind of result wanted.
  public var kind: ResultKind
  /// The part of the query that the provider can take, `nil` when nothing is left of it, and for a feed.
  public var query: QueryExpression?
  /// The key to sort by, one of the descriptor's, or of the feed's; `nil` for the provider's own order.
  public var sort: String?
  /// The direction of `sort`.
  public var order: SortOrder
  /// How many items the page should have; the same for every page of one search.
  public var pageSize: Int
  /// What the page before said in `next`, `nil` for the first.
  public var cursor: String?
  /// When the answer is no longer wanted.
  public var deadline: ContinuousClock.Instant
  /// To be told of every request that is sent for the page.
  public var requests: RequestCounter

  /// Creates a request.
  public init(
    kind: ResultKind, query: QueryExpression?, sort: String? = nil, order: SortOrder = .descending,
    pageSize: Int,
    cursor: String? = nil, deadline: ContinuousClock.Instant, requests: RequestCounter = RequestCounter()
  ) {
    self.kind = kind
    self.query = query
    self.sort = sort
    self.order = order
    self.pageSize = pageSize
    self.cursor = cursor
    self.deadline = deadline
    self.requests = requests
  }
}

/// How many results a provider says there are.
public struct ResultTotal: Hashable, Sendable, Codable {
  /// Whether the number is exact.
  public enum Relation: String, Hashable, Sendable, Codable {
    /// Exactly so many.
    case equal = "eq"
    /// At least so many.
    case atLeast = "gte"
  }

  /// The number.
  public var value: Int
  /// Whether it is exact.
  public var relation: Relation

  /// Creates a total.
  public init(_ value: Int, _ relation: Relation = .equal) {
    self.value = value
    self.relation = relation
  }
}

/// One page of results.
public struct SearchPage: Sendable {
  /// The items in the provider's order.
  public var items: [SearchResult]
  /// Where the next page begins; only its absence means the end.
  public var next: String?
  /// How many results there are, where the provider tells.
  public var total: ResultTotal?
  /// Whether the provider itself says that the list is not complete.
  public var isIncomplete: Bool
  /// Qualifiers that were pushed but turned out not to be applied; they are checked here.
  public var unapplied: Set<String>
  /// Items that could not be read and are left out.
  public var unreadable: Int
  /// How old the answer is, `nil` when it does not come from a cache.
  public var cacheAge: Duration?
  /// Whether the answer is past its time, because nothing newer could be had.
  public var isStale: Bool
  /// Whether the page may hold nothing, or nothing new, and the list go on all the same; without it such a page ends the list.
  public var mayRepeat: Bool
  /// What kept results back on this page or, where it is a pause, behind it; `nil` for nothing.
  public var shortfall: SearchShortfall?
  /// Why the page broke off behind its items, `nil` where it is whole: the items are kept, the provider is partial, and no further page is
  /// asked for; who goes on with the search asks for this page again.
  public var failure: SearchError?
  /// When what it tells was observed, where that is not now less `cacheAge`; an item's own time goes before it. Times yet to come count as now.
  public var observedAt: Date?

  /// Creates a page.
  public init(
    items: [SearchResult], next: String? = nil, total: ResultTotal? = nil, isIncomplete: Bool = false,
    unapplied: Set<String> = [], unreadable: Int = 0, cacheAge: Duration? = nil, isStale: Bool = false,
    mayRepeat: Bool = false, shortfall: SearchShortfall? = nil, failure: SearchError? = nil,
    observedAt: Date? = nil
  ) {
    self.items = items
    self.next = next
    self.total = total
    self.isIncomplete = isIncomplete
    self.unapplied = unapplied
    self.unreadable = unreadable
    self.cacheAge = cacheAge
    self.isStale = isStale
    self.mayRepeat = mayRepeat
    self.shortfall = shortfall
    self.failure = failure
    self.observedAt = observedAt
  }
}
