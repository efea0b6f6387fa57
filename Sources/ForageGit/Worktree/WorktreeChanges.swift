/// The files of a work tree that may differ from `HEAD`.
package struct WorktreeChanges: Sendable {
  /// Paths that `HEAD` or the index has and whose file differs, may differ or is absent.
  package private(set) var tracked: Set<String> = []
  /// Files that are neither tracked nor ignored.
  package private(set) var untracked: [String] = []

  /// Compares `HEAD`, index and work tree.
  static func run(
    _ repository: GitRepository, isCancelled: () -> Bool
  ) throws(GitError) -> WorktreeChanges? {
    guard let worktree = repository.worktree else { return nil }
    let index = try IndexFile(gitDir: repository.gitDir)
    let rules = StatRules(repository.config, index)
    let walk = WorktreeWalk(
      index, rules, try RootFolder(worktree), gitDir: repository.gitDir,
      skippedIgnoreFiles: try index.skippedIgnoreFiles(repository))
    let ignoring = try repository.globalIgnoreRules(foldsCase: rules.foldsCase)
    var changes = WorktreeChanges()
    let found = try walk.run(
      [.compare, .list, .name], ignoring: ignoring,
      meanwhile: { () throws(GitError) in
        changes.tracked = try staged(index, repository, isCancelled)
      }, isCancelled: isCancelled)
    if let error = found.error { throw error }
    index.withView { view in
      for finding in found.findings where finding.kind != .submodule && finding.kind != .unchecked {
        changes.tracked.insert(String(decoding: view.path(Int(finding.entry)), as: UTF8.self))
      }
    }
    if index.conflictedPaths > 0 {
      index.withView { view in
        for entry in view.records.indices where view.stage(entry) != 0 {
          changes.tracked.insert(String(decoding: view.path(entry), as: UTF8.self))
        }
      }
    }
    changes.untracked = found.untrackedPaths.map { String(decoding: $0, as: UTF8.self) }.sorted()
    return changes
  }

  /// The paths whose index entry differs from `HEAD`, and those that only one of them has.
  private static func staged(
    _ index: IndexFile, _ repository: GitRepository, _ isCancelled: () -> Bool
  ) throws(GitError) -> Set<String> {
    let tree = try repository.headTree()
    return try index.withView { (view) throws(GitError) in
      let cache = CacheTree(view.bytes, index.treeExtension)
      let staged = try StagedChanges(view, cache, tree: tree, in: repository, isCancelled: isCancelled)
      var paths = Set((staged.modified + staged.deleted).map { String(decoding: $0.path, as: UTF8.self) })
      for entry in staged.added { paths.insert(String(decoding: view.path(Int(entry)), as: UTF8.self)) }
      return paths
    }
  }
}

extension GitRepository {
  /// Finds the files of the work tree that may differ from `HEAD`, and those that are untracked and not ignored.
  ///
  /// - Parameter isCancelled: polled regularly, on this thread; true cancels.
  /// - Returns: nil if there is no work tree.
  /// - Throws: the errors of ``scanWorktree(isCancelled:)``.
  package func worktreeChanges(isCancelled: () -> Bool = { false }) throws(GitError) -> WorktreeChanges? {
    try WorktreeChanges.run(self, isCancelled: isCancelled)
  }
}
