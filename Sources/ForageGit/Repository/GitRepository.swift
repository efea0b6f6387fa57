import ForagePlatform

/// An open local repository, read-only.
///
/// Not `Sendable`: another thread creates its own handle with ``reopening``.
///
/// What takes a closure `isCancelled` polls it regularly, on the calling thread, and throws `cancelled` once
/// it returns true. `depth` is the levels of submodules that may still follow, `budget` the number of
/// repositories that may still be opened. Only tests pass other `limits` than the standard ones.
package final class GitRepository {
  private struct Shared: Sendable {
    let location: RepositoryLocation
    let format: RepositoryFormat
    let environment: GitEnvironment
    let files: ConfigFiles
    let config: GitConfig
    let worktree: String?
    let isLinkedWorktree: Bool
    let refs: RefStore
    let shallow: Set<ObjectID>
    let objects: ObjectFolders
  }

  private let shared: Shared
  private lazy var openedLibrary = Result { () throws(GitError) in
    try LibGit2Repository(shared.location, shared.files)
  }
  private var openedObjects: Result<ObjectStore, GitError>?

  /// Opens the repository at a path or above it.
  ///
  /// Only the path decides: `GIT_DIR`, `GIT_WORK_TREE`, `GIT_INDEX_FILE`, `GIT_OBJECT_DIRECTORY` and similar
  /// variables are ignored. `core.worktree` applies.
  ///
  /// - Parameters:
  ///   - path: any file or folder in the work tree, or a git directory.
  ///   - loadsReferences: whether to read all references now; otherwise ``RefStore/load()`` throws if they
  ///     are damaged.
  package static func open(
    _ path: String, environment: GitEnvironment = .current, loadsReferences: Bool = true
  ) throws(GitError) -> GitRepository {
    let location = try RepositoryLocation.find(from: path, environment: environment)
    try OwnershipCheck.run(location, environment: environment)
    let format = try RepositoryFormat(gitDir: location.gitDir, commonDir: location.commonDir)
    let files = ConfigFiles(
      environment, local: location.commonDir + "/config",
      worktree: format.hasWorktreeConfig ? location.gitDir + "/config.worktree" : nil)
    let handle: RepositoryHandle
    do { handle = try RepositoryHandle(location.gitDir) } catch { throw format.objectProblem ?? error }
    let config = try withExtendedLifetime(handle) { () throws(GitError) in
      try files.values(repository: handle.pointer)
    }
    let refs = try RefStore(
      gitDir: location.gitDir, commonDir: location.commonDir, problem: format.objectProblem)
    if loadsReferences, format.objectProblem == nil { try refs.load() }
    let (worktree, isLinked) = try location.worktreeRoot(format)
    let shared = Shared(
      location: location, format: format, environment: environment, files: files, config: config,
      worktree: worktree, isLinkedWorktree: isLinked, refs: refs,
      shallow: try readShallow(location.commonDir), objects: ObjectFolders(location.objects))
    return GitRepository(shared)
  }

  private init(_ shared: Shared) { self.shared = shared }

  /// Creates another handle on the same repository, on any thread.
  package var reopening: @Sendable () -> GitRepository {
    let shared = shared
    return { GitRepository(shared) }
  }

  /// Returns libgit2's handles; opens them on first use.
  func library() throws(GitError) -> LibGit2Repository { try openedLibrary.get() }

  /// Returns the object database; opens it on first use.
  func objects() throws(GitError) -> ObjectStore {
    if let openedObjects { return try openedObjects.get() }
    let opened = Result { () throws(GitError) in
      try checkObjects()
      return try ObjectStore(shared.objects, replacements: replacements())
    }
    openedObjects = opened
    return try opened.get()
  }

  /// Frees what reading objects has mapped and cached. The next one that is read opens the database again.
  package func closeObjects() { openedObjects = nil }

  private static func readShallow(_ commonDir: String) throws(GitError) -> Set<ObjectID> {
    guard let bytes = try FileAccess.read(commonDir + "/shallow", limit: lineFileLimit) else { return [] }
    let ids = bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      line.withUnsafeBytes { ObjectID(hex: $0) }
    }
    return Set(ids)
  }
}

