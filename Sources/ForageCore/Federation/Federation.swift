/// Asks several providers at once and merges their answers into one list.
///
/// Every provider gets the part of the query that it can take; the rest is checked here. A provider that is late, fails or delivers nonsense never
/// delays or changes what the others deliver, beyond its absence; how each fared is part of the answer.
public struct Federation: Sendable {
  let registry: ProviderRegistry

  /// Creates a federation of providers.
  ///
  /// - Parameter registry: The providers to ask, in order of precedence.
  public init(_ registry: ProviderRegistry) { self.registry = registry }

  /// Runs a search.
  ///
  /// - Parameter search: What to look for.
  /// - Returns: The merged list and the outcome of each provider. It is there by the deadline, whatever the providers do; when the calling
  ///   task is cancelled, it is there at once, with what has arrived.
  public func search(_ search: FederatedSearch) async -> FederatedResult {
    let start = ContinuousClock.now
    let planned = plans(for: search, start: start)
    let session = newSession(search, planned: planned)
    return await run(search, planned: planned, session: session, from: 0, start: start)
  }

  /// Goes on with a search from where a session stands.
  ///
  /// The sequence of entities is the same however it is cut into pages. A provider that failed before is asked again, twice at most.
  ///
  /// - Parameters:
  ///   - search: The search that the session belongs to; its `limit` and `timeout` may differ.
  ///   - session: Where it stands.
  ///   - offset: The place of the first entity wanted, from 0.
  /// - Returns: As a search does.
  /// - Throws: `SearchError` with code `invalid_cursor` when the session belongs to another search, or no longer holds the offset.
  public func search(_ search: FederatedSearch, from offset: Int, of session: SearchSession)
    async throws(SearchError) -> FederatedResult
  {
    let start = ContinuousClock.now
    let planned = plans(for: search, start: start)
    guard session.fingerprint == fingerprint(of: search), session.parts.count == planned.count else {
      throw SearchError(
        .invalidCursor, "the cursor belongs to another search",
        hint:
          "repeat the query, the kinds, the order and the providers of the first page, or leave --after out")
    }
    guard (session.firstOffset...session.count).contains(offset) else {
      throw SearchError(
        .invalidCursor, "the cursor points to a place that is not kept", hint: "start again without --after")
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

  /// Reads and merges, until enough entities have their places or nobody has more.
  private func run(
    _ search: FederatedSearch, planned: [PlannedPart], session: SearchSession, from offset: Int,
    start: ContinuousClock.Instant
  ) async -> FederatedResult {
    // Entities that are wanted beside those that have their places already.
    let wanted = offset + search.limit - session.count
    let collector = RunCollector(
      zip(planned, session.parts).map { plan, part in RunCollector.Run(resuming: part, outcome: plan.outcome)
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
        collector.runs, search: search, isAlone: isAlone,
        missing: max(0, missing), merged: merged)
      guard targets.contains(where: { $0 != nil }) || merged.rounds == 0 else { break }
      await collector.gather(zip(targets, planned).map { $0 == nil ? nil : $1.run?.deadline }) { index in
        if let target = targets[index] { await planned[index].run?.execute(collector, until: target) }
      }
      merged = merge(
        collector.runs, planned, session, search: search, wanted: wanted, rounds: merged.rounds + 1)
      if Task.isCancelled { break }
    }
    return finish(collector.runs, merged: merged, session: session, search: search, from: offset)
  }

  /// How many items each run should have before the next merging, `nil` for those that have them or have no more.
  private func targets(
    _ runs: [RunCollector.Run], search: FederatedSearch, isAlone: Bool, missing: Int, merged: Merged
  ) -> [Int?] {
    runs.indices.map { index in
      let run = runs[index]
      let used = merged.used.isEmpty ? 0 : merged.used[index]
      let target: Int
      if search.sort != nil {
        // What cannot be sorted by the provider contributes one window, sorted here.
        target = run.outcome.isSortApproximate ? RankFusion.window - run.used : used + missing
      } else if isAlone {
        target = used + missing
      } else {
        // Several lists are fused window by window, so whole windows are wanted.
        target = used + Self.windows(missing) * RankFusion.window
      }
      return run.canDeliver && run.items.count < target ? target : nil
    }
  }

  /// How many blocks hold so many entities at least.
  private static func windows(_ count: Int) -> Int { (count + RankFusion.window - 1) / RankFusion.window }
}
