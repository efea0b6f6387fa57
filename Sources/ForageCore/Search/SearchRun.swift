import ForageFoundation

/// One search, from the first request to the last page.
///
/// All providers are asked at once. Each gets the part of the query that it supports; the rest is checked
/// here on its results. A provider that is late, fails or returns invalid data affects only its own results.
/// The run lives in one process and keeps everything in memory.
///
/// The merged list does not depend on how it is divided into parts: a part extends the ones before it.
public actor SearchRun {
  /// The search that is run.
  public nonisolated let search: FederatedSearch
  private var runs: [ProviderRun]
  /// Whether a single provider is asked for a single kind, so that there is nothing to merge.
  private let isSingle: Bool
  /// The merged list so far, and how far into each run it reaches.
  private var merged: (items: [MergedItem], reached: [Int])
  /// The number of results that `more` has returned.
  private var returned = 0
  /// Those who wait for another caller's part of the list.
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var isBusy = false
  private var observer: (@Sendable (SearchEvent) -> Void)?

  /// Plans a search; nothing is sent yet.
  ///
  /// - Parameters:
  ///   - search: What is searched for.
  ///   - registry: The providers in order of precedence.
  public init(_ search: FederatedSearch, _ registry: ProviderRegistry) {
    self.search = search
    runs = ProviderPlan.all(search, registry).map(ProviderRun.init)
    isSingle = runs.count(where: \.isAsked) == 1
    merged = ([], runs.map { _ in 0 })
  }

  /// Returns the next results.
  ///
  /// A provider that failed is asked once more, unless the list is sorted by a key: what stood before results
  /// that are placed could not be added any more.
  ///
  /// - Parameters:
  ///   - limit: The number of results wanted; `nil` for that of the search.
  ///   - timeout: The time limit; `nil` for that of the search.
  ///   - observer: Receives events while providers are asked, on any thread.
  /// - Returns: The results and the outcome of each provider, by the deadline. If the calling task is
  ///   cancelled, the function returns immediately with the results so far.
  public func more(
    limit: Int? = nil, timeout: Duration? = nil, observer: (@Sendable (SearchEvent) -> Void)? = nil
  ) async -> FederatedResult {
    await takeTurn()
    defer { endTurn() }
    let part = await make(returned, limit, timeout, observer)
    returned = max(returned, part.offset + part.items.count)
    return part
  }

  /// Returns a part of the list, whether it was returned before or not.
  ///
  /// - Parameters:
  ///   - offset: The number of results before the part. More than are placed count as those that are.
  ///   - limit: As for ``more(limit:timeout:observer:)``, as is `timeout`.
  package func part(
    from offset: Int, limit: Int? = nil, timeout: Duration? = nil
  ) async -> FederatedResult {
    await takeTurn()
    defer { endTurn() }
    return await make(offset, limit, timeout, nil)
  }

  /// Lets providers take no part, because what they lack another one has; they are not asked for further
  /// parts.
  ///
  /// - Parameters:
  ///   - indices: The places of their outcomes.
  ///   - part: The part of the list that was made last, with the limit of the search.
  /// - Returns: The part without them.
  package func excluding(_ indices: [Int], from part: FederatedResult) -> FederatedResult {
    for index in indices { (runs[index].outcome.state, runs[index].isEnded) = (.skipped, true) }
    return result(from: part.offset, limit: max(1, search.limit))
  }

  /// Waits until no other part is made.
  private func takeTurn() async {
    while isBusy { await withCheckedContinuation { waiting.append($0) } }
    isBusy = true
  }

  private func endTurn() {
    isBusy = false
    for waiter in waiting { waiter.resume() }
    waiting = []
  }

  private func make(
    _ offset: Int, _ limit: Int?, _ timeout: Duration?, _ observer: (@Sendable (SearchEvent) -> Void)?
  ) async -> FederatedResult {
    let offset = min(max(0, offset), merged.items.count)
    let limit = max(1, limit ?? search.limit)
    self.observer = observer
    defer { self.observer = nil }
    // What is placed stays, also for a part that needs less.
    let wanted = max(merged.items.count, min(offset, .max - limit) + limit)
    let before = (runs, merged)
    await gather(wanted, within: timeout ?? search.timeout)
    let part = result(from: offset, limit: limit)
    // The end of the caller is no failure of a provider: the list goes on later as if it had not been asked
    // for.
    if Task.isCancelled { (runs, merged) = before }
    return part
  }

  /// Asks and merges until enough entities are placed or no provider has more.
  private func gather(_ wanted: Int, within timeout: Duration) async {
    let (start, now) = (ContinuousClock.now, Date())
    for index in runs.indices { runs[index].resume() }
    // What an earlier part read and did not place.
    if runs.contains(where: { !$0.items.isEmpty }) { merge(wanted) }
    var targets = targets(wanted)
    observer?(.started(runs.indices.filter { targets[$0] != nil }.map { runs[$0].outcome }))
    while targets.contains(where: { $0 != nil }) {
      await withDiscardingTaskGroup { [targets] group in
        for (index, target) in targets.enumerated() {
          guard let target else { continue }
          group.addTask { await self.read(index, until: target, within: timeout, start: start, now: now) }
        }
      }
      if let sort = search.sort {
        for index in runs.indices {
          runs[index].sortWindow(by: sort, order: search.order)
          if !isSingle, !runs[index].canDeliver { runs[index].isEnded = true }
        }
      }
      merge(wanted)
      if Task.isCancelled { break }
      targets = self.targets(wanted)
    }
  }

  /// Reads pages of one provider until it has a number of items.
  private func read(
    _ index: Int, until target: Int, within timeout: Duration, start: ContinuousClock.Instant, now: Date
  ) async {
    let entry = runs[index].plan.entry
    let (provider, isFeed) = (entry.provider, search.isFeed)
    let deadline = start + min(timeout, entry.timeout ?? timeout)
    // Of the whole query, also where the provider gets only a part.
    let owner = RequestOwner.of(search.query?.root)
    runs[index].begin()
    while runs[index].canDeliver, runs[index].items.count < target {
      do {
        if runs[index].plan.query.namesAccount, let provider = provider as? any AccountProvider {
          runs[index].name(
            account: try await answer(index, until: deadline) { try await provider.login(deadline: deadline) }
          )
        }
        let request = runs[index].request(of: search, deadline: deadline)
        var page = try await answer(index, until: deadline, about: owner) {
          isFeed ? try await provider.page(ofFeed: request) : try await provider.search(request)
        }
        page.failure = page.failure.map { entry.explained($0, within: timeout) }
        let found = runs[index].receive(page, until: target, filter: search.filter, now: now)
        if !found.isEmpty { observer?(.found(runs[index].outcome, found)) }
      } catch {
        let error = SearchError(error, of: runs[index].outcome.name)
        runs[index].fail(entry.explained(error, within: timeout))
      }
    }
    runs[index].outcome.elapsed = ContinuousClock.now - start
    observer?(.ended(runs[index].report(isFull: false, isFilled: false)))
  }

  /// What a provider answers, of which the requests are counted.
  ///
  /// - Parameter owner: The account that the requests are about; `nil` for that of the task.
  /// - Throws: What it throws; `SearchError` with code `timeout` at the deadline.
  private func answer<Answer: Sendable>(
    _ index: Int, until deadline: ContinuousClock.Instant, about owner: String? = nil,
    _ ask: @escaping @Sendable () async throws -> Answer
  ) async throws -> Answer {
    let requests = runs[index].requests
    let owner = owner ?? RequestOwner.current
    let answer = try await Deadline.run(until: deadline) {
      try await RequestOwner.$current.withValue(owner) { try await requests.counting(ask) }
    }
    if let answer { return answer }
    throw SearchError(.timeout, "\(runs[index].outcome.name) did not answer in time")
  }

  /// The number of items that each provider needs before the next merge; `nil` if it has enough or no more.
  private func targets(_ wanted: Int) -> [Int?] {
    let missing = max(0, wanted - merged.items.count)
    return runs.indices.map { index in
      let reached = merged.reached[index]
      let target: Int
      if runs[index].plan.isSortedHere {
        // Only one window takes part, and all of it is needed to sort it.
        target = RankFusion.window
      } else if missing == 0 {
        return nil
      } else if isSingle {
        target = reached + missing
      } else if search.sort == nil {
        // Several lists are fused by windows, so complete windows are needed.
        target = reached + RankFusion.windows(missing) * RankFusion.window
      } else {
        // The values in the window that the merge reaches decide the places of entities of other lists.
        target = RankFusion.windows(reached + missing) * RankFusion.window
      }
      return runs[index].canDeliver && runs[index].items.count < target ? target : nil
    }
  }

  private func merge(_ wanted: Int) {
    var merger = EntityMerger(runs)
    if let sort = search.sort {
      merged = merger.sorted(by: ResultOrder.field(of: sort), order: search.order, limit: wanted)
    } else {
      let items = merger.ranked(limit: wanted, isSingle: isSingle)
      for index in runs.indices { runs[index].blockEnds = merger.blockEnds.map { $0[index] } }
      merged = (items, runs.map { $0.blockEnds.last ?? 0 })
    }
  }

  private func result(from offset: Int, limit: Int) -> FederatedResult {
    var shown = Array(merged.items.prefix(offset + limit))
    Relations.resolve(&shown)
    let items = Array(shown.dropFirst(offset))
    let isFull = items.count == limit
    let end = offset + items.count
    let outcomes = runs.map { run in
      let outcome = run.report(isFull: isFull, isFilled: run.items.count >= end)
      return items.isEmpty && offset > 0 ? outcome.ofEmptyPart : outcome
    }
    let isOpen = runs.contains { $0.isAsked && !$0.isEnded }
    let hasRest = runs.indices.contains { runs[$0].items.count > merged.reached[$0] }
    let hasBegun = outcomes.contains(where: \.state.isAnswer) || runs.contains { !$0.seen.isEmpty }
    let hasMore = merged.items.count > end || (isOpen || hasRest) && hasBegun
    return FederatedResult(items: items, outcomes: outcomes, offset: offset, hasMore: hasMore)
  }
}

/// How far each list is read for the ranking.
extension RankFusion {
  /// The number of results that each provider contributes to a block of the merged list.
  package static let window = 50

  /// The number of windows that contain at least a given number of results.
  ///
  /// - Parameters:
  ///   - count: The number of results.
  ///   - size: The number of results of a window.
  static func windows(_ count: Int, of size: Int = window) -> Int { (count + size - 1) / size }
}

extension SearchError {
  /// Creates the error for what a provider threw, or for the end of the task that asked it.
  ///
  /// - Parameter name: The provider's display name.
  init(_ error: any Error, of name: String) {
    if Task.isCancelled {
      self.init(.cancelled, "the search was interrupted", hint: "run the command again")
    } else if let error = error as? SearchError {
      self = error
    } else if error is CancellationError {
      self.init(.cancelled, "the search was cancelled")
    } else {
      self.init(.other, "\(name) failed: \(error)")
    }
  }
}
