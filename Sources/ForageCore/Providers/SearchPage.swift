/// One page of results.
public struct SearchPage: Sendable {
  /// The items in the provider's order.
  public var items: [SearchResult]
  /// The cursor of the next page; `nil` only at the end of the list.
  public var next: String?
  /// The total number of results, if known.
  public var total: ResultTotal?
  /// Qualifiers that were sent but not applied; the search evaluates them.
  public var unapplied: Set<String>
  /// What is missing from the list so far, or odd about it. A note of a page holds for the whole list.
  public var notes: [Note]
  /// The number of items that could not be read and are left out; any makes the provider partial.
  public var unreadable: Int
  /// Why the page was interrupted after its items; `nil` if it is complete. The items are kept, the provider
  /// is partial, and no further page is requested. A continued search requests this page again.
  public var failure: SearchError?
  /// Whether the list is interrupted here, for a reason that a note gives, and can be continued from `next` later.
  public var isPaused: Bool
  /// Whether the list continues even if all items of the page are known; otherwise such a page ends the list.
  /// A page without items and with `next` never ends it, but 20 of them in a row do.
  public var mayRepeat: Bool
  /// How the cache contributed.
  public var cache: CacheUse
  /// What was searched; `nil` for a provider that does not search files.
  public var coverage: SearchCoverage?
  /// The time for which the provider's service accepts no further request; `nil` if it does.
  package var limit: Duration?

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

/// What a provider that searches files has searched.
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
