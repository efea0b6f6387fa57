import GRDB

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The state of a circuit breaker: whether a host that failed is left alone for a while.
package struct Circuit: Sendable, Hashable {
  /// How often it failed since it last succeeded.
  package var failures: Int
  /// Until when it is left alone; `nil` when it is closed.
  package var openUntil: Date?
  /// Until when one process tries it while the others wait; `nil` when none does.
  package var probeUntil: Date?
  /// Why it is open, a sentence without a full stop.
  package var reason: String

  /// Creates a state; nothing is stored.
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
