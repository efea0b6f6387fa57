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
    guard let start = Disk.realPath(path) else {
      if errno == EACCES { throw Disk.denied(path) }
      throw GitError(.notFound, "\(path) does not exist", hint: "check the path")
    }
    var directory = Disk.isDirectory(start) ? start : Disk.parent(of: start)
    let device = Disk.entry(directory)?.device
    let ceilings = Set(environment.ceilings.compactMap { Disk.realPath($0) })
    while true {
      if let found = try at(directory) { return found }
      let parent = Disk.parent(of: directory)
      if parent == directory || ceilings.contains(parent) || Disk.entry(parent)?.device != device { break }
      directory = parent
    }
    throw GitError(
      .notARepository, "\(path) is not in a Git repository",
      hint: "name a folder that was made by `git clone` or `git init`")
  }

  /// The repository of exactly this folder; nil when it is none.
  static func at(_ directory: String) throws(GitError) -> RepositoryLocation? {
    let dotGit = Disk.join(directory, ".git")
    errno = 0
    let entry = Disk.entry(dotGit)
    if entry == nil, errno == EACCES { throw Disk.denied(directory) }
    switch entry?.kind {
    case .file:
      let gitDir = try followGitFile(dotGit, in: directory)
      return RepositoryLocation(
        openPath: directory, gitDir: gitDir, commonDir: try commonDir(of: gitDir), worktree: directory,
        gitFile: dotGit)
    case .directory:
      if try isGitDirectory(dotGit) {
        let gitDir = Disk.realPath(dotGit) ?? dotGit
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
    guard let line = try Disk.line(file), line.hasPrefix(prefix) else {
      throw GitError(.corrupt, "\(file) does not begin with `gitdir:`", hint: "clone the repository again")
    }
    let text = line.dropFirst(prefix.count).drop { $0 == " " }
    guard let target = Disk.realPath(Disk.join(directory, String(text))), try isGitDirectory(target) else {
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
    guard let head = Disk.entry(path + "/HEAD", follow: false) else {
      if errno == EACCES { throw Disk.denied(path) }
      return false
    }
    guard head.kind == .file || head.kind == .symlink else { return false }
    let common = try commonDir(of: path)
    return Disk.isDirectory(common + "/objects") && Disk.isDirectory(common + "/refs")
  }

  private static func commonDir(of gitDir: String) throws(GitError) -> String {
    guard let line = try Disk.line(gitDir + "/commondir"), !line.isEmpty else { return gitDir }
    let path = Disk.join(gitDir, line)
    return Disk.realPath(path) ?? path
  }
}

extension RepositoryLocation {
  /// The work tree's root, without links, and whether `git worktree add` made it; nil when bare.
  ///
  /// - Throws: `notFound` when `core.worktree` names no folder.
  func worktreeRoot(_ format: RepositoryFormat) throws(GitError) -> (path: String?, isLinked: Bool) {
    if gitDir != commonDir, let link = try Disk.line(gitDir + "/gitdir"), !link.isEmpty {
      return (worktree ?? Disk.realPath(Disk.parent(of: Disk.join(gitDir, link))), true)
    }
    if format.isBare == true { return (nil, false) }
    if let named = format.worktree {
      guard !named.isEmpty, let root = Disk.realPath(Disk.join(gitDir, named)), Disk.isDirectory(root) else {
        throw GitError(
          .notFound, "core.worktree names \(named.isEmpty ? "nothing" : named), which is no folder",
          hint: "correct \(commonDir)/config")
      }
      return (root, false)
    }
    if let worktree { return (worktree, false) }
    // Of a git folder that was named itself only the usual name tells where its work tree is.
    let isUsual = format.isBare == false && Disk.name(of: gitDir) == ".git"
    return (isUsual ? Disk.parent(of: gitDir) : nil, false)
  }
}
