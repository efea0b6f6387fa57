import Dispatch
import ForagePlatform
import Synchronization

/// A commit to compare, as its tree and its parent's tree.
struct ChurnJob: Sendable {
  /// Nil for a root commit.
  let old: ObjectID?
  let new: ObjectID
}

/// A queue of commits in batches, which one thread fills and two threads compare.
///
/// Neighbours stay in one batch, because the tree of one is the parent tree of the next.
final class ChurnJobs: Sendable {
  /// The commits in a batch: some milliseconds of work.
  static let batchSize = 32
  /// The most batches in the queue (3 MB); beyond it the thread that fills the queue compares some itself.
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

  /// Whether the other thread failed.
  var hasFailed: Bool { stops.load(ordering: .relaxed) }

  /// Starts the second thread.
  ///
  /// - Parameters:
  ///   - open: creates its repository handle.
  ///   - limits: the limits of the comparison.
  func start(_ open: @escaping @Sendable () -> GitRepository, limits: DifferenceLimits) {
    OwnThread.start { self.work(open(), limits) }
  }

  /// Adds a batch and returns the number of waiting ones.
  func add(_ batch: [ChurnJob]) -> Int {
    defer { wake.signal() }
    return state.withLock { state in
      state.batches.append(batch)
      return state.batches.count - state.taken
    }
  }

  /// Removes the oldest waiting batch; nil if there is none.
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

  /// Marks the queue as complete.
  func close() {
    state.withLock { $0.isClosed = true }
    wake.signal()
  }

  /// Stops the other thread within a millisecond.
  func stop() {
    stops.store(true, ordering: .relaxed)
    close()
  }

  /// Waits for the other thread after ``close()``.
  ///
  /// - Throws: the error of the other thread; `cancelled`.
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
