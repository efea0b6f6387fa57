/// How one provider fared in one search, as data.
public struct ProviderOutcome: Sendable {
  /// What became of a provider's part.
  public enum State: String, Hashable, Sendable {
    /// It delivered all that was asked for.
    case ok
    /// It delivered something and then failed.
    case partial
    /// It failed.
    case failed
    /// It was late.
    case timeout
    /// A rate limit is exceeded.
    case rateLimited = "rate_limited"
    /// The credential is missing or was refused.
    case unauthorized
    /// It was not asked: it does not have this kind of result, or does not support the query.
    case unsupported
    /// The network could not be reached, or was not to be used.
    case offline
    /// It was not asked: it has nothing to search.
    case skipped

    /// Whether the provider contributed an answer, if only an empty one.
    public var isAnswer: Bool { self == .ok || self == .partial }
    /// Whether the provider took no part in the search, so that nothing of it is missing.
    public var isExcluded: Bool { self == .unsupported || self == .skipped }
    /// Whether the provider was asked and a result that it has may be missing.
    public var isFailure: Bool { self != .ok && !isExcluded }
  }

  /// The provider's id.
  public var id: String
  /// The provider's name.
  public var name: String
  /// The kind that it was asked for.
  public var kind: ResultKind
  /// What became of it.
  public var state: State
  /// Items that it delivered and that passed the residual filter.
  public var returned: Int = 0
  /// How many results it says there are.
  public var total: ResultTotal?
  /// Time until it was done.
  public var elapsed: Duration = .zero
  /// Requests that it sent.
  public var requests: Int = 0
  /// Pages that were read, also those from a cache.
  public var pages: Int = 0
  /// Whether it says itself that its list is incomplete.
  public var isIncomplete: Bool = false
  /// Qualifiers that were checked here.
  public var residual: [String] = []
  /// Whether the scan cap ended the reading before enough items passed the residual filter.
  public var isScanLimited: Bool = false
  /// How many results could be reached, where that is fewer than were wanted and there are.
  public var reachable: Int?
  /// What else than the descriptor's maximum kept results back, each reason once.
  public var shortfalls: [SearchShortfall] = []
  /// Whether it could not sort by the wanted key, so that only what it delivered is sorted.
  public var isSortApproximate: Bool = false
  /// Items that could not be read.
  public var unreadable: Int = 0
  /// How old the oldest part of its answer is that came from the cache, `nil` when nothing did.
  public var cacheAge: Duration?
  /// Whether part of its answer is past its time, because nothing newer could be had.
  public var isStale: Bool = false
  /// Whether it has failed so often that it takes no further part in the search.
  public var isDropped: Bool = false
  /// Why it is not `ok`; of a provider that took no part, the reason for that.
  public var error: SearchError?
  /// Why the provider took no part in the search, a short text; `nil` where it did.
  public var reason: String? { state.isExcluded ? error?.message : nil }

  /// Creates an outcome.
  public init(id: String, name: String, kind: ResultKind, state: State) {
    self.id = id
    self.name = name
    self.kind = kind
    self.state = state
  }

  /// Whether nothing that the provider could have told is missing.
  public var isComplete: Bool {
    !state.isFailure && !isIncomplete && !isScanLimited && reachable == nil && shortfalls.isEmpty
      && unreadable == 0 && !isStale
  }
}

extension SearchError {
  /// The state of a provider that failed with this error before it delivered anything.
  var state: ProviderOutcome.State {
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
