/// An open repository on this machine, for reading only.
///
/// Most is read directly; what needs libgit2 opens it at first need. Not `Sendable`: another thread opens its own handle
/// with ``reopening``.
package final class GitRepository {
  /// What handles on the same repository share.
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
    let packs: SharedPacks
    let loose: LooseObjects
  }

  private let shared: Shared
  private var opened: Result<LibGit2Repository, GitError>?
  /// Reads objects without libgit2.
  private(set) lazy var objects = ObjectReader(shared.packs.store, shared.loose)

  /// Opens the repository at a path or above it.
  ///
  /// The path alone decides: `GIT_DIR`, `GIT_WORK_TREE`, `GIT_INDEX_FILE`, `GIT_OBJECT_DIRECTORY` and other
  /// variables that point a git command to a repository are not heeded. `core.worktree` is.
  ///
  /// - Parameters:
  ///   - path: any file or folder in the work tree, or a git folder.
  ///   - loadsReferences: whether to read all references now; otherwise ``RefStore/load()`` tells what is wrong with
  ///     them.
  /// - Throws: `notFound`, `notARepository`, `notOwned`, `unsupportedExtension`, `permission`, `corrupt`.
  package static func open(
    _ path: String, environment: GitEnvironment = .current, loadsReferences: Bool = true
  ) throws(GitError) -> GitRepository {
    let location = try RepositoryLocation.find(from: path, environment: environment)
    try OwnershipCheck.run(location, environment: environment)
    let format = try RepositoryFormat(gitDir: location.gitDir, commonDir: location.commonDir)
    let files = ConfigFiles(
      environment, local: location.commonDir + "/config",
      worktree: format.hasWorktreeConfig ? location.gitDir + "/config.worktree" : nil)
    var library: LibGit2Repository?
    let config: GitConfig
    if let values = files.plainValues() {
      config = values
    } else {
      let made = try LibGit2Repository(location, files)
      config = try made.values()
      library = made
    }
    let refs = try RefStore(gitDir: location.gitDir, commonDir: location.commonDir)
    if loadsReferences { try refs.load() }
    let (worktree, isLinked) = try location.worktreeRoot(format)
    let shared = Shared(
      location: location, format: format, environment: environment, files: files, config: config,
      worktree: worktree, isLinkedWorktree: isLinked, refs: refs,
      shallow: try readShallow(location.commonDir), packs: SharedPacks(objects: location.objects),
      loose: LooseObjects(objects: location.objects))
    return GitRepository(shared, library)
  }

  private init(_ shared: Shared, _ library: LibGit2Repository? = nil) {
    self.shared = shared
    opened = library.map { .success($0) }
  }

  /// What another thread needs for a handle on the same repository, as a value.
  package var reopening: @Sendable () -> GitRepository {
    let shared = self.shared
    return { GitRepository(shared) }
  }

  /// libgit2's handles, opened now if they are not.
  ///
  /// - Throws: `corrupt`, `permission`, `other`.
  func library() throws(GitError) -> LibGit2Repository {
    if let opened { return try opened.get() }
    let made = Result { () throws(GitError) in try LibGit2Repository(shared.location, shared.files) }
    opened = made
    return try made.get()
  }

  /// Whether this handle needed libgit2 so far.
  var usesLibrary: Bool { opened != nil }

  /// libgit2's object database, which lives as long as this object.
  ///
  /// - Throws: as ``library()``.
  func odb() throws(GitError) -> OpaquePointer { try library().odb }

  private static func readShallow(_ commonDir: String) throws(GitError) -> Set<ObjectID> {
    guard let bytes = try FileAccess.read(commonDir + "/shallow", limit: lineFileLimit) else { return [] }
    let ids = bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      line.withUnsafeBytes { ObjectID(hex: $0) }
    }
    return Set(ids)
  }
}

extension GitRepository {
  /// The git folder, absolute and without links; of a linked work tree its own below `worktrees/`.
  package var gitDir: String { shared.location.gitDir }
  /// The folder with what all work trees share.
  package var commonDir: String { shared.location.commonDir }
  /// The folder of the object database that all work trees share.
  var objectsFolder: String { shared.location.objects }
  /// The work tree's root, absolute and without links; nil when bare.
  package var worktree: String? { shared.worktree }
  /// Whether there is no work tree.
  package var isBare: Bool { worktree == nil }
  /// Whether this is a work tree made by `git worktree add`.
  package var isLinkedWorktree: Bool { shared.isLinkedWorktree }
  /// The configuration that applies here.
  package var config: GitConfig { shared.config }
  /// Every reference but `HEAD`.
  package var refs: RefStore { shared.refs }
  /// Commits of a shallow clone whose parents are not there.
  package var shallow: Set<ObjectID> { shared.shallow }
  /// The packs.
  var packs: PackStore { shared.packs.store }
  var environment: GitEnvironment { shared.environment }

  /// The remote that a partial clone gets missing objects from, when the format names one.
  package var partialCloneRemote: String? { shared.format.partialClone }

  /// A path of the configuration, with a leading `~/` replaced.
  func expandHome(_ path: String) -> String { environment.expand(path) }
}
