import Dispatch

/// Ends work at a deadline.
///
/// Each deadline has one owner, which runs the work, stops waiting at the deadline and cancels the work then.
/// What the work calls needs no timer: it is cancelled, and plans with the time that is left.
package enum Deadline {
  /// Runs work on a thread of its own and returns when it is done or the deadline passes.
  ///
  /// Work that exceeds the deadline is cancelled but not awaited. The same holds if the calling task is
  /// cancelled.
  ///
  /// - Parameters:
  ///   - deadline: How long the caller waits.
  ///   - work: The work; it may block.
  /// - Returns: The result of the work; `nil` if the deadline passed.
  /// - Throws: What the work throws; `CancellationError` if the calling task is cancelled.
  package static func run<Value: Sendable>(
    until deadline: ContinuousClock.Instant, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value? {
    let (outcomes, race) = AsyncStream<Result<Value?, any Error>>.makeStream()
    let task = OwnThreadExecutor.task {
      do {
        race.yield(.success(try await work()))
      } catch {
        race.yield(.failure(error))
      }
    }
    let timer = timer(at: deadline) { race.yield(.success(nil)) }
    defer {
      timer.cancel()
      task.cancel()
    }
    // The first outcome counts. The stream ends without one if the calling task is cancelled.
    for await outcome in outcomes { return try outcome.get() }
    throw CancellationError()
  }

  /// The timers have a queue of their own, so that they fire even if all threads of the cooperative pool are
  /// busy.
  private static let timers = DispatchQueue(label: "forage.deadlines")
  private static let leeway = DispatchTimeInterval.milliseconds(1)

  /// Calls a closure once at a time, immediately if that has passed, unless the timer is cancelled before.
  private static func timer(at time: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void)
    -> any DispatchSourceTimer
  {
    let timer = DispatchSource.makeTimerSource(queue: timers)
    let left = max(.zero, time - ContinuousClock.now).components
    let seconds = DispatchTimeInterval.seconds(Int(clamping: left.seconds))
    let rest = DispatchTimeInterval.nanoseconds(Int(clamping: left.attoseconds / 1_000_000_000))
    timer.schedule(deadline: .now() + seconds + rest, leeway: leeway)
    timer.setEventHandler(handler: action)
    timer.activate()
    return timer
  }
}

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

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
