extension InspectionReport {
  mutating func add(_ facts: HistoryFacts, _ sections: Set<InspectionSection>) {
    commits = facts.commits
    authorCount = facts.authorCount
    busFactor = facts.busFactor
    authors = facts.authors
    activity = facts.activity
    signedShare = facts.signedShare
    if sections.contains(.tags) { tags = facts.tags }
    upstream = facts.upstream
    notes += facts.notes.list
  }

  mutating func add(_ facts: ChangeFacts) {
    churn = facts.churn
    effort = facts.effort
    largestBlobs = facts.largestBlobs
    notes += facts.notes.list
  }

  mutating func add(_ facts: ContentFacts, _ sections: Set<InspectionSection>) {
    size = facts.size
    status = facts.status
    stashes = facts.stashes
    submodules = facts.submodules
    if let tree = facts.tree {
      if sections.contains(.languages) { languages = tree.languages }
      if sections.contains(.lines) { (lines, skipped) = (tree.lines, tree.skipped) }
      if sections.contains(.files) { files = tree.fileLines }
      if sections.contains(.licenses) { licenses = tree.licenses }
      if sections.contains(.largestFiles) { largestFiles = tree.largestFiles }
      if sections.contains(.dependencies) { dependencies = tree.dependencies }
      if sections.contains(.lfs) { lfs = tree.lfs }
    }
    notes += facts.notes.list
  }
}
