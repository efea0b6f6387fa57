extension GitRepository {
  /// The number of commits of local branches and of a detached `HEAD` that no branch of a remote has, as of
  /// the last fetch.
  ///
  /// - Throws: `cancelled`; errors of commits that cannot be read.
  package func unpushedCommits(isCancelled: () -> Bool) throws(GitError) -> Int {
    try refs.load()
    var tips = Set(refs.with(prefix: "refs/heads/").filter { !$0.isSymbolic }.map(\.target))
    if let head = refs.head.commit { tips.insert(head) }
    // The branches of a mirror are those of its remote, whatever they are called: no reference has a name
    // with a control character.
    let any = "refs/heads/\u{1}"
    let isMirror = isBare && remotes().contains { tracking(any, $0.name) == any }
    let known = Set(
      refs.with(prefix: isMirror ? "refs/" : "refs/remotes/").filter { !$0.isSymbolic }.map(\.target))
    tips.subtract(known)
    guard let first = tips.popFirst() else { return 0 }
    var graph = CommitGraph(lazilyFrom: first, in: self)
    return try graph.ahead(of: known, and: tips, isCancelled: isCancelled)
  }

  /// How much older than the oldest of the wanted commits a walk still looks, in seconds: clocks that were
  /// off make parents younger than their children, and git allows for a day too.
  private static let clockSkew: Int64 = 86_400

  /// Whether each of some commits is one of several tips or an ancestor of one.
  ///
  /// Walks from the tips, newest first, and ends when all commits were met or everything left is more than a
  /// day older than them. Where a clock was off by more, the answer may be no although a commit is reachable.
  ///
  /// - Parameters:
  ///   - tips: Where to begin; what is no commit is passed over.
  ///   - limit: The most commits that are read.
  /// - Throws: `tooLarge` if more would be read than the limit; `cancelled`.
  package func areReachable(
    _ commits: Set<ObjectID>, from tips: Set<ObjectID>, limit: Int = .max, isCancelled: () -> Bool
  ) throws(GitError) -> Bool {
    var missing = commits.subtracting(tips)
    guard let first = missing.first else { return true }
    var graph = CommitGraph(lazilyFrom: first, in: self)
    var oldest = Int64.max
    for commit in missing {
      let number = Int(graph.insert(commit).number)
      try graph.load(number)
      oldest = min(oldest, graph.nodes[number].committedAt)
    }
    var walk = MarkedWalk()
    for tip in tips {
      let (commit, kind) = try peel(tip)
      guard kind == .commit else { continue }
      try walk.add(1, to: Int(graph.insert(commit).number), &graph)
    }
    var visited = 0
    while let number = walk.pop() {
      missing.remove(graph.id(number))
      if missing.isEmpty { return true }
      if graph.nodes[number].committedAt < oldest - Self.clockSkew { return false }
      visited += 1
      if visited > limit { throw GitError(.tooLarge, "more than \(limit) commits would be read") }
      if visited % CommitGraph.cancellationStride == 0, isCancelled() { throw .cancelled }
      try walk.passOn(number, &graph)
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
