import Dispatch

/// Calls a closure at a deadline, even if all threads of the cooperative pool are busy.
enum DeadlineTimer {
  private static let queue = DispatchQueue(label: "forage.deadlines")
  private static let leeway = DispatchTimeInterval.milliseconds(1)

  /// Starts a timer, which fires once unless it is cancelled.
  ///
  /// - Parameters:
  ///   - deadline: When it fires; immediately if that has passed.
  ///   - action: The closure to call; it must not block.
  /// - Returns: The timer, to be cancelled when it is no longer needed.
  static func start(at deadline: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void)
    -> any DispatchSourceTimer
  {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    let left = max(.zero, deadline - ContinuousClock.now).components
    let seconds = DispatchTimeInterval.seconds(Int(clamping: left.seconds))
    let rest = DispatchTimeInterval.nanoseconds(Int(clamping: left.attoseconds / 1_000_000_000))
    timer.schedule(deadline: .now() + seconds + rest, leeway: leeway)
    timer.setEventHandler(handler: action)
    timer.activate()
    return timer
  }
}
