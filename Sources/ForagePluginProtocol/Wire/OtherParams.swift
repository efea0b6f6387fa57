/// One page of what a provider shows without a query.
public struct FeedParams: Codable, Hashable, Sendable {
  /// The provider's id.
  public var provider: String
  /// The kind of result wanted.
  public var kind: String
  /// The key to sort by, one of `feedSorts`; the provider's own order when absent.
  public var sort: String?
  /// The direction of `sort`, `asc` or `desc`; absent without one.
  public var order: String?
  /// How many items the page should have at most.
  public var limit: Int
  /// What the page before said in `next`, `null` for the first.
  public var cursor: String?
  /// Milliseconds from now after which the answer is no longer wanted.
  public var deadlineMs: Int

  /// Creates parameters.
  public init(
    provider: String, kind: String, sort: String? = nil, order: String? = nil, limit: Int,
    cursor: String? = nil, deadlineMs: Int
  ) {
    self.provider = provider
    self.kind = kind
    self.sort = sort
    self.order = order
    self.limit = limit
    self.cursor = cursor
    self.deadlineMs = deadlineMs
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(provider, forKey: .provider)
    try container.encode(kind, forKey: .kind)
    try container.encodeIfPresent(sort, forKey: .sort)
    try container.encodeIfPresent(order, forKey: .order)
    try container.encode(limit, forKey: .limit)
    try container.encode(cursor, forKey: .cursor)
    try container.encode(deadlineMs, forKey: .deadlineMs)
  }
}

/// An entity of which the host wants everything; it is answered like a search, with one item or none.
public struct DetailsParams: Codable, Hashable, Sendable {
  /// The provider's id.
  public var provider: String
  /// The kind of entity.
  public var kind: String
  /// The id under which the plugin delivered it, or the canonical id of an entity of a forge, for example `github.com/apple/swift-nio`.
  public var id: String
  /// Where a person can look at it, where the host knows.
  public var url: String?
  /// Milliseconds from now after which the answer is no longer wanted.
  public var deadlineMs: Int

  /// Creates parameters.
  public init(provider: String, kind: String, id: String, url: String? = nil, deadlineMs: Int) {
    self.provider = provider
    self.kind = kind
    self.id = id
    self.url = url
    self.deadlineMs = deadlineMs
  }
}

/// A request that is no longer wanted; it is still answered, with `1001` or normally.
public struct CancelParams: Codable, Hashable, Sendable {
  /// The id of the request.
  public var id: RequestID

  /// Creates parameters.
  public init(id: RequestID) { self.id = id }
}

/// What a request and its answer have in common.
public enum RequestID: Codable, Hashable, Sendable {
  /// A whole number.
  case number(Int)
  /// A text.
  case text(String)

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int.self) {
      self = .number(number)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    }
  }
}
