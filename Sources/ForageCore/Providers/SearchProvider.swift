/// A source of search results.
///
/// The protocol is the contract between a search and its providers. What a provider can do besides searching
/// it says by conforming to further protocols: ``FeedProvider`` (a list without a query), ``DetailsProvider``
/// (everything about one entity) and ``ForgeProvider`` (accounts, stars, files).
///
/// - What `info` and `kinds` return is constant.
/// - `search` returns one page at a time. Items are in the provider's own order, best first. Ranks are
///   counted across pages.
/// - An error loses the page and ends the list; earlier pages are kept. Throw `SearchError` if the cause is
///   known, so that the user sees a message and a hint.
/// - A provider that has nothing to search, for example an empty catalogue, throws code `nothingToAsk` for
///   the first page, with the reason as message. One that turns out not to support the query throws
///   `unsupportedQuery`. In both cases it counts as not asked: no results are missing, and the reason is
///   reported only if the user asks for it.
/// - When the task is cancelled, return or throw soon. The search does not wait, and discards the result.
/// - Calls may run concurrently on any thread, and may block: each provider of a search has a thread of its
///   own.
/// - The transport of `ForageHTTPLive` counts the requests that it sends. What sends requests by other means
///   counts each one with ``RequestCounter/current``.
public protocol SearchProvider: Sendable {
  /// Who the provider is.
  var info: ProviderInfo { get }

  /// Its abilities for each kind of results that it has.
  var kinds: [ResultKind: Abilities] { get }

  /// Returns one page of results.
  ///
  /// - Parameter request: The request. It asks only for what `kinds` declares.
  /// - Returns: At most `request.pageSize` items.
  /// - Throws: `SearchError`, or any other error, which is reported as `other`.
  func search(_ request: SearchRequest) async throws -> SearchPage
}

/// A provider with a list that needs no query: a front page, starred repositories, recent changes.
public protocol FeedProvider: SearchProvider {
  /// Returns one page of the feed of a kind whose abilities declare one.
  ///
  /// The rules for pages, cursors and errors are those of `search`.
  ///
  /// - Parameter request: The request. Its query is `nil`; its sort key is one of the feed's.
  /// - Returns: At most `request.pageSize` items.
  /// - Throws: As `search`.
  func feed(_ request: SearchRequest) async throws -> SearchPage
}

/// A provider of a service that does not know `@me`, which stands for the account that the provider asks
/// with.
package protocol AccountProvider: SearchProvider {
  /// Returns the name of the account.
  ///
  /// - Throws: `SearchError`, also where there is no credential.
  func login(deadline: ContinuousClock.Instant) async throws -> String
}

extension SearchProvider {
  /// One page of the feed; of a provider without one an error.
  package func page(ofFeed request: SearchRequest) async throws -> SearchPage {
    guard let provider = self as? any FeedProvider else {
      throw SearchError(.unsupportedQuery, "\(info.name) has no feed")
    }
    return try await provider.feed(request)
  }
}

/// Who a provider is.
public struct ProviderInfo: Sendable {
  /// The provider's id in options and output, for example `github`.
  public var id: String
  /// The display name.
  public var name: String
  /// The group. Providers of a group share a backend and count as one source in the ranking.
  public var group: String
  /// The hosts whose entities it knows first-hand, for example `github.com`; its data about them takes
  /// precedence.
  public var hosts: [String]
  /// Its time limit unless the user sets another; `nil` for the search's.
  public var timeLimit: Duration?
  /// The fields of its own.
  public var fields: [FieldDefinition]
  /// Its own qualifiers besides the common ones: those that were set, and one for each field of its own but
  /// those with decimals, which no condition can name.
  public var vocabulary: [QualifierDefinition] {
    get {
      // One for a kind leaves that of the field to the others.
      let names = Set(qualifiers.filter(\.kinds.isEmpty).map(\.name))
      return qualifiers + qualifiersOfFields.filter { !names.contains($0.name) }
    }
    set { qualifiers = newValue.filter { !qualifiersOfFields.contains($0) } }
  }
  private var qualifiersOfFields: [QualifierDefinition] {
    fields.filter { $0.type != .fraction }.map(QualifierDefinition.init)
  }
  private var qualifiers: [QualifierDefinition]

  /// Creates a description.
  ///
  /// - Parameters:
  ///   - id: Lower-case letters, digits, `-`, `_` and `.`, beginning with a letter or digit, at most 64.
  ///   - name: The display name; `nil` for the id.
  ///   - group: The group; `nil` for one of its own.
  ///   - hosts: The hosts whose entities it knows first-hand, in lower case, without a scheme.
  ///   - timeLimit: Its time limit; `nil` for the search's.
  ///   - fields: The fields of its own.
  ///   - vocabulary: Its own qualifiers besides the common ones and those of its fields.
  public init(
    id: String, name: String? = nil, group: String? = nil, hosts: [String] = [], timeLimit: Duration? = nil,
    fields: [FieldDefinition] = [], vocabulary: [QualifierDefinition] = []
  ) {
    self.id = id
    self.name = name ?? id
    self.group = group ?? id
    self.hosts = hosts
    self.timeLimit = timeLimit
    self.fields = fields
    qualifiers = vocabulary
  }

  /// The maximum length of an id.
  package static let longestID = 64

