import Dispatch

/// Runs the jobs of a task on a thread of its own.
///
/// The cooperative pool has one thread per core, so as many blocking calls, for example on a locked database,
/// would stop all tasks of the process.
package final class OwnThreadExecutor: TaskExecutor {
  /// A serial queue receives a thread even if many threads are blocked; a concurrent one would wait.
  private let queue = DispatchQueue(label: "forage.own-thread")

  /// Starts a task on a thread of its own.
  ///
  /// - Parameter work: The work; it may block.
  package static func task<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Task<
    Value, Never
  > {
    let executor = OwnThreadExecutor()
    return Task(executorPreference: executor) { @concurrent in
      defer { withExtendedLifetime(executor) {} }
      return await work()
    }
  }

  /// Starts a throwing task on a thread of its own.
  ///
  /// - Parameter work: The work; it may block.
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
