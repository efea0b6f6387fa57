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

/// An event of a running search.
public enum SearchEvent: Sendable {
  /// The search began; with the outcome of each provider and kind that is asked.
  case started([ProviderOutcome])
  /// A provider delivered items that passed the residual filter, in its own order.
  case found(ProviderOutcome, [SearchResult])
  /// A provider has ended, successfully or not.
  case ended(ProviderOutcome)
}

extension ProviderRegistry {
  /// The merged list so far, to be shown while a search runs.
  ///
  /// - Parameters:
  ///   - found: The results of the providers in the order of arrival.
  ///   - limit: The number of entities wanted.
  package func preview(_ found: [(provider: String, items: [SearchResult])], limit: Int) -> [MergedItem] {
    var merger = EntityMerger(
      entries.map { entry in
        ProviderRun(
          listing: found.filter { $0.provider == entry.descriptor.id }.flatMap(\.items), of: entry)
      })
    return Array(merger.ranked(limit: limit, isSingle: false).prefix(limit))
  }
}
