import Dispatch
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Gathers what the providers of one search deliver, until each is done or late.
///
/// A run that is late is closed here: whatever it delivers afterwards is ignored, so a provider that hangs, blocks its thread or ignores its
/// cancellation cannot delay or change the answer.
final class RunCollector: Sendable {
  /// What one run has delivered so far.
  struct Run {
    /// The items that passed the residual filter and were not merged on earlier pages.
    var items: [SearchResult] = []
    /// When those were observed, as far as they do not say so themselves.
    var observed: [ObservedSpan] = []
    var outcome: ProviderOutcome
    var isClosed = false
    /// What could not be told of an entity.
    var missing: [MissingPart] = []
    /// How many items earlier pages have merged.
    var used = 0
    /// Items a page.
    var pageSize = 1
    /// The ids of every item that the provider has delivered.
    var seen: Set<String> = []
    var cursor: String?
    /// Whether the provider has delivered its last page.
    var isEnded = false
    /// Whether it has been given up.
    var isDropped = false
    /// Whether the page at the cursor has broken off, so that a part of it is known.
    var isTruncated = false
    /// Whether it has put its list down for another search to take up.
    var isPaused = false

    init(outcome: ProviderOutcome) { self.outcome = outcome }

    /// Goes on where a session stands.
    init(resuming part: SearchSession.Part, outcome: ProviderOutcome) {
      self.outcome = outcome
      items = part.pending
      observed = part.observed
      used = part.used
      pageSize = part.pageSize
      seen = part.seen
      cursor = part.cursor
      isEnded = part.isEnded
      isDropped = part.isDropped
      isTruncated = part.isTruncated ?? false
      self.outcome.total = part.total
      self.outcome.isDropped = part.isDropped
      if let exclusion = part.exclusion {
        self.outcome.state = exclusion.isSkipped ? .skipped : .unsupported
        self.outcome.error = SearchError(
          exclusion.isSkipped ? .nothingToAsk : .unsupportedQuery, exclusion.reason, hint: exclusion.hint)
      }
      if part.isDropped {
        self.outcome.state = .failed
        self.outcome.error = SearchError(
          .unavailable, "\(outcome.name) has failed on \(part.failures) pages in turn and is left out",
          hint: "start again without --after to ask it again")
      }
    }

    /// Adds items behind those that it has.
    mutating func add(_ found: [SearchResult], observedAt time: Date) {
      // Of a first page nothing is copied.
      if items.isEmpty { items = found } else { items += found }
      observed.append(found.count, at: time)
    }

    /// Whether asking it again can bring more.
    var canDeliver: Bool {
      !isEnded && !isDropped && !isPaused && !outcome.state.isFailure && !outcome.state.isExcluded
        && !outcome.isScanLimited
    }
  }

  private struct State {
    var runs: [Run]
    /// Resumes the one who waits; a continuation itself would make the runtime look up what its error is.
    var waiter: (@Sendable () -> Void)?
  }

  private let state: Mutex<State>
  private let counters: [RequestCounter]
  private let start: ContinuousClock.Instant

  private let observer: (@Sendable (SearchEvent) -> Void)?

  init(
    _ runs: [Run], start: ContinuousClock.Instant, observer: (@Sendable (SearchEvent) -> Void)? = nil
  ) {
    state = Mutex(State(runs: runs))
    self.start = start
    self.observer = observer
    counters = runs.map { _ in RequestCounter() }
  }

  /// Changes a run that is still open.
  ///
  /// - Returns: Whether the run is still open.
  @discardableResult
  func update(_ index: Int, _ change: (inout Run) -> Void) -> Bool {
    var ended: ProviderOutcome?
    let (isOpen, waiter) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
      guard !state.runs[index].isClosed else { return (false, nil) }
      change(&state.runs[index])
      guard state.runs[index].isClosed else { return (true, nil) }
      state.runs[index].outcome.elapsed = ContinuousClock.now - start
      ended = state.runs[index].outcome
      return (false, Self.takeWaiter(&state))
    }
    if let ended { observer?(.ended(ended)) }
    waiter?()
    return isOpen
  }

  /// Ends a run with an error; what it delivered before stays and makes it partial.
  func fail(_ index: Int, _ error: SearchError) {
    update(index) { run in
      run.outcome.error = error
      run.outcome.state = run.items.isEmpty ? error.state : .partial
      run.isEnded = run.isEnded || run.outcome.state.isExcluded
      run.isClosed = true
    }
  }

  /// Ends every open run.
  func failAll(_ error: SearchError) {
    for index in state.withLock({ $0.runs.indices }) { fail(index, error) }
  }

  /// Starts the runs and returns when each is closed: because it is done, or because its deadline has passed.
  ///
  /// Runs that are still busy then are cancelled and not waited for. When the calling task is cancelled, all are closed at once.
  ///
  /// - Parameters:
  ///   - deadlines: One for each run; a run without one has nothing to do and is closed as it is.
  ///   - work: Does the run with an index.
  func gather(_ deadlines: [ContinuousClock.Instant?], work: @escaping @Sendable (Int) async -> Void) async {
    var (tasks, timers) = ([Task<Void, Never>](), [any DispatchSourceTimer]())
    state.withLock { state in
      for index in deadlines.indices { state.runs[index].isClosed = deadlines[index] == nil }
    }
    for (index, deadline) in deadlines.enumerated() {
      guard let deadline else { continue }
      tasks.append(OwnThreadExecutor.task { await work(index) })
      timers.append(DeadlineTimer.start(at: deadline) { [weak self] in self?.expire(index) })
    }
    await withTaskCancellationHandler {
      await waitForAll()
    } onCancel: {
      failAll(SearchError(.cancelled, "the search was interrupted", hint: "run it again"))
    }
    for timer in timers { timer.cancel() }
    for task in tasks { task.cancel() }
  }

  /// Ends a run whose deadline has passed.
  private func expire(_ index: Int) {
    let name = state.withLock { $0.runs[index].outcome.name }
    fail(
      index,
      SearchError(.timeout, "\(name) did not answer in time", hint: "allow more with --timeout SECONDS"))
  }

  /// Waits until every run is closed.
  private func waitForAll() async {
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state -> Bool in
        state.waiter = { continuation.resume() }
        return Self.takeWaiter(&state) != nil
      }
      if isDone { continuation.resume() }
    }
  }

  /// The waiter, once, when nothing is left to wait for.
  private static func takeWaiter(_ state: inout State) -> (@Sendable () -> Void)? {
    guard state.runs.allSatisfy(\.isClosed) else { return nil }
    defer { state.waiter = nil }
    return state.waiter
  }

  /// The counter of a run.
  func requests(_ index: Int) -> RequestCounter { counters[index] }

  /// What one run has delivered so far.
  func run(_ index: Int) -> Run { state.withLock { $0.runs[index] } }

  /// Everything delivered so far.
  var runs: [Run] {
    zip(state.withLock { $0.runs }, counters).map { run, counter in
      var run = run
      run.outcome.requests = counter.count
      return run
    }
  }
}
