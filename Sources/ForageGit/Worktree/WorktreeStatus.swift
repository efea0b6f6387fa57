/// How many paths of a work tree differ, counted as in `git status --porcelain=v2 --untracked-files=all`.
package struct WorktreeStatus: Sendable, Hashable {
  /// Paths whose index entry differs from `HEAD`.
  package var staged = 0
  /// Paths whose file differs from the index.
  package var unstaged = 0
  /// Files that are neither tracked nor ignored.
  package var untracked = 0
  /// Paths with a merge conflict.
  package var conflicted = 0

  /// Whether nothing differs.
  package var isClean: Bool { staged + unstaged + untracked + conflicted == 0 }
}

extension GitRepository {
  /// Compares `HEAD`, index and work tree; writes nothing.
  ///
  /// - Parameter isCancelled: asked now and then, on this thread.
  /// - Returns: nil when there is no work tree.
  /// - Throws: `invalidHead`, `missingObject`, `unsupportedIndex`, `corrupt`, `permission`, `tooLarge`,
  ///   `cancelled`.
  package func status(isCancelled: () -> Bool = { false }) throws(GitError) -> WorktreeStatus? {
    try scanWorktree(isCancelled: isCancelled)?.status
  }

  /// The status of a submodule.
  ///
  /// - Parameters:
  ///   - untracked: whether untracked files count.
  ///   - depth: how many levels of submodules may follow.
  ///   - budget: how many more submodules may be looked at.
  func status(
    untracked: Bool, depth: Int, budget: inout Int, isCancelled: () -> Bool
  ) throws(GitError) -> WorktreeStatus? {
    try WorktreeScan.run(
      self, untracked: untracked, depth: depth, budget: &budget, isCancelled: isCancelled)?.status
  }

  /// Compares `HEAD`, index and work tree, and tells which files are unchanged.
  ///
  /// - Parameter isCancelled: asked now and then, on this thread.
  /// - Returns: nil when there is no work tree.
  /// - Throws: as ``status(isCancelled:)``.
  package func scanWorktree(isCancelled: () -> Bool = { false }) throws(GitError) -> WorktreeScan? {
    var budget = Self.submoduleLimit
    return try WorktreeScan.run(
      self, untracked: true, depth: SubmoduleChanges.depthLimit, budget: &budget, isCancelled: isCancelled)
  }

  /// Tells which files of the work tree are unchanged, by what the file system says of them alone.
  ///
  /// - Parameter isCancelled: asked now and then, on this thread.
  /// - Returns: none when there is no work tree.
  /// - Throws: `unsupportedIndex`, `corrupt`, `permission`, `tooLarge`, `cancelled`.
  package func cleanFiles(isCancelled: () -> Bool = { false }) throws(GitError) -> CleanFiles {
    guard let worktree else { return CleanFiles() }
    let index = try IndexFile(gitDir: gitDir)
    let root = try RootFolder(worktree)
    let walk = WorktreeWalk(
      index, StatRules(config, index), root, gitDir: gitDir, skippedIgnoreFiles: [:])
    let result = try walk.run(.compare, ignoring: nil, meanwhile: {}, isCancelled: isCancelled)
    return CleanFiles(index, except: result.findings.map(\.entry))
  }
}
