import CLibGit2

/// The process-wide state of libgit2, initialised on first use because that takes about 10 ms.
enum LibGit2 {
  /// The limit of libgit2's object cache in bytes; commits are read once, so a larger cache does not help.
  private static let cacheBytes = 32 << 20

  /// The sizes of a mapped part of a pack, and of all of them together, in bytes: with libgit2's 1 GiB and
  /// 8 GiB all of a large pack stays resident once it was read.
  private static let windowBytes = 32 << 20
  private static let mappedBytes = 128 << 20

  /// Why the initialisation failed; nil if it succeeded.
  private static let failure: GitError? = {
    guard git_libgit2_init() > 0 else {
      return GitError(.other, "libgit2 could not be initialised", hint: "reinstall libgit2")
    }
    // Packs have their own checksums; hashing each object again costs a fifth of a walk.
    _ = forage_git_set_strict_hash_verification(0)
    _ = forage_git_set_cache_object_limit(GIT_OBJECT_COMMIT, 0)
    _ = forage_git_set_cache_max_size(cacheBytes)
    _ = forage_git_set_mapped_window(windowBytes, mappedBytes)
    // `OwnershipCheck` makes git's whole check; libgit2's covers only a part of it.
    _ = forage_git_set_owner_validation(0)
    // `RepositoryFormat` validates the values.
    _ = forage_git_allow_checked_extensions()
    return nil
  }()

  /// Initialises libgit2 once.
  static func start() throws(GitError) {
    if let failure { throw failure }
  }

  /// Throws if a libgit2 call failed; copies the thread's last error before another call can replace it.
  ///
  /// - Parameters:
  ///   - status: the status that the call returned.
  ///   - context: the operation, such as "opening /path".
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
