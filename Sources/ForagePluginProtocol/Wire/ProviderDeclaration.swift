public import ForageCore

/// The declaration of one of a plugin's providers.
public struct ProviderDeclaration: Codable, Hashable, Sendable {
  /// The provider's id in options and output: lower-case letters, digits, `-`, `_` and `.`.
  public var id: String
  /// The display name.
  public var name: String
  /// The kinds of results that it provides.
  public var kinds: [String]
  /// Whether the order of its items is significant; default true.
  public var ordered: Bool?
  /// The number of requests that it handles concurrently; default 1.
  public var concurrency: Int?
  /// The forges whose entities it is authoritative for.
  public var hosts: [String]?
  /// Whether it supports `details`; default false.
  public var details: Bool?
  /// The abilities for all kinds. In JSON they are members of the declaration itself.
  public var abilities: AbilityDeclaration
  /// The abilities that differ for single kinds; a present member replaces the one for all kinds.
  public var byKind: [String: AbilityDeclaration]?

  /// Creates a declaration.
  public init(
    id: String, name: String, kinds: [String], ordered: Bool? = nil, concurrency: Int? = nil,
    hosts: [String]? = nil, details: Bool? = nil, abilities: AbilityDeclaration = AbilityDeclaration(),
    byKind: [String: AbilityDeclaration]? = nil
  ) {
    self.id = id
    self.name = name
    self.kinds = kinds
    self.ordered = ordered
    self.concurrency = concurrency
    self.hosts = hosts
    self.details = details
    self.abilities = abilities
    self.byKind = byKind
  }

  private enum CodingKeys: String, CodingKey {
    case id, name, kinds, ordered, concurrency, hosts, details, byKind
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(String.self, forKey: .id)
    name = try container.decodeIfPresent(String.self, forKey: .name) ?? id
    kinds = try container.decode([String].self, forKey: .kinds)
    ordered = try container.decodeIfPresent(Bool.self, forKey: .ordered)
    concurrency = try container.decodeIfPresent(Int.self, forKey: .concurrency)
    hosts = try container.decodeIfPresent([String].self, forKey: .hosts)
    details = try container.decodeIfPresent(Bool.self, forKey: .details)
    byKind = try container.decodeIfPresent([String: AbilityDeclaration].self, forKey: .byKind)
    abilities = try AbilityDeclaration(from: decoder)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(name, forKey: .name)
    try container.encode(kinds, forKey: .kinds)
    try container.encodeIfPresent(ordered, forKey: .ordered)
    try container.encodeIfPresent(concurrency, forKey: .concurrency)
    try container.encodeIfPresent(hosts, forKey: .hosts)
    try container.encodeIfPresent(details, forKey: .details)
    try container.encodeIfPresent(byKind, forKey: .byKind)
    try abilities.encode(to: encoder)
  }
}

/// The abilities of a provider, for all kinds or for one.
public struct AbilityDeclaration: Codable, Hashable, Sendable {
  /// How it handles words and phrases; default `exact`.
  public var text: PushDeclaration?
  /// How it handles each qualifier, by name; default `unsupported`.
  public var qualifiers: [String: QualifierDeclaration]?
  /// The sort keys that it supports. `relevance` is its own order.
  public var sorts: [String]?
  /// The reach of its lists.
  public var paging: PagingDeclaration?
  /// Whether it supports alternatives and reads `query`; default false.
  public var booleans: Bool?
  /// Whether it supports `feed`; default false.
  public var feed: Bool?
  /// The sort keys that its feed supports.
  public var feedSorts: [String]?
  /// The fields that its items can contain; by default any known field.
  public var fields: [String]?
  /// Whether a query must contain a word or phrase; default true.
  public var needsText: Bool?
  /// Whether it requires a credential; default false.
  public var needsToken: Bool?

  /// Creates abilities.
  public init(
    text: PushDeclaration? = nil, qualifiers: [String: QualifierDeclaration]? = nil, sorts: [String]? = nil,
    paging: PagingDeclaration? = nil, booleans: Bool? = nil, feed: Bool? = nil, feedSorts: [String]? = nil,
    fields: [String]? = nil, needsText: Bool? = nil, needsToken: Bool? = nil
  ) {
    self.text = text
    self.qualifiers = qualifiers
    self.sorts = sorts
    self.paging = paging
    self.booleans = booleans
    self.feed = feed
    self.feedSorts = feedSorts
    self.fields = fields
    self.needsText = needsText
    self.needsToken = needsToken
  }

  /// Returns these abilities with the present members of `other` replacing their own.
  package func replaced(by other: AbilityDeclaration?) -> AbilityDeclaration {
    guard let other else { return self }
    return AbilityDeclaration(
      text: other.text ?? text, qualifiers: other.qualifiers ?? qualifiers, sorts: other.sorts ?? sorts,
      paging: other.paging ?? paging, booleans: other.booleans ?? booleans, feed: other.feed ?? feed,
      feedSorts: other.feedSorts ?? feedSorts, fields: other.fields ?? fields,
      needsText: other.needsText ?? needsText, needsToken: other.needsToken ?? needsToken)
  }
}

/// How a provider handles a condition; an unknown word means `unsupported`.
public typealias PushDeclaration = ProviderDescriptor.Pushdown

extension ProviderDescriptor.Pushdown: Codable {
  /// Decodes a word; an unknown one means `unsupported`.
  public init(from decoder: any Decoder) throws {
    self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unsupported
  }
}

/// How a provider handles a qualifier.
public struct QualifierDeclaration: Codable, Hashable, Sendable {
  /// How it applies it.
  public var push: PushDeclaration
  /// The type of the value of the plugin's own qualifier: `text`, `number`, `date`, `boolean` or `choice`;
  /// default `text`.
  public var type: String?
  /// The field that the plugin's own qualifier reads; by default the field of the same name.
  public var field: String?
  /// The words of a `choice`, in lower case.
  public var values: [String]?

  /// Creates a declaration.
  public init(_ push: PushDeclaration, type: String? = nil, field: String? = nil, values: [String]? = nil) {
    self.push = push
    self.type = type
    self.field = field
    self.values = values
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    push = try container.decodeIfPresent(PushDeclaration.self, forKey: .push) ?? .unsupported
    type = try container.decodeIfPresent(String.self, forKey: .type)
    field = try container.decodeIfPresent(String.self, forKey: .field)
    values = try container.decodeIfPresent([String].self, forKey: .values)
  }
}

/// The reach of a provider's lists.
public struct PagingDeclaration: Codable, Hashable, Sendable {
  /// The maximum page size in items; default and upper bound `PluginProtocol.Limits.items`.
  public var maxPage: Int?
  /// The maximum number of results that can be reached for one query; by default unlimited.
  public var maxTotal: Int?

  /// Creates paging.
  public init(maxPage: Int? = nil, maxTotal: Int? = nil) {
    self.maxPage = maxPage
    self.maxTotal = maxTotal
  }
}
