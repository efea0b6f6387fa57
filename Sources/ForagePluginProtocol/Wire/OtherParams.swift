/// The parameters of `feed`: one page of results without a query.
public struct FeedParams: Codable, Hashable, Sendable {
  /// The provider's id.
  public var provider: String
  /// The requested kind of results.
  public var kind: String
  /// The sort key, one of `feedSorts`; absent for the provider's own order.
  public var sort: String?
  /// The direction of `sort`, `asc` or `desc`; absent without a sort key.
  public var order: String?
  /// The maximum number of items of the page.
  public var limit: Int
  /// The previous page's `next`; `null` for the first page.
  public var cursor: String?
  /// The time limit in milliseconds from now.
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

/// The parameters of `details`: a request for everything known about an entity. The answer has one item or
/// none.
public struct DetailsParams: Codable, Hashable, Sendable {
  /// The provider's id.
  public var provider: String
  /// The kind of entity.
  public var kind: String
  /// The id under which the plugin delivered the entity, or the canonical id of a forge's entity, for example
  /// `github.com/apple/swift-nio`.
  public var id: String
  /// The address of the entity's web page, if known.
  public var url: String?
  /// The time limit in milliseconds from now.
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

/// The parameters of `$/cancel`. The cancelled request is still answered, with error `1001` or normally.
public struct CancelParams: Codable, Hashable, Sendable {
  /// The id of the request.
  public var id: RequestID

  /// Creates parameters.
  public init(id: RequestID) { self.id = id }
}

/// The id of a request and its response.
public enum RequestID: Codable, Hashable, Sendable {
  /// A whole number.
  case number(Int)
  /// A string.
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
