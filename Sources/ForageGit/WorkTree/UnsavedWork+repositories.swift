extension GitRepository {
  /// Where the Swift package manager keeps copies of the repositories of dependencies, which it fetches
  /// again.
  static let fetchedCopies = "/.build/repositories"

  /// What is kept by other tools than git, whose state is not known.
  private static let otherTools = CloneProbe.toolFolders.subtracting([".git"])

  /// Whether a repository with unsaved work is in the work tree and no part of it, ignored or not: `git
  /// status` does not look into it. One of another tool than git counts as such.
  ///
  /// - Parameters:
  ///   - skips: Whether a path is not searched.
  ///   - isTracked: Whether the files of a bare repository at a path are tracked, for example for tests.
  /// - Throws: `cancelled`; `tooLarge` for too many repositories; `permission` for a folder that cannot be
  ///   listed.
  func hasUnsavedRepository(
    in worktree: String, _ survey: inout DeletionSurvey, _ depth: Int, _ isCancelled: () -> Bool,
    skips: ([UInt8]) -> Bool, isTracked: ([UInt8]) -> Bool = { _ in false }
  ) throws(GitError) -> Bool {
    let root = Array((worktree + "/").utf8)
    // Folders with a slash at the end; their names need not be UTF-8.
    var pending: [[UInt8]] = [[]]
    while let folder = pending.popLast() {
      if isCancelled() { throw .cancelled }
      let isOfCopies = (root + folder).dropLast().reversed().starts(with: Self.fetchedCopies.utf8.reversed())
      for name in try FileAccess.list(bytes: root + folder) where name != Array(".git".utf8) {
        let path = folder + name
        guard FileAccess.kind(worktree, path) == .directory, !skips(path) else { continue }
        if Self.otherTools.contains(String(decoding: name, as: UTF8.self)) { return true }
        let hasGit = FileAccess.kind(worktree, path + Array("/.git".utf8)) != nil
        guard hasGit || !isOfCopies && Self.looksBare(root + path) && !isTracked(path) else {
          pending.append(path + [UInt8(ascii: "/")])
          continue
        }
        try Self.countRepository(depth, &survey.remainingRepositories)
        // A repository whose path is not UTF-8 cannot be opened.
        let text = String(decoding: path, as: UTF8.self)
        if !text.utf8.elementsEqual(path) { return true }
        survey.add(worktree + "/" + text)
        if try hasUnsavedWork(worktree + "/" + text, &survey, depth, isCancelled) {
          survey.note(unsaved: worktree + "/" + text)
          return true
        }
      }
    }
    return false
  }

  /// Whether a folder has parts of a git directory.
  private static func looksBare(_ path: [UInt8]) -> Bool {
    // Links count as they are: `HEAD` may be one to a branch that is not there.
    func has(_ name: String) -> Bool {
      FileAccess.entry(bytes: path + Array("/\(name)".utf8), follow: false) != nil
    }
    return has("objects") && (has("HEAD") || has("packed-refs") || has("refs"))
  }

  /// The folders in a git directory that have what git itself writes; hooks are somebody's own files.
  private static let gitsOwn: Set<String> = [
    "lfs", "logs", "modules", "objects", "refs", "rr-cache", "worktrees",
  ]

  /// The same for folders that somebody made in the git directory, which nobody looks into.
  func hasUnsavedRepositoryInGitFolder(
    _ survey: inout DeletionSurvey, _ depth: Int, _ isCancelled: () -> Bool
  ) throws(GitError) -> Bool {
    guard FileAccess.isInside(commonDir, survey.folder) else { return false }
    return try hasUnsavedRepository(in: commonDir, &survey, depth, isCancelled) { path in
      String(validating: path, as: UTF8.self).map(Self.gitsOwn.contains) ?? false
    }
  }

  /// Whether a repository has unsaved work or cannot be read; the linked work trees of the repository that is
  /// deleted are looked at with it.
  private func hasUnsavedWork(
    _ path: String, _ survey: inout DeletionSurvey, _ depth: Int, _ isCancelled: () -> Bool
  ) throws(GitError) -> Bool {
    do throws(GitError) {
      let repository = try open(submodule: path)
      // Where its own git directory is damaged, one around it is found.
      guard repository.location.openPath == FileAccess.realPath(path) else { return true }
      if repository.commonDir == commonDir, !isLinkedWorktree { return false }
      return try !repository.unsavedWork(&survey, depth: depth - 1, isCancelled).isEmpty
    } catch {
      if error.code == .cancelled { throw error }
      return true
    }
  }
}
