/// A request for a federated search.
public struct FederatedSearch: Sendable {
  /// The number of merged items wanted where none is given.
  public static let defaultLimit = 30
  /// The time limit where none is given.
  public static let defaultTimeout: Duration = .seconds(10)

  /// The query; in a feed a filter, `nil` for none.
  public var query: Query?
  /// Whether the feeds of the providers are requested instead of a search.
  public private(set) var isFeed = false
  /// The kinds of results. Each is requested from every provider that supports it.
  public var kinds: [ResultKind]
  /// The number of merged items wanted, at least 1.
  public var limit: Int
  /// The number of results that one part of the list has. Page sizes follow from it, so that a search with a higher
  /// limit asks for the same pages first.
  package var pageLimit: Int
  /// How many parts of a list the search makes at once, because it repeats those before. Each may read as many pages
  /// and as many bytes as one.
  package var partCount = 1
  /// The sort key; `nil` for the merged ranking.
  public var sort: String?
  /// The direction of `sort`.
  public var order: SortOrder
  /// The time limit.
  public var timeout: Duration
  /// A condition besides the query; `nil` for none.
  package var filter: ResultFilter?
  /// How much of the matches in files is wanted.
  public var matches = MatchOptions()

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - kinds: The kinds of results.
  ///   - limit: The number of merged items wanted, at least 1.
  ///   - sort: The sort key; `nil` for the merged ranking.
  ///   - order: The direction of `sort`.
  ///   - timeout: The time limit.
  public init(
    query: Query, kinds: [ResultKind] = [.repo], limit: Int = FederatedSearch.defaultLimit,
    sort: String? = nil,
    order: SortOrder = .descending, timeout: Duration = FederatedSearch.defaultTimeout
  ) {
    self.init(feedOf: kinds, query: query, limit: limit, sort: sort, order: order, timeout: timeout)
    isFeed = false
  }

  /// Creates a request for the feeds of the providers.
  ///
  /// - Parameters:
  ///   - kinds: The kinds of results.
  ///   - query: A filter that Forage evaluates; `nil` for none.
  ///   - limit: The number of merged items wanted, at least 1.
  ///   - sort: The sort key; `nil` for the providers' own order.
  ///   - order: The direction of `sort`.
  ///   - timeout: The time limit.
  public init(
    feedOf kinds: [ResultKind], query: Query? = nil, limit: Int = FederatedSearch.defaultLimit,
    sort: String? = nil,
    order: SortOrder = .descending, timeout: Duration = FederatedSearch.defaultTimeout
  ) {
    (self.query, self.kinds, self.limit) = (query, kinds, max(1, limit))
    pageLimit = self.limit
    (self.sort, self.order, self.timeout) = (sort, order, timeout)
    isFeed = true
  }
}

/// A condition on results that a query cannot express. It is evaluated like a residual part of a query.
package struct ResultFilter: Sendable {
  /// The name in the list of residual qualifiers, for example `favorites`.
  package var name: String
  package var passes: @Sendable (SearchResult) -> Bool

  package init(name: String, passes: @escaping @Sendable (SearchResult) -> Bool) {
    self.name = name
    self.passes = passes
  }
}
