import ForageHTTP
import Synchronization

/// Keeps requests of one provider apart, as its API asks for.
final class RequestPace: Sendable {
  private let gap: Duration
  private let next = Mutex<ContinuousClock.Instant?>(nil)

  /// - Parameter perSecond: Requests a second at most.
  init(perSecond: Double) { gap = .seconds(1 / perSecond) }

  /// Waits until a request may be sent.
  ///
  /// - Throws: `HTTPError` with code `timeout` when that is after the deadline, and `CancellationError`.
  func wait(until deadline: ContinuousClock.Instant, host: String) async throws {
    let now = ContinuousClock.now
    guard let turn = turn(at: now, deadline: deadline) else {
      throw HTTPError(.timeout, "\(host) takes one request at a time, and there is no time for another")
    }
    if turn > now { try await Task.sleep(until: turn, clock: .continuous) }
  }

  /// When a request that is wanted at a moment may be sent; `nil` when that is after its deadline.
  func turn(at now: ContinuousClock.Instant, deadline: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    next.withLock { next in
      let turn = max(now, next ?? now)
      // Nobody waits for a turn that comes too late, so it is left to others.
      guard turn < deadline || turn == now else { return nil }
      next = turn + gap
      return turn
    }
  }
}
