import Dispatch
import ForagePlatform
import Synchronization

/// Work that begins at once on a thread of its own, for whoever needs its result later.
package final class StartedWork<Value: Sendable>: Sendable {
  private let group = DispatchGroup()
  private let isOver = Atomic(false)
  private let outcome = Mutex<Result<Value, GitError>?>(nil)

  /// Begins the work.
  ///
  /// - Parameter work: Looks now and then whether nobody waits for it any more.
  package init(_ work: @escaping @Sendable (_ isCancelled: () -> Bool) throws(GitError) -> Value) {
    group.enter()
    OwnThread.start { [self] in
      let result = Result { () throws(GitError) in try work { isOver.load(ordering: .relaxed) } }
      outcome.withLock { $0 = result }
      group.leave()
    }
  }

  /// Waits for the end.
  ///
  /// - Throws: What the work throws; `GitError` with the code `cancelled`.
  package func result(isCancelled: () -> Bool) throws(GitError) -> Value {
    while group.wait(timeout: .now() + .milliseconds(20)) == .timedOut {
      if isCancelled() { throw .cancelled }
    }
    guard let result = outcome.withLock({ $0 }) else { throw .cancelled }
    return try result.get()
  }

  /// Ends work that nobody waits for.
  package func cancel() { isOver.store(true, ordering: .relaxed) }
}
