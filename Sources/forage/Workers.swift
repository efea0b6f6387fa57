import Dispatch
import ForagePlatform
import Synchronization

/// Threads for the program's task and its children: one, and more while all are busy, up to one for each processor.
///
/// The pool of the system would start a thread beside them that watches the others; a command that is over in milliseconds waits for it. Tasks
/// that have no parent still run there.
final class Workers: TaskExecutor {
  /// Jobs that have been taken are cleared away when there are so many.
  private static let slack = 64

  private struct State {
    var jobs: [UnownedJob] = []
    var taken = 0
    var threads = 0
    /// Threads that wait and have not been woken.
    var idle = 0
  }

  private let limit: Int
  private let state = Mutex(State())
  private let wake = DispatchSemaphore(value: 0)

  /// - Parameter limit: How many threads there may be.
  init(limit: Int) {
    self.limit = max(1, limit)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let (wakes, starts) = state.withLock { state in
      state.jobs.append(job)
      let wakes = state.idle > 0
      let starts = !wakes && state.threads < limit
      if wakes { state.idle -= 1 }
      if starts { state.threads += 1 }
      return (wakes, starts)
    }
    if wakes { wake.signal() }
    if starts { OwnThread.start { self.work() } }
  }

  /// Runs jobs, the oldest first, for as long as the program lives.
  private func work() -> Never {
    while true {
      let job = state.withLock { state in
        let job = Self.next(&state)
        if job == nil { state.idle += 1 }
        return job
      }
      if let job { job.runSynchronously(on: asUnownedTaskExecutor()) } else { wake.wait() }
    }
  }

  private static func next(_ state: inout State) -> UnownedJob? {
    guard state.taken < state.jobs.count else { return nil }
    let job = state.jobs[state.taken]
    state.taken += 1
    if state.taken == state.jobs.count || state.taken == slack {
      state.jobs.removeFirst(state.taken)
      state.taken = 0
    }
    return job
  }
}
