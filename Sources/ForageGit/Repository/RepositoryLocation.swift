import CLibGit2
import ForagePlatform

/// The location of a repository, found by libgit2 as git finds it: upward from a path.
struct RepositoryLocation: Sendable {
  /// The git directory (that of a linked work tree is below `worktrees/`), without symbolic links.
  let gitDir: String
  /// The common git directory; equal to `gitDir` unless this is a linked work tree.
  let commonDir: String
  /// The folder that contains `.git`; nil if the search began in the git directory itself.
  ///
  /// libgit2 does not tell it (still so in 1.9): its work tree is one that the configuration may have moved,
  /// and that of a git directory that was named directly is its parent.
  let worktree: String?
  /// The `.git` file that names the git directory, if it is a file.
  let gitFile: String?
  /// The folder that the clone is known by: that with `.git`, or with `.jj` if Jujutsu keeps the repository;
  /// else the git directory. Also if the search began in the git directory, and if `core.worktree` names
  /// another folder.
  let root: String

  /// Whether only Jujutsu knows which files belong to the repository.
  var isOfJujutsu: Bool { worktree == nil && root != gitDir && FileAccess.entry(root + "/.git") == nil }

  var objects: String { commonDir + "/objects" }
  /// The path that libgit2 opens: the folder of the work tree, or the git directory.
  var openPath: String { worktree ?? gitDir }

  /// Searches `path` and the folders above it on the same file system.
  ///
  /// - Throws: `notFound` if `path` does not exist, `permission`, `notARepository`.
  static func find(
    from path: String, environment: GitEnvironment
  ) throws(GitError) -> RepositoryLocation {
    let real = FileAccess.realPath(path)
    guard let start = real, FileAccess.entry(start) != nil else {
      if errno == EACCES { throw FileAccess.denied(path) }
      let name = real ?? path
      // Bytes that are not UTF-8 are replaced in the text of a path.
      if name.unicodeScalars.contains("\u{FFFD}") {
        throw GitError(
          .notFound, "\(name) does not exist, or its name is not UTF-8",
          hint: "check the path, or rename the folder")
      }
      throw GitError(.notFound, "\(path) does not exist", hint: "check the path")
    }
    if let found = try RepositoryLocation(searchingFrom: start, ceilings: environment.ceilings) {
      return found
    }
    // libgit2 passes over what it may not read.
    if let closed = folders(from: start).first(where: { FileAccess.isClosed($0 + "/.git/HEAD") }) {
      throw FileAccess.denied(FileAccess.isClosed(closed + "/.git") ? closed : closed + "/.git")
    }
    if let folder = folders(from: start).first(where: CloneProbe.hasGit) {
      throw CloneProbe.problem(at: folder)
    }
    throw GitError(
      .notARepository, "\(path) is not in a Git repository",
      hint: "name a folder made by `git clone` or `git init`")
  }

  /// Returns the repository of exactly this folder; nil if it is none.
  ///
  /// - Throws: `notARepository` if a `.git` file leads to no repository, `corrupt` if it has no such form.
  static func at(_ directory: String) throws(GitError) -> RepositoryLocation? {
    let found = try RepositoryLocation(searchingFrom: directory, ceilings: [FileAccess.parent(of: directory)])
    // A ceiling with a colon is none.
    guard let found, found.root == directory || found.gitDir == FileAccess.realPath(directory) else {
      return nil
    }
    return found
  }

  private init?(searchingFrom start: String, ceilings: [String]) throws(GitError) {
    let discovered = try Self.discover(start, ceilings: ceilings)
    let jujutsu = Self.jujutsuFolder(from: start, nearerThan: discovered, ceilings: ceilings)
    guard let found = jujutsu?.store ?? discovered else { return nil }
    let gitDir = FileAccess.realPath(found) ?? found
    // As gitrepository-layout(5) has it: newer versions of libgit2 open no repository of a format that they
    // do not know.
    let common = try FileAccess.line(gitDir + "/commondir").map { FileAccess.join(gitDir, $0) }
    commonDir = common.flatMap(FileAccess.realPath) ?? gitDir
    self.gitDir = gitDir
    // libgit2 takes the first folder with a `.git` file, or fails there.
    let worktree =
      jujutsu != nil || FileAccess.isInside(start, gitDir)
      ? nil
      : Self.folders(from: start).first {
        FileAccess.isFile($0 + "/.git") || FileAccess.realPath($0 + "/.git") == gitDir
      }
    self.worktree = worktree
    gitFile = worktree.flatMap { FileAccess.isFile($0 + "/.git") ? $0 + "/.git" : nil }
    root = jujutsu?.folder ?? worktree ?? CloneProbe.owner(ofGitDir: gitDir) ?? gitDir
  }

