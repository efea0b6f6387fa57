import CLibGit2

/// The process-wide state of libgit2, initialised on first use because that takes about 10 ms.
package enum LibGit2 {
  /// The limit of libgit2's object cache in bytes; commits are read once, so a larger cache does not help.
  private static let cacheBytes = 32 << 20

  /// Why the initialisation failed; nil if it succeeded.
  private static let failure: GitError? = {
    guard git_libgit2_init() > 0 else {
      return GitError(.other, "libgit2 could not be initialised", hint: "reinstall libgit2")
    }
    // Packs have their own checksums; hashing each object again costs a fifth of a walk.
    _ = forage_git_set_strict_hash_verification(0)
    _ = forage_git_set_cache_object_limit(GIT_OBJECT_COMMIT, 0)
    _ = forage_git_set_cache_max_size(cacheBytes)
    // `OwnershipCheck` makes git's whole check; libgit2's covers only a part of it.
    _ = forage_git_set_owner_validation(0)
    // `RepositoryFormat` validates the values.
    _ = forage_git_allow_checked_extensions()
    return nil
  }()

  /// Whether it opens repositories with SHA-256 ids, of which Forage reads what needs no object: their
  /// references, their configuration and the sizes of their files. From version 1.7 on it refuses them, where
  /// it is not built for them.
  package static let opensSHA256 = version < (1, 7)

  private static let version: (major: Int32, minor: Int32) = {
    var (major, minor, revision): (Int32, Int32, Int32) = (0, 0, 0)
    _ = git_libgit2_version(&major, &minor, &revision)
    return (major, minor)
  }()

  static func start() throws(GitError) {
    if let failure { throw failure }
  }

  /// Throws if a libgit2 call failed; copies the thread's last error before another call can replace it.
  static func check(_ status: Int32, _ context: @autoclosure () -> String) throws(GitError) {
    guard status < 0 else { return }
    throw error(status, context())
  }

  /// Returns the error of the libgit2 call that just returned `status` on this thread.
  static func error(_ status: Int32, _ context: @autoclosure () -> String) -> GitError {
    var detail = ""
    var kind: Int32 = 0
    if let last = git_error_last() {
      kind = last.pointee.klass
      if let text = last.pointee.message { detail = String(cString: text) }
    }
    let message =
      detail.isEmpty ? "\(context()) failed (libgit2 status \(status))" : "\(context()): \(detail)"
    return GitError(code(status, kind: kind, detail: detail), message)
  }

  private static func code(_ status: Int32, kind: Int32, detail: String) -> GitError.Code {
    let isObject = kind == Int32(GIT_ERROR_ODB.rawValue)
    if status == GIT_ENOTFOUND.rawValue { return isObject ? .missingObject : .notFound }
    if status == GIT_EOWNER.rawValue { return .notOwned }
    if kind == Int32(GIT_ERROR_INDEX.rawValue), status == GIT_ERROR.rawValue { return .unsupportedIndex }
    let damaged = [
      GIT_ERROR_ODB, GIT_ERROR_ZLIB, GIT_ERROR_CONFIG, GIT_ERROR_OBJECT, GIT_ERROR_REFERENCE,
      GIT_ERROR_TREE,
    ]
    if damaged.contains(where: { Int32($0.rawValue) == kind }) { return .corrupt }
    if kind == Int32(GIT_ERROR_OS.rawValue), detail.contains("ermission denied") { return .permission }
    return .other
  }
}

/// libgit2's handle on a git directory, without its work tree; frees it when it is deinitialised.
final class RepositoryHandle {
  let pointer: OpaquePointer

  init(_ gitDir: String) throws(GitError) {
    try LibGit2.start()
    var opened: OpaquePointer?
    try LibGit2.check(git_repository_open_bare(&opened, gitDir), "opening \(gitDir)")
    guard let opened else { throw GitError(.other, "libgit2 returned no repository") }
    pointer = opened
  }

  deinit { git_repository_free(pointer) }
}

/// libgit2's handles on a repository with its work tree, for attributes and filters; frees them when it is
/// deinitialised.
final class LibGit2Repository {
  let pointer: OpaquePointer
  private let config: ConfigHandle

  init(_ location: RepositoryLocation, _ files: ConfigFiles) throws(GitError) {
    try LibGit2.start()
    var opened: OpaquePointer?
    let flags = GIT_REPOSITORY_OPEN_NO_SEARCH.rawValue
    try LibGit2.check(
      git_repository_open_ext(&opened, location.openPath, flags, nil), "opening \(location.openPath)")
    guard let repository = opened else { throw GitError(.other, "libgit2 returned no repository") }
    do throws(GitError) {
      config = try ConfigHandle(files.files, repository: repository)
      try LibGit2.check(git_repository_set_config(repository, config.pointer), "setting the configuration")
      pointer = repository
    } catch {
      git_repository_free(repository)
      throw error
    }
  }

  deinit {
    git_repository_free(pointer)
  }

  /// Makes libgit2 read objects from the same database.
  func use(_ store: ObjectStore) throws(GitError) {
    try LibGit2.check(git_repository_set_odb(pointer, store.database), "setting the object database")
  }
}
