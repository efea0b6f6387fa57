/// An open local repository, read-only.
///
/// Not `Sendable`: another thread creates its own handle with ``reopening``.
///
/// What takes a closure `isCancelled` polls it regularly, on the calling thread, and throws `cancelled` once it
/// returns true. `depth` is the levels of submodules that may still follow, `budget` the number of repositories
/// that may still be opened. Only tests pass other `limits` than the standard ones.
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
    let handle = try RepositoryHandle(location.gitDir)
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
  var objectsFolder: String { shared.location.objects }
  var location: RepositoryLocation { shared.location }
  var format: RepositoryFormat { shared.format }
  /// The folder that the clone is known by, absolute; that with `.git`, or the git directory. Unlike ``worktree`` it is there also if
  /// the repository is bare, and `core.worktree` does not move it.
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
