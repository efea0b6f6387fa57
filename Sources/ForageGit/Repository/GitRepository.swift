import CLibGit2

/// An open repository on this machine, for reading only.
///
/// Owns its libgit2 handle and frees it. Not `Sendable`: a second thread opens its own with ``reopened()``.
package final class GitRepository {
  /// The git folder, absolute and without links; of a linked work tree its own below `worktrees/`.
  package let gitDir: String
  /// The folder with what all work trees share.
  package let commonDir: String
  /// The work tree's root, absolute and without links; nil when bare.
  package let worktree: String?
  /// Whether this is a work tree made by `git worktree add`.
  package let isLinkedWorktree: Bool
  /// The configuration that applies here.
  package let config: GitConfig
  /// Every reference but `HEAD`.
  package let refs: RefStore
  /// Commits of a shallow clone whose parents are not there.
  package let shallow: Set<ObjectID>

  let pointer: OpaquePointer
  let odb: OpaquePointer
  private let configHandle: ConfigHandle
  private let location: RepositoryLocation
  let environment: GitEnvironment
  private let format: RepositoryFormat

  /// Opens the repository at a path or above it.
  ///
  /// The path alone decides: `GIT_DIR`, `GIT_WORK_TREE`, `GIT_INDEX_FILE`, `GIT_OBJECT_DIRECTORY` and other
  /// variables that point a git command to a repository are not heeded. `core.worktree` is.
  ///
  /// - Parameter path: any file or folder in the work tree, or a git folder.
  /// - Throws: `notFound`, `notARepository`, `notOwned`, `unsupportedExtension`, `permission`, `corrupt`.
  package static func open(
    _ path: String, environment: GitEnvironment = .current
  ) throws(GitError) -> GitRepository {
    let location = try RepositoryLocation.find(from: path, environment: environment)
    try LibGit2.start()
    try OwnershipCheck.run(location, environment: environment)
    let format = try RepositoryFormat(commonDir: location.commonDir)
    return try GitRepository(location, format, environment)
  }

  /// A second handle on the same repository, for another thread; what was checked is not checked again.
  package func reopened() throws(GitError) -> GitRepository {
    try GitRepository(location, format, environment)
  }

  /// What another thread needs to open the same repository, as a value.
  package var reopening: @Sendable () throws(GitError) -> GitRepository {
    let (location, format, environment) = (self.location, self.format, self.environment)
    return { () throws(GitError) -> GitRepository in try GitRepository(location, format, environment) }
  }

  private init(
    _ location: RepositoryLocation, _ format: RepositoryFormat, _ environment: GitEnvironment
  ) throws(GitError) {
    var opened: OpaquePointer?
    let flags = GIT_REPOSITORY_OPEN_NO_SEARCH.rawValue
    try LibGit2.check(
      git_repository_open_ext(&opened, location.openPath, flags, nil), "opening \(location.openPath)")
    guard let repository = opened else { throw GitError(.other, "libgit2 opened no repository") }
    var database: OpaquePointer?
    do throws(GitError) {
      let worktreeFile = format.hasWorktreeConfig ? location.gitDir + "/config.worktree" : nil
      configHandle = try ConfigHandle(
        environment: environment, local: location.commonDir + "/config", worktree: worktreeFile,
        repository: repository)
      config = try configHandle.values()
      try LibGit2.check(
        git_repository_set_config(repository, configHandle.pointer), "setting the configuration")
      try LibGit2.check(git_repository_odb(&database, repository), "opening the object database")
      if let database {
        try LibGit2.addUnusualAlternates(of: location.commonDir + "/objects", to: database)
        try LooseObjects.take(over: database, objects: location.commonDir + "/objects")
      }
      refs = try RefStore(gitDir: location.gitDir, commonDir: location.commonDir)
      shallow = try Self.readShallow(location.commonDir)
    } catch {
      git_odb_free(database)
      git_repository_free(repository)
      throw error
    }
    guard let database else {
      git_repository_free(repository)
      throw GitError(.other, "libgit2 opened no object database")
    }
    pointer = repository
    odb = database
    self.location = location
    self.environment = environment
    self.format = format
    gitDir = location.gitDir
    commonDir = location.commonDir
    isLinkedWorktree = git_repository_is_worktree(repository) == 1
    // A git folder that says nothing of a work tree has none, where libgit2 takes the folder that it is in.
    let isSilent =
      location.worktree == nil && !isLinkedWorktree && config.string("core.worktree") == nil
      && config.bool("core.bare") == nil
    worktree =
      isSilent ? nil : git_repository_workdir(repository).flatMap { Disk.realPath(String(cString: $0)) }
  }

  deinit {
    git_odb_free(odb)
    git_repository_free(pointer)
  }

  /// Whether there is no work tree.
  package var isBare: Bool { worktree == nil }

  /// The remote that a partial clone gets missing objects from, when the format names one.
  package var partialCloneRemote: String? { format.partialClone }

  /// A path of the configuration, with a leading `~/` replaced.
  func expandHome(_ path: String) -> String { environment.expand(path) }

  private static func readShallow(_ commonDir: String) throws(GitError) -> Set<ObjectID> {
    guard let bytes = try Disk.read(commonDir + "/shallow", limit: lineFileLimit) else { return [] }
    let ids = bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      line.withUnsafeBytes { ObjectID(hex: $0) }
    }
    return Set(ids)
  }
}
