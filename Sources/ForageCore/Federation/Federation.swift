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
    let planned = SearchPlanner(search, registry: registry, start: start).parts
    let session = newSession(search, planned: planned)
    return await gather(search, planned: planned, session: session, from: 0, start: start)
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
    let planned = SearchPlanner(search, registry: registry, start: start).parts
    guard session.fingerprint == fingerprint(of: search), session.parts.count == planned.count else {
      let change = change(since: session.fingerprint, of: search).map { ": " + $0 } ?? ""
      throw SearchError(
        .invalidCursor, "the cursor belongs to another search" + change,
        hint: "use the same query, kinds, order and providers as for the first page")
    }
    guard (session.firstOffset...session.count).contains(offset) else {
      throw SearchError(.invalidCursor, "the cursor points to a page that is no longer stored")
    }
    return await gather(search, planned: planned, session: session, from: offset, start: start)
  }

  private func newSession(_ search: FederatedSearch, planned: [PlannedPart]) -> SearchSession {
    let wanted = planned.isAlone ? search.limit : Self.windows(search.limit) * RankFusion.window
    return SearchSession(
      fingerprint: fingerprint(of: search),
      parts: planned.map { plan in
        var part = SearchSession.Part(
          provider: plan.descriptor.id, kind: plan.outcome.kind,
          pageSize: plan.reader?.pageSize(wanted: wanted) ?? 0)
        part.isEnded = plan.reader == nil
        return part
      })
  }

  /// Requests and merges results until enough entities are placed or no provider has more.
  private func gather(
    _ search: FederatedSearch, planned: [PlannedPart], session: SearchSession, from offset: Int,
    start: ContinuousClock.Instant
  ) async -> FederatedResult {
    // The number of entities wanted besides those already placed.
    let wanted = offset + search.limit - session.count
    let progress = ProviderProgress(
      zip(planned, session.parts).map { plan, part in
        ProviderProgress.State(resuming: part, outcome: plan.outcome)
      },
      start: start, observer: search.observer)
    let asked = zip(planned, session.parts).filter { $0.reader != nil && $1.isOpen }
    search.observer?(.started(asked.map { $0.0.outcome }))
    var merged = Merged()
    var targets = targets(
      progress.states, search: search, isAlone: planned.isAlone, missing: max(0, wanted), merged: merged)
    while true {
      await progress.runUntilDeadlines(zip(targets, planned).map { $0 == nil ? nil : $1.reader?.deadline }) {
        [targets] index in
        if let target = targets[index] { await planned[index].reader?.read(progress, until: target) }
      }
      merged = merge(progress.states, planned, session, search: search, wanted: wanted)
      let missing = wanted - merged.items.count
      if Task.isCancelled { break }
      let states = progress.states
      targets = self.targets(
        states, search: search, isAlone: planned.isAlone, missing: max(0, missing), merged: merged)
      // What is sorted here has its places only when the whole window is there.
      if missing <= 0 {
        for index in states.indices where !states[index].outcome.isSortApproximate { targets[index] = nil }
      }
      guard targets.contains(where: { $0 != nil }) else { break }
    }
    return page(progress.states, merged: merged, session: session, search: search, from: offset)
  }

  /// The number of items that each provider needs before the next merge; `nil` if it has enough or no more.
  private func targets(
    _ states: [ProviderProgress.State], search: FederatedSearch, isAlone: Bool, missing: Int, merged: Merged
  ) -> [Int?] {
    states.indices.map { index in
      let state = states[index]
      let read = merged.read.isEmpty ? 0 : merged.read[index]
      let target: Int
      if state.outcome.isSortApproximate {
        // A provider that cannot sort contributes one window, which is sorted here.
        target = RankFusion.window - state.part.used
      } else if isAlone {
        target = read + missing
      } else if search.sort == nil {
        // Several lists are fused by windows, so complete windows are needed.
        target = read + Self.windows(missing) * RankFusion.window
      } else {
        // The values in the window that the merge reaches decide the places of entities of other lists.
        target = Self.windows(state.part.used + read + missing) * RankFusion.window - state.part.used
      }
      return state.canDeliver && state.items.count < target ? target : nil
    }
  }

  /// The number of blocks that contain at least a given number of entities.
  private static func windows(_ count: Int) -> Int { (count + RankFusion.window - 1) / RankFusion.window }
}

extension Federation {
  struct Merged {
    /// The newly placed entities.
    var items: [MergedItem] = []
    /// The number of items used from each list.
    var used: [Int] = []
    /// The position that the merge reached in each list, at least `used`.
    var read: [Int] = []
    var lists: [RankedList] = []
  }

  func merge(
    _ states: [ProviderProgress.State], _ planned: [PlannedPart], _ session: SearchSession,
    search: FederatedSearch,
    wanted: Int
  ) -> Merged {
    let lists = zip(states, planned).map { state, plan in
      RankedList(
        provider: plan.descriptor.id, group: plan.descriptor.group, weight: plan.weight,
        hosts: plan.descriptor.hosts, items: state.items, used: state.part.used)
    }
    let emitted = session.names(before: session.count)
    guard let key = search.sort else {
      var merger = EntityMerger(lists, emitted: emitted)
      // A block needs a full window of every provider that can deliver one; a single list is not fused.
      let full = states.filter(\.canDeliver).map { $0.items.count / RankFusion.window }.min()
      let items = merger.ranked(limit: wanted, blocks: planned.isAlone ? .max : full ?? .max)
      let used = lists.map { min($0.items.count, merger.used) }
      return Merged(items: items, used: used, read: used, lists: lists)
    }
    let field = ResultOrder.field(of: key)
    let prepared = zip(lists, states).map { list, state in
      // The provider cannot sort this list, so only its sorted part is merged.
      guard state.outcome.isSortApproximate else { return list }
      var list = list
      let window = list.items.prefix(max(0, RankFusion.window - state.part.used))
      list.items = ResultOrder.sorted(Array(window), by: key, order: search.order)
      return list
    }
    var merger = EntityMerger(prepared, emitted: emitted)
    let isOpen = states.map { $0.canDeliver && !$0.outcome.isSortApproximate }
    let (items, used, read) = merger.sorted(by: field, order: search.order, isOpen: isOpen, limit: wanted)
    return Merged(items: items, used: used, read: read, lists: prepared)
  }

  /// The merged list so far, to be shown while the search runs.
  ///
  /// - Parameters:
  ///   - found: The results of the providers in the order of arrival.
  ///   - limit: The number of entities wanted.
  package func provisional(_ found: [(provider: String, items: [SearchResult])], limit: Int) -> [MergedItem] {
    var merger = EntityMerger(
      registry.entries.map { entry in
        let descriptor = entry.descriptor
        return RankedList(
          provider: descriptor.id, group: descriptor.group, weight: entry.preferences.weight,
          hosts: descriptor.hosts, items: found.filter { $0.provider == descriptor.id }.flatMap(\.items))
      })
    return Array(merger.ranked(limit: limit).prefix(limit))
  }
}
