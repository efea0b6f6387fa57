/// The identity and abilities of a provider, declared before it is asked.
public struct ProviderDescriptor: Sendable {
  /// How a provider handles a condition.
  public enum Pushdown: String, Hashable, Sendable {
    /// It applies the condition; the items are not checked again.
    case exact
    /// It applies the condition approximately; the search checks the items.
    case inexact
    /// It does not receive the condition; the search checks the items.
    case unsupported
  }

  /// The abilities of a provider for a kind of results.
  public struct KindAbilities: Sendable {
    /// How it handles words and phrases.
    public var text: Pushdown
    /// How it handles each qualifier; default `unsupported`.
    public var qualifiers: [String: Pushdown]
    /// The fields that its items can contain. A positive qualifier on any other field excludes the provider.
    public var fields: Set<ResultField>
    /// The sort keys that it supports.
    public var sorts: [String]
    /// The order of the sort keys that it supports in one order only.
    package var onlyOrders: [String: SortOrder] = [:]
    /// Whether it supports `OR` and parentheses.
    public var booleans: Bool
    /// Whether it supports regular expressions as terms; otherwise a query with one excludes the provider.
    public var expressions: Bool
    /// Whether a query must contain a condition that can be sent; otherwise the provider is excluded.
    public var needsText: Bool
    /// Whether it requires a credential.
    public var needsToken: Bool
    /// The maximum page size.
    public var maximumPageSize: Int
    /// The maximum number of results that can be reached for a query; `nil` for all.
    public var reachable: Int?
    /// Its results without a query; `nil` for none.
    public var feed: Feed?

    /// Creates the abilities for one kind.
    public init(
      text: Pushdown = .exact, qualifiers: [String: Pushdown], fields: Set<ResultField>, sorts: [String] = [],
      booleans: Bool = false, expressions: Bool = false, needsText: Bool = true, needsToken: Bool = false,
      maximumPageSize: Int = 100,
      reachable: Int? = nil,
      feed: Feed? = nil
    ) {
      self.text = text
      self.qualifiers = qualifiers
      self.fields = fields
      self.sorts = sorts
      self.booleans = booleans
      self.expressions = expressions
      self.needsText = needsText
      self.needsToken = needsToken
      self.maximumPageSize = maximumPageSize
      self.reachable = reachable
      self.feed = feed
    }
  }

  /// A list that a provider shows without a query: a front page, starred repositories, recent changes.
  public struct Feed: Hashable, Sendable {
    /// The sort keys that the provider supports. By default the list is in the provider's own order, usually
    /// newest first.
    public var sorts: [String]
    /// The order of the sort keys that it supports in one order only.
    package var onlyOrders: [String: SortOrder] = [:]

    /// Creates a feed.
    public init(sorts: [String] = []) { self.sorts = sorts }
  }

  /// The provider's id in options and output, for example `github`.
  public var id: String
  /// The display name.
  public var name: String
  /// The group. Providers of a group share a backend and count as one source in the ranking.
  public var group: String
  /// The abilities by kind.
  public var kinds: [ResultKind: KindAbilities]
  /// The forges that it is authoritative for; its data about their entities takes precedence.
  public var hosts: [String]
  /// Whether it implements `details`.
  public var hasDetails: Bool
  /// Whether it has a feed of any kind.
  package var hasFeed: Bool { kinds.values.contains { $0.feed != nil } }
  /// Its time limit unless the user sets another; `nil` for the search's.
  public var timeLimit: Duration?
  /// Its own qualifiers besides the common ones.
  public var vocabulary: [QualifierDefinition]

  /// The maximum length of an id.
  package static let longestID = 64

  /// Whether a text is a valid provider id: lower-case letters, digits, `-`, `_` and `.`, beginning with a
  /// letter or digit, at most `longestID` characters.
  package static func isID(_ text: String) -> Bool {
    guard let first = text.first, !"-_.".contains(first), text.utf8.count <= longestID else { return false }
    return text.consists(of: "a"..."z", "0"..."9", and: "-_.")
  }

  /// Creates a descriptor.
  public init(
    id: String, name: String, group: String? = nil, kinds: [ResultKind: KindAbilities], hosts: [String] = [],
    hasDetails: Bool = false, timeLimit: Duration? = nil, vocabulary: [QualifierDefinition] = []
  ) {
    self.id = id
    self.name = name
    self.group = group ?? id
    self.kinds = kinds
    self.hosts = hosts
    self.hasDetails = hasDetails
    self.timeLimit = timeLimit
    self.vocabulary = vocabulary
  }
}
