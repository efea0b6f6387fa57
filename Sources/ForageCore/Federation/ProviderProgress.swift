import ForageFoundation
import Synchronization

/// The progress of the providers of a search until each is done or late.
///
/// A late provider is closed, and its later results are ignored. A provider that hangs, blocks its thread or
/// ignores cancellation therefore cannot delay or change the answer.
final class ProviderProgress: Sendable {
  /// The results of one provider so far.
  struct State {
    /// The progress in the list; `failures` is that before this search.
    var part: SearchSession.Part
    var outcome: ProviderOutcome
    var isClosed = false
    /// Whether the provider was asked in this search.
    var isAsked = false
    var missing: [MissingPart] = []
    /// About the number of bytes that the items take in memory.
    var size = 0
    /// Whether the list is interrupted and can be continued by another search.
    var isPaused = false

    init(outcome: ProviderOutcome) {
      self.outcome = outcome
      part = SearchSession.Part(provider: outcome.id, kind: outcome.kind, pageSize: 1)
    }

    init(resuming part: SearchSession.Part, outcome: ProviderOutcome) {
      self.outcome = outcome
      self.part = part
      size = items.reduce(0) { $0 + $1.size }
      self.outcome.total = part.total
      self.outcome.isDropped = part.isDropped
      if let exclusion = part.exclusion {
        self.outcome.state = exclusion.state
        self.outcome.error = exclusion
      }
      if part.isDropped {
        self.outcome.state = .failed
        self.outcome.error = SearchError(
          .dropped, "\(outcome.name) failed on \(part.failures) consecutive pages and is not asked again")
      }
    }

    /// The items that passed the residual filter and were not merged on earlier pages.
    var items: [SearchResult] { part.pending }

    /// Whether another request can return more items.
    var canDeliver: Bool {
      part.isOpen && !isPaused && !outcome.isScanLimited && !outcome.state.isExcluded
        && (!outcome.state.isFailure || outcome.omission != nil && outcome.error == outcome.omission)
    }
  }

  private let storage: Mutex<[State]>
  private let counters: [RequestCounter]
  private let start: ContinuousClock.Instant

  private let observer: (@Sendable (SearchEvent) -> Void)?

  init(
    _ states: [State], start: ContinuousClock.Instant, observer: (@Sendable (SearchEvent) -> Void)? = nil
  ) {
    storage = Mutex(states)
    self.start = start
    self.observer = observer
    counters = states.map { _ in RequestCounter() }
  }

  /// Changes the state of a provider that is still open.
  ///
  /// - Returns: Whether it is still open.
  @discardableResult
  func update(_ index: Int, _ change: (inout State) -> Void) -> Bool {
    var ended: ProviderOutcome?
    let isOpen = storage.withLock { states in
      guard !states[index].isClosed else { return false }
      change(&states[index])
      guard states[index].isClosed else { return true }
      states[index].outcome.elapsed = ContinuousClock.now - start
      ended = states[index].outcome
      return false
    }
    if let ended { observer?(.ended(ended)) }
    return isOpen
  }

  /// Closes a provider with an error. If it has delivered items, it is partial.
  func fail(_ index: Int, _ error: SearchError) {
    update(index) { state in
      state.outcome.error = error
      state.outcome.state = state.items.isEmpty ? error.state : .partial
      state.part.isEnded = state.part.isEnded || state.outcome.state.isExcluded
      state.isClosed = true
    }
  }

  /// Runs the work of each provider and returns when each is done or its deadline has passed.
  ///
  /// Work that is still busy then is cancelled but not awaited. If the calling task is cancelled, all are
  /// closed immediately.
  ///
  /// - Parameters:
  ///   - deadlines: One for each provider; one without has nothing to do and is closed.
  ///   - work: Does the work of the provider with an index.
  func runUntilDeadlines(
    _ deadlines: [ContinuousClock.Instant?], work: @escaping @Sendable (Int) async -> Void
  ) async {
    storage.withLock { states in
      for index in deadlines.indices {
        states[index].isClosed = deadlines[index] == nil
        if deadlines[index] != nil { states[index].isAsked = true }
      }
    }
    await withDiscardingTaskGroup { group in
      for (index, deadline) in deadlines.enumerated() {
        guard let deadline else { continue }
        group.addTask {
          do {
            let isInTime: Void? = try await Deadline.run(until: deadline) { await work(index) }
            if isInTime == nil { self.expire(index) }
          } catch {
            // The work itself does not throw.
            self.fail(
              index,
              SearchError(.cancelled, "the search was interrupted", hint: "run the command again"))
          }
        }
      }
    }
  }

  private func expire(_ index: Int) {
    let name = storage.withLock { $0[index].outcome.name }
    fail(
      index,
      SearchError(.timeout, "\(name) did not answer in time"))
  }

  func requests(_ index: Int) -> RequestCounter { counters[index] }

  func state(_ index: Int) -> State { storage.withLock { $0[index] } }

  var states: [State] {
    zip(storage.withLock { $0 }, counters).map { state, counter in
      var state = state
      state.outcome.requests = counter.count
      return state
    }
  }
}