  /// Returns the innermost folder with a repository that only Jujutsu knows; nil if one that git knows is
  /// nearer.
  private static func jujutsuFolder(
    from start: String, nearerThan discovered: String?, ceilings: [String]
  ) -> (folder: String, store: String)? {
    let gitDir = discovered.flatMap { FileAccess.realPath($0) }
    for folder in folders(from: start) where !ceilings.contains(folder) || folder == start {
      if folder == gitDir || FileAccess.entry(folder + "/.git") != nil { return nil }
      if let store = CloneProbe.jujutsuStore(of: folder) { return (folder, store) }
      if ceilings.contains(FileAccess.parent(of: folder)) { return nil }
    }
    return nil
  }

  /// Returns an absolute path and the folders above it, innermost first.
  static func folders(from path: String) -> some Sequence<String> {
    sequence(first: path) { $0 == "/" ? nil : FileAccess.parent(of: $0) }
  }

  /// Returns the git directory that libgit2 finds; nil if there is none.
  ///
  /// - Parameter ceilings: absolute paths at which the search ends.
  private static func discover(_ path: String, ceilings: [String]) throws(GitError) -> String? {
    try LibGit2.start()
    var found = git_buf()
    defer { git_buf_dispose(&found) }
    let status = git_repository_discover(&found, path, 0, ceilings.joined(separator: ":"))
    if status == 0, let text = found.ptr { return String(cString: text) }
    let kind = git_error_last()?.pointee.klass
    if status == GIT_ENOTFOUND.rawValue, kind == Int32(GIT_ERROR_REPOSITORY.rawValue) { return nil }
    let error = LibGit2.error(status, "\(path) is not a Git repository")
    guard let folder = folders(from: path).first(where: { FileAccess.isFile($0 + "/.git") }) else {
      throw error
    }
    throw CloneProbe.problem(at: folder)
  }
}

extension RepositoryLocation {
  /// Returns the root of the work tree without symbolic links (nil if bare), and whether it is a linked work
  /// tree.
  ///
  /// - Throws: `notFound` if `core.worktree` is not a folder.
  func worktreeRoot(_ format: RepositoryFormat) throws(GitError) -> (path: String?, isLinked: Bool) {
    if isOfJujutsu { return (nil, false) }
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
          hint: CloneProbe.mountHint(FileAccess.join(gitDir, named))
            ?? "make that folder again, or correct core.worktree in \(commonDir)/config")
      }
      return (root, false)
    }
    if let worktree { return (worktree, false) }
    // For a git directory that was named directly, the work tree is its parent if it is called `.git`.
    let isUsual = format.isBare == false && FileAccess.name(of: gitDir) == ".git"
    return (isUsual ? FileAccess.parent(of: gitDir) : nil, false)
  }
}

/// The check that git makes before it trusts a repository's configuration (git's `ensure_valid_ownership`).
///
/// libgit2 does not know `/folder/*` (still so in 1.9). Before version 1.6 it does not know `*` either, and
/// says that a setting is missing where a repository is not safe.
enum OwnershipCheck {
  /// Throws `notOwned` if a part belongs to another user and `safe.directory` does not allow the repository.
  static func run(_ location: RepositoryLocation, environment: GitEnvironment) throws(GitError) {
    let parts = [location.gitFile, location.worktree, location.gitDir].compactMap { $0 }
    guard let foreign = parts.first(where: { !isOwned($0, environment) }) else { return }
    let path = location.worktree ?? location.gitDir
    let values = try ConfigFiles(environment).values().strings("safe.directory")
    if allows(values, path: path, environment: environment) { return }
    throw GitError(
      .notOwned, "\(foreign) belongs to another user, and \(path) is not a safe.directory",
      hint: "if you trust it, run `git config --global --add safe.directory \(path.shellQuoted)`")
  }

