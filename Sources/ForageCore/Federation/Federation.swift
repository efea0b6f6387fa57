/// Searches several providers concurrently and merges their results into one list.
///
/// Each provider receives the part of the query that it supports; the federation evaluates the rest on its
/// results. A provider that is late, fails or returns invalid data only affects its own results. The answer
/// contains the outcome of each provider.
public struct Federation: Sendable {
  let registry: ProviderRegistry

  /// Creates a federation.
  ///
  /// - Parameter registry: The providers in order of precedence.
  public init(_ registry: ProviderRegistry) { self.registry = registry }

  /// Runs a search.
  ///
  /// - Parameter search: The request.
  /// - Returns: The merged list and the outcome of each provider, by the deadline. If the calling task is
  ///   cancelled, the function returns immediately with the results so far.
  public func search(_ search: FederatedSearch) async -> FederatedResult {
    let start = ContinuousClock.now
    let planned = Planning(search, registry: registry, start: start).parts
    let session = newSession(search, planned: planned)
    return await run(search, planned: planned, session: session, from: 0, start: start)
  }

  /// Continues a search.
  ///
  /// The sequence of entities does not depend on how it is divided into pages. A provider that failed is
  /// asked again, at most twice.
  ///
  /// - Parameters:
  ///   - search: The request that the session belongs to; `limit` and `timeout` may differ.
  ///   - offset: The offset of the first entity wanted.
  ///   - session: The state of the search.
  /// - Returns: The merged list and the outcome of each provider.
  /// - Throws: `SearchError` with code `invalid_cursor` if the session belongs to another search or no longer
  ///   contains the offset.
  public func search(_ search: FederatedSearch, from offset: Int, of session: SearchSession)
    async throws(SearchError) -> FederatedResult
  {
    let start = ContinuousClock.now
    let planned = Planning(search, registry: registry, start: start).parts
    guard session.fingerprint == fingerprint(of: search), session.parts.count == planned.count else {
      let change = change(since: session.fingerprint, of: search).map { ": " + $0 } ?? ""
      throw SearchError(
        .invalidCursor, "the cursor belongs to another search" + change,
        hint: "use the same query, kinds, order and providers as for the first page")
    }
    guard (session.firstOffset...session.count).contains(offset) else {
      throw SearchError(.invalidCursor, "the cursor points to a page that is no longer stored")
    }
    return await run(search, planned: planned, session: session, from: offset, start: start)
  }

  private func newSession(_ search: FederatedSearch, planned: [PlannedPart]) -> SearchSession {
    let isAlone = planned.count { $0.run != nil } == 1
    let wanted = isAlone ? search.limit : Self.windows(search.limit) * RankFusion.window
    return SearchSession(
      fingerprint: fingerprint(of: search),
      parts: planned.map { plan in
        var part = SearchSession.Part(
          provider: plan.descriptor.id, kind: plan.outcome.kind,
          pageSize: plan.run?.pageSize(wanted: wanted) ?? 0)
        part.isEnded = plan.run == nil
        return part
      })
  }

  /// Requests and merges results until enough entities are placed or no provider has more.
  private func run(
    _ search: FederatedSearch, planned: [PlannedPart], session: SearchSession, from offset: Int,
    start: ContinuousClock.Instant
  ) async -> FederatedResult {
    // The number of entities wanted besides those already placed.
    let wanted = offset + search.limit - session.count
    let providerRuns = ProviderRuns(
      zip(planned, session.parts).map { plan, part in ProviderRuns.Run(resuming: part, outcome: plan.outcome)
      },
      start: start, observer: search.observer)
    let isAlone = planned.count { $0.run != nil } == 1
    let asked = zip(planned, session.parts).filter { $0.run != nil && $1.isOpen }
    search.observer?(.started(asked.map { $0.0.outcome }))
    var merged = Merged()
    while true {
      let missing = wanted - merged.items.count
      guard missing > 0 || merged.rounds == 0 else { break }
      let targets = targets(
        providerRuns.runs, search: search, isAlone: isAlone,
        missing: max(0, missing), merged: merged)
      guard targets.contains(where: { $0 != nil }) || merged.rounds == 0 else { break }
      await providerRuns.runUntilDeadlines(zip(targets, planned).map { $0 == nil ? nil : $1.run?.deadline }) {
        index in
        if let target = targets[index] { await planned[index].run?.execute(providerRuns, until: target) }
      }
      merged = merge(
        providerRuns.runs, planned, session, search: search, wanted: wanted, rounds: merged.rounds + 1)
      if Task.isCancelled { break }
    }
    return finish(providerRuns.runs, merged: merged, session: session, search: search, from: offset)
  }

  /// The number of items that each provider needs before the next merge; `nil` if it has enough or no more.
  private func targets(
    _ runs: [ProviderRuns.Run], search: FederatedSearch, isAlone: Bool, missing: Int, merged: Merged
  ) -> [Int?] {
    runs.indices.map { index in
      let run = runs[index]
      let read = merged.read.isEmpty ? 0 : merged.read[index]
      let target: Int
      if run.outcome.isSortApproximate {
        // A provider that cannot sort contributes one window, which is sorted here.
        target = RankFusion.window - run.part.used
      } else if isAlone {
        target = read + missing
      } else if search.sort == nil {
        // Several lists are fused by windows, so complete windows are needed.
        target = read + Self.windows(missing) * RankFusion.window
      } else {
        // The values in the window that the merge reaches decide the places of entities of other lists.
        target = Self.windows(run.part.used + read + missing) * RankFusion.window - run.part.used
      }
      return run.canDeliver && run.items.count < target ? target : nil
    }
  }

  /// The number of blocks that contain at least a given number of entities.
  private static func windows(_ count: Int) -> Int { (count + RankFusion.window - 1) / RankFusion.window }
}
