public import ForageCore

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

  /// The kinds of results. Empty for repositories, or for all kinds where no provider has repositories; in a
  /// feed for all.
  public var kinds: [ResultKind] = []
  /// The ids of the providers to ask. Empty for all that are enabled.
  public var providers: [String] = []
  /// How many merged results are wanted, from 1 to `maximumLimit`.
  public var limit = SearchOptions.defaultLimit
  /// The sort key; `nil` for that of the query, or for the merged ranking.
  public var sort: String?
  /// The direction of `sort`, where the query does not give one for the same key; `nil` for names from A to
  /// Z, numbers and times from the top.
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
  /// What providers are told of how far they may go; how many results are wanted, and the most requests, are
  /// set when the search is made.
  package var depth = SearchDepth()
  /// Whether a list of notifications has those that were read, too.
  public var includesRead = false
  /// How many results may be asked for altogether; `limit` where nothing follows.
  package var reach = 0
  /// The number of results of a page, where the search repeats the pages before; `nil` for `limit`.
  package var pageLimit: Int?
  /// The number of pages with those before.
  package var pageCount = 1
  /// Whether results of a forge have its answer, too, as the field `answer`; only forges are asked then,
  /// unless others are named.
  package var keepsAnswers = false
  /// Whether the paths in a query are those of clones in the catalogue only, because who asks may see nothing
  /// else of this disk.
  package var seesOnlyCatalogue = false
  /// The folder from which paths in a query count; `nil` for the current one.
  package var folder: String?
  /// Chooses some of the results, `nil` for all.
  package var sample: RandomSample?

  /// Creates options with the default of each.
  public init() {}
}

/// Chooses some elements of a list at random.
package struct RandomSample {
  package var count: Int
  /// Makes the choice the same each time, `nil` for another one each time.
  package var seed: UInt64?

  package init(count: Int, seed: UInt64?) {
    (self.count, self.seed) = (count, seed)
  }

  /// The chosen elements in the order of the list; all when there are no more than wanted.
  package func chosen<Element>(_ elements: [Element]) -> [Element] {
    var generator = SplitMix64(state: seed ?? UInt64.random(in: .min ... .max))
    return elements.indices.shuffled(using: &generator).prefix(count).sorted().map { elements[$0] }
  }
}

/// A small generator that gives the same numbers for a seed on every system.
///
/// Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014, with the
/// constants of the published code.
private struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
