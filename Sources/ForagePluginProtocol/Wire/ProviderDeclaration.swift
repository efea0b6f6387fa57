/// What one provider of a plugin is and can do.
public struct ProviderDeclaration: Codable, Hashable, Sendable {
  /// What names it in options and output: lower-case letters, digits, `-`, `_` and `.`.
  public var id: String
  /// What a person calls it.
  public var name: String
  /// The kinds of results that it has.
  public var kinds: [String]
  /// Whether the order of its items means anything; assumed when absent.
  public var ordered: Bool?
  /// How many requests it answers at the same time; one when absent.
  public var concurrency: Int?
  /// The forges whose entities it knows first-hand.
  public var hosts: [String]?
  /// Whether it answers `details`; assumed not when absent.
  public var details: Bool?
  /// What it can do for every kind; its members stand beside those above.
  public var abilities: AbilityDeclaration
  /// What differs for single kinds: a member that is there replaces the one for every kind.
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

/// What a provider can do, for every kind or for one.
public struct AbilityDeclaration: Codable, Hashable, Sendable {
  /// How it takes words and phrases; `exact` when absent.
  public var text: PushDeclaration?
  /// How it takes each qualifier; one that is not named is `unsupported`.
  public var qualifiers: [String: QualifierDeclaration]?
  /// The sort keys that it applies itself. `relevance` stands for its own order.
  public var sorts: [String]?
  /// How far its lists reach.
  public var paging: PagingDeclaration?
  /// Whether it understands alternatives and reads `query`; assumed not when absent.
  public var booleans: Bool?
  /// Whether it has something to show without a query; assumed not when absent.
  public var feed: Bool?
  /// The sort keys that it applies to its feed.
  public var feedSorts: [String]?
  /// The fields that its items can carry; when absent, any of the known ones.
  public var fields: [String]?
  /// Whether it needs something to look for; assumed when absent.
  public var needsText: Bool?
  /// Whether it answers only with a credential; assumed not when absent.
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

  /// These abilities with the members of others in place of their own, where those have them.
  public func replaced(by other: AbilityDeclaration?) -> AbilityDeclaration {
    guard let other else { return self }
    return AbilityDeclaration(
      text: other.text ?? text, qualifiers: other.qualifiers ?? qualifiers, sorts: other.sorts ?? sorts,
      paging: other.paging ?? paging, booleans: other.booleans ?? booleans, feed: other.feed ?? feed,
      feedSorts: other.feedSorts ?? feedSorts, fields: other.fields ?? fields,
      needsText: other.needsText ?? needsText, needsToken: other.needsToken ?? needsToken)
  }
}

/// How a provider takes a condition; a word that is not known counts as `unsupported`.
public enum PushDeclaration: String, Codable, Hashable, Sendable {
  /// It applies it; nothing is checked again.
  case exact
  /// It narrows by it; the items are checked again.
  case inexact
  /// It is not sent it; the items are checked by the host.
  case unsupported

  public init(from decoder: any Decoder) throws {
    self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unsupported
  }
}

/// How a provider takes one qualifier.
public struct QualifierDeclaration: Codable, Hashable, Sendable {
  /// How it applies it.
  public var push: PushDeclaration
  /// The type of its value, for a qualifier of the plugin's own: `text`, `number`, `date`, `boolean` or `choice`; `text` when absent or unknown.
  public var type: String?
  /// The field that it reads, for a qualifier of the plugin's own; the field of the same name when absent.
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

/// How far a provider's lists reach.
public struct PagingDeclaration: Codable, Hashable, Sendable {
  /// The largest page in items; `PluginProtocol.Limits.items` when absent, and at most.
  public var maxPage: Int?
  /// How many results of one query can be reached at all; all when absent.
  public var maxTotal: Int?

  /// Creates paging.
  public init(maxPage: Int? = nil, maxTotal: Int? = nil) {
    self.maxPage = maxPage
    self.maxTotal = maxTotal
  }
}
