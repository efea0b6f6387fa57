#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The parameters of an inspection.
struct InspectionRequest: Sendable {
  /// The sections to compute.
  let sections: Set<InspectionSection>
  /// The cache for facts of `HEAD`'s commit.
  let memory: InspectionMemory?
  /// The time with which the weeks of the activity end.
  let now: Date
  /// Polled regularly, from several threads; true cancels.
  let isCancelled: @Sendable () -> Bool

  /// Whether a section is requested.
  func includes(_ section: InspectionSection) -> Bool { sections.contains(section) }
}
