import ForagePlatform

/// Recognises clones, and changes to them, by file names and metadata alone.
///
/// Not through libgit2, because a scan of many thousand folders opens none that it need not open.
package enum CloneProbe {
  /// Folders in which other tools than git keep repositories that are no clones of the user.
  package static let toolFolders: Set<String> = [".git", ".hg", ".jj", ".repo", ".sl", ".svn"]

  /// Whether a folder is the root of a work tree, of git or of Jujutsu, or a bare repository.
  package static func isClone(_ path: String) -> Bool {
    hasGit(path) || looksBare(path) || FileAccess.entry(path + "/.jj/repo") != nil
  }

  /// Whether a folder has a `.git` of any kind, also one that leads nowhere.
  package static func hasGit(_ path: String) -> Bool {
    let kind = FileAccess.entry(path + "/.git", follow: false)?.kind
    return kind == .file || kind == .directory || kind == .symlink
  }

  /// Whether a folder has what a git directory needs.
  package static func looksBare(_ path: String) -> Bool {
    FileAccess.entry(path + "/HEAD", follow: false) != nil && FileAccess.isDirectory(path + "/objects")
      && FileAccess.isDirectory(path + "/refs")
  }

  /// Whether the files in the root of a clone are those of its work tree, and not those of git, as of a bare
  /// clone.
  package static func hasWorktree(_ root: String) -> Bool { hasGit(root) || !looksBare(root) }

  /// The git directory that `.git` in a folder is or leads to, without links; nil if it leads to none.
  static func gitDir(of folder: String) -> String? {
    let path = folder + "/.git"
    return gitFileTarget(Array(path.utf8)).map { FileAccess.realPath($0) } ?? FileAccess.realPath(path)
  }

  /// The path that a `.git` file names, absolute but not resolved; nil if it is no such file.
  static func gitFileTarget(_ file: [UInt8]) -> String? {
    guard let line = (try? FileAccess.line(bytes: file)) ?? nil, line.hasPrefix("gitdir:") else { return nil }
    let target = line.dropFirst("gitdir:".count).drop { $0 == " " }
    return FileAccess.join(FileAccess.parent(of: String(decoding: file, as: UTF8.self)), String(target))
  }

  /// The folder with a `.git` that leads to a git directory, as far as the git directory says which one it
  /// is.
  static func owner(ofGitDir gitDir: String) -> String? {
    // Beside the parent, that of a linked work tree, and that of a submodule.
    let link = (try? FileAccess.line(gitDir + "/gitdir")) ?? nil
    let worktree = (try? GitConfig.file(gitDir + "/config"))?.string("core.worktree")
    let named = [link.map { FileAccess.parent(of: FileAccess.join(gitDir, $0)) }, worktree]
    let folders =
      [FileAccess.parent(of: gitDir)] + named.compactMap { $0.map { FileAccess.join(gitDir, $0) } }
    return folders.first { self.gitDir(of: $0) == gitDir }.flatMap { FileAccess.realPath($0) }
  }

  /// The git directory of a work tree of Jujutsu, without links; nil if it has none.
  static func jujutsuStore(of folder: String) -> String? {
    let jj = folder + "/.jj"
    // In a further workspace it is a file that names the folder of the first one.
    let other = (try? FileAccess.line(jj + "/repo")) ?? nil
    let store = FileAccess.join(jj, other ?? "repo") + "/store"
    guard let target = (try? FileAccess.line(store + "/git_target")) ?? nil, !target.isEmpty else {
      return nil
    }
    return FileAccess.realPath(FileAccess.join(store, target))
  }

  /// Whether a folder is a checked-out submodule whose repository the clone around it keeps.
  package static func isSubmodule(_ path: String) -> Bool {
    let file = path + "/.git"
    guard FileAccess.isFile(file), let gitDir = gitFileTarget(Array(file.utf8)),
      // That of a linked work tree, which a submodule can have, too.
      FileAccess.name(of: FileAccess.parent(of: gitDir)) != "worktrees"
    else { return false }
    // A folder of the user can have the name, too.
    return gitDir.ranges(of: "/modules/").contains { FileAccess.isFile(gitDir[..<$0.lowerBound] + "/HEAD") }
  }

  /// The roots of the linked work trees of a clone that are there, without links; empty for a linked work
  /// tree.
  package static func worktrees(of path: String) -> [String] {
    // An ordinary git directory need not be resolved, because a scan asks for thousands.
    let common =
      switch FileAccess.entry(path + "/.git", follow: false)?.kind {
      case .directory: path + "/.git/worktrees/"
      case nil: path + "/worktrees/"
      default: (gitDir(of: path) ?? path) + "/worktrees/"
      }
    return FileAccess.names(in: common).compactMap { name in
      guard let file = (try? FileAccess.line(common + name + "/gitdir")) ?? nil, !file.isEmpty else {
        return nil
      }
      return FileAccess.realPath(FileAccess.parent(of: FileAccess.join(common + name, file)))
    }
  }

  /// Whether the format of a clone is one that cannot be read, such as that of SHA-256 ids.
  package static func isUnsupported(_ path: String) -> Bool {
    do throws(GitError) {
      guard let location = try RepositoryLocation.at(path) else { return false }
      return try RepositoryFormat(gitDir: location.gitDir, commonDir: location.commonDir).objectProblem != nil
    } catch {
      return error.code == .unsupportedExtension
    }
  }

  /// The folders with objects that a clone needs: its own, unless it is a linked work tree, which goes with
  /// the main one, and those that it and its submodules borrow from. Absolute, without links; empty for what
  /// is no clone.
  package static func objectFolders(_ path: String) -> [String] {
    guard let location = (try? RepositoryLocation.at(path)) ?? nil else {
      // Of a damaged clone at least the list of what it borrows may be there.
      return [path + "/.git/objects", path + "/objects"].flatMap { Alternates(of: $0).found }
    }
    let own =
      location.gitDir == location.commonDir ? [FileAccess.realPath(location.objects) ?? location.objects] : []
    let modules = (try? GitRepository.gitFolders(in: location.gitDir + "/modules")) ?? []
    return own + ([location.objects] + modules.map { $0 + "/objects" }).flatMap { Alternates(of: $0).found }
  }

  /// The root of the clone that contains a folder, which can be the folder itself. Of a git directory it is
  /// the folder with the `.git` that leads to it.
  ///
  /// - Parameter path: An absolute path.
  package static func root(above path: String) -> String? {
    RepositoryLocation.folders(from: path).first(where: isClone).map { root in
      hasGit(root) ? root : FileAccess.realPath(root).flatMap(owner) ?? root
    }
  }

  /// Returns a value that changes with the clone's current commit, branch, remotes, description or shallow
  /// boundary.
  ///
  /// It consists of the sizes, times and inodes of a handful of files. Only two small files are read: the one
  /// that names the git directory of a linked work tree, and `HEAD`.
  package static func fingerprint(_ path: String) -> String {
    // An ordinary clone is not looked up, because a scan asks for thousands.
    let isOrdinary = FileAccess.isDirectory(path + "/.git")
    let location = isOrdinary ? nil : try? RepositoryLocation.at(path)
    let gitDir = location?.gitDir ?? path + "/.git"
    let common = location?.commonDir ?? gitDir
    var files = [
      gitDir + "/HEAD", gitDir + "/logs/HEAD", common + "/config", common + "/packed-refs",
      common + "/description", common + "/shallow", gitDir + "/config.worktree",
    ]
    let head = (try? FileAccess.line(gitDir + "/HEAD")) ?? nil
    if let head, head.hasPrefix("ref: ") { files.append(common + "/" + head.dropFirst(5)) }
    return ([gitDir] + files.map(FileAccess.stamp)).joined(separator: " ")
  }
}

extension GitConfig {
  package static func user(_ environment: GitEnvironment = .current) throws(GitError) -> GitConfig {
    try ConfigFiles(environment).values()
  }
}

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
    let isEmpty = FileAccess.canList(above) && FileAccess.isEmpty(above)
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
        problem.hint =
          "move it away, and make it again with `git -C \(clone.shellQuoted) worktree add \(folder.shellQuoted)`"
      } else {
        problem.message += "which does not exist"
        problem.hint = "if that was moved, run `git worktree repair \(folder.shellQuoted)` in its new place"
      }
    } else if range(of: "/modules/", in: target) != nil {
      problem.hint = "run `git submodule update --init` in the clone around it"
    }
    return problem
  }

  /// The advice about a clone that cannot be read, or not completely; nil if nothing but damage is known.
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