  /// Whether `safe.directory` values allow a path: a match allows it, and an empty value resets the list.
  static func allows(_ values: [String], path: String, environment: GitEnvironment) -> Bool {
    var safe = false
    for value in values {
      if value.isEmpty {
        safe = false
      } else if value == "*" {
        safe = true
      } else if value.hasSuffix("/*") {
        let directory = resolved(String(value.dropLast(2)), environment)
        if path.hasPrefix(directory == "/" ? "/" : directory + "/") { safe = true }
      } else if resolved(value, environment) == path {
        safe = true
      }
    }
    return safe
  }

  private static func resolved(_ value: String, _ environment: GitEnvironment) -> String {
    let path = environment.expand(value)
    return FileAccess.realPath(path) ?? path
  }

  private static func isOwned(_ path: String, _ environment: GitEnvironment) -> Bool {
    guard let owner = FileAccess.entry(path, follow: false)?.owner else { return false }
    if owner == environment.effectiveUserID { return true }
    // Under sudo, root also owns what the calling user owns.
    return environment.effectiveUserID == 0 && owner == environment.sudoUserID
  }
}

/// The format of a repository: its version and extensions, validated here because libgit2 accepts or refuses
/// an extension by its name alone, and not by its value (in 1.9 still so, but for `objectFormat`).
struct RepositoryFormat: Sendable {
  /// The newest `core.repositoryFormatVersion` that git defines.
  private static let newestVersion = 1
  /// Extensions that do not affect how references and objects are read here.
  private static let harmless: Set<String> = [
    "noop", "noop-v1", "worktreeconfig", "partialclone", "preciousobjects", "relativeworktrees",
  ]

  /// The algorithm of the ids, as git spells it; objects can be read only with `sha1`.
  let objectFormat: String
  let hasWorktreeConfig: Bool
  /// The promisor remote of a partial clone.
  let partialClone: String?
  /// `core.bare` in the repository's own files; git ignores that of the system and the user.
  let isBare: Bool?
  /// `core.worktree` in the repository's own files.
  let worktree: String?

  /// Reads the format from the repository's own configuration file without includes (git's
  /// `check_repository_format_gently`).
  ///
  /// An object format that cannot be read is no error here: see ``objectProblem``.
  ///
  /// - Throws: `unsupportedExtension`, `corrupt` for an invalid configuration line and where the file is a
  ///   folder.
  init(gitDir: String, commonDir: String) throws(GitError) {
    let path = commonDir + "/config"
    if let kind = FileAccess.entry(path)?.kind, kind != .file {
      throw GitError(
        .corrupt, "\(path) is not a file", hint: "move it away and run `git init` in the repository")
    }
    let file = try GitConfig.file(path)
    let version = file.string("core.repositoryformatversion").flatMap { Int($0) } ?? 0
    guard version <= Self.newestVersion else {
      throw Self.unsupported(
        "the repository has format version \(version), and the newest supported is \(Self.newestVersion)")
    }
    var objectFormat = "sha1"
    for entry in file.entries where entry.key.hasPrefix("extensions.") {
      let name = String(entry.key.dropFirst("extensions.".count))
      let value = (entry.value ?? "").lowercased()
      switch name {
      case "objectformat" where value == "sha1" || value == "sha256": objectFormat = value
      case "objectformat":
        throw Self.unsupported("the repository uses the unknown object format \(value)")
      case "refstorage" where value != "files":
        throw Self.unsupported(
          "the repository uses the reference storage \(value), which is not supported")
      case "refstorage": break
      case _ where Self.harmless.contains(name) || version == 0: break
      default: throw Self.unsupported("the repository uses the unknown extension \(name)")
      }
    }
    self.objectFormat = objectFormat
    hasWorktreeConfig = file.bool("extensions.worktreeconfig") ?? false
    partialClone = file.string("extensions.partialclone")
    var config = file
    if hasWorktreeConfig {
      config = GitConfig(entries: file.entries + (try GitConfig.file(gitDir + "/config.worktree")).entries)
    }
    isBare = config.bool("core.bare")
    worktree = config.string("core.worktree")
  }

  /// Why objects cannot be read; nil if they can.
  var objectProblem: GitError? {
    if objectFormat == "sha1" { return nil }
    return Self.unsupported(
      "the repository uses the object format \(objectFormat), and objects can be read only with SHA-1")
  }

  private static func unsupported(_ message: String) -> GitError {
    GitError(.unsupportedExtension, message, hint: "use git itself for this repository")
  }
}
