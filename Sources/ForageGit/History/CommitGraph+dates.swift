extension CommitGraph {
  /// Returns the root commit with the earliest author date among those reachable from the first tip; of
  /// several the one with the smallest id.
  package func first() throws(GitError) -> ObjectID? {
    // Older ones may be behind a commit that could not be read.
    if unread != nil { return nil }
    var best: (time: Int64, id: ObjectID)?
    for number in 0..<headCount where nodes[number].parentCount == 0 {
      let id = id(number)
      let time: Int64 = try repository.withCommit(id) { _, scan in scan.authoredAt }
      if let best, (best.time, best.id) < (time, id) { continue }
      best = (time, id)
    }
    return best?.id
  }

  /// Returns the newest commits in the order of `git log`, and whether all on the way to them could be read.
  ///
  /// - Throws: `missingObject` and `corrupt` for the first tip only, `tooLarge`.
  package mutating func newest(_ limit: Int) throws(GitError) -> (ids: [ObjectID], isWhole: Bool) {
    var walk = try LogWalk(&self)
    var (ids, lost): ([ObjectID], Int) = ([], 0)
    while ids.count < limit {
      // The parents of the last one are not among the newest.
      lost = walk.lost
      guard let step = try walk.next(&self) else { break }
      ids.append(id(step.number))
    }
    return (ids, lost == 0)
  }
}