extension GitRepository {
  /// The git directory, absolute and without symbolic links; that of a linked work tree is below
  /// `worktrees/`.
  package var gitDir: String { shared.location.gitDir }
  package var commonDir: String { shared.location.commonDir }
  /// The folder with the objects, absolute.
  package var objectsFolder: String { shared.location.objects }
  var location: RepositoryLocation { shared.location }
  var format: RepositoryFormat { shared.format }
  /// The folder that the clone is known by, absolute; that with `.git`, or the git directory. Unlike
  /// ``worktree`` it is there also if the repository is bare, and `core.worktree` does not move it.
  package var root: String { shared.location.root }
  /// The root of the work tree, absolute and without symbolic links; nil if bare.
  package var worktree: String? { shared.worktree }
  package var isBare: Bool { worktree == nil }
  /// Whether this is a linked work tree (`git worktree add`).
  package var isLinkedWorktree: Bool { shared.isLinkedWorktree }
  package var config: GitConfig { shared.config }
  package var refs: RefStore { shared.refs }
  /// The shallow boundary: commits whose parents are absent.
  package var shallow: Set<ObjectID> { shared.shallow }
  var objectFolders: ObjectFolders { shared.objects }
  var environment: GitEnvironment { shared.environment }

  /// Why objects cannot be read, as with SHA-256 ids; nil if they can. References have only names then.
  package var objectProblem: GitError? { shared.format.objectProblem }

  func checkObjects() throws(GitError) {
    if let objectProblem { throw objectProblem }
  }

  /// The promisor remote of a partial clone, if the format names one.
  package var partialCloneRemote: String? { shared.format.partialClone }

  func expandHome(_ path: String) -> String { environment.expand(path) }
}

package struct LinkedWorktree: Sendable, Hashable {
  package let path: String
  /// The short name of the branch; nil if detached.
  package let branch: String?
}

extension GitRepository {
  /// The size limit of the stash's reflog and of `shallow` (64 MiB): some hundred thousand stashes, or 1.6
  /// million commits at a shallow boundary.
  static let lineFileLimit = 64 << 20

  /// Counts the stashes: the entries in the reflog of `refs/stash`, as `git stash list` shows them.
  package func stashCount() throws(GitError) -> Int {
    guard try has("refs/stash") else { return 0 }
    let path = commonDir + "/logs/refs/stash"
    guard let bytes = try FileAccess.read(path, limit: Self.lineFileLimit) else { return 0 }
    let lineEnd = UInt8(ascii: "\n")
    let isOpen = bytes.last.map { $0 != lineEnd } ?? false
    return bytes.count { $0 == lineEnd } + (isOpen ? 1 : 0)
  }

  private func has(_ name: ReferenceName) throws(GitError) -> Bool {
    try objectProblem == nil ? refs[name: name] != nil : refs.names().contains { $0.name == name }
  }

  /// Returns the linked work trees, ordered by the name of their folder below `worktrees`.
  package func linkedWorktrees() -> [LinkedWorktree] {
    FileAccess.names(in: commonDir + "/worktrees").compactMap { name in
      let own = commonDir + "/worktrees/" + name
      guard let line = try? FileAccess.line(own + "/gitdir"), !line.isEmpty else { return nil }
      var path = FileAccess.join(own, line)
      if path.hasSuffix("/.git") { path.removeLast("/.git".count) }
      let head = try? FileAccess.line(own + "/HEAD")
      let prefix = "ref: refs/heads/"
      let branch = head.flatMap { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : nil }
      return LinkedWorktree(path: FileAccess.realPath(path) ?? path, branch: branch)
    }
  }

  /// The time of the last `git fetch` or `git pull`, in seconds since 1970: the modification time of
  /// `FETCH_HEAD`. Each work tree has its own file; the later one of a linked and the main work tree counts.
  ///
  /// Nil if there was none: `git clone` does not write the file.
  package var lastFetchAt: Int64? {
    Set([gitDir, commonDir]).compactMap { folder in
      let entry = FileAccess.entry(folder + "/FETCH_HEAD")
      return entry?.kind == .file ? entry?.modifiedAt : nil
    }.max()
  }

