/// Everything that a provider knows about an entity.
public struct FullDetails: Sendable {
  /// The entity.
  public var item: SearchResult
  /// The missing parts, in the order of the fields.
  public var missing: [MissingPart]
  /// The age of the oldest cached part; `nil` if nothing is cached.
  public var cacheAge: Duration?
  /// Whether a part is stale.
  public var isStale: Bool

  /// Creates details.
  public init(
    item: SearchResult, missing: [MissingPart] = [], cacheAge: Duration? = nil, isStale: Bool = false
  ) {
    self.item = item
    self.missing = missing
    self.cacheAge = cacheAge
    self.isStale = isStale
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
