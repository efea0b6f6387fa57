/// What depends on nothing but the commits that `HEAD` reaches and the mailmap: worth keeping between runs.
package struct CommitFacts: Sendable, Hashable, Codable {
  /// Each is nil when it was not asked for.
  package var commits: InspectionReport.Commits?
  package var authors: [InspectionReport.Author]?
  package var busFactor: Int?
  package var activity: ActivityFacts?
  package var signedShare: Double?

  /// The sections that are told from these facts.
  static let sections: Set<InspectionSection> = [
    .commits, .authors, .authorCount, .busFactor, .activity, .signedShare,
  ]

  /// No facts.
  package init() {}

  /// Whether all is there that sections need of these facts.
  package func covers(_ sections: Set<InspectionSection>) -> Bool { missing(sections).isEmpty }

  /// What sections need of these facts and is not there.
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