  package var hasCommitGraph: Bool {
    FileAccess.isFile(commonDir + "/objects/info/commit-graph")
      || FileAccess.isFile(commonDir + "/objects/info/commit-graphs/commit-graph-chain")
  }

  /// Whether objects may be missing because a promisor remote has them.
  package var isPartialClone: Bool {
    if partialCloneRemote != nil { return true }
    return config.subsections(of: "remote").contains { config.bool("remote.\($0).promisor") == true }
  }

  /// A name and an e-mail address, as far as they are known.
  package typealias Identity = (name: String?, email: String?)

  /// Whom the configuration makes the author of commits: `author.name` or `user.name`, likewise the address.
  package var author: Identity { identity("author") }

  /// The same for the committer.
  package var committer: Identity { identity("committer") }

  private func identity(_ section: String) -> Identity {
    func value(_ key: String) -> String? {
      config.string("\(section).\(key)") ?? config.string("user.\(key)")
    }
    return (value("name"), value("email"))
  }

  /// The command that git runs for ssh, if one is configured.
  package var sshCommand: String? { config.string("core.sshcommand") }

  package var isSparseCheckout: Bool { config.bool("core.sparsecheckout") == true }

  /// Whether `info/grafts` changes the history that git shows; such grafts are not applied here.
  package var hasGrafts: Bool { FileAccess.isFile(commonDir + "/info/grafts") }

  /// The short name of the remote's default branch, as far as this clone knows it: the target of
  /// `refs/remotes/<remote>/HEAD`, if there is that branch.
  ///
  /// The remote is `origin`, or else that of the current branch, or else the only one. In a bare repository
  /// and one without remotes it is the branch of `HEAD`, unless there are only other branches.
  package var defaultBranch: String? {
    let remotes = config.subsections(of: "remote")
    var candidates = remotes.contains("origin") ? ["origin"] : []
    if let branch = refs.head.branch, let followed = config.string("branch.\(branch).remote") {
      candidates.append(followed)
    }
    if remotes.count == 1 { candidates += remotes }
    for remote in candidates {
      if let branch = remoteHead(remote) { return branch }
    }
    guard isBare || remotes.isEmpty, let branch = refs.head.branch else { return nil }
    let branches = ((try? refs.names()) ?? []).compactMap { $0.name.text(after: "refs/heads/") }
    return branches.isEmpty || branches.contains(branch) ? branch : nil
  }

  private func remoteHead(_ remote: String) -> String? {
    // The name is from a configuration file and must not lead to another folder.
    let parts = remote.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else { return nil }
    let folder = "refs/remotes/\(remote)/"
    let head = (try? FileAccess.line(commonDir + "/" + folder + "HEAD")) ?? nil
    guard let head, head.hasPrefix("ref:") else { return nil }
    let target = head.dropFirst("ref:".count).drop { $0 == " " || $0 == "\t" }
    guard target.hasPrefix(folder), target.utf8.count > folder.utf8.count,
      (try? has(ReferenceName(String(target)))) == true
    else { return nil }
    return String(target.dropFirst(folder.count))
  }

  /// Whether a commit has a signature; the signature is not verified.
  package func isSigned(_ id: ObjectID) throws(GitError) -> Bool {
    let object = try objects().object(id)
    return object.withBytes { bytes in
      var lines = HeaderLines(bytes)
      while let line = lines.next() {
        if line.key == "gpgsig" || line.key == "gpgsig-sha256" { return true }
      }
      return false
    }
  }
}

extension GitRepository {
  /// The hooks that git runs (githooks(5)), sorted.
  private static let hookNames = [
    "applypatch-msg", "commit-msg", "p4-changelist", "p4-post-changelist", "p4-pre-submit",
    "p4-prepare-changelist", "post-applypatch", "post-checkout", "post-commit", "post-index-change",
    "post-merge", "post-receive", "post-rewrite", "post-update", "pre-applypatch", "pre-auto-gc",
    "pre-commit",
    "pre-merge-commit", "pre-push", "pre-rebase", "pre-receive", "prepare-commit-msg", "proc-receive",
    "push-to-checkout", "reference-transaction", "sendemail-validate", "update",
  ]

