public import ForageCore

/// The parameters of `search` and `feed`: a request for one page.
///
/// The condition is the conjunction of `text` and `filters`, which contain only what the provider declared;
/// for a feed they are empty.
public struct SearchParams: Codable, Hashable, Sendable {
  /// The provider's id.
  public var provider: String
  /// The requested kind of results.
  public var kind: String
  /// Required words and phrases in the order of the query, without quotes. A phrase is a text with white
  /// space; its words must be adjacent.
  public var text: [String]
  /// Conditions on single properties, and words and phrases that must not occur.
  public var filters: [SearchFilter]
  /// The sort key, one of the declared ones; `null` for the provider's own order.
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
    provider: String, kind: String, text: [String] = [], filters: [SearchFilter] = [], sort: String? = nil,
    order: String? = nil, limit: Int, cursor: String? = nil, deadlineMs: Int
  ) {
    self.provider = provider
    self.kind = kind
    self.text = text
    self.filters = filters
    self.sort = sort
    self.order = order
    self.limit = limit
    self.cursor = cursor
    self.deadlineMs = deadlineMs
  }

  /// Encodes the parameters, with `null` as `sort` and `cursor` where there are none.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(provider, forKey: .provider)
    try container.encode(kind, forKey: .kind)
    try container.encode(text, forKey: .text)
    try container.encode(filters, forKey: .filters)
    try container.encode(sort, forKey: .sort)
    try container.encodeIfPresent(order, forKey: .order)
    try container.encode(limit, forKey: .limit)
    try container.encode(cursor, forKey: .cursor)
    try container.encode(deadlineMs, forKey: .deadlineMs)
  }
}

/// A condition of a search.
public struct SearchFilter: Codable, Hashable, Sendable {
  /// The comparison operation. Further operations may be added.
  public struct Operation: RawRepresentable, Codable, Hashable, Sendable {
    /// The word in the message.
    public let rawValue: String

    /// Creates an operation.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Equal to the value.
    public static let equal = Operation(rawValue: "eq")
    /// Less than the value.
    public static let less = Operation(rawValue: "lt")
    /// Less than or equal to the value.
    public static let lessOrEqual = Operation(rawValue: "le")
    /// Greater than the value.
    public static let greater = Operation(rawValue: "gt")
    /// Greater than or equal to the value.
    public static let greaterOrEqual = Operation(rawValue: "ge")
    /// Between two values, inclusive.
    public static let range = Operation(rawValue: "range")
    /// Equal to one of several texts.
    public static let anyOf = Operation(rawValue: "in")
  }

  /// The field name of a filter on all text; such filters are always negated.
  public static let textField = "text"

  /// The qualifier's name in lower case, or `text` for a word or phrase that must not occur.
  public var field: String
  /// The operation.
  public var op: Operation
  /// The value: a text, a whole number, a Boolean, or a date as in the query (`2024-01-15`, the whole day in
  /// UTC, or `2024-01-15T10:00:00Z`); for `range` an array of the lowest and the highest value, for `in` an
  /// array of texts.
  public var value: JSONTree
  /// `true` if the condition must not hold, which is the case for an item without the property; absent
  /// otherwise.
  public var negated: Bool?

  /// Creates a filter.
  public init(field: String, op: Operation = .equal, value: JSONTree, negated: Bool? = nil) {
    self.field = field
    self.op = op
    self.value = value
    self.negated = negated
  }
}

/// The parameters of `details`: a request for everything known about an entity. The answer has one item or
/// none.
public struct DetailsParams: Codable, Hashable, Sendable {
  /// The provider's id.
  public var provider: String
  /// The kind of entity.
  public var kind: String
  /// The canonical id of a forge's entity, for example `github.com/apple/swift-nio`.
  public var id: String
  /// The time limit in milliseconds from now.
  public var deadlineMs: Int

  /// Creates parameters.
  public init(provider: String, kind: String, id: String, deadlineMs: Int) {
    self.provider = provider
    self.kind = kind
    self.id = id
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
