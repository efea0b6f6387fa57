/// What is known from before of where a history begins.
package struct FirstCommitHint: Sendable, Hashable {
  /// A commit.
  package var commit: ObjectID
  /// The commit that its first parents lead back to.
  package var first: ObjectID

  package init(commit: ObjectID, first: ObjectID) {
    self.commit = commit
    self.first = first
  }
}

extension GitRepository {
  /// The commit that the first parents of another lead back to, the other itself where it has none.
  ///
  /// - Parameters:
  ///   - known: what is known from before: where the way leads over that commit, it ends there.
  ///   - limit: commits that are read at most.
  ///   - isCancelled: asked now and then.
  /// - Returns: nil when the way is longer than the limit, or the clone is shallow and ends before.
  /// - Throws: `missingObject`, `corrupt`, `cancelled`.
  package func firstCommit(
    from tip: ObjectID, known: FirstCommitHint? = nil, limit: Int, isCancelled: () -> Bool = { false }
  ) throws(GitError) -> ObjectID? {
    var current = tip
    for step in 1...max(1, limit) {
      if let known, known.commit == current { return known.first }
      if shallow.contains(current) { return nil }
      if step % CommitGraph.cancellationStride == 0, isCancelled() { throw .cancelled }
      let object = try LoadedObject(current, in: self)
      let isCommit = object.kind == .commit
      let scanned: (isValid: Bool, parent: ObjectID?) = object.withBytes { bytes in
        guard isCommit, let scan = CommitScan(bytes) else { return (false, nil) }
        guard scan.parentCount > 0 else { return (true, nil) }
        let parent = CommitScan.parent(0, bytes)
        return (parent != nil, parent)
      }
      guard scanned.isValid else { throw .corruptObject(current, "it is not a valid commit") }
      guard let parent = scanned.parent else { return current }
      current = parent
    }
    return nil
  }
}
