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
