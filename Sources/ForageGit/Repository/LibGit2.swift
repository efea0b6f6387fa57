import CLibGit2

/// The library's process-wide state: started at first use, because starting costs about 10 ms.
enum LibGit2 {
  /// The objects that libgit2 may keep in memory, in bytes. Each commit is read once, so that a large cache
  /// only costs.
  private static let cacheBytes = 32 << 20

  /// Nil when the library was started and set up, else why it was not.
  private static let failure: GitError? = {
    guard git_libgit2_init() > 0 else {
      return GitError(.other, "libgit2 could not be started", hint: "reinstall libgit2")
    }
    // Each object is read from a pack that has its own checksums; hashing it again costs a fifth of a walk.
    _ = forage_git_set_strict_hash_verification(0)
    _ = forage_git_set_cache_object_limit(GIT_OBJECT_COMMIT, 0)
    _ = forage_git_set_cache_max_size(cacheBytes)
    // `OwnershipCheck` has done what git does; libgit2's own check knows only a part of it.
    _ = forage_git_set_owner_validation(0)
    // `RepositoryFormat` has checked the values.
    _ = forage_git_allow_checked_extensions()
    return nil
  }()

  /// Starts the library unless it runs already.
  static func start() throws(GitError) {
    if let failure { throw failure }
  }

  /// Throws when a libgit2 call failed; the thread's last error is copied before anything else can replace
  /// it.
  ///
  /// - Parameter context: what was being done, as in "opening /path".
  static func check(_ status: Int32, _ context: @autoclosure () -> String) throws(GitError) {
    guard status < 0 else { return }
    throw error(status, context())
  }

  /// The error of the libgit2 call on this thread that just returned `status`.
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
    let damaged = [GIT_ERROR_ODB, GIT_ERROR_ZLIB, GIT_ERROR_CONFIG, GIT_ERROR_OBJECT, GIT_ERROR_TREE]
    if damaged.contains(where: { Int32($0.rawValue) == kind }) { return .corrupt }
    if kind == Int32(GIT_ERROR_OS.rawValue), detail.contains("ermission denied") { return .permission }
    return .other
  }
}
