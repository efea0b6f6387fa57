/// How a call came out that was given a limited time.
enum BoundedResult<Value: Sendable>: Sendable {
  /// It returned.
  case value(Value)
  /// It threw.
  case failed(any Error)
  /// It was still running when its time was over.
  case late
}

/// When a call is cancelled.
enum Cancellation: Sendable {
  /// Not before its time is over.
  case never
  /// Before it begins.
  case before
  /// So long after it began.
  case after(Duration)
}

/// Runs calls that may never end.
enum Bounded {
  /// Runs a call and waits for it for a limited time.
  ///
  /// A call that is late is cancelled and left behind: nothing can end a task that ignores cancellation, and waiting for it would hang the
  /// caller. The tasks own nothing but the call, and the stream keeps only the first of the answers.
  static func run<Value: Sendable>(
    _ limit: Duration, cancellation: Cancellation = .never,
    _ call: @escaping @Sendable () async throws -> Value
  ) async -> BoundedResult<Value> {
    let (stream, answers) = AsyncStream.makeStream(
      of: BoundedResult<Value>.self, bufferingPolicy: .bufferingOldest(1))
    let work = Task {
      if case .before = cancellation { withUnsafeCurrentTask { $0?.cancel() } }
      do {
        answers.yield(.value(try await call()))
      } catch {
        answers.yield(.failed(error))
      }
    }
    let timer = Task {
      if case .after(let delay) = cancellation {
        try? await Task.sleep(for: delay)
        work.cancel()
      }
      try? await Task.sleep(for: limit)
      answers.yield(.late)
    }
    defer {
      timer.cancel()
      work.cancel()
    }
    // The stream ends without an answer only when the calling task is cancelled.
    for await answer in stream { return answer }
    return .failed(CancellationError())
  }
}
