#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The root of a work tree, held open, so that all paths below are short; closed when it goes.
final class RootFolder: Sendable {
  let descriptor: Int32
  /// The absolute path.
  let path: String

  /// Flags for folders in which only files are looked at: no permission to list them is needed.
  #if canImport(Darwin)
    private static let entering = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
  #else
    // `O_PATH` of Linux, which Swift does not import.
    private static let entering = 0o10000000 | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
  #endif

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

  /// Opens a folder below, and no symbolic link in its place; -1 when that fails (see `errno`).
  ///
  /// - Parameters:
  ///   - path: from the root, ended by a zero byte; the empty one is the root itself.
  ///   - lists: whether its names are to be read.
  func open(_ path: UnsafePointer<CChar>, lists: Bool) -> Int32 {
    let flags = lists ? O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC : Self.entering
    if path.pointee == 0 { return openat(descriptor, ".", flags) }
    return openat(descriptor, path, flags)
  }
}
