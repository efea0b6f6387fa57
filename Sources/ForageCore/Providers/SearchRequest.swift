import Synchronization

/// The direction of a sort.
public enum SortOrder: String, Hashable, Sendable {
  /// Smallest, oldest or first first.
  case ascending = "asc"
  /// Largest, newest or last first.
  case descending = "desc"
}

/// A request for a page.
public struct SearchRequest: Sendable {
  /// The kind of results.
  public var kind: ResultKind
  /// The part of the query for this provider; `nil` if there is none, and for a feed.
  public var query: QueryExpression?
  /// The sort key, one of the descriptor's or the feed's; `nil` for the provider's own order.
  public var sort: String?
  /// The direction of `sort`.
  public var order: SortOrder
  /// How much of the matches in files is wanted.
  public var matches: MatchOptions
  /// The maximum number of items; the same for all pages of a search.
  public var pageSize: Int
  /// The previous page's `next`; `nil` for the first page.
  public var cursor: String?
  /// When the request times out.
  public var deadline: ContinuousClock.Instant
  /// Counts the requests that are sent for the page.
  public var requests: RequestCounter

  /// Creates a request.
  public init(
    kind: ResultKind, query: QueryExpression?, sort: String? = nil, order: SortOrder = .descending,
    matches: MatchOptions = MatchOptions(), pageSize: Int,
    cursor: String? = nil, deadline: ContinuousClock.Instant, requests: RequestCounter = RequestCounter()
  ) {
    self.kind = kind
    self.query = query
    self.sort = sort
    self.order = order
    self.matches = matches
    self.pageSize = pageSize
    self.cursor = cursor
    self.deadline = deadline
    self.requests = requests
  }
}

/// How much of the matches in files a search wants; providers that return fragments ignore it.
public struct MatchOptions: Hashable, Sendable {
  /// The largest number of context lines.
  package static let maximumContext = 20
  /// The number of matching lines of a file that are returned by default.
  public static let defaultLimit = 5

  /// The number of lines before and after each matching line, at most `maximumContext`.
  public var contextLines: Int
  /// The maximum number of matching lines of a file; the others are only counted.
  public var limit: Int
  /// Whether changed files of the work tree are searched in every clone that the query selects, rather than
  /// only in the one that contains the current folder.
  public var searchesWorkTrees: Bool

  /// Creates options.
  public init(contextLines: Int = 0, limit: Int = MatchOptions.defaultLimit, searchesWorkTrees: Bool = false)
  {
    self.contextLines = contextLines
    self.limit = limit
    self.searchesWorkTrees = searchesWorkTrees
  }
}

/// Counts the requests of a provider in a search, including failed ones.
public final class RequestCounter: Sendable {
  private let value = Atomic(0)

  /// Creates a counter at 0.
  public init() {}

  /// Counts one request.
  public func add() { value.add(1, ordering: .relaxed) }

  /// The number of requests.
  public var count: Int { value.load(ordering: .relaxed) }
}
