import Dispatch
import Synchronization

/// A commit to compare: its tree and its parent's.
struct ChurnJob: Sendable {
  /// Nil for a commit without parents.
  let old: ObjectID?
  let new: ObjectID
}

/// Batches of commits that one thread finds and two threads compare.
///
/// Neighbours stay together in a batch, because the trees of one are those that the next is compared with.
final class ChurnJobs: Sendable {
  /// Commits of a batch: some milliseconds of work.
  static let batchSize = 32
  /// So many batches may wait (3 MB); then the thread that finds them compares some itself.
  static let waitingLimit = 1024

  private struct State {
    var batches: [[ChurnJob]] = []
    var taken = 0
    var isClosed = false
    var counts: ChurnCounts?
    var error: GitError?
  }

  private let state = Mutex(State())
  private let wake = DispatchSemaphore(value: 0)
  private let done = DispatchSemaphore(value: 0)
  private let stops = Atomic(false)

  /// Whether something went wrong on the other thread.
  var hasFailed: Bool { stops.load(ordering: .relaxed) }

  /// Starts the second thread.
  ///
  /// - Parameter open: makes its handle on the repository.
  func start(_ open: @escaping @Sendable () -> GitRepository, limits: DifferenceLimits) {
    OwnThread.start { self.work(open(), limits) }
  }

  /// Adds a batch; returns how many wait.
  func add(_ batch: [ChurnJob]) -> Int {
    defer { wake.signal() }
    return state.withLock { state in
      state.batches.append(batch)
      return state.batches.count - state.taken
    }
  }

  /// The oldest batch that waits; nil when there is none.
  func take() -> [ChurnJob]? {
    state.withLock { state in
      guard state.taken < state.batches.count else { return nil }
      let batch = state.batches[state.taken]
      state.taken += 1
      if state.taken == state.batches.count {
        state.batches.removeAll(keepingCapacity: true)
        state.taken = 0
      }
      return batch
    }
  }

  /// Tells the other thread that no more batches come.
  func close() {
    state.withLock { $0.isClosed = true }
    wake.signal()
  }

  /// Makes the other thread stop within a millisecond.
  func stop() {
    stops.store(true, ordering: .relaxed)
    close()
  }

  /// Waits for the other thread after ``close()``.
  ///
  /// - Throws: what the other thread has thrown; `cancelled`.
  func finish(isCancelled: () -> Bool) throws(GitError) -> ChurnCounts? {
    while done.wait(timeout: .now() + .milliseconds(2)) == .timedOut {
      if isCancelled() { stop() }
    }
    let (counts, error) = state.withLock { ($0.counts, $0.error) }
    if let error { throw error }
    return counts
  }

  private func work(_ repository: GitRepository, _ limits: DifferenceLimits) {
    var counts = ChurnCounts(limits: limits)
    do throws(GitError) {
      let difference = TreeDifference(in: repository, limits: limits)
      while !hasFailed {
        if let batch = take() {
          for job in batch { try counts.count(job, difference) { self.hasFailed } }
        } else if state.withLock({ $0.isClosed && $0.batches.isEmpty }) {
          break
        } else {
          wake.wait()
        }
      }
      let result = counts
      state.withLock { $0.counts = result }
    } catch {
      state.withLock { $0.error = error }
      stops.store(true, ordering: .relaxed)
    }
    done.signal()
  }
}
