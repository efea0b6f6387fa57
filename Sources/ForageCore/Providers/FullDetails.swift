/// Everything that a provider knows of one entity.
public struct FullDetails: Sendable {
  /// The entity.
  public var item: SearchResult
  /// The parts that could not be had, in the order of the fields.
  public var missing: [MissingPart]
  /// How old the oldest part of the answer is, `nil` when nothing comes from a cache.
  public var cacheAge: Duration?
  /// Whether a part is past its time, because nothing newer could be had.
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

/// A part of an entity that could not be had, while the rest could.
public struct MissingPart: Hashable, Sendable {
  /// The field that is missing.
  public var field: ResultField
  /// Why.
  public var error: SearchError

  /// Creates a missing part.
  public init(_ field: ResultField, _ error: SearchError) {
    self.field = field
    self.error = error
  }

  /// Whether something failed; what the provider never gives out (`unavailable`) is just not there.
  public var isFailure: Bool { error.code != .unavailable }
}
