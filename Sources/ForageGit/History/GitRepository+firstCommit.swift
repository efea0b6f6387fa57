/// A known part of the first-parent history, which shortens the search for the first commit.
package struct FirstCommitHint: Sendable, Hashable {
  /// A commit.
  package var commit: ObjectID
  /// The commit to which its first parents lead.
  package var first: ObjectID

  package init(commit: ObjectID, first: ObjectID) {
    self.commit = commit
    self.first = first
  }
}

extension GitRepository {
  /// Returns the commit to which the first parents of `tip` lead; `tip` itself if it has no parent.
  ///
  /// - Parameters:
  ///   - tip: the commit to start from.
  ///   - known: an earlier result; if the walk reaches its commit, it ends there.
  ///   - limit: the most commits that are read.
  ///   - isCancelled: polled regularly; true cancels.
  /// - Returns: nil if the history is longer than the limit, or the clone is shallow.
  /// - Throws: `missingObject`, `corrupt`, `cancelled`.
  package func firstCommit(
    from tip: ObjectID, known: FirstCommitHint? = nil, limit: Int, isCancelled: () -> Bool = { false }
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
