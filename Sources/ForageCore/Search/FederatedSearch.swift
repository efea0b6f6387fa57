public import ForageFoundation

/// A request for a federated search.
public struct FederatedSearch: Sendable {
  /// The number of merged items wanted where none is given.
  public static let defaultLimit = 30
  /// The time limit where none is given.
  public static let defaultTimeout: Duration = .seconds(10)

  /// The query; in a feed a filter, `nil` for none.
  public var query: Query?
  /// Whether the feeds of the providers are requested instead of a search.
  public let isFeed: Bool
  /// The kinds of results. Each is requested from every provider that supports it.
  public var kinds: [ResultKind]
  /// The number of merged items wanted, at least 1.
  public var limit: Int
  /// The number of results that one part of the list has. Page sizes follow from it, so that a search with a
  /// higher limit asks for the same pages first.
  package var pageLimit: Int
  /// How many parts of a list the search makes at once, because it repeats those before. Each may read as
  /// many pages and as many bytes as one.
  package var partCount = 1
  /// The sort key; `nil` for the merged ranking.
  public var sort: String?
  /// The direction of `sort`.
  public var order: SortOrder
  /// The time limit.
  public var timeout: Duration
  /// A condition besides the query; `nil` for none.
  package var filter: ResultFilter?
  /// How far a provider may go beyond the results of one query.
  package var depth = SearchDepth()
  /// Whether a list of notifications has those that were read, too.
  package var includesRead = false
  /// How much of the matches in files is wanted.
  public var matches = MatchOptions()

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - kinds: The kinds of results.
  ///   - limit: The number of merged items wanted, at least 1.
  ///   - sort: The sort key; `nil` for the merged ranking.
  ///   - order: The direction of `sort`.
  ///   - timeout: The time limit.
  public init(
    query: Query, kinds: [ResultKind] = [.repo], limit: Int = FederatedSearch.defaultLimit,
    sort: String? = nil,
    order: SortOrder = .descending, timeout: Duration = FederatedSearch.defaultTimeout
  ) {
    self.init(isFeed: false, query, kinds, limit, sort, order, timeout)
  }

  /// Creates a request for the feeds of the providers.
  ///
  /// - Parameters:
  ///   - kinds: The kinds of results.
  ///   - query: A filter that Forage evaluates; `nil` for none.
  ///   - limit: The number of merged items wanted, at least 1.
  ///   - sort: The sort key; `nil` for the providers' own order.
  ///   - order: The direction of `sort`.
  ///   - timeout: The time limit.
  public init(
    feedOf kinds: [ResultKind], query: Query? = nil, limit: Int = FederatedSearch.defaultLimit,
    sort: String? = nil,
    order: SortOrder = .descending, timeout: Duration = FederatedSearch.defaultTimeout
  ) {
    self.init(isFeed: true, query, kinds, limit, sort, order, timeout)
  }

  private init(
    isFeed: Bool, _ query: Query?, _ kinds: [ResultKind], _ limit: Int, _ sort: String?, _ order: SortOrder,
    _ timeout: Duration
  ) {
    (self.isFeed, self.query, self.kinds, self.limit) = (isFeed, query, kinds, max(1, limit))
    pageLimit = self.limit
    (self.sort, self.order, self.timeout) = (sort, order, timeout)
  }
}

/// A condition on results that a query cannot express. It is evaluated like a residual part of a query.
package struct ResultFilter: Sendable {
  /// The name in the list of residual qualifiers, for example `favorites`.
  package var name: String
  package var passes: @Sendable (SearchResult) -> Bool

  package init(name: String, passes: @escaping @Sendable (SearchResult) -> Bool) {
    self.name = name
    self.passes = passes
  }
}

/// A part of the merged list of a search.
public struct FederatedResult: Sendable {
  /// The results, best first, without duplicates.
  public var items: [MergedItem]
  /// The outcome for each provider and kind, in the order of the providers.
  public var outcomes: [ProviderOutcome]
  /// The number of results before the part.
  public var offset: Int
  /// Whether results may follow.
  public var hasMore: Bool

  package init(items: [MergedItem], outcomes: [ProviderOutcome], offset: Int = 0, hasMore: Bool = false) {
    self.items = items
    self.outcomes = outcomes
    self.offset = offset
    self.hasMore = hasMore
  }

  /// Whether no results are missing except by the limit.
  public var isComplete: Bool { outcomes.allSatisfy(\.isComplete) }
}

/// The outcome of a provider in a search.
public struct ProviderOutcome: Sendable {
  /// The state of a provider's part.
  public enum State: String, Hashable, Sendable {
    /// All requested results were delivered.
    case ok
    /// Some results were delivered before a failure, or the provider says itself that a part is missing.
    case partial
    /// It failed.
    case failed
    /// The deadline passed.
    case timeout
    /// A rate limit is exceeded.
    case rateLimited = "rate_limited"
    /// A credential is missing or was refused.
    case unauthorized
    /// Not asked: it does not support the kind or the query.
    case unsupported
    /// The network is not available, or not to be used.
    case offline
    /// It took no part: it has nothing to search, or lacks the repository or owner in which another forge
    /// searches.
    case skipped

