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
    let least = Self.greatest(limit, of: times)
    let candidates = (0..<headCount).filter { times[$0] >= least && times[$0] != Self.unreadDate }
    let sorted = candidates.sorted { left, right in
      times[left] != times[right] ? times[left] > times[right] : id(left) < id(right)
    }
    return sorted.prefix(limit).map { id($0) }
  }

  /// Returns the smallest of the `limit` greatest numbers.
  private static func greatest(_ limit: Int, of numbers: [Int64]) -> Int64 {
    var kept: [Int64] = []
    var least = Int64.min
    for number in numbers where number > least || kept.count < limit {
      kept.append(number)
      // Pruned only at twice the limit, which keeps the cost of each number low.
      guard kept.count >= 2 * limit else { continue }
      kept.sort(by: >)
      kept.removeLast(kept.count - limit)
      least = kept.last ?? least
    }
    kept.sort(by: >)
    return kept.prefix(limit).last ?? least
  }
}
