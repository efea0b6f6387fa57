import Synchronization

/// A request for a page.
public struct SearchRequest: Sendable {
  /// The kind of results.
  public var kind: ResultKind
  /// The part of the query for this provider, as ``Pushdown`` says; `nil` if there is none, and for a feed.
  ///
  /// ``QueryExpression/conjuncts`` are the conditions that must all hold, except that of several `repo:`,
  /// `org:`, `user:` and `owner:` one is enough. The words of a term are in ``QueryTerm/text``.
  public var query: QueryExpression?
  /// The sort key, one of those that the abilities or the feed declare; `nil` for the provider's own order.
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
  /// The meaning of the qualifiers of the query: the common ones, and the provider's own.
  package var vocabulary = QualifierVocabulary.common
  /// How far the search may go beyond the results of one query.
  package var depth = SearchDepth()
  /// Whether a list of notifications has those that were read, too.
  package var includesRead = false

  /// Creates a request.
  public init(
    kind: ResultKind, query: QueryExpression?, sort: String? = nil, order: SortOrder = .descending,
    matches: MatchOptions = MatchOptions(), pageSize: Int,
    cursor: String? = nil, deadline: ContinuousClock.Instant
  ) {
    self.kind = kind
    self.query = query
    self.sort = sort
    self.order = order
    self.matches = matches
    self.pageSize = pageSize
    self.cursor = cursor
    self.deadline = deadline
  }