  /// Returns the names of the hooks that git would run here, sorted: known names of executable files.
  ///
  /// The folder is `core.hooksPath`, or else `hooks` in the common git directory. A relative path is relative
  /// to where git runs hooks: the root of the work tree, or the git directory of a bare repository. A program
  /// that `core.fsmonitor` names is not a hook.
  package func hooks() -> [String] {
    let path = config.string("core.hookspath") ?? ""
    let folder =
      path.isEmpty ? commonDir + "/hooks" : FileAccess.join(worktree ?? gitDir, expandHome(path))
    return Self.hookNames.filter { name in
      let path = FileAccess.join(folder, name)
      return FileAccess.isFile(path) && access(path, X_OK) == 0
    }
  }
}

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

package struct ObjectStorage: Sendable, Hashable {
  package var packs = 0
  /// The size of the `.pack` files without their indexes, in bytes.
  package var packBytes = 0
  package var looseObjects = 0
  /// The disk usage of the loose objects in bytes, in whole blocks: 1024 times the rounded `size` of
  /// `git count-objects -v`.
  package var looseBytes = 0
}

extension GitRepository {
  /// The number of hexadecimal digits of a SHA-256 id.
  private static let longHexCount = 64
  /// The files between two polls of `isCancelled`: some milliseconds.
  private static let looseStride = 1_024

  /// Counts the packs and loose objects of the repository's own database, without alternates.
  ///
  /// Files that are neither a pack with an index nor named like an object are ignored.
  ///
  /// - Throws: `corrupt` for an invalid file size, `cancelled`.
  package func storage(isCancelled: () -> Bool = { false }) throws(GitError) -> ObjectStorage {
    var result = ObjectStorage()
    let folder = objectsFolder + "/pack"
    let names = FileAccess.names(in: folder)
    let indexes = Set(names.lazy.filter { $0.hasSuffix(".idx") }.map { $0.dropLast(4) })
    for name in names where name.hasSuffix(".pack") && indexes.contains(name.dropLast(5)) {
      guard let entry = FileAccess.entry(folder + "/" + name), entry.kind == .file else { continue }
      try Self.add(entry.size, to: &result.packBytes, name)
      result.packs += 1
    }
    for byte in 0..<256 {
      if isCancelled() { throw .cancelled }
      let digits = String(byte, radix: 16)
      let name = digits.utf8.count == 1 ? "0" + digits : digits
      try countLoose(objectsFolder + "/" + name, &result, isCancelled)
    }
    return result
  }

  private func countLoose(
    _ folder: String, _ result: inout ObjectStorage, _ isCancelled: () -> Bool
  ) throws(GitError) {
    guard let directory = opendir(folder) else { return }
    defer { closedir(directory) }
    let descriptor = dirfd(directory)
    var seen = 0
    try FileAccess.visit(directory) { (name, _) throws(GitError) in
      seen += 1
      if seen % Self.looseStride == 0, isCancelled() { throw .cancelled }
      var info = stat()
      guard isObjectName(name), fstatat(descriptor, name, &info, AT_SYMLINK_NOFOLLOW) == 0,
        info.st_mode & S_IFMT == S_IFREG
      else { return }
      let (bytes, overflows) = Int(info.st_blocks).multipliedReportingOverflow(by: 512)
      try Self.add(overflows ? -1 : bytes, to: &result.looseBytes, folder)
      result.looseObjects += 1
    }
  }

  /// Whether a file name has the digits of an id that follow the two of the folder's name.
  private func isObjectName(_ name: UnsafePointer<CChar>) -> Bool {
    let count = (objectProblem == nil ? ObjectID.hexCount : Self.longHexCount) - 2
    for index in 0..<count {
      let byte = UInt8(bitPattern: name[index])
      // The NUL at the end is not a digit, so nothing after it is read.
      guard isDigit(byte) || (byte | 0x20) &- 0x61 < 6 else { return false }
    }
    return name[count] == 0
  }

  private static func add(_ bytes: Int, to sum: inout Int, _ name: String) throws(GitError) {
    let (total, overflows) = sum.addingReportingOverflow(bytes)
    guard (0...sizeLimit).contains(bytes), !overflows else {
      throw GitError(.corrupt, "the size of \(name) is invalid", hint: "run `git fsck` in the repository")
    }
    sum = total
  }
}
