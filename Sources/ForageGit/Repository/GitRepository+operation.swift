/// Something that takes several steps and is not done.
package enum GitOperation: String, Sendable, Hashable {
  case rebase, merge, revert, bisect, am
  case cherryPick = "cherry-pick"
}

extension GitRepository {
  /// The operation in progress in this work tree, as `git status` names it; nil if there is none.
  ///
  /// A rebase comes first, because it makes the files of the others, too.
  package var operation: GitOperation? {
    func has(_ name: String) -> Bool { FileAccess.entry(gitDir + "/" + name, follow: false) != nil }
    if has("rebase-apply") { return has("rebase-apply/applying") ? .am : .rebase }
    if has("rebase-merge") { return .rebase }
    if has("MERGE_HEAD") { return .merge }
    if has("CHERRY_PICK_HEAD") { return .cherryPick }
    if has("REVERT_HEAD") { return .revert }
    // Between two of several commits there is only the list of what is left.
    if let next = (try? FileAccess.line(gitDir + "/sequencer/todo")) ?? nil {
      return next.hasPrefix("revert") ? .revert : .cherryPick
    }
    return has("BISECT_LOG") ? .bisect : nil
  }
}
