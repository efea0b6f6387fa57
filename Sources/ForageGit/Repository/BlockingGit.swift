import Synchronization

/// Runs blocking Git work on threads outside Swift's cooperative pool, a few at a time.
package enum BlockingGit {
  /// How many jobs run at once: the work is half disk, half processor; more would only compete.
  package static let width = 4

  private static let gate = Mutex(Gate())

  private struct Gate {
    var running = 0
    var waiting: [@Sendable () -> Void] = []
  }

  /// Runs `body` and suspends the caller until it ends.
  ///
  /// Cancellation of the task does not abandon the work: `body` sees it by asking the closure that it is
  /// given, and
  /// is expected to end soon with ``GitError/cancelled``. A job that is still waiting then does not start.
  ///
  /// - Throws: what `body` throws; `cancelled`.
  package static func run<Value: Sendable>(
    _ body: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws(GitError) -> Value
  ) async throws(GitError) -> Value {
    let flag = CancellationFlag()
    let result: Result<Value, GitError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        start {
          if flag.isSet {
            continuation.resume(returning: .failure(.cancelled))
            return
          }
          do throws(GitError) {
            continuation.resume(returning: .success(try body { flag.isSet }))
          } catch {
            continuation.resume(returning: .failure(error))
          }
        }
      }
    } onCancel: {
      flag.set()
    }
    return try result.get()
  }

  private static func start(_ job: @escaping @Sendable () -> Void) {
    let startsNow = gate.withLock { gate in
      if gate.running < width {
        gate.running += 1
        return true
      }
      gate.waiting.append(job)
      return false
    }
    if startsNow { OwnThread.start { work(job) } }
  }

  /// Runs a job, then those that wait, on the same thread.
  private static func work(_ first: @Sendable () -> Void) {
    first()
    while let next = takeNext() { next() }
  }

  private static func takeNext() -> (@Sendable () -> Void)? {
    gate.withLock { gate in
      if gate.waiting.isEmpty {
        gate.running -= 1
        return nil
      }
      return gate.waiting.removeFirst()
    }
  }
}
