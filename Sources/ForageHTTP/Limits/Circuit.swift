import ForageCore
package import ForageFoundation

/// The failures of a server that cannot be reached; a server that answers has no circuit.
///
/// An open circuit keeps a long-running process from asking a dead server again and again. It never refuses the first request of a
/// process: whoever repeats a command gets one new attempt each time.
package struct Circuit: Hashable, Sendable {
  /// Failures in a row that open a circuit: one or two lost connections happen in any network.
  package static let failuresToOpen = 3
  /// The first time that a circuit is open: short, since most networks come back at once.
  package static let shortestOpen: Duration = .seconds(5)
  /// The longest time: a process should notice a repaired network within minutes.
  package static let longestOpen: Duration = .seconds(600)
  /// The longest probe; an older one belonged to a process that died.
  package static let longestProbe: Duration = .seconds(60)
  /// The circuit of a credential that the server refused; it stays open until the credential changes.
  package static let unauthorized = Circuit(failures: 0, openUntil: .distantFuture, reason: "unauthorized")

  /// Failures in a row.
  package var failures: Int
  /// Until when the circuit is open; `nil` while there are too few failures.
  package var openUntil: Date?
  /// Until when one process tests whether the server is back.
  package var probeUntil: Date?
  /// The last failure, a sentence without a secret.
  package var reason: String

  package init(failures: Int, openUntil: Date? = nil, probeUntil: Date? = nil, reason: String) {
    self.failures = failures
    self.openUntil = openUntil
    self.probeUntil = probeUntil
    self.reason = reason
  }

  /// Whether the circuit is open because the server refused the credential.
  package var isUnauthorized: Bool { reason == Self.unauthorized.reason }

  /// Whether the circuit has opened and no success has closed it since.
  package var isTripped: Bool { openUntil != nil }

  /// Whether no probe is due yet; a time that this program would not set comes from a clock that was set back, and is ignored.
  package func isOpen(at time: Date) -> Bool {
    guard let openUntil else { return false }
    return isUnauthorized || Self.holds(openUntil, at: time, atMost: Self.longestOpen)
  }

  /// Whether a process probes.
  package func isProbed(at time: Date) -> Bool {
    probeUntil.map { Self.holds($0, at: time, atMost: Self.longestProbe) } ?? false
  }

  private static func holds(_ end: Date, at time: Date, atMost bound: Duration) -> Bool {
    end > time && end <= time.addingTimeInterval(bound.inSeconds)
  }

  /// The circuit after one more failure.
  ///
  /// - Parameters:
  ///   - isProbe: Whether the request tested an open circuit. Another request that fails after the circuit opened adds nothing.
  ///   - jitter: From 0 to 1; the circuit is open for half of the time to all of it, so that processes do not return at once.
  static func failed(
    _ circuit: Circuit?, isProbe: Bool, reason: String, at time: Date, jitter: Double
  ) -> Circuit {
    var next = circuit ?? Circuit(failures: 0, reason: reason)
    if next.isOpen(at: time), !isProbe { return next }
    if next.isUnauthorized {
      // A probe that did not arrive does not show that the credential is valid.
      next.probeUntil = nil
      return next
    }
    next.failures = min(next.failures, Int(Int32.max)) + 1
    next.reason = reason
    next.probeUntil = nil
    guard next.failures >= failuresToOpen || isProbe else { return next }
    // Thirty doublings exceed the bound and cannot overflow.
    let doublings = min(max(0, next.failures - failuresToOpen), 30)
    let whole = min(shortestOpen * (1 << doublings), longestOpen)
    next.openUntil = time.addingTimeInterval(whole.inSeconds * (0.5 + 0.5 * min(max(jitter, 0), 1)))
    return next
  }
}

/// Stores circuits for other processes.
package struct CircuitStorage: Sendable {
  /// The stored circuit of a scope.
  package var load: @Sendable (_ scope: String) throws -> Circuit?
  /// Replaces the stored circuit by the result of the closure, `nil` for none, and returns it.
  ///
  /// No other process reads or writes in between; the closure is called again if the storage has to start over.
  package var change: @Sendable (_ scope: String, _ change: (Circuit?) -> Circuit?) throws -> Circuit?

  package init(
    load: @escaping @Sendable (_ scope: String) throws -> Circuit?,
    change: @escaping @Sendable (_ scope: String, _ change: (Circuit?) -> Circuit?) throws -> Circuit?
  ) {
    self.load = load
    self.change = change
  }
}
