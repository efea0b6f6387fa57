import ForagePlatform
import Synchronization

/// Runs blocking Git work on threads outside Swift's cooperative pool, a few at a time.
package enum BlockingGit {
  /// The number of concurrent jobs; the work needs disk and processor, so more would only compete.
  package static let width = 4

  private static let gate = Mutex(Gate())

  private struct Gate {
    var running = 0
    var waiting: [@Sendable () -> Void] = []
  }

  /// Runs `body` and suspends the caller until it ends.
  ///
  /// Cancellation does not abandon the work: the closure that `body` receives returns true then, and `body`
  /// is expected to throw ``GitError/cancelled`` soon. A job that has not started does not start.
  ///
  /// - Parameter waits: Whether the work mostly waits for others, such as servers; then it does not count as
  ///   a job.
  package static func run<Value: Sendable>(
    waits: Bool = false,
    _ body: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws(GitError) -> Value
  ) async throws(GitError) -> Value {
    let flag = CancellationFlag()
    let result: Result<Value, GitError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        start(waits) {
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

  private static func start(_ waits: Bool, _ job: @escaping @Sendable () -> Void) {
    if waits { return OwnThread.start(job) }
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

final class CancellationFlag: Sendable {
  private let value = Atomic(false)
  var isSet: Bool { value.load(ordering: .relaxed) }
  func set() { value.store(true, ordering: .relaxed) }
}
