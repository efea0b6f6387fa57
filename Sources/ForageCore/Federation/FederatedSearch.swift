/// What a federated search is asked for.
public struct FederatedSearch: Sendable {
  /// The query; in a feed a condition on what is shown, `nil` for everything.
  public var query: Query?
  /// Whether the providers are asked for their feeds instead of what they find.
  public private(set) var isFeed = false
  /// The kinds wanted, each asked of every provider that has it.
  public var kinds: [ResultKind]
  /// How many merged items are wanted, at least 1.
  public var limit: Int
  /// The key to sort by, `nil` for the merged ranking.
  public var sort: String?
  /// The direction of `sort`.
  public var order: SortOrder
  /// How long the search may take.
  public var timeout: Duration
  /// A condition beside the query, `nil` for none.
  public var filter: ResultFilter?
  /// Told of what happens while the search runs, on any thread; `nil` for nobody.
  public var observer: (@Sendable (SearchEvent) -> Void)?

  /// Creates a search.
  public init(
    query: Query, kinds: [ResultKind] = [.repo], limit: Int = 30, sort: String? = nil,
    order: SortOrder = .descending, timeout: Duration = .seconds(10)
  ) {
    self.query = query
    self.kinds = kinds
    self.limit = max(1, limit)
    self.sort = sort
    self.order = order
    self.timeout = timeout
  }

  /// Creates a search for what the providers have to show without a query.
  ///
  /// - Parameters:
  ///   - kinds: The kinds of things wanted.
  ///   - query: A condition on them, all of which is checked here; `nil` for none.
  public init(
    feedOf kinds: [ResultKind], query: Query? = nil, limit: Int = 30, sort: String? = nil,
    order: SortOrder = .descending, timeout: Duration = .seconds(10)
  ) {
    self.query = query
    self.kinds = kinds
    self.limit = max(1, limit)
    self.sort = sort
    self.order = order
    self.timeout = timeout
    isFeed = true
  }
}

/// A condition on results that no query can express, checked here like any residual part of a query.
public struct ResultFilter: Sendable {
  /// The name of the condition among the residual qualifiers, for example `favorites`.
  public var name: String
  /// The ids of all results that can pass, `nil` where they are not known.
  ///
  /// A provider that supports the qualifier `repo` is then asked for the repositories by name; of every other provider the whole list is
  /// checked.
  public var ids: [String]?
  /// Whether a result passes.
  public var passes: @Sendable (SearchResult) -> Bool

  /// Creates a filter.
  public init(name: String, passes: @escaping @Sendable (SearchResult) -> Bool) {
    self.name = name
    self.passes = passes
  }

  /// Creates a filter that only the results with the given ids pass.
  public init(name: String, ids: Set<String>) {
    self.name = name
    self.ids = ids.sorted()
    passes = { ids.contains($0.id) }
  }
}

/// What a federated search found, and how each provider fared.
public struct FederatedResult: Sendable {
  /// The merged list, best first, no entity twice.
  public var items: [MergedItem]
  /// One outcome for each provider and kind, in the order of the providers.
  public var outcomes: [ProviderOutcome]
  /// Where the search stands behind the list, `nil` when nothing can follow.
  public var session: SearchSession? = nil
  /// Where the search stands, also when nothing can follow: earlier pages can still be asked for again.
  public var state: SearchSession? = nil
  /// The place of the entity behind the list, from 0.
  public var nextOffset: Int = 0

  /// Creates a list.
  public init(
    items: [MergedItem], outcomes: [ProviderOutcome], session: SearchSession? = nil,
    state: SearchSession? = nil, nextOffset: Int = 0
  ) {
    self.items = items
    self.outcomes = outcomes
    self.session = session
    self.state = state
    self.nextOffset = nextOffset
  }

  /// Whether nothing that the providers could have told is missing, other than what the limit cut.
  public var isComplete: Bool { outcomes.allSatisfy(\.isComplete) }
}
