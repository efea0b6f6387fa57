public import ForageCore

/// The merged result of a search.
public struct SearchReport: Sendable {
  package var result: FederatedResult
  /// The place behind the list, `nil` where nothing follows.
  package let cursor: SearchCursor?
  package let search: FederatedSearch
  /// What stores the place behind the list; `nil` where nothing follows it.
  let sessions: SearchSessions?
  /// What remembers the results; `nil` for those of no search.
  let annotation: ResultAnnotation?

  /// The merged list, best first, without duplicates.
  public var items: [MergedItem] { result.items }
  /// The outcome for each provider and kind, in the order of the providers.
  public var outcomes: [ProviderOutcome] { result.outcomes }
  /// Whether no results are missing except by the limit.
  public var isComplete: Bool { result.isComplete }
  /// The cursor of the next page, for `SearchOptions.after`; `nil` where nothing follows.
  public var next: String? { cursor?.text }

  /// Whether ``SearchRunner/more(after:limit:)`` can continue it.
  package var hasMore: Bool { result.session != nil }

  /// The number of results on the pages before.
  package var offset: Int { result.nextOffset - result.items.count }

  /// Stores the place behind the list; without it, `next` is of no use.
  package func storeNext() { sessions?.store(cursor) }

  /// Remembers what was shown: the facts of favorites, and what is starred.
  ///
  /// - Parameter isEveryStar: Whether the list has every star of the token's account.
  package func remember(isEveryStar: Bool = false) {
    annotation?.remember(result.items.map(\.result), isEveryStar: isEveryStar)
  }
}

extension SearchReport {
  /// The report of a search that was not run here: nothing is stored or remembered of it.
  package init(_ result: FederatedResult, of search: FederatedSearch, next cursor: SearchCursor? = nil) {
    self.init(result: result, cursor: cursor, search: search, sessions: nil, annotation: nil)
  }
}
