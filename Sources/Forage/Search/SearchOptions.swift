public import ForageCore
import ForageGitHub

/// How a search, or a list of what providers offer, is made.
public struct SearchOptions: Sendable {
  /// The largest value of `limit`.
  public static let maximumLimit = 10_000
  /// The value of `limit` where none is given.
  public static let defaultLimit = FederatedSearch.defaultLimit
  /// The time limit where none is given.
  public static let defaultTimeout = FederatedSearch.defaultTimeout

  /// The requests that `maximumRequestsPerProvider` allows where it is `nil`.
  package static let defaultMaximumRequests = SearchDepth.defaultMaximumRequests

  /// The kinds of results. Empty for repositories, or for all kinds where no provider has repositories; in a feed for all.
  public var kinds: [ResultKind] = []
  /// The ids of the providers to ask. Empty for all that are enabled.
  public var providers: [String] = []
  /// How many merged results are wanted, from 1 to `maximumLimit`.
  public var limit = SearchOptions.defaultLimit
  /// The sort key; `nil` for that of the query, or for the merged ranking.
  public var sort: String?
  /// The direction of `sort`, where the query does not give one for the same key; `nil` for names from A to Z, numbers and times from the top.
  public var order: SortOrder?
  /// How long the search may take; `nil` for `defaultTimeout`.
  public var timeout: Duration?
  /// Whether only favorites are results.
  public var onlyFavorites = false
  /// How cached answers are used.
  public var cache = CacheMode.normal
  /// How much of the matches in files is wanted.
  public var matches = MatchOptions()
  /// The most requests of a provider for results beyond those of one query; `nil` for the usual number.
  public var maximumRequestsPerProvider: Int?
  /// How many results may be asked for altogether; `limit` where nothing follows.
  package var reach = 0
  /// The number of results of a page, where the search repeats the pages before; `nil` for `limit`.
  package var pageLimit: Int?
  /// The number of pages with those before.
  package var pageCount = 1
  /// Chooses some of the results, `nil` for all.
  package var sample: RandomSample?

  /// Creates options with the default of each.
  public init() {}
}
