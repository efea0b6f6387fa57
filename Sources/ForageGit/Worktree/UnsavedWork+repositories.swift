extension GitRepository {
  /// Whether a repository with unsaved work is in the work tree and no part of it: `git status` does not look into ignored folders.
  ///
  /// - Parameters:
  ///   - submodules: Paths that are not searched.
  ///   - depth: How many repositories may be in each other.
  ///   - budget: How many repositories may still be opened.
  /// - Throws: `cancelled`; `tooLarge` for too many repositories.
  func hasUnsavedRepository(
    in worktree: String, except submodules: Set<String>, _ depth: Int, _ budget: inout Int,
    _ isCancelled: () -> Bool
  ) throws(GitError) -> Bool {
    var pending = [""]
    while let folder = pending.popLast() {
      if isCancelled() { throw .cancelled }
      for name in FileAccess.names(in: worktree + "/" + folder) where name != ".git" {
        let path = folder.isEmpty ? name : folder + "/" + name
        let inner = worktree + "/" + path
        guard FileAccess.entry(inner, follow: false)?.kind == .directory, !submodules.contains(path) else {
          continue
        }
        guard FileAccess.entry(inner + "/.git", follow: false) != nil else {
          pending.append(path)
          continue
        }
        budget -= 1
        guard depth > 0, budget >= 0 else {
          throw GitError(.tooLarge, "there are too many repositories in ignored folders")
        }
        if try hasUnsavedWork(inner, depth, &budget, isCancelled) { return true }
      }
    }
    return false
  }

  /// Whether a repository has unsaved work or cannot be read; the linked work trees of this one are looked at with it.
  private func hasUnsavedWork(
    _ path: String, _ depth: Int, _ budget: inout Int, _ isCancelled: () -> Bool
  ) throws(GitError) -> Bool {
    do throws(GitError) {
      let repository = try open(submodule: path)
      if repository.commonDir == commonDir { return false }
      return try repository.unsavedWork(depth: depth - 1, budget: &budget, isCancelled) != nil
    } catch {
      if error.code == .cancelled { throw error }
      return true
    }
  }
}
