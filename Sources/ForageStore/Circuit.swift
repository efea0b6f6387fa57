import GRDB

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The state of a circuit breaker, which blocks requests to a failing host.
package struct Circuit: Sendable, Hashable {
  /// The number of failures since the last success.
  package var failures: Int
  /// The end of the open state; `nil` if the circuit is closed.
  package var openUntil: Date?
  /// Until when one process probes the host while others wait; `nil` if none does.
  package var probeUntil: Date?
  /// Why it is open, without a full stop.
  package var reason: String

  /// Creates a state without storing it.
  package init(
    failures: Int, openUntil: Date? = nil, probeUntil: Date? = nil, reason: String
  ) {
    self.failures = failures
    self.openUntil = openUntil
    self.probeUntil = probeUntil
    self.reason = reason
  }

  init(_ row: Row) throws {
    failures = try row.required("failures")
    openUntil = try row.optionalTime("open_until")
    probeUntil = try row.optionalTime("probe_until")
    reason = try row.required("reason")
  }
}
