import ForagePlatform

/// The root of a work tree as an open descriptor, which keeps relative paths short; closed when it is
/// deinitialised.
final class RootFolder: Sendable {
  let descriptor: Int32
  /// The absolute path.
  let path: String

  /// The flags to open a folder whose names are not listed, which needs no permission to read it.
  #if canImport(Darwin)
    private static let entering = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
  #else
    // `O_PATH` of Linux, which Swift does not import.
    private static let entering = 0o10000000 | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
  #endif

  /// Opens the root.
  ///
  /// - Throws: `permission`, `notFound`.
  init(_ path: String) throws(GitError) {
    descriptor = openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    self.path = path
    guard descriptor >= 0 else {
      if errno == EACCES { throw FileAccess.denied(path) }
      throw GitError(.notFound, "the work tree \(path) cannot be opened: \(FileAccess.reason())")
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Opens a folder below the root, but not through a symbolic link as the last component; -1 on failure (see
  /// `errno`).
  ///
  /// - Parameters:
  ///   - path: relative to the root, with a NUL at the end; empty for the root itself.
  ///   - lists: whether the names will be read.
  func open(_ path: UnsafePointer<CChar>, lists: Bool) -> Int32 {
    let flags = lists ? O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC : Self.entering
    if path.pointee == 0 { return openat(descriptor, ".", flags) }
    return openat(descriptor, path, flags)
  }
}