  /// Whether an item meets the whole query, with the provider's own qualifiers, as
  /// ``QueryExpression/matches(_:vocabulary:occurs:)`` says.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - occurs: Whether a word or phrase occurs in the item; `nil` to look in its title and its fields with
  ///     text.
  public func matches(_ item: SearchResult, occurs: ((QueryTerm) -> Bool)? = nil) -> Bool {
    query?.matches(item, vocabulary: vocabulary, occurs: occurs) ?? true
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

/// One page of results.
public struct SearchPage: Sendable {
  /// The items in the provider's order.
  public var items: [SearchResult]
  /// The cursor of the next page; `nil` only at the end of the list.
  public var next: String?
  /// The total number of results of what was sent, if known.
  public var total: ResultTotal?
  /// The names of qualifiers that were sent but not applied; the search evaluates all conditions with these
  /// names.
  public var unapplied: Set<String>
  /// Notes on what is missing from the list so far, or odd about it. One of a page holds for the whole list.
  public var notes: [Note]
  /// The number of items that could not be read and are left out; any makes the provider partial.
  public var unreadable: Int
  /// Why the page was interrupted after its items; `nil` if it is complete. The items are kept, the provider
  /// is partial, and no further page is requested. A continued search requests this page again.
  public var failure: SearchError?
  /// Whether the list is interrupted here, for a reason that a note gives, and can be continued from `next`
  /// later.
  public var isPaused: Bool
  /// Whether the list continues even if all items of the page are known; otherwise such a page ends the list.
  /// A page without items and with `next` never ends it, but 20 of them in a row do.
  public var mayRepeat: Bool
  /// How the cache contributed.
  public var cache: CacheUse
  /// The files that were searched; `nil` for a provider that does not search files.
  public var coverage: SearchCoverage?

  /// Creates a page.
  public init(
    items: [SearchResult], next: String? = nil, total: ResultTotal? = nil, unapplied: Set<String> = [],
    notes: [Note] = [], unreadable: Int = 0, failure: SearchError? = nil, isPaused: Bool = false,
    mayRepeat: Bool = false, cache: CacheUse = .none, coverage: SearchCoverage? = nil
  ) {
    self.items = items
    self.next = next
    self.total = total
    self.unapplied = unapplied
    self.notes = notes
    self.unreadable = unreadable
    self.failure = failure
    self.isPaused = isPaused
    self.mayRepeat = mayRepeat
    self.cache = cache
    self.coverage = coverage
  }
}

/// The total number of results that a provider reports.
public struct ResultTotal: Hashable, Sendable, Codable {
  /// Whether the number is exact.
  public enum Relation: String, Hashable, Sendable, Codable {
    /// The exact number.
    case equal = "eq"
    /// A lower bound.
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

/// How the cache contributed to an answer.
public struct CacheUse: Hashable, Sendable {
  /// The age of its oldest cached part; `nil` if nothing is cached.
  public var age: Duration?
  /// Whether a part is stale.
  public var isStale: Bool
  /// Why a stale part could not be renewed, for example `status 500`; `nil` if that is unknown.
  public var failure: String?

  /// Creates a record.
  public init(age: Duration? = nil, isStale: Bool = false, failure: String? = nil) {
    self.age = age
    self.isStale = isStale
    self.failure = failure
  }

  /// Nothing is cached.
  public static let none = CacheUse()

  /// Adds another part of the answer.
  package mutating func add(_ part: CacheUse) {
    if let added = part.age { age = max(added, age ?? .zero) }
    isStale = isStale || part.isStale
    failure = failure ?? part.failure
  }
}

/// The extent of a search in files: how many were searched, and how many were not and why.
public struct SearchCoverage: Hashable, Sendable {
  /// The number of clones.
  public var clones: Int
  /// The number of files.
  public var files: Int
  /// The number of files that were not searched, by reason, for example `binary`.
  public var skipped: [String: Int]

  /// Creates a record.
  public init(clones: Int = 0, files: Int = 0, skipped: [String: Int] = [:]) {
    self.clones = clones
    self.files = files
    self.skipped = skipped
  }
}

/// How far a search may go beyond the results of one query of a provider.
package struct SearchDepth: Sendable {
  /// The default maximum of requests: five times what a single query can need.
  package static let defaultMaximumRequests = 50

  /// The number of results wanted, counted from the beginning of the list.
  package var wanted: Int
  /// The maximum number of requests of a provider per kind in one part of a search.
  package var maximumRequests: Int
  /// Called after the first page if results beyond one query are wanted, with the provider's id, the number
  /// of results and the estimated number of requests.
  package var onPlan: @Sendable (_ provider: String, _ results: Int, _ requests: Int) -> Void

  package init(
    wanted: Int = 0, maximumRequests: Int = SearchDepth.defaultMaximumRequests,
    onPlan: @escaping @Sendable (_ provider: String, _ results: Int, _ requests: Int) -> Void = { _, _, _ in }
  ) {
    self.wanted = wanted
    self.maximumRequests = maximumRequests
    self.onPlan = onPlan
  }
}

/// How cached answers are used.
public enum CacheMode: Sendable {
  /// Answers are reused while they are fresh; older ones are revalidated.
  case normal
  /// As `normal`, but answers are fresh for an hour: the pages of a list that is continued.
  case continuing
  /// Nothing is sent; answers up to a day old are used.
  case offline
  /// No answer is reused or stored.
  case bypass
}

/// Counts the requests that are sent for a provider, including failed ones.
///
/// Who asks a provider sets the counter of the task; the transport counts there each request that it sends.
public final class RequestCounter: Sendable {
  /// The counter of the task; `nil` where nobody counts.
  @TaskLocal public static var current: RequestCounter?

  private let value = Atomic(0)

  /// Creates a counter at 0.
  public init() {}

  /// Counts one request.
  public func add() { value.add(1, ordering: .relaxed) }

  /// The number of requests.
  public var count: Int { value.load(ordering: .relaxed) }

  /// Does work whose requests are counted here.
  public func counting<Value>(_ work: () async throws -> Value) async rethrows -> Value {
    try await Self.$current.withValue(self, operation: work)
  }
}

/// The account whose repositories a request is about: where somebody has several tokens for a forge, it
/// chooses one.
package enum RequestOwner {
  /// `nil` for a request that is about no one account.
  @TaskLocal package static var current: String?
  /// The variable of the one token that is tested now; `nil` for any other request.
  @TaskLocal package static var tested: String?

  /// The account that all results of a query belong to: the owner of its repositories, or the one that it
  /// names.
  package static func of(_ query: QueryExpression?) -> String? {
    let owners = (query?.negationNormalForm.conjuncts ?? []).compactMap { condition -> String? in
      guard case .qualifier(let qualifier) = condition, case .text(let value) = qualifier.value else {
        return nil
      }
      switch qualifier.name {
      case "repo": return owner(ofRepository: value)
      case "user", "org", "owner": return value.lowercased()
      default: return nil
      }
    }
    return Set(owners).count == 1 ? owners[0] : nil
  }

  /// The owner in `owner/name` or `host/owner/name`.
  private static func owner(ofRepository name: String) -> String? {
    var parts = name.lowercased().split(separator: "/")
    if parts.count > 2, parts[0].contains(where: { ".:".contains($0) }) { parts.removeFirst() }
    return parts.count > 1 && !name.hasPrefix("/") ? parts.dropLast().joined(separator: "/") : nil
  }
}
