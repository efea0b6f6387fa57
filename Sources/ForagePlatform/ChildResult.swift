/// The outcome of a program that was run to its end.
package struct ChildResult: Sendable {
  /// Why a program was stopped before its end.
  package enum Stop: Sendable {
    case cancelled
    /// It did not end within its time limit.
    case late
    /// It wrote more than its limit.
    case tooLong
  }

  package let ending: ChildEnding
  /// `nil` where it ended by itself.
  package let stop: Stop?
  /// Its standard output, where that is a pipe.
  package let output: [UInt8]
  /// The beginning of its standard error, where that is a pipe.
  package let error: [UInt8]

  /// Whether it ended by itself, with status 0.
  package var isSuccess: Bool { ending.isSuccess && stop == nil }
}

extension ChildProgram {
  /// The most bytes of a standard error that are kept.
  private static let errorLimit = 64 << 10

  /// Runs a program to its end, and collects what it writes to its pipes; blocks the thread.
  ///
  /// - Parameters:
  ///   - outputLimit: The most bytes of output; a program that writes more is stopped.
  ///   - timeLimit: How long it may take; then it is stopped.
  ///   - grace: The time between the signal to end and the one that it cannot ignore.
  ///   - checking: The interval at which cancellation is checked; `nil` for never.
  package func collect(
    _ launch: ChildLaunch, outputLimit: Int = .max, timeLimit: Duration? = nil, grace: Duration,
    checking interval: Duration? = nil, isCancelled: () -> Bool = { false }
  ) throws(ChildFailure) -> ChildResult {
    let end = timeLimit.map { ContinuousClock.now + $0 }
    var (output, warnings): ([UInt8], [UInt8]) = ([], [])
    var reason: ChildResult.Stop?
    let ending = try run(launch) { bytes in
      if output.count <= outputLimit { output += bytes }
    } error: { bytes in
      warnings += bytes.prefix(Self.errorLimit - warnings.count)
    } due: { now in
      if reason == nil {
        if output.count > outputLimit { reason = .tooLong }
        if end.map({ $0 <= now }) ?? false { reason = .late }
        if interval != nil, isCancelled() { reason = .cancelled }
        if reason != nil { stop(grace: grace) }
      }
      return reason == nil ? [end, interval.map { now + $0 }].compactMap(\.self).min() : nil
    }
    // Of the last bytes.
    if output.count > outputLimit { reason = reason ?? .tooLong }
    return ChildResult(
      ending: ending, stop: reason ?? (isStopped ? .cancelled : nil), output: output, error: warnings)
  }

  /// Runs a program to its end on a thread of its own, and collects what it writes to its pipes.
  ///
  /// A cancellation stops the program, whose ending is waited for.
  ///
  /// - Parameters:
  ///   - input: What it gets as its standard input; `nil` for that of `launch`.
  ///   - outputLimit: The most bytes of output; a program that writes more is stopped.
  ///   - timeLimit: How long it may take; then it is stopped.
  ///   - grace: The time between the signal to end and the one that it cannot ignore.
  package static func run(
    _ launch: ChildLaunch, input: String? = nil, outputLimit: Int = .max, timeLimit: Duration? = nil,
    grace: Duration = .milliseconds(100)
  ) async throws(ChildFailure) -> ChildResult {
    let child = ChildProgram()
    var launch = launch
    if let input {
      launch.input = .pipe
      child.send(Array(input.utf8))
      child.completeInput()
    }
    let result: Result<ChildResult, ChildFailure> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        onThread { [launch] in
          continuation.resume(
            returning: Result { () throws(ChildFailure) in
              try child.collect(launch, outputLimit: outputLimit, timeLimit: timeLimit, grace: grace)
            })
        }
      }
    } onCancel: {
      child.stop(grace: grace)
    }
    return try result.get()
  }
}
