/// An event of a running federated search.
public enum SearchEvent: Sendable {
  /// The search began; with the outcome of each provider and kind.
  case started([ProviderOutcome])
  /// A provider delivered items that passed the residual filter, in its own order.
  case found(ProviderOutcome, [SearchResult])
  /// A provider has ended, successfully or not.
  case ended(ProviderOutcome)
}
