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
