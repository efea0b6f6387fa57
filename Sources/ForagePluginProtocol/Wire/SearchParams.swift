public import ForageCore

/// One page of a search that the host asks for.
///
/// The condition is `text` and `filters` together: all of them must hold. Only what the provider has declared is sent. Where the query has
/// alternatives, which only a provider with `booleans` is sent, `query` holds the whole condition, and `text` and `filters` what of it must
/// hold in any case.
public struct SearchParams: Codable, Hashable, Sendable {
  /// The provider's id.
  public var provider: String
  /// The kind of result wanted.
  public var kind: String
  /// The words and phrases that must occur, in the order of the query, without quotes.
  public var text: [String]
  /// The places in `text`, from 0, of phrases, whose words must follow each other; absent where there are none.
  public var phrases: [Int]?
  /// The conditions on single properties, and the words and phrases that must not occur.
  public var filters: [SearchFilter]
  /// The whole condition, where it has alternatives; otherwise absent.
  public var query: QueryNode?
  /// The key to sort by, one of those declared; the provider's own order when absent.
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

/// One condition of a search.
///
/// A filter that the plugin does not know how to apply, by its field or its `op`, is named in `unapplied`.
public struct SearchFilter: Codable, Hashable, Sendable {
  /// What is asked of the value; open, because there may be more.
  public struct Operation: RawRepresentable, Codable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The word as it stands in the message.
    public let rawValue: String

    /// Creates an operation.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates an operation from a literal.
    public init(stringLiteral value: String) { rawValue = value }

    /// It is the value.
    public static let equal: Operation = "eq"
    /// It is less than the value.
    public static let less: Operation = "lt"
    /// It is at most the value.
    public static let lessOrEqual: Operation = "le"
    /// It is more than the value.
    public static let greater: Operation = "gt"
    /// It is at least the value.
    public static let greaterOrEqual: Operation = "ge"
    /// It is at least `from` and at most `to`; an end that is absent is open.
    public static let range: Operation = "range"

    /// It is one of several texts.
    public static let anyOf: Operation = "in"

    /// The opposite: `ne`, `not-in`, `not-lt`, `not-le`, `not-gt`, `not-ge`, `not-range`. An item without the property fulfils it.
    ///
    /// A word of its own rather than a flag: a plugin that does not know it must not apply the contrary.
    public var negated: Operation {
      switch rawValue {
      case "eq": "ne"
      case "ne": "eq"
      case let word where word.hasPrefix("not-"): Operation(rawValue: String(word.dropFirst(4)))
      default: Operation(rawValue: "not-" + rawValue)
      }
    }
    /// Whether it is the opposite of a condition.
    public var isNegated: Bool { rawValue == "ne" || rawValue.hasPrefix("not-") }
  }

  /// The name of a filter on all text rather than on one property; only negated ones are sent so.
  public static let textField = "text"

  /// The filter's number, from 0, by which `unapplied` names it.
  public var n: Int
  /// The qualifier's name in lower case, or `text` for a word or phrase that must not occur.
  public var field: String
  /// What is asked of it.
  public var op: Operation
  /// The value: a text (for `in` several in an array), a whole number, a flag, or a date as in the query (`2024-01-15`, which is the whole day in UTC, or
  /// `2024-01-15T10:00:00Z`); absent for ranges.
  public var value: JSONTree?
  /// The lower end of a range, which belongs to it.
  public var from: JSONTree?
  /// The upper end of a range, which belongs to it.
  public var to: JSONTree?
  /// Whether the value is a phrase, whose words follow each other; only for `text`, otherwise absent.
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

/// A condition with alternatives, an object with one member: `and`, `or`, `text`, `phrase` or `filter`.
public indirect enum QueryNode: Codable, Hashable, Sendable {
  /// All hold.
  case and([QueryNode])
  /// At least one holds.
  case or([QueryNode])
  /// A word that must occur.
  case text(String)
  /// A phrase that must occur.
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
