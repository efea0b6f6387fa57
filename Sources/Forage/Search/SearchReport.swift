public import ForageCore

/// A part of the merged result of a search.
public struct SearchReport: Sendable {
  package var result: FederatedResult
  package let search: FederatedSearch
  /// The running search; `nil` for results of none.
  private let run: SearchRun?
  /// What remembers the results; `nil` for those of no search.
  private let annotation: ResultAnnotation?

  package init(
    _ result: FederatedResult, of search: FederatedSearch, by run: SearchRun? = nil,
    _ annotation: ResultAnnotation? = nil
  ) {
    (self.result, self.search, self.run, self.annotation) = (result, search, run, annotation)
  }

  /// The merged list, best first, without duplicates.
  public var items: [MergedItem] { result.items }
  /// The outcome for each provider and kind, in the order of the providers.
  public var outcomes: [ProviderOutcome] { result.outcomes }
  /// Whether no results are missing except by the limit.
  public var isComplete: Bool { result.isComplete }
  /// The number of results before the part.
  public var offset: Int { result.offset }
  /// Whether results may follow.
  public var hasMore: Bool { result.hasMore }

  /// Continues the search.
  ///
  /// - Parameters:
  ///   - limit: The number of results wanted; `nil` for as many as before.
  ///   - timeout: The time limit; `nil` for the usual one.
  /// - Returns: The results after those of the report, as soon as they are there; `nil` where nothing follows.
  public func more(limit: Int? = nil, timeout: Duration = SearchOptions.defaultTimeout) async -> SearchReport?
  {
    hasMore ? await part(from: offset + items.count, limit: limit, timeout: timeout) : nil
  }

  /// Another part of the same list.
  ///
  /// - Parameters:
  ///   - offset: The number of results before it, at most as many as were returned so far.
  ///   - limit: As for ``more(limit:timeout:)``, as is the time limit.
  /// - Returns: `nil` for results of no search.
  package func part(
    from offset: Int, limit: Int? = nil, timeout: Duration = SearchOptions.defaultTimeout
  ) async -> SearchReport? {
    guard let run else { return nil }
    let deadline = ContinuousClock.now + timeout
    var result = await run.part(from: offset, limit: limit, timeout: timeout)
    await annotation?.annotate(&result, until: deadline)
    return SearchReport(result, of: search, by: run, annotation)
  }

  /// Remembers what was shown: the facts of favorites, and what is starred.
  ///
  /// - Parameter isEveryStar: Whether the list has every star of the token's account.
  package func remember(isEveryStar: Bool = false) {
    annotation?.remember(result.items.map(\.result), isEveryStar: isEveryStar)
  }
}
