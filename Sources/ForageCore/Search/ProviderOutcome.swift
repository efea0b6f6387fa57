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
    /// Not asked: it has nothing to search.
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
  /// The number of items that passed the residual filter.
  public var returned: Int = 0
  /// The total number of results that the provider reports; of a list that was read and checked to its end, of those that passed.
  public var total: ResultTotal?
  /// The time until it was done.
  public var elapsed: Duration = .zero
  /// The number of requests for this part of the list.
  public var requests: Int = 0
  /// The number of pages read, including cached ones.
  public var pages: Int = 0
  /// The qualifiers that were evaluated here, sorted; `text` stands for words and phrases.
  public var residual: [String] = []
  /// What is missing or odd, besides the error.
  public var notes: [Note] = []
  /// What was searched; `nil` for a provider that does not search files.
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

  /// Whether the provider gave no answer: where it found nothing, too, something else than files over the size limit
  /// may be missing.
  package var isWithoutAnswer: Bool {
    state.isFailure && (!state.isAnswer || lacksFiles && error?.code != .filesTooLong)
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
    case .unsupportedQuery: .unsupported
    case .nothingToAsk: .skipped
    case .offline: .offline
    default: .failed
    }
  }
}