    /// Whether the provider answered, possibly without results.
    public var isAnswer: Bool { self == .ok || self == .partial }
    /// Whether the provider took no part, so that none of its results are missing.
    public var isExcluded: Bool { self == .unsupported || self == .skipped }
    /// Whether the provider was asked and results may be missing.
    public var isFailure: Bool { self != .ok && !isExcluded }
  }

  /// The provider's id.
  public var id: String
  /// The provider's name.
  public var name: String
  /// The kind of results.
  public var kind: ResultKind
  /// The state.
  public var state: State
  /// The kinds of results that support what is not supported for this kind; set only for `unsupported`.
  package var otherKinds: [ResultKind] = []
  /// Whether the provider has no results of this kind, whatever the query; set only for `unsupported`.
  package var lacksKind = false
  /// Whether clones have what the provider lacks: the code of the repositories of a forge; set only for
  /// `unsupported`.
  package var isInClones = false
  /// The number of items of the list so far that passed the residual filter.
  public var returned: Int = 0
  /// The total number of results that the provider reports; of a list that was read and checked to its end,
  /// of those that passed.
  public var total: ResultTotal?
  /// The time until it was done.
  public var elapsed: Duration = .zero
  /// The number of requests for this part of the list.
  public var requests: Int = 0
  /// The number of pages read, including cached ones.
  public var pages: Int = 0
  /// The qualifiers that were evaluated here, sorted; `text` stands for words and phrases.
  public var residual: [String] = []
  /// Notes on what is missing or odd, besides the error.
  public var notes: [Note] = []
  /// The files that were searched; `nil` for a provider that does not search files.
  public var coverage: SearchCoverage?
  /// How the cache contributed to the answer.
  public var cache = CacheUse.none
  /// The error, unless the state is `ok`; for a provider that took no part, the reason.
  public var error: SearchError?

  package init(id: String, name: String, kind: ResultKind, state: State = .ok) {
    self.id = id
    self.name = name
    self.kind = kind
    self.state = state
  }

  /// Whether the provider gave no answer: it failed, or searched none of its files.
  package var isWithoutAnswer: Bool {
    state.isFailure && (!state.isAnswer || lacksFiles && coverage?.files == 0)
  }
  /// Whether it answered, and some files were not searched.
  package var lacksFiles: Bool { coverage != nil && isPartialByItsWord }
  /// Whether the provider answered to the end of its list, from which it left something out.
  package var isPartialByItsWord: Bool { state == .partial && error?.code.makesPartial == true }
  /// Whether it answered to the end of its list, of which some items could not be read.
  package var isMissingItems = false
  /// Why the provider took no part; `nil` if it did.
  public var reason: String? { state.isExcluded ? error?.message : nil }

  /// The same for a part of a list without results, of which earlier parts are no answer.
  package var ofEmptyPart: ProviderOutcome {
    guard state == .partial, !isPartialByItsWord, !isMissingItems, let error else { return self }
    var copy = self
    copy.state = error.state
    return copy
  }

  /// Whether no results of the provider are missing.
  public var isComplete: Bool { !state.isFailure && !notes.contains(where: \.isMissing) }
}

extension SearchError {
  /// The state of a provider that failed with this error before it delivered anything.
  package var state: ProviderOutcome.State {
    switch code {
    case .timeout: .timeout
    case .rateLimited: .rateLimited
    case .unauthorized: .unauthorized
    case .unsupportedQuery, .needsQualifier: .unsupported
    case .nothingToAsk: .skipped
    case .offline: .offline
    default: .failed
    }
  }
}

/// An event of a running search.
public enum SearchEvent: Sendable {
  /// The search began; with the outcome of each provider and kind that is asked.
  case started([ProviderOutcome])
  /// A provider delivered items that passed the residual filter, in its own order.
  case found(ProviderOutcome, [SearchResult])
  /// A provider has ended, successfully or not.
  case ended(ProviderOutcome)
}

/// An entity of a merged list.
public struct MergedItem: Sendable {
  /// The rank of an entity at a provider.
  public struct Source: Hashable, Sendable {
    /// The provider's id.
    public var provider: String
    /// The rank, from 1, among the items that passed the residual filter.
    public var rank: Int
    /// The provider's own id of the entity, if it has one.
    public var id: String?
    /// The rank's contribution to the score in units of 2^-40; 0 if the entity was already placed.
    public var contribution: UInt64
  }

