extension Federation {
  struct Merged {
    /// The newly placed entities.
    var items: [MergedItem] = []
    /// The number of items used from each list.
    var used: [Int] = []
    /// The position that the merge reached in each list, at least `used`.
    var read: [Int] = []
    var lists: [RankedList] = []
    var rounds = 0
  }

  func merge(
    _ runs: [ProviderRuns.Run], _ planned: [PlannedPart], _ session: SearchSession, search: FederatedSearch,
    wanted: Int, rounds: Int
  ) -> Merged {
    let lists = zip(runs, planned).map { run, plan in
      RankedList(
        provider: plan.descriptor.id, group: plan.descriptor.group, weight: plan.weight,
        hosts: plan.descriptor.hosts, items: run.items, used: run.part.used,
        observed: run.part.observed)
    }
    let emitted = session.names(before: session.count)
    guard let key = search.sort else {
      var merger = EntityMerger(lists, emitted: emitted)
      // A block needs a full window of every provider that can deliver one; a single list is not fused.
      let full = runs.filter(\.canDeliver).map { $0.items.count / RankFusion.window }.min()
      let isAlone = planned.count { $0.run != nil } == 1
      let items = merger.ranked(limit: wanted, blocks: isAlone ? .max : full ?? .max)
      let used = lists.map { min($0.items.count, merger.used) }
      return Merged(items: items, used: used, read: used, lists: lists, rounds: rounds)
    }
    let field = SortedMerge.field(of: key)
    let prepared = zip(lists, runs).map { list, run in
      // The provider cannot sort this list, so only its sorted part is merged.
      guard run.outcome.isSortApproximate else { return list }
      var list = list
      let window = list.items.prefix(max(0, RankFusion.window - run.part.used))
      list.items = SortedMerge.sorted(Array(window), by: key, order: search.order)
      list.observed = list.observed.joined(list.items.count)
      return list
    }
    var merger = EntityMerger(prepared, emitted: emitted)
    let isOpen = runs.map { $0.canDeliver && !$0.outcome.isSortApproximate }
    let (items, used, read) = merger.sorted(by: field, order: search.order, isOpen: isOpen, limit: wanted)
    return Merged(items: items, used: used, read: read, lists: prepared, rounds: rounds)
  }

  /// Creates the page and the state after it.
  func finish(
    _ runs: [ProviderRuns.Run], merged: Merged, session: SearchSession, search: FederatedSearch,
    from offset: Int
  ) -> FederatedResult {
    let wanted = offset + search.limit - session.count
    var session = session
    session.add(merged.items)
    for index in runs.indices {
      session.parts[index].update(runs[index], list: merged.lists[index], used: merged.used[index])
    }
    var outcomes = runs.map(\.outcome)
    var page = session.page(from: offset, limit: search.limit)
    Relations.resolve(&page, earlier: session.names(before: offset))
    let end = offset + page.count
    for index in outcomes.indices {
      outcomes[index].isDropped = session.parts[index].isDropped
      if page.count == search.limit, runs[index].items.count >= wanted {
        // It fills the list alone: what it did not deliver is beyond the limit.
        (outcomes[index].isScanLimited, outcomes[index].reachable) = (false, nil)
      }
      outcomes[index].fail(unreadableAsWhole: runs[index].part.seen.isEmpty)
      guard outcomes[index].returned == 0 else { continue }
      // Items on this page may have been delivered for an earlier one.
      outcomes[index].returned = page.count { item in
        item.result.kind == outcomes[index].kind
          && item.sources.contains { $0.provider == outcomes[index].id }
      }
      if outcomes[index].returned > 0, outcomes[index].state.isFailure { outcomes[index].state = .partial }
    }
    let hasMore =
      session.count > end || session.isOpen && (outcomes.contains { $0.state.isAnswer } || session.hasBegun)
    // No cursor refers to the first page; later pages can be requested again.
    if offset == 0 { session.drop(before: end) }
    return FederatedResult(
      items: page, outcomes: outcomes, session: hasMore ? session : nil, state: session, nextOffset: end)
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

extension ProviderOutcome {
  /// Counts items that could not be read as a failure, after the reading of the list went on behind them.
  ///
  /// - Parameter isWhole: Whether no item could be read, so that there is no answer.
  fileprivate mutating func fail(unreadableAsWhole isWhole: Bool) {
    guard state == .ok, unreadable > 0 else { return }
    state = isWhole ? .failed : .partial
    let items = HumanFormat.plural(unreadable, "result")
    error = SearchError(
      .invalidResponse,
      "\(items) of \(name) could not be read and \(unreadable == 1 ? "is" : "are") left out")
  }
}

extension SearchSession.Exclusion {
  fileprivate init(_ error: SearchError) {
    self.init(isSkipped: error.code == .nothingToAsk, reason: error.message, hint: error.hint)
  }
}

extension SearchSession.Part {
  fileprivate mutating func update(_ run: ProviderRuns.Run, list: RankedList, used: Int) {
    let hasAdvanced = run.items.count > pending.count
    self = run.part
    failures = !run.outcome.state.isFailure || hasAdvanced ? 0 : failures + 1
    pending = Array(list.items.dropFirst(used))
    observed = list.observed.dropping(used)
    self.used += used
    isEnded =
      isEnded || run.outcome.isSortApproximate && self.used + pending.count >= RankFusion.window
    total = run.outcome.total
    exclusion = run.outcome.state.isExcluded ? run.outcome.error.map(SearchSession.Exclusion.init) : nil
  }
}
