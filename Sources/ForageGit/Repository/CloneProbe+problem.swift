/// Why a clone cannot be read, and what to do about it.
extension CloneProbe {
  /// Where disks are mounted that are not always there.
  private static let mountFolders = ["/media", "/mnt", "/run/media", "/Volumes"]
  /// Those of them with a folder for each user.
  private static let mountFoldersOfUsers = ["/media", "/run/media"]

  /// Says what to do about a folder that is on a disk that is not mounted; nil if there is no sign of that.
  ///
  /// - Parameters:
  ///   - path: The absolute path of a folder that does not exist.
  ///   - isEmptySign: Whether an empty folder above it is a sign: of a clone that was deleted it is none.
  package static func mountHint(_ path: String, isEmptySign: Bool = true) -> String? {
    let above = RepositoryLocation.folders(from: path).first(where: FileAccess.isDirectory) ?? "/"
    let isMountFolder =
      mountFolders.contains(above) || mountFoldersOfUsers.contains(FileAccess.parent(of: above))
    let mayBeMountPoint = isEmptySign || mountFolders.contains(FileAccess.parent(of: above))
    let isEmpty = FileAccess.canList(above) && FileAccess.names(in: above).isEmpty
    return isMountFolder || mayBeMountPoint && isEmpty ? "mount the disk that has \(path)" : nil
  }

  /// Why git sees no repository in a folder with a `.git`.
  package static func problem(at folder: String) -> GitError {
    let file = folder + "/.git"
    let link = FileAccess.linkTarget(Array(file.utf8)).map { String(decoding: $0, as: UTF8.self) }
    guard let target = gitFileTarget(Array(file.utf8)) ?? link.map({ FileAccess.join(folder, $0) }) else {
      return FileAccess.isFile(file)
        ? GitError(
          .corrupt, "\(file) does not name a git directory",
          hint: "write the line \"gitdir: PATH\", or clone again")
        : GitError(
          .notARepository, "\(folder) has a .git that is no repository", hint: "remove it, or clone again")
    }
    guard FileAccess.entry(target) == nil else {
      return GitError(
        .notARepository, "\(file) leads to \(target), which is no git directory",
        hint: "write the path of the git directory there, or clone again")
    }
    var problem = GitError(
      .notARepository, "\(file) leads to \(target), which does not exist",
      hint: "write the path of the git directory there, or clone again")
    if let hint = mountHint(target) {
      problem.hint = hint
    } else if let worktrees = range(of: "/worktrees/", in: target) {
      let main = FileAccess.realPath(String(target[..<worktrees])) ?? String(target[..<worktrees])
      let clone = main.hasSuffix("/.git") ? String(main.dropLast("/.git".count)) : main
      problem.message = "\(folder) is a linked work tree of \(clone), "
      if FileAccess.isDirectory(main) {
        problem.message += "which has no record of it"
        problem.hint = "move it away, and make it again with `git -C \(clone) worktree add \(folder)`"
      } else {
        problem.message += "which does not exist"
        problem.hint = "if that was moved, run `git worktree repair \(folder)` in its new place"
      }
    } else if range(of: "/modules/", in: target) != nil {
      problem.hint = "run `git submodule update --init` in the clone around it"
    }
    return problem
  }

  /// What to do about a clone that cannot be read, or not completely; nil if nothing but damage is known.
  package static func advice(_ path: String) -> String? {
    do throws(GitError) {
      let repository = try GitRepository.open(path)
      guard repository.root == path else { return problem(at: path).hint }
      if let problem = repository.objectProblem { return problem.hint }
      if let objects = repository.brokenAlternates().first {
        return mountHint(objects) ?? "it borrows objects from \(objects): move these back, or clone it again"
      }
      if repository.isPartialClone {
        return
          "run `git fetch --refetch --no-filter` in it to get the objects that a partial clone leaves with its remote"
      }
      return nil
    } catch {
      return error.hint.isEmpty ? nil : error.hint
    }
  }

  /// Where the last of some texts is.
  private static func range(of text: String, in path: String) -> String.Index? {
    path.ranges(of: text).last?.lowerBound
  }
}