  /// Whether a text is a valid provider id.
  package static func isID(_ text: String) -> Bool {
    guard let first = text.first, !"-_.".contains(first), text.utf8.count <= longestID else { return false }
    return text.consists(of: "a"..."z", "0"..."9", and: "-_.")
  }
}

/// How a provider handles a condition of a query.
///
/// What a provider receives of each condition, and what the search checks on its items:
///
/// | condition | `exact` | `inexact` | `unsupported` |
/// | --- | --- | --- | --- |
/// | `name:value`, a word | sent | sent and checked | checked |
/// | negated | sent, negated | checked | checked |
/// | in an `OR` | sent with it | sent with it, and all of it checked | all of it checked |
///
/// A query with an `OR` excludes a provider without ``Abilities/booleans``, and one with a regular expression
/// a provider without ``Abilities/expressions``. Where a qualifier is sometimes not applied, as for one of
/// its values, the page says so with ``SearchPage/unapplied``.
public enum Pushdown: String, Hashable, Sendable {
  /// It applies the condition; the items are not checked again. For words this means that what the service
  /// finds for them counts.
  case exact
  /// It applies the condition approximately, without losing an item that meets it; the search checks the
  /// items. Words are checked in the title and the fields with text.
  case inexact
  /// It does not receive the condition; the search checks the items.
  case unsupported
}

/// The abilities of a provider for one kind of results.
public struct Abilities: Sendable {
  /// The fields that its items can contain. A positive qualifier on any other field excludes the provider.
  public var fields: Set<ResultField>
  /// How it handles words and phrases.
  public var text: Pushdown
  /// How it handles each qualifier, by name; `unsupported` for all others.
  public var qualifiers: [String: Pushdown]
  /// The sort keys that it supports: `stars`, `forks`, `comments`, `size`, `name`, the times `updated`,
  /// `created`, `pushed`, and any other name of a field. By other keys the search sorts the first items
  /// itself.
  public var sorts: [String]
  /// The order of the sort keys that it supports in one order only.
  package var onlyOrders: [String: SortOrder] = [:]
  /// Whether it supports `OR` and parentheses.
  public var booleans: Bool
  /// Whether it supports regular expressions as terms; otherwise a query with one excludes the provider.
  public var expressions: Bool
  /// The content that a query must have, or the provider is excluded: `true` for a word or phrase, `false`
  /// for nothing, `nil` for a word, a phrase or a qualifier.
  public var needsText: Bool?
  /// Whether it requires a credential.
  public var needsToken: Bool
  /// The maximum page size.
  public var maximumPageSize: Int
  /// The maximum number of results that can be reached for a query; `nil` for all.
  public var reachable: Int?
  /// Whether items can need requests of their own, so that no more of them are asked for than are wanted.
  package var looksItemsUp = false
  /// Its results without a query, of a ``FeedProvider``; `nil` for none.
  public var feed: Feed?

  /// A list that a provider shows without a query: a front page, starred repositories, recent changes.
  public struct Feed: Hashable, Sendable {
    /// The sort keys that the provider supports. By default the list is in the provider's own order, usually
    /// newest first.
    public var sorts: [String]
    /// The order of the sort keys that it supports in one order only.
    package var onlyOrders: [String: SortOrder] = [:]

    /// Creates a feed.
    ///
    /// - Parameter sorts: The sort keys that the provider supports.
    public init(sorts: [String] = []) { self.sorts = sorts }
  }

  /// Creates the abilities for one kind; only the fields have no default.
  ///
  /// - Parameters:
  ///   - fields: The fields that the items can contain.
  ///   - text: How words and phrases are handled.
  ///   - qualifiers: How each qualifier is handled, by name: a common one, or one of the provider's
  ///     vocabulary.
  ///   - sorts: The sort keys.
  ///   - booleans: Whether `OR` and parentheses are supported.
  ///   - expressions: Whether regular expressions are supported.
  ///   - needsText: `true` if a query must contain a word or phrase, `false` if it need not contain anything,
  ///     `nil` if a qualifier is enough.
  ///   - needsToken: Whether a credential is required.
  ///   - maximumPageSize: The maximum page size, at least 1.
  ///   - reachable: The maximum number of results that can be reached for a query; `nil` for all.
  ///   - feed: The results without a query; `nil` for none.
  public init(
    fields: Set<ResultField>, text: Pushdown = .exact, qualifiers: [String: Pushdown] = [:],
    sorts: [String] = [], booleans: Bool = false, expressions: Bool = false, needsText: Bool? = nil,
    needsToken: Bool = false, maximumPageSize: Int = 100, reachable: Int? = nil, feed: Feed? = nil
  ) {
    self.fields = fields
    self.text = text
    self.qualifiers = qualifiers
    self.sorts = sorts
    self.booleans = booleans
    self.expressions = expressions
    self.needsText = needsText
    self.needsToken = needsToken
    self.maximumPageSize = maximumPageSize
    self.reachable = reachable
    self.feed = feed
  }

  /// How the provider handles a qualifier. Custom properties use the entry `props.*`.
  package func push(_ name: String) -> Pushdown {
    qualifiers[name] ?? (name.hasPrefix("props.") ? qualifiers["props.*"] : nil) ?? .unsupported
  }
}
