/// The numbers of changed paths of a work tree, as in `git status --porcelain=v2 --untracked-files=all`.
package struct WorktreeStatus: Sendable, Hashable {
  /// Paths whose index entry differs from `HEAD`.
  package var staged = 0
  /// Paths whose file differs from the index.
  package var unstaged = 0
  /// Files that are neither tracked nor ignored.
  package var untracked = 0
  /// Unmerged paths.
  package var conflicted = 0

  /// Whether nothing differs.
  package var isClean: Bool { staged + unstaged + untracked + conflicted == 0 }
}

extension GitRepository {
  /// Returns the status of a submodule.
  ///
  /// - Parameters:
  ///   - untracked: whether untracked files count.
  ///   - depth: the levels of submodules that may follow.
  ///   - budget: the number of submodules that may still be examined.
  ///   - isCancelled: polled regularly; true cancels.
  func status(
    untracked: Bool, depth: Int, budget: inout Int, isCancelled: () -> Bool
  ) throws(GitError) -> WorktreeStatus? {
    try WorktreeScan.run(
      self, untracked: untracked, depth: depth, budget: &budget, isCancelled: isCancelled)?.status
  }

  /// Compares `HEAD`, index and work tree, and finds the unchanged files; writes nothing.
  ///
  /// - Parameter isCancelled: polled regularly, on this thread; true cancels.
  /// - Returns: nil if there is no work tree.
  /// - Throws: `invalidHead`, `missingObject`, `unsupportedIndex`, `corrupt`, `permission`, `tooLarge`,
  ///   `cancelled`.
  package func scanWorktree(isCancelled: () -> Bool = { false }) throws(GitError) -> WorktreeScan? {
    var budget = Self.submoduleLimit
    return try WorktreeScan.run(
      self, untracked: true, depth: SubmoduleChanges.depthLimit, budget: &budget, isCancelled: isCancelled)
  }

  /// Finds the unchanged files of the work tree by their metadata alone.
  ///
  /// - Parameter isCancelled: polled regularly, on this thread; true cancels.
  /// - Returns: an empty set if there is no work tree.
  /// - Throws: `unsupportedIndex`, `corrupt`, `permission`, `tooLarge`, `cancelled`.
  package func cleanFiles(isCancelled: () -> Bool = { false }) throws(GitError) -> CleanFiles {
    guard let worktree else { return CleanFiles() }
    try checkObjects()
    let index = try IndexFile(gitDir: gitDir)
    let walk = try WorktreeWalk(index, in: self, at: worktree, .compare)
    let result = try walk.run(meanwhile: {}, isCancelled: isCancelled)
    return CleanFiles(index, except: result.findings.map(\.entry))
  }
}
