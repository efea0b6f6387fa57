import ForageHTTP
import Synchronization

/// Spaces out the requests of a provider, as its API requires.
final class RequestPace: Sendable {
  let gap: Duration
  private let next = Mutex<ContinuousClock.Instant?>(nil)

  /// - Parameter perSecond: The maximum number of requests per second.
  init(perSecond: Double) { gap = .seconds(1 / perSecond) }

  /// Waits until a request may be sent.
  ///
  /// - Throws: `HTTPError` with code `timeout` if that is after the deadline, and `CancellationError`.
  func wait(until deadline: ContinuousClock.Instant, host: String) async throws {
    let now = ContinuousClock.now
    guard let turn = turn(at: now, deadline: deadline) else {
      throw HTTPError(
        .timeout, "the request rate for \(host) is limited, and the next request would be too late")
    }
    if turn > now { try await Task.sleep(until: turn, clock: .continuous) }
  }

  /// The time at which a request may be sent; `nil` if that is after its deadline.
  func turn(at now: ContinuousClock.Instant, deadline: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    next.withLock { next in
      let turn = max(now, next ?? now)
      // A turn after the deadline is not reserved.
      guard turn < deadline || turn == now else { return nil }
      next = turn + gap
      return turn
    }
  }
}
