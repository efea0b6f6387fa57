/// One page of results.
public struct SearchPage: Sendable {
  /// The items in the provider's order.
  public var items: [SearchResult]
  /// The cursor of the next page; `nil` only at the end of the list.
  public var next: String?
  /// The total number of results, if known.
  public var total: ResultTotal?
  /// Qualifiers that were sent but not applied; the federation evaluates them.
  public var unapplied: Set<String>
  /// What is missing on the page.
  public var gaps: PageGaps
  /// How the cache contributed.
  public var cache: CacheUse
  /// Whether the list continues even if all items of the page are known; otherwise such a page ends the list.
  /// A page without items and with `next` never ends it, but 20 of them in a row do.
  public var mayRepeat: Bool
  /// What was searched; `nil` for a provider that does not search files. Its `missing` makes the provider
  /// partial.
  public var coverage: SearchCoverage?
  /// The time for which the provider's service accepts no further request; `nil` if it does.
  package var limit: Duration?

  /// Creates a page.
  public init(
    items: [SearchResult], next: String? = nil, total: ResultTotal? = nil, unapplied: Set<String> = [],
    gaps: PageGaps = PageGaps(), cache: CacheUse = .none, mayRepeat: Bool = false,
    coverage: SearchCoverage? = nil
  ) {
    self.items = items
    self.next = next
    self.total = total
    self.unapplied = unapplied
    self.gaps = gaps
    self.cache = cache
    self.mayRepeat = mayRepeat
    self.coverage = coverage
  }
}

/// What is missing on a page, and why.
public struct PageGaps: Hashable, Sendable {
  /// Whether the provider reports the list as incomplete.
  public var isIncomplete: Bool
  /// The number of items that could not be read and are omitted.
  public var unreadable: Int
  /// Why results are missing on this page or, for a pause, after it; `nil` if none are.
  public var shortfall: SearchShortfall?
  /// Why the page was interrupted after its items; `nil` if it is complete. The items are kept, the provider
  /// is partial, and no further page is requested. A continued search requests this page again.
  public var failure: SearchError?
  /// What the service itself says it left out of the whole list, for example for lack of an authorization; `nil`
  /// if nothing. The provider is partial, and further pages are requested.
  public var omission: SearchError?

  /// Creates a record; by default nothing is missing.
  public init(
    isIncomplete: Bool = false, unreadable: Int = 0, shortfall: SearchShortfall? = nil,
    failure: SearchError? = nil, omission: SearchError? = nil
  ) {
    self.isIncomplete = isIncomplete
    self.unreadable = unreadable
    self.shortfall = shortfall
    self.failure = failure
    self.omission = omission
  }
}

/// What a provider that searches files has searched.
public struct SearchCoverage: Hashable, Sendable {
  /// The number of clones.
  public var clones: Int
  /// The number of files.
  public var files: Int
  /// The number of files that were not searched, by reason, for example `binary`.
  public var skipped: [String: Int]
  /// Why results may be missing; `nil` if everything that can be searched was.
  public var missing: SearchError?

  /// Creates a record.
  public init(clones: Int = 0, files: Int = 0, skipped: [String: Int] = [:], missing: SearchError? = nil) {
    self.clones = clones
    self.files = files
    self.skipped = skipped
    self.missing = missing
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

/// Why a provider's list lacks available results.
public struct SearchShortfall: Hashable, Sendable {
  /// The cause as a phrase without a full stop, for use after the number of results reached. It may contain
  /// untrusted text.
  public var message: String
  /// What to do, whatever program shows it; empty if that follows from the pause.
  public var hint: String
  /// Whether the list is only interrupted and can be continued from `next` by another search; otherwise the
  /// results are out of reach.
  public var isPause: Bool
  /// The number of requests that all results need, if it is known.
  public var neededRequests: Int?

  /// Creates a shortfall.
  public init(_ message: String, hint: String = "", isPause: Bool = false, neededRequests: Int? = nil) {
    self.message = message
    self.hint = hint
    self.isPause = isPause
    self.neededRequests = neededRequests
  }
}

/// Everything that a provider knows about an entity.
public struct EntityDetails: Sendable {
  /// The entity.
  public var item: SearchResult
  /// The missing parts, in the order of the fields.
  public var missing: [MissingPart]
  /// How the cache contributed.
  public var cache: CacheUse
  /// The time for which the provider's service accepts no further request; `nil` if it does.
  package var limit: Duration?

  /// Creates details.
  public init(item: SearchResult, missing: [MissingPart] = [], cache: CacheUse = .none) {
    self.item = item
    self.missing = missing
    self.cache = cache
  }
}

/// A part of an entity that could not be delivered.
public struct MissingPart: Hashable, Sendable {
  /// The field that is missing.
  public var field: ResultField
  /// The cause.
  public var error: SearchError

  /// Creates a missing part.
  public init(_ field: ResultField, _ error: SearchError) {
    self.field = field
    self.error = error
  }

  /// Whether the cause is a failure, rather than that the provider does not have this part (`unavailable`).
  package var isFailure: Bool { error.code != .unavailable }
}