  /// The merged result.
  public var result: SearchResult
  /// The ranks, in the order of the providers.
  public var sources: [Source]
  /// The fused score in units of 2^-40.
  public var score: UInt64
  /// When the data that takes precedence was observed; `nil` if unknown.
  public var observedAt: Date?
  /// The fields of each provider, best first; `nil` if there is only one, whose fields are all in `result`.
  var fieldObservations: [FieldObservation]?

  /// The fused score as a fraction.
  public var relativeScore: Double { Double(score) / Double(RankFusion.one) }
}

extension MergedItem {
  /// Creates an item of a list that no provider ranked.
  package init(_ result: SearchResult) { self.init(result: result, sources: [], score: 0) }

  /// Creates an item of the list of one provider.
  ///
  /// - Parameter rank: From 1.
  package init(_ result: SearchResult, of provider: String, rank: Int) {
    let score = RankFusion.contribution(rank: rank, weight: 1)
    self.init(
      result: result, sources: [Source(provider: provider, rank: rank, id: nil, contribution: score)],
      score: score)
  }
}

/// The fields that one of several providers returned for an entity.
struct FieldObservation: Hashable, Sendable {
  var provider: String
  /// The provider's id of the entity; `nil` if it is the one shown.
  var alias: String?
  /// When it was observed; `nil` if unknown.
  var observedAt: Date?
  var fields: [ResultField: FieldValue]
}

/// A value of a field, with its provider and time.
package struct FieldSighting: Hashable, Sendable {
  package var value: FieldValue
  /// The id of the provider.
  package var provider: String
  /// When it was observed: when the provider answered, or when its data was collected; `nil` if unknown.
  package var observedAt: Date?
}

extension MergedItem {
  /// The values of a field from all providers; the first is the one shown.
  ///
  /// The forge's own answer comes first, then the more recent one, then the order of the providers. Numbers
  /// are never added up.
  ///
  /// - Parameter field: The field. The result is empty if no provider returned it.
  package func provenance(of field: ResultField) -> [FieldSighting] {
    guard let fieldObservations else {
      guard let value = result[field], let provider = sources.first?.provider else { return [] }
      return [FieldSighting(value: value, provider: provider, observedAt: observedAt)]
    }
    return fieldObservations.compactMap { observation in
      observation.fields[field].map {
        FieldSighting(value: $0, provider: observation.provider, observedAt: observation.observedAt)
      }
    }
  }

  /// The fields for which providers returned different values, in output order.
  package var disputedFields: [ResultField] {
    guard fieldObservations != nil else { return [] }
    return result.orderedFields.filter { field in
      let sightings = provenance(of: field)
      return sightings.contains { $0.value != sightings[0].value }
    }
  }

  /// The other ids of the entity, without duplicates, best first.
  var aliases: [String] {
    var names: [String] = []
    for observation in fieldObservations ?? [] {
      if let alias = observation.alias, !names.contains(alias) { names.append(alias) }
    }
    return names
  }
}

extension SearchResult {
  /// The id of the repository that contains it, or the path of a clone on no forge.
  package var repositoryID: String? { Self.id(of: self[.repository]) }

  private static func id(of repository: FieldValue?) -> String? {
    repository?.text.map { RepositoryIdentity.canonical($0) ?? $0 }
  }

  /// Whether it is a file with the repository and path of another result.
  func isAtPlace(of other: SearchResult) -> Bool {
    fields[.path] == other.fields[.path] && repositoryID == other.repositoryID
  }

  /// The repository and path of a file, by which files of different providers are one entity whatever their
  /// revision, and those of the other places with the same content; empty for other kinds.
  var filePlaces: [String] {
    guard kind == .code else { return [] }
    let own = Self.place(fields[.repository], fields[.path])
    let others = fields[.places]?.elements.lazy.compactMap { Self.place($0["repository"], $0["path"]) }
    return (own.map { [$0] } ?? []) + (others.map(Array.init) ?? [])
  }

  private static func place(_ repository: FieldValue?, _ path: FieldValue?) -> String? {
    guard let repository = id(of: repository), let path = path?.text else { return nil }
    return repository + ":" + path
  }

  /// The fields as they are at another place with the same content, which changes places with the own one;
  /// unchanged if `result` is at none of them.
  func fields(atPlaceOf result: SearchResult) -> [ResultField: FieldValue] {
    guard kind == .code, var places = fields[.places]?.elements,
      let wanted = Self.place(result.fields[.repository], result.fields[.path]),
      Self.place(fields[.repository], fields[.path]) != wanted,
      let index = places.firstIndex(where: { Self.place($0["repository"], $0["path"]) == wanted })
    else { return fields }
    var moved = fields
    var own: [String: FieldValue] = [:]
    for field in [ResultField.repository, .path, .ref, .commit, .file] {
      own[field.rawValue] = fields[field]
      moved[field] = places[index][field.rawValue]
    }
    places[index] = .record(own)
    moved[.places] = .items(places)
    return moved
  }
}
