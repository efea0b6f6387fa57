import ForagePlatform

/// The location of a repository, found as git finds it: upward from a path.
struct RepositoryLocation: Sendable {
  /// The path that libgit2 opens: the folder of the work tree, or the git directory.
  var openPath: String
  /// The git directory (that of a linked work tree is below `worktrees/`), without symbolic links.
  var gitDir: String
  /// The common git directory; equal to `gitDir` unless this is a linked work tree.
  var commonDir: String
  /// The folder that contains `.git`; nil if the search found the git directory itself.
  var worktree: String?
  /// The `.git` file that names the git directory, if it is a file.
  var gitFile: String?

  /// The object database.
  var objects: String { commonDir + "/objects" }

  /// Searches `path` and the folders above it on the same file system.
  ///
  /// - Throws: `notFound` if `path` does not exist, `permission`, `notARepository`.
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
      if parent == directory || ceilings.contains(parent) || FileAccess.entry(parent)?.device != device {
        break
      }
      directory = parent
    }
    throw GitError(
      .notARepository, "\(path) is not in a Git repository",
      hint: "name a folder made by `git clone` or `git init`")
  }

  /// Returns the repository of exactly this folder; nil if it is none.
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

  /// Resolves a `.git` file: `gitdir: PATH`.
  private static func followGitFile(_ file: String, in directory: String) throws(GitError) -> String {
    let prefix = "gitdir:"
    guard let line = try FileAccess.line(file), line.hasPrefix(prefix) else {
      throw GitError(.corrupt, "\(file) does not begin with `gitdir:`", hint: "clone the repository again")
    }
    let text = line.dropFirst(prefix.count).drop { $0 == " " }
    guard let target = FileAccess.realPath(FileAccess.join(directory, String(text))),
      try isGitDirectory(target)
    else {
      throw GitError(
        .notARepository, "\(file) points to \(text), which is not a repository",
        hint: "run `git worktree repair` in the main work tree, or clone again")
    }
    return target
  }

  /// Whether a folder has the parts of a git directory: `HEAD`, `objects` and `refs` (its own or the common
  /// ones).
  ///
  /// The content of `HEAD` is not checked, so that a repository with a damaged `HEAD` is recognised.
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
  /// Returns the root of the work tree without symbolic links (nil if bare), and whether it is a linked work
  /// tree.
  ///
  /// - Throws: `notFound` if `core.worktree` is not a folder.
  func worktreeRoot(_ format: RepositoryFormat) throws(GitError) -> (path: String?, isLinked: Bool) {
    if gitDir != commonDir, let link = try FileAccess.line(gitDir + "/gitdir"), !link.isEmpty {
      return (worktree ?? FileAccess.realPath(FileAccess.parent(of: FileAccess.join(gitDir, link))), true)
    }
    if format.isBare == true { return (nil, false) }
    if let named = format.worktree {
      guard !named.isEmpty, let root = FileAccess.realPath(FileAccess.join(gitDir, named)),
        FileAccess.isDirectory(root)
      else {
        throw GitError(
          .notFound,
          named.isEmpty ? "core.worktree is empty" : "core.worktree is \(named), which is not a folder",
          hint: "correct \(commonDir)/config")
      }
      return (root, false)
    }
    if let worktree { return (worktree, false) }
    // For a git directory that was named directly, the work tree is its parent if it is called `.git`.
    let isUsual = format.isBare == false && FileAccess.name(of: gitDir) == ".git"
    return (isUsual ? FileAccess.parent(of: gitDir) : nil, false)
  }
}
