extension CommitGraph {
  /// Returns the root commit with the earliest author date among those reachable from the first tip; of
  /// several the one with the smallest id.
  ///
  /// - Throws: `missingObject`, `corrupt`.
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

  /// Returns the newest commits reachable from the first tip by committer date; of equal dates those with
  /// smaller ids.
  package func newest(_ limit: Int) -> [ObjectID] {
    // The times alone determine the threshold, so ids are compared only for the few commits at or above it.
    let times = nodes[..<headCount].map(\.committedAt)
    let least = times.sorted(by: >).prefix(limit).last ?? .max
    let candidates = times.indices.filter { times[$0] >= least && times[$0] != Self.unreadDate }
    let sorted = candidates.sorted { left, right in
      times[left] != times[right] ? times[left] > times[right] : id(left) < id(right)
    }
    return sorted.prefix(limit).map { id($0) }
  }
}
