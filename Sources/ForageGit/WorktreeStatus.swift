import CLibGit2

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
  private static let stagedBits =
    GIT_STATUS_INDEX_NEW.rawValue | GIT_STATUS_INDEX_MODIFIED.rawValue | GIT_STATUS_INDEX_DELETED.rawValue
    | GIT_STATUS_INDEX_RENAMED.rawValue | GIT_STATUS_INDEX_TYPECHANGE.rawValue
  private static let unstagedBits =
    GIT_STATUS_WT_MODIFIED.rawValue | GIT_STATUS_WT_DELETED.rawValue | GIT_STATUS_WT_TYPECHANGE.rawValue
    | GIT_STATUS_WT_RENAMED.rawValue | GIT_STATUS_WT_UNREADABLE.rawValue

  /// Compares `HEAD`, index and work tree; writes nothing.
  ///
  /// - Returns: nil when there is no work tree.
  /// - Throws: `invalidHead`, `missingObject`, `unsupportedIndex`, `corrupt`, `permission`.
  package func status() throws(GitError) -> WorktreeStatus? {
    guard worktree != nil else { return nil }
    switch refs.head {
    case .invalid(let reason): throw GitError(.invalidHead, reason)
    case .symbolic(_, let commit): if let commit { try requireTree(of: commit) }
    case .detached(let commit): try requireTree(of: commit)
    }
    var index: OpaquePointer?
    try checkIndex(git_repository_index(&index, pointer))
    defer { git_index_free(index) }
    var options = forage_git_status_options()
    options.show = GIT_STATUS_SHOW_INDEX_AND_WORKDIR
    options.flags =
      GIT_STATUS_OPT_INCLUDE_UNTRACKED.rawValue | GIT_STATUS_OPT_RECURSE_UNTRACKED_DIRS.rawValue
      | GIT_STATUS_OPT_RENAMES_HEAD_TO_INDEX.rawValue
    var list: OpaquePointer?
    try checkIndex(git_status_list_new(&list, pointer, &options))
    defer { git_status_list_free(list) }
    var result = WorktreeStatus()
    for position in 0..<git_status_list_entrycount(list) {
      guard let entry = git_status_byindex(list, position)?.pointee else { continue }
      count(entry, index, &result)
    }
    return result
  }

  private func count(_ entry: git_status_entry, _ index: OpaquePointer?, _ result: inout WorktreeStatus) {
    let bits = entry.status.rawValue
    if bits & GIT_STATUS_CONFLICTED.rawValue != 0 {
      result.conflicted += 1
      return
    }
    if bits & GIT_STATUS_WT_NEW.rawValue != 0 { result.untracked += 1 }
    var staged = bits & Self.stagedBits != 0
    var unstaged = bits & Self.unstagedBits != 0
    if bits & GIT_STATUS_WT_DELETED.rawValue != 0,
      let item = indexEntry(index, entry.index_to_workdir?.pointee.old_file.path)
    {
      // Left out of a sparse checkout, or told to be assumed unchanged: not deleted.
      let isSkipped = UInt32(item.flags_extended) & GIT_INDEX_ENTRY_SKIP_WORKTREE.rawValue != 0
      let isAssumed = UInt32(item.flags) & GIT_INDEX_ENTRY_VALID.rawValue != 0
      if isSkipped || isAssumed { unstaged = false }
    }
    if bits & GIT_STATUS_INDEX_NEW.rawValue != 0,
      let item = indexEntry(index, entry.head_to_index?.pointee.new_file.path),
      UInt32(item.flags_extended) & GIT_INDEX_ENTRY_INTENT_TO_ADD.rawValue != 0
    {
      // `git add --intent-to-add` is a change of the work tree only.
      staged = false
      unstaged = true
    }
    if staged { result.staged += 1 }
    if unstaged { result.unstaged += 1 }
  }

  private func indexEntry(_ index: OpaquePointer?, _ path: UnsafePointer<CChar>?) -> git_index_entry? {
    guard let path else { return nil }
    return git_index_get_bypath(index, path, 0)?.pointee
  }

  private func requireTree(of commit: ObjectID) throws(GitError) {
    _ = try tree(try self.commit(commit).tree)
  }

  private func checkIndex(_ status: Int32) throws(GitError) {
    guard status < 0 else { return }
    var error = LibGit2.error(status, "reading the index")
    if error.code == .unsupportedIndex {
      error.hint = "the index is sparse, split or without checksum: `git status` tells"
    }
    throw error
  }
}
