import Dispatch

/// Runs the jobs of one task on a thread of its own, one at a time.
///
/// Other tasks share a pool that has one thread for each processor. As many calls that block, for example on a locked database, would stop
/// every task of the process.
package final class OwnThreadExecutor: TaskExecutor {
  /// A serial queue gets a thread at once, however many threads are blocked; a concurrent one waits for a thread of the pool.
  private let queue = DispatchQueue(label: "forage.own-thread")

  /// Starts a task on a thread of its own.
  ///
  /// - Parameter work: The task; it may block.
  package static func task(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    let executor = OwnThreadExecutor()
    return Task(executorPreference: executor) { @concurrent in
      await work()
      withExtendedLifetime(executor) {}
    }
  }

  /// Starts a task that may fail on a thread of its own.
  ///
  /// - Parameter work: The task; it may block.
  package static func task<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) -> Task<
    Value, any Error
  > {
    let executor = OwnThreadExecutor()
    return Task(executorPreference: executor) { @concurrent in
      defer { withExtendedLifetime(executor) {} }
      return try await work()
    }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
