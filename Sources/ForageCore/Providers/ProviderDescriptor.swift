/// What a provider is and what it can do, declared before anything is asked of it.
public struct ProviderDescriptor: Sendable {
  /// How a provider deals with one qualifier.
  public enum Push: String, Hashable, Sendable {
    /// The provider applies it; nothing is checked again.
    case exact
    /// The provider narrows by it; the items are checked again.
    case inexact
    /// The provider ignores it; the items are checked here.
    case unsupported
  }

  /// What a provider can do for one kind of result.
  public struct KindAbilities: Sendable {
    /// How it takes words and phrases.
    public var text: Push
    /// How it takes each qualifier; one that is not named is `unsupported`.
    public var qualifiers: [String: Push]
    /// The fields that its items can carry. A positive qualifier on any other field makes the provider not applicable.
    public var fields: Set<ResultField>
    /// The sort keys that it applies itself.
    public var sorts: [String]
    /// Whether it understands `OR` and parentheses.
    public var booleans: Bool
    /// Whether it needs something to look for: a query of which nothing can be pushed makes it not applicable.
    public var needsText: Bool
    /// Whether it answers only with a credential.
    public var needsToken: Bool
    /// The largest page that it delivers.
    public var maximumPageSize: Int
    /// How many results of one query can be reached at all, `nil` for all.
    public var reachable: Int?
    /// What it has to show without a query, `nil` for nothing.
    public var feed: Feed?

    /// Creates the abilities for one kind.
    public init(
      text: Push = .exact, qualifiers: [String: Push], fields: Set<ResultField>, sorts: [String] = [],
      booleans: Bool = false, needsText: Bool = true, needsToken: Bool = false, maximumPageSize: Int = 100,
      reachable: Int? = nil,
      feed: Feed? = nil
    ) {
      self.text = text
      self.qualifiers = qualifiers
      self.fields = fields
      self.sorts = sorts
      self.booleans = booleans
      self.needsText = needsText
      self.needsToken = needsToken
      self.maximumPageSize = maximumPageSize
      self.reachable = reachable
      self.feed = feed
    }
  }

  /// A list that a provider has to show without a query: a front page, what somebody has starred, what changed lately.
  public struct Feed: Hashable, Sendable {
    /// The sort keys that the provider applies to it; without one it is in the provider's own order, by custom the newest first.
    public var sorts: [String]

    /// Creates what is told of a feed.
    public init(sorts: [String] = []) { self.sorts = sorts }
  }

  /// What names the provider in options and output, for example `github`.
  public var id: String
  /// What a person calls it.
  public var name: String
  /// Providers of one group share a backend and count as one voter.
  public var group: String
  /// What it can do, by kind.
  public var kinds: [ResultKind: KindAbilities]
  /// The forges whose entities it knows first-hand; its answers on them are shown before those of others.
  public var hosts: [String]
  /// Whether `details` is implemented.
  public var hasDetails: Bool
  /// Whether it has a feed of any kind.
  public var hasFeed: Bool { kinds.values.contains { $0.feed != nil } }
  /// How much its ranks count, more than 0 and at most 1,000; 1 is usual.
  public var weight: Double
  /// Its own time limit, `nil` for none but the search's.
  public var timeout: Duration?
  /// Qualifiers of its own beside the common ones.
  public var vocabulary: [QualifierDefinition]
  /// Whether this tells only part of what it can do; the whole is had from `SearchProvider.declaration(deadline:)`.
  public var isProvisional: Bool

  /// An id is typed in options and stands in tables: longer ones are a mistake.
  public static let longestID = 64

  /// Whether a text has the form of a provider's id: lower-case letters, digits, `-`, `_` and `.`, the first a letter or digit, at most
  /// `longestID` of them.
  public static func isID(_ text: String) -> Bool {
    func isPlain(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    guard let first = text.utf8.first, isPlain(first), text.utf8.count <= longestID else { return false }
    return text.utf8.allSatisfy { isPlain($0) || "-_.".utf8.contains($0) }
  }

  /// Creates a descriptor.
  public init(
    id: String, name: String, group: String? = nil, kinds: [ResultKind: KindAbilities], hosts: [String] = [],
    hasDetails: Bool = false, weight: Double = 1, timeout: Duration? = nil,
    vocabulary: [QualifierDefinition] = [], isProvisional: Bool = false
  ) {
    self.id = id
    self.name = name
    self.group = group ?? id
    self.kinds = kinds
    self.hosts = hosts
    self.hasDetails = hasDetails
    self.weight = weight
    self.timeout = timeout
    self.vocabulary = vocabulary
    self.isProvisional = isProvisional
  }
}
