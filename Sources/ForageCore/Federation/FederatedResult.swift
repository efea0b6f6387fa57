/// The result of a federated search.
public struct FederatedResult: Sendable {
  /// The merged list, best first, without duplicates.
  public var items: [MergedItem]
  /// The outcome for each provider and kind, in the order of the providers.
  public var outcomes: [ProviderOutcome]
  /// The state for the next page; `nil` if there is none.
  public var session: SearchSession? = nil
  /// The state of the search, also at its end, from which earlier pages can be requested again.
  package var state: SearchSession? = nil
  /// The offset of the entity after the list.
  public var nextOffset: Int = 0

  package init(
    items: [MergedItem], outcomes: [ProviderOutcome], session: SearchSession? = nil,
    state: SearchSession? = nil, nextOffset: Int = 0
  ) {
    self.items = items
    self.outcomes = outcomes
    self.session = session
    self.state = state
    self.nextOffset = nextOffset
  }

  /// Whether no results are missing except by the limit.
  public var isComplete: Bool { outcomes.allSatisfy(\.isComplete) }
}

/// An event of a running federated search.
public enum SearchEvent: Sendable {
  /// The search began; with the outcome of each provider and kind.
  case started([ProviderOutcome])
  /// A provider delivered items that passed the residual filter, in its own order.
  case found(ProviderOutcome, [SearchResult])
  /// A provider has ended, successfully or not.
  case ended(ProviderOutcome)
}
