public import ForageCore

/// The parameters of `search`: a request for one page.
///
/// The condition is the conjunction of `text` and `filters`. Only conditions that the provider declared are
/// sent. If the query has alternatives, which only providers with `booleans` receive, `query` contains the
/// complete condition, and `text` and `filters` the parts that must hold in any case.
public struct SearchParams: Codable, Hashable, Sendable {
  /// The provider's id.
  public var provider: String
  /// The requested kind of results.
  public var kind: String
  /// Required words and phrases in the order of the query, without quotes.
  public var text: [String]
  /// The indices of phrases in `text`, from 0; the words of a phrase must be adjacent. Absent if there are
  /// none.
  public var phrases: [Int]?
  /// Conditions on single properties, and words and phrases that must not occur.
  public var filters: [SearchFilter]
  /// The complete condition, if it has alternatives; otherwise absent.
  public var query: QueryNode?
  /// The sort key, one of the declared ones; absent for the provider's own order.
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
    provider: String, kind: String, text: [String] = [], phrases: [Int]? = nil, filters: [SearchFilter] = [],
    query: QueryNode? = nil, sort: String? = nil, order: String? = nil, limit: Int, cursor: String? = nil,
    deadlineMs: Int
  ) {
    self.provider = provider
    self.kind = kind
    self.text = text
    self.phrases = phrases
    self.filters = filters
    self.query = query
    self.sort = sort
    self.order = order
    self.limit = limit
    self.cursor = cursor
    self.deadlineMs = deadlineMs
  }

  private enum CodingKeys: String, CodingKey {
    case provider, kind, text, phrases, filters, query, sort, order, limit, cursor, deadlineMs
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    provider = try container.decode(String.self, forKey: .provider)
    kind = try container.decode(String.self, forKey: .kind)
    text = try container.decodeIfPresent([String].self, forKey: .text) ?? []
    phrases = try container.decodeIfPresent([Int].self, forKey: .phrases)
    filters = try container.decodeIfPresent([SearchFilter].self, forKey: .filters) ?? []
    query = try container.decodeIfPresent(QueryNode.self, forKey: .query)
    sort = try container.decodeIfPresent(String.self, forKey: .sort)
    order = try container.decodeIfPresent(String.self, forKey: .order)
    limit = try container.decode(Int.self, forKey: .limit)
    cursor = try container.decodeIfPresent(String.self, forKey: .cursor)
    deadlineMs = try container.decode(Int.self, forKey: .deadlineMs)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(provider, forKey: .provider)
    try container.encode(kind, forKey: .kind)
    try container.encode(text, forKey: .text)
    try container.encodeIfPresent(phrases, forKey: .phrases)
    try container.encode(filters, forKey: .filters)
    try container.encodeIfPresent(query, forKey: .query)
    try container.encodeIfPresent(sort, forKey: .sort)
    try container.encodeIfPresent(order, forKey: .order)
    try container.encode(limit, forKey: .limit)
    try container.encode(cursor, forKey: .cursor)
    try container.encode(deadlineMs, forKey: .deadlineMs)
  }
}

/// A condition of a search.
///
/// If the plugin does not support the field or the operation of a filter, it lists the filter in `unapplied`.
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
    /// Between `from` and `to`, inclusive; an absent end is unbounded.
    public static let range = Operation(rawValue: "range")

    /// Equal to one of several texts.
    public static let anyOf = Operation(rawValue: "in")

    /// The negated operation: `ne`, `not-in`, `not-lt`, `not-le`, `not-gt`, `not-ge`, `not-range`. An item
    /// without the property satisfies it.
    ///
    /// Negation is part of the operation rather than a flag, so that a plugin that does not know it cannot
    /// apply the opposite.
    public var negated: Operation {
      switch rawValue {
      case "eq": Operation(rawValue: "ne")
      case "ne": .equal
      case let word where word.hasPrefix("not-"): Operation(rawValue: String(word.dropFirst(4)))
      default: Operation(rawValue: "not-" + rawValue)
      }
    }
    /// Whether the operation is negated.
    public var isNegated: Bool { rawValue == "ne" || rawValue.hasPrefix("not-") }
  }

  /// The field name of a filter on all text; such filters are always negated.
  public static let textField = "text"

  /// The number of the filter, from 0, which `unapplied` refers to.
  public var n: Int
  /// The qualifier's name in lower case, or `text` for a word or phrase that must not occur.
  public var field: String
  /// The operation.
  public var op: Operation
  /// The value: a text (for `in` an array of texts), a whole number, a Boolean, or a date as in the query
  /// (`2024-01-15`, the whole day in UTC, or `2024-01-15T10:00:00Z`); absent for ranges.
  public var value: JSONTree?
  /// The inclusive lower end of a range.
  public var from: JSONTree?
  /// The inclusive upper end of a range.
  public var to: JSONTree?
  /// Whether the value is a phrase; only for `text`, otherwise absent.
  public var phrase: Bool?

  /// Creates a filter.
  public init(
    n: Int, field: String, op: Operation, value: JSONTree? = nil, from: JSONTree? = nil, to: JSONTree? = nil,
    phrase: Bool? = nil
  ) {
    self.n = n
    self.field = field
    self.op = op
    self.value = value
    self.from = from
    self.to = to
    self.phrase = phrase
  }
}

/// A condition with alternatives: an object with one member, `and`, `or`, `text`, `phrase` or `filter`.
public indirect enum QueryNode: Codable, Hashable, Sendable {
  /// All children hold.
  case and([QueryNode])
  /// At least one child holds.
  case or([QueryNode])
  /// A required word.
  case text(String)
  /// A required phrase.
  case phrase(String)
  /// A condition on a property, or a word that must not occur.
  case filter(SearchFilter)

  private enum CodingKeys: String, CodingKey {
    case and, or, text, phrase, filter
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let parts = try container.decodeIfPresent([QueryNode].self, forKey: .and) {
      self = .and(parts)
    } else if let parts = try container.decodeIfPresent([QueryNode].self, forKey: .or) {
      self = .or(parts)
    } else if let word = try container.decodeIfPresent(String.self, forKey: .text) {
      self = .text(word)
    } else if let phrase = try container.decodeIfPresent(String.self, forKey: .phrase) {
      self = .phrase(phrase)
    } else {
      self = .filter(try container.decode(SearchFilter.self, forKey: .filter))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .and(let parts): try container.encode(parts, forKey: .and)
    case .or(let parts): try container.encode(parts, forKey: .or)
    case .text(let word): try container.encode(word, forKey: .text)
    case .phrase(let phrase): try container.encode(phrase, forKey: .phrase)
    case .filter(let filter): try container.encode(filter, forKey: .filter)
    }
  }
}
