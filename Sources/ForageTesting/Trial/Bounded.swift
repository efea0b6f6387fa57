import ForageCore

/// The result of a call with a time limit.
enum BoundedResult<Value: Sendable>: Sendable {
  case value(Value)
  case failed(any Error)
  /// The call was still running at its time limit.
  case late

  /// Returns the violation of a call that had to return a value, if there is one: what is wrong with the value,
  /// or that the call threw or did not end.
  ///
  /// - Parameter found: Describes a wrong value, as a clause; `nil` for an expected one.
  func fault(_ subject: String, _ expected: String, _ found: (Value) -> String?) -> [Observation] {
    let fault: String? =
      switch self {
      case .value(let value): found(value)
      case .failed(let error): "it failed with \(ReportText.error(error))"
      case .late: "the call did not end"
      }
    return fault.map { [Observation(subject, expected, $0)] } ?? []
  }

  /// Whether the call threw a `SearchError`.
  var isRefusal: Bool { if case .failed(let error) = self { error is SearchError } else { false } }
}

enum Cancellation: Sendable {
  /// At its time limit.
  case never
  case before
  case after(Duration)
}

/// Runs calls that may never end.
enum Bounded {
  /// Runs a call with a time limit.
  ///
  /// A late call is cancelled and abandoned: a task that ignores cancellation cannot be ended, and waiting
  /// for it would block the caller.
  static func run<Value: Sendable>(
    _ limit: Duration, cancellation: Cancellation = .never,
    _ call: @escaping @Sendable () async throws -> Value
  ) async -> BoundedResult<Value> {
    var deadline = ContinuousClock.now + limit
    if case .after(let delay) = cancellation { deadline += delay }
    do {
      let value = try await Deadline.run(until: deadline) {
        switch cancellation {
        case .never: return try await call()
        case .before:
          withUnsafeCurrentTask { $0?.cancel() }
          return try await call()
        case .after(let delay):
          let work = Task { try await call() }
          try? await Task.sleep(for: delay)
          work.cancel()
          return try await work.value
        }
      }
      return value.map { .value($0) } ?? .late
    } catch {
      return .failed(error)
    }
  }
}
