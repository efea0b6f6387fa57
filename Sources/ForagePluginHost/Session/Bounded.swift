import Synchronization

/// Waits with a deadline.
enum Bounded {
  /// The value of a task; `nil` if the deadline passes or the caller is cancelled first. The task continues.
  static func value<Value: Sendable>(
    of task: Task<Value, Never>, by deadline: ContinuousClock.Instant
  ) async -> Value? {
    let first = FirstValue<Value>()
    let waiting = Task { first.set(await task.value) }
    let timer = Task {
      try? await Task.sleep(until: deadline, clock: .continuous)
      first.set(nil)
    }
    defer {
      waiting.cancel()
      timer.cancel()
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { first.wait($0) }
    } onCancel: {
      first.set(nil)
    }
  }
}

/// Keeps the first of several values.
private final class FirstValue<Value: Sendable>: Sendable {
  private enum State {
    case open
    case waiting(CheckedContinuation<Value?, Never>)
    case set(Value?)
  }

  private let state = Mutex(State.open)

  func set(_ value: Value?) {
    let waiter = state.withLock { state -> CheckedContinuation<Value?, Never>? in
      switch state {
      case .set: return nil
      case .open:
        state = .set(value)
        return nil
      case .waiting(let continuation):
        state = .set(value)
        return continuation
      }
    }
    waiter?.resume(returning: value)
  }

  func wait(_ continuation: CheckedContinuation<Value?, Never>) {
    let value = state.withLock { state -> Value?? in
      if case .set(let value) = state { return .some(value) }
      state = .waiting(continuation)
      return .none
    }
    if let value { continuation.resume(returning: value) }
  }
}
