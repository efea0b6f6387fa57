#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where a repository is, found as git finds it: upward from a path.
struct RepositoryLocation: Sendable {
  /// What libgit2 is told to open: the work tree's folder, or the git folder itself.
  var openPath: String
  /// The git folder (of a linked work tree: its own below `worktrees/`), without links.
  var gitDir: String
  /// The folder with what all work trees share; equal to `gitDir` without linked work trees.
  var commonDir: String
  /// The folder that holds `.git`; nil when the git folder itself was found.
  var worktree: String?
  /// The `.git` file that named the git folder, when it was one.
  var gitFile: String?

  /// The folder of the object database.
  var objects: String { commonDir + "/objects" }

  /// Searches `path` and the folders above it on the same file system.
  ///
  /// - Throws: `notFound` when `path` does not exist, `permission`, `notARepository`.
  static func find(
    from path: String, environment: GitEnvironment
  ) throws(GitError) -> RepositoryLocation {
    guard let start = FileAccess.realPath(path) else {
      if errno == EACCES { throw FileAccess.denied(path) }
      throw GitError(.notFound, "\(path) does not exist", hint: "check the path")
    }
    var directory = FileAccess.isDirectory(start) ? start : FileAccess.parent(of: start)
    let device = FileAccess.entry(directory)?.device
    let ceilings = Set(environment.ceilings.compactMap { FileAccess.realPath($0) })
    while true {
      if let found = try at(directory) { return found }
      let parent = FileAccess.parent(of: directory)
      if parent == directory || ceilings.contains(parent) || FileAccess.entry(parent)?.device != device { break }
      directory = parent
    }
    throw GitError(
      .notARepository, "\(path) is not in a Git repository",
      hint: "name a folder that was made by `git clone` or `git init`")
  }

  /// The repository of exactly this folder; nil when it is none.
  static func at(_ directory: String) throws(GitError) -> RepositoryLocation? {
    let dotGit = FileAccess.join(directory, ".git")
    errno = 0
    let entry = FileAccess.entry(dotGit)
    if entry == nil, errno == EACCES { throw FileAccess.denied(directory) }
    switch entry?.kind {
    case .file:
      let gitDir = try followGitFile(dotGit, in: directory)
      return RepositoryLocation(
        openPath: directory, gitDir: gitDir, commonDir: try commonDir(of: gitDir), worktree: directory,
        gitFile: dotGit)
    case .directory:
      if try isGitDirectory(dotGit) {
        let gitDir = FileAccess.realPath(dotGit) ?? dotGit
        return RepositoryLocation(
          openPath: directory, gitDir: gitDir, commonDir: try commonDir(of: gitDir), worktree: directory)
      }
    default: break
    }
    guard try isGitDirectory(directory) else { return nil }
    return RepositoryLocation(
      openPath: directory, gitDir: directory, commonDir: try commonDir(of: directory))
  }

  /// Reads `gitdir: PATH`.
  private static func followGitFile(_ file: String, in directory: String) throws(GitError) -> String {
    let prefix = "gitdir:"
    guard let line = try FileAccess.line(file), line.hasPrefix(prefix) else {
      throw GitError(.corrupt, "\(file) does not begin with `gitdir:`", hint: "clone the repository again")
    }
    let text = line.dropFirst(prefix.count).drop { $0 == " " }
    guard let target = FileAccess.realPath(FileAccess.join(directory, String(text))), try isGitDirectory(target) else {
      throw GitError(
        .notARepository, "\(file) points to \(text), where no repository is",
        hint: "run `git worktree repair` in the main work tree, or clone again")
    }
    return target
  }

  /// Whether a folder has what a git folder needs: `HEAD`, and `objects` and `refs` (its own or the shared
  /// ones).
  ///
  /// What `HEAD` holds is not looked at, so that a repository with a damaged `HEAD` can be told from none.
  static func isGitDirectory(_ path: String) throws(GitError) -> Bool {
    errno = 0
    guard let head = FileAccess.entry(path + "/HEAD", follow: false) else {
      if errno == EACCES { throw FileAccess.denied(path) }
      return false
    }
    guard head.kind == .file || head.kind == .symlink else { return false }
    let common = try commonDir(of: path)
    return FileAccess.isDirectory(common + "/objects") && FileAccess.isDirectory(common + "/refs")
  }

  private static func commonDir(of gitDir: String) throws(GitError) -> String {
    guard let line = try FileAccess.line(gitDir + "/commondir"), !line.isEmpty else { return gitDir }
    let path = FileAccess.join(gitDir, line)
    return FileAccess.realPath(path) ?? path
  }
}

extension RepositoryLocation {
  /// The work tree's root, without links, and whether `git worktree add` made it; nil when bare.
  ///
  /// - Throws: `notFound` when `core.worktree` names no folder.
  func worktreeRoot(_ format: RepositoryFormat) throws(GitError) -> (path: String?, isLinked: Bool) {
    if gitDir != commonDir, let link = try FileAccess.line(gitDir + "/gitdir"), !link.isEmpty {
      return (worktree ?? FileAccess.realPath(FileAccess.parent(of: FileAccess.join(gitDir, link))), true)
    }
    if format.isBare == true { return (nil, false) }
    if let named = format.worktree {
      guard !named.isEmpty, let root = FileAccess.realPath(FileAccess.join(gitDir, named)), FileAccess.isDirectory(root) else {
        throw GitError(
          .notFound, "core.worktree names \(named.isEmpty ? "nothing" : named), which is no folder",
          hint: "correct \(commonDir)/config")
      }
      return (root, false)
    }
    if let worktree { return (worktree, false) }
    // Of a git folder that was named itself only the usual name tells where its work tree is.
    let isUsual = format.isBare == false && FileAccess.name(of: gitDir) == ".git"
    return (isUsual ? FileAccess.parent(of: gitDir) : nil, false)
  }
}
