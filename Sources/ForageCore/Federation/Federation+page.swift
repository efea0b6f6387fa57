extension Federation {
  /// Creates the page and the state after it.
  func page(
    _ states: [ProviderProgress.State], merged: Merged, session: SearchSession, search: FederatedSearch,
    from offset: Int
  ) -> FederatedResult {
    let wanted = offset + search.limit - session.count
    var session = session
    session.add(merged.items)
    for index in states.indices {
      session.parts[index].update(states[index], list: merged.lists[index], used: merged.used[index])
    }
    var page = session.page(from: offset, limit: search.limit)
    Relations.resolve(&page, earlier: session.names(before: offset))
    let end = offset + page.count
    let isFull = page.count == search.limit
    var outcomes = states.map(\.outcome)
    for (index, state) in states.enumerated() {
      let part = session.parts[index]
      outcomes[index].isDropped = part.isDropped
      if isFull, state.items.count >= wanted { outcomes[index].markBeyondLimit() }
      outcomes[index].markUnreadable(isWhole: state.part.seen.isEmpty)
      if !state.isAsked { outcomes[index].markMissingBefore(part) }
      let hasRest = !state.part.isEnded || state.items.count > part.pending.count + merged.used[index]
      if !isFull, hasRest { outcomes[index].markUnsorted() }
      outcomes[index].countReturned(on: page)
    }
    let hasMore =
      session.count > end || session.isOpen && (outcomes.contains { $0.state.isAnswer } || session.hasBegun)
    // No cursor refers to the first page; later pages can be requested again.
    if offset == 0 { session.drop(before: end) }
    return FederatedResult(
      items: page, outcomes: outcomes, session: hasMore ? session : nil, state: session, nextOffset: end)
  }
}

extension ProviderOutcome {
  /// Forgets what was not delivered beyond the limit of a list that the provider fills alone.
  fileprivate mutating func markBeyondLimit() { (isScanLimited, reachable) = (false, nil) }

  /// Counts items that could not be read as a failure, after the reading of the list went on behind them.
  ///
  /// - Parameter isWhole: Whether no item could be read, so that there is no answer.
  fileprivate mutating func markUnreadable(isWhole: Bool) {
    guard state == .ok, unreadable > 0 else { return }
    state = isWhole ? .failed : .partial
    let items = HumanFormat.plural(unreadable, "result")
    error = SearchError(
      .invalidResponse,
      "\(items) of \(name) could not be read and \(unreadable == 1 ? "is" : "are") left out")
  }

  /// Fails a provider that was not asked for a page of a block that was placed without it.
  fileprivate mutating func markMissingBefore(_ part: SearchSession.Part) {
    guard part.failures > 0, part.isOpen, state == .ok else { return }
    state = .failed
    error = SearchError(
      .unavailable, "\(name) failed before, and its results are missing here",
      hint: "continue the list to ask it again")
  }

  /// Limits a provider that does not sort to the window that was sorted here.
  fileprivate mutating func markUnsorted() {
    if isSortApproximate { reachable = RankFusion.window }
  }

  /// Counts the items of a page that were delivered for an earlier one, if none were for this.
  fileprivate mutating func countReturned(on page: [MergedItem]) {
    guard returned == 0 else { return }
    returned = page.count { item in
      item.result.kind == kind && item.sources.contains { $0.provider == id }
    }
    if returned > 0, state.isFailure { state = .partial }
  }
}
