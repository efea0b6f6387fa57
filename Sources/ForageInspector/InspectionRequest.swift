#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What an inspection is asked for.
struct InspectionRequest: Sendable {
  /// What to tell.
  let sections: Set<InspectionSection>
  /// Where facts of `HEAD`'s commit are kept between runs.
  let memory: InspectionMemory?
  /// The time that the weeks of the activity end with.
  let now: Date
  /// Asked now and then, from several threads.
  let isCancelled: @Sendable () -> Bool

  /// Whether a section is asked for.
  func includes(_ section: InspectionSection) -> Bool { sections.contains(section) }
}
