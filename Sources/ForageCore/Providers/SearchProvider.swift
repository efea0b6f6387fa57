import Synchronization

/// A source of search results.
///
/// The protocol is the contract between a search and its providers:
///
/// - The descriptor is constant.
/// - `search` returns one page at a time. Items are in the provider's own order, best first. Ranks are
///   counted across pages.
/// - An error loses the page and ends the list; earlier pages are kept. Throw `SearchError` if the cause is
///   known, so that the user sees a message and a hint.
/// - A provider that has nothing to search, for example an empty catalogue, throws code `nothingToAsk` for
///   the first page, with the reason as message. One that turns out not to support the query throws
///   `unsupportedQuery`. In both cases it counts as not asked: no results are missing, and the reason is
///   reported only if the user asks for it.
/// - When the task is cancelled, return or throw soon. The search does not wait, and discards the result.
/// - Calls may run concurrently on any thread, and may block: each provider of a search has a thread of its
///   own.
public protocol SearchProvider: Sendable {
  /// The identity and abilities of the provider.
  var descriptor: ProviderDescriptor { get }

  /// Returns one page of results.
  ///
  /// - Parameter request: The request. Its query contains only conditions that the descriptor declares.
  /// - Returns: At most `request.pageSize` items.
  /// - Throws: `SearchError`, or any other error, which is reported as `other`.
  func search(_ request: SearchRequest) async throws -> SearchPage

  /// Returns one page of the feed of a kind for which the descriptor declares one.
  ///
  /// The rules for pages, cursors and errors are those of `search`.
  ///
  /// - Parameter request: The request. Its query is `nil`; its sort key is one of the feed's.
  /// - Returns: At most `request.pageSize` items.
  /// - Throws: As `search`; the default implementation throws `unsupportedQuery`.
  func feed(_ request: SearchRequest) async throws -> SearchPage

  /// Returns everything that is known about an entity, which may take several requests.
  ///
  /// The answer lists the parts that are missing.
  ///
  /// - Parameters:
  ///   - id: The entity, of any kind.
  ///   - deadline: When the call times out.
  ///   - requests: Counts the requests.
  /// - Returns: The entity; `nil` if it does not exist or its kind is not supported.
  /// - Throws: `SearchError` if nothing is known; the default implementation throws `unsupportedQuery`.
  func details(of id: EntityReference, deadline: ContinuousClock.Instant, requests: RequestCounter)
    async throws -> EntityDetails?
}

extension SearchProvider {
  /// Throws `unsupportedQuery`.
  public func feed(_ request: SearchRequest) async throws -> SearchPage {
    throw SearchError(.unsupportedQuery, "\(descriptor.name) has no feed")
  }

  /// Throws `unsupportedQuery`.
  public func details(of id: EntityReference, deadline: ContinuousClock.Instant, requests: RequestCounter)
    async throws -> EntityDetails?
  {
    throw SearchError(.unsupportedQuery, "\(descriptor.name) has no details")
  }
}

/// The direction of a sort.
public enum SortOrder: String, Hashable, Sendable {
  /// Smallest, oldest or first first.
  case ascending = "asc"
  /// Largest, newest or last first.
  case descending = "desc"

  /// The direction that people expect of a sort key: names from A to Z, numbers and times from the top.
  package static func usual(of key: String?) -> SortOrder {
    ["name", "path", "title"].contains(key) ? .ascending : .descending
  }
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

/// A change of the star that a user gives a repository.
package enum StarChange: Sendable, Hashable {
  /// Adds a star.
  case add
  /// Removes a star.
  case remove

  /// The resulting state of the repository.
  package var done: String { self == .add ? "starred" : "unstarred" }
}
