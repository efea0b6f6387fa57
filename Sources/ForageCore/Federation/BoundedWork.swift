import Dispatch
import Synchronization

/// Runs work with a deadline.
package enum BoundedWork {
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
    let race = Race<Value>()
    let task = OwnThreadExecutor.task {
      do {
        race.end(.success(try await work()))
      } catch {
        race.end(.failure(error))
      }
    }
    let timer = DeadlineTimer.start(at: deadline) { race.end(.success(nil)) }
    defer {
      timer.cancel()
      task.cancel()
    }
    return try await withTaskCancellationHandler {
      try await race.outcome.get()
    } onCancel: {
      race.end(.failure(CancellationError()))
    }
  }

  /// Keeps the first of several outcomes.
  private final class Race<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value?, any Error>

    private struct State {
      var outcome: Outcome?
      var waiter: CheckedContinuation<Outcome, Never>?
    }

    private let state = Mutex(State())

    /// The first outcome, once there is one.
    var outcome: Outcome {
      get async {
        await withCheckedContinuation { continuation in
          let known = state.withLock { state -> Outcome? in
            if state.outcome == nil { state.waiter = continuation }
            return state.outcome
          }
          if let known { continuation.resume(returning: known) }
        }
      }
    }

    /// Sets the outcome, unless there is one.
    func end(_ outcome: Outcome) {
      let waiter = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
        guard state.outcome == nil else { return nil }
        state.outcome = outcome
        defer { state.waiter = nil }
        return state.waiter
      }
      waiter?.resume(returning: outcome)
    }
  }
}
