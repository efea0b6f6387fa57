#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// What is known of a server that cannot be reached; a server in good standing has none.
package struct Circuit: Hashable, Sendable {
  /// One lost connection is bad luck, two can be; after three in a row asking again at once is a waste of the user's time.
  package static let failuresToOpen = 3
  /// The first time for which nothing is sent: short, since most networks come back at once.
  package static let shortestOpen: Duration = .seconds(5)
  /// The longest: somebody who mends the network should not wait much longer than that mending took.
  package static let longestOpen: Duration = .seconds(600)
  /// A probe that is older than this belonged to a process that died.
  package static let longestProbe: Duration = .seconds(60)
  /// The reason of a circuit that stays open until the credential changes.
  package static let unauthorized = "unauthorized"

  /// Failures in a row.
  package var failures: Int
  /// Until when nothing is sent; `nil` while there are too few failures.
  package var openUntil: Date?
  /// Until when one process tries whether the server is back.
  package var probeUntil: Date?
  /// What failed last, a sentence without a secret; or `unauthorized`.
  package var reason: String

  package init(failures: Int, openUntil: Date? = nil, probeUntil: Date? = nil, reason: String) {
    self.failures = failures
    self.openUntil = openUntil
    self.probeUntil = probeUntil
    self.reason = reason
  }

  /// Whether only probes are sent.
  package var isTripped: Bool { openUntil != nil }

  /// Whether not even probes are sent; times that this program would not set come from a clock that was set back.
  package func isOpen(at time: Date) -> Bool {
    guard let openUntil else { return false }
    return reason == Self.unauthorized || Self.holds(openUntil, at: time, atMost: Self.longestOpen)
  }

  /// Whether somebody probes.
  package func isProbed(at time: Date) -> Bool {
    probeUntil.map { Self.holds($0, at: time, atMost: Self.longestProbe) } ?? false
  }

  private static func holds(_ end: Date, at time: Date, atMost bound: Duration) -> Bool {
    end > time && end <= time.addingTimeInterval(bound.inSeconds)
  }

  /// The circuit after one more failure.
  ///
  /// - Parameters:
  ///   - isProbe: A request that was sent before the circuit opened and fails after it adds nothing.
  ///   - jitter: From 0 to 1; between half of the time and all of it passes, so that processes do not return as one.
  static func failed(
    _ circuit: Circuit?, isProbe: Bool, reason: String, at time: Date, jitter: Double
  ) -> Circuit {
    var next = circuit ?? Circuit(failures: 0, reason: reason)
    if next.isOpen(at: time), !isProbe { return next }
    if next.reason == unauthorized {
      // The probe has not shown that the credential is good.
      next.probeUntil = nil
      return next
    }
    next.failures = min(next.failures, Int(Int32.max)) + 1
    next.reason = reason
    next.probeUntil = nil
    // A probe that a user forced, of a circuit with few failures, opens it as well.
    guard next.failures >= failuresToOpen || isProbe else { return next }
    // Thirty doublings are beyond the bound by far and cannot overflow.
    let doublings = min(max(0, next.failures - failuresToOpen), 30)
    let whole = min(shortestOpen * (1 << doublings), longestOpen)
    next.openUntil = time.addingTimeInterval(whole.inSeconds * (0.5 + 0.5 * min(max(jitter, 0), 1)))
    return next
  }
}

/// Where circuits are kept for other processes.
package struct CircuitStorage: Sendable {
  /// What is kept for a scope.
  package var load: @Sendable (_ scope: String) throws -> Circuit?
  /// Replaces what is kept by what the closure makes of it, `nil` for nothing, and returns that.
  ///
  /// No other process reads or writes in between; the closure may be called again when the storage has to begin anew.
  package var change: @Sendable (_ scope: String, _ change: (Circuit?) -> Circuit?) throws -> Circuit?

  package init(
    load: @escaping @Sendable (_ scope: String) throws -> Circuit?,
    change: @escaping @Sendable (_ scope: String, _ change: (Circuit?) -> Circuit?) throws -> Circuit?
  ) {
    self.load = load
    self.change = change
  }
}
