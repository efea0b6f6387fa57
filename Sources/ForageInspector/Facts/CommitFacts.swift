/// Facts that depend only on the commits reachable from `HEAD` and on the mailmap, and so can be cached.
package struct CommitFacts: Sendable, Hashable, Codable {
  /// Each fact is nil when it was not requested.
  package var commits: InspectionReport.Commits?
  package var authors: [InspectionReport.Author]?
  package var busFactor: Int?
  package var activity: ActivityFacts?
  package var signedShare: Double?

  /// The sections that use these facts.
  static let sections: Set<InspectionSection> = [
    .commits, .authors, .authorCount, .busFactor, .activity, .signedShare,
  ]

  /// Creates an empty set of facts.
  package init() {}

  /// Whether these facts have everything that `sections` need of them.
  package func covers(_ sections: Set<InspectionSection>) -> Bool { missing(sections).isEmpty }

  /// Returns the sections whose facts are not there.
  func missing(_ sections: Set<InspectionSection>) -> Set<InspectionSection> {
    var missing = sections.intersection(Self.sections)
    if commits != nil { missing.remove(.commits) }
    if authors != nil { missing.subtract([.authors, .authorCount]) }
    if busFactor != nil { missing.remove(.busFactor) }
    if activity != nil { missing.remove(.activity) }
    if signedShare != nil { missing.remove(.signedShare) }
    return missing
  }
}
