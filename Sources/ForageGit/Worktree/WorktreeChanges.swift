/// The files of a work tree that may differ from `HEAD`.
package struct WorktreeChanges: Sendable {
  /// Paths that `HEAD` or the index has and whose file differs, may differ or is absent.
  package fileprivate(set) var tracked: Set<ExactText> = []
  /// Files that are neither tracked nor ignored.
  package fileprivate(set) var untracked: [ExactText] = []
}

extension GitRepository {
  /// Finds the files of the work tree that may differ from `HEAD`, and those that are untracked and not ignored.
  ///
  /// - Returns: nil if there is no work tree.
  package func worktreeChanges(isCancelled: () -> Bool = { false }) throws(GitError) -> WorktreeChanges? {
    guard let worktree else { return nil }
    let index = try IndexFile(gitDir: gitDir)
    let walk = try WorktreeWalk(index, in: self, at: worktree, [.compare, .list, .name])
    var changes = WorktreeChanges()
    func text(_ path: some Sequence<UInt8>) -> ExactText {
      ExactText(String(decoding: Array(path), as: UTF8.self))
    }
    let found = try walk.run(
      meanwhile: { () throws(GitError) in
        changes.tracked = try index.withStagedChanges(try headTree(), self, isCancelled) { (staged, view) in
          Set((staged.modified + staged.deleted).map { text($0.path) })
            .union(staged.added.map { text(view.path(Int($0))) })
        }
      }, isCancelled: isCancelled)
    index.withView { view in
      for finding in found.findings where finding.kind != .submodule && finding.kind != .unchecked {
        changes.tracked.insert(text(view.path(Int(finding.entry))))
      }
      if index.conflictedPaths > 0 {
        for entry in view.records.indices where view.stage(entry) != 0 {
          changes.tracked.insert(text(view.path(entry)))
        }
      }
    }
    changes.untracked = found.untrackedPaths.map(text).sorted()
    return changes
  }
}
