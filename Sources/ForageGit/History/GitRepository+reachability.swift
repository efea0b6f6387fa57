extension GitRepository {
  /// How much older than the oldest of the wanted commits a walk still looks, in seconds: clocks that were off make parents younger than
  /// their children, and git allows for a day too.
  private static let clockSkew: Int64 = 86_400

  /// Whether each of some commits is one of several tips or an ancestor of one.
  ///
  /// Walks from the tips, newest first, and ends when all commits were met or everything left is more than a day older than them. Where a
  /// clock was off by more, the answer may be no although a commit is reachable. The objects alone are read: a commit-graph file may be
  /// wrong.
  ///
  /// - Parameter tips: Where to begin; what is no commit is passed over.
  package func areReachable(
    _ commits: Set<ObjectID>, from tips: Set<ObjectID>, isCancelled: () -> Bool
  ) throws(GitError) -> Bool {
    var missing = commits.subtracting(tips)
    guard let first = missing.first else { return true }
    var graph = CommitGraph(lazilyFrom: first, in: self, usesFile: false)
    var oldest = Int64.max
    for commit in missing {
      let number = Int(graph.insert(commit).number)
      try graph.load(number)
      oldest = min(oldest, graph.nodes[number].committedAt)
    }
    var queue = DateQueue<Int64>()
    var seen: Set<Int> = []
    for tip in tips {
      let (commit, kind) = try peel(tip)
      guard kind == .commit else { continue }
      let number = Int(graph.insert(commit).number)
      guard seen.insert(number).inserted else { continue }
      try graph.load(number)
      queue.push(number, date: graph.nodes[number].committedAt)
    }
    var visited = 0
    while let date = queue.nextDate, let number = queue.pop() {
      missing.remove(graph.id(number))
      if missing.isEmpty { return true }
      if date < oldest - Self.clockSkew { return false }
      visited += 1
      if visited % CommitGraph.cancellationStride == 0, isCancelled() { throw .cancelled }
      for index in graph.parents(of: number).indices {
        let parent = Int(graph.parents[index])
        guard seen.insert(parent).inserted else { continue }
        try graph.load(parent)
        queue.push(parent, date: graph.nodes[parent].committedAt)
      }
    }
    return false
  }

  /// Returns the commit to which the first parents of `tip` lead; `tip` itself if it has no parent.
  ///
  /// - Parameters:
  ///   - known: an earlier result; if the walk reaches its commit, it ends there.
  ///   - limit: the most commits that are read.
  /// - Returns: nil if the history is longer than the limit, or the clone is shallow.
  package func firstCommit(
    from tip: ObjectID, known: (commit: ObjectID, first: ObjectID)? = nil, limit: Int,
    isCancelled: () -> Bool = { false }
  ) throws(GitError) -> ObjectID? {
    var current = tip
    for step in 1...max(1, limit) {
      if let known, known.commit == current { return known.first }
      if shallow.contains(current) { return nil }
      if step % CommitGraph.cancellationStride == 0, isCancelled() { throw .cancelled }
      let parent: ObjectID? = try withCommit(current) { bytes, scan -> ObjectID?? in
        scan.parentCount == 0 ? .some(nil) : CommitScan.parent(0, bytes).map { .some($0) }
      }
      guard let parent else { return current }
      current = parent
    }
    return nil
  }
}
