/// What happens while a federated search runs.
public enum SearchEvent: Sendable {
  /// The search asks these providers; one outcome for each provider and kind.
  case started([ProviderOutcome])
  /// A provider has delivered items, in its own order; they have passed the residual filter.
  case found(ProviderOutcome, [SearchResult])
  /// A provider is done, well or not.
  case ended(ProviderOutcome)
}
