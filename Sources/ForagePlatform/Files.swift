/// Writes all bytes to a descriptor; waits while a non-blocking one is full.
///
/// - Returns: 0, or the `errno` of the failure.
package func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
    if count > 0 {
      rest = rest.dropFirst(count)
    } else if count == 0 {
      return EIO
    } else if errno == EAGAIN {
      var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      poll(&ready, 1, -1)
    } else if errno != EINTR {
      return errno
    }
  }
  return 0
}

/// Replaces a file as a whole, or creates it: a reader sees the old bytes or the new ones.
///
/// - Parameters:
///   - path: The file; its folder exists.
///   - bytes: The new contents.
///   - mode: The permissions of the file.
///   - isLasting: Whether the bytes are on the disk before the file has its name, so that a loss of power
///     leaves the old ones or the new ones; not for what can be made again, such as a cache.
/// - Returns: 0, or the `errno` of the failure, after which the file is as it was.
package func replaceFile(
  _ path: String, with bytes: [UInt8], mode: mode_t = 0o600, isLasting: Bool = false
) -> Int32 {
  let temporary = path + "." + String(UInt64.random(in: 0...UInt64.max), radix: 16)
  let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
  guard descriptor >= 0 else { return errno }
  var failure = bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
  if failure == 0, mode != 0o600, fchmod(descriptor, mode) != 0 { failure = errno }
  // A file system without it, and a device, have nothing to wait for.
  if failure == 0, isLasting, fsync(descriptor) != 0, ![EINVAL, ENOTSUP].contains(errno) { failure = errno }
  if close(descriptor) != 0, failure == 0 { failure = errno }
  if failure == 0, rename(temporary, path) != 0 { failure = errno }
  if failure != 0 { unlink(temporary) }
  return failure
}

/// A regular file, as a folder lists it.
package struct StoredFile: Sendable {
  package let path: String
  package let bytes: Int
  /// When it was written, in seconds since 1970.
  package let writtenAt: Double

  /// The file at a path; `nil` if there is none.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let time = status.modified
    (self.path, bytes) = (path, Int(status.st_size))
    writtenAt = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Removes files that are too old, and of the others the oldest ones while all have more bytes than are
  /// allowed.
  ///
  /// - Parameters:
  ///   - now: In seconds since 1970. A file of the future was written while the clock was wrong, and is too
  ///     old.
  ///   - lifetime: How long a file is kept after it was written, in seconds.
  ///   - maximumBytes: The bytes that are allowed.
  ///   - leftBytes: The bytes that are left where there are too many.
  package static func trim(
    _ files: [StoredFile], now: Double, lifetime: Double, maximumBytes: Int, leftBytes: Int
  ) {
    let kept = files.filter { abs(now - $0.writtenAt) <= lifetime }.sorted { $0.writtenAt > $1.writtenAt }
    for file in files where abs(now - file.writtenAt) > lifetime { unlink(file.path) }
    guard kept.reduce(0, { $0 + $1.bytes }) > maximumBytes else { return }
    var bytes = 0
    for file in kept {
      bytes += file.bytes
      if bytes > leftBytes { unlink(file.path) }
    }
  }
}

/// The path without symbolic links, `.` and `..`; `nil` if it does not exist (see `errno`).
package func realPath(_ path: String) -> String? {
  guard let result = realpath(path, nil) else { return nil }
  defer { free(result) }
  return String(cString: result)
}

/// The path without its last component: `.` of a plain name, and the root is its own folder.
package func parentFolder(of path: String) -> String {
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// The first part of a path that is a link which leads nowhere: its target is gone, or it leads back to
/// itself; `nil` if there is none.
package func brokenLink(in path: String) -> String? {
  var status = stat()
  let ends = path.indices.dropFirst().filter { path[$0] == "/" } + [path.endIndex]
  return ends.lazy.map { String(path[..<$0]) }.first {
    lstat($0, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK && stat($0, &status) != 0 && errno != EACCES
  }
}

/// Creates a folder and its parents, accessible only to the user.
///
/// - Returns: Whether the folder exists now.
@discardableResult
package func makeFolders(_ folder: String) -> Bool {
  if mkdir(folder, 0o700) == 0 || errno == EEXIST { return true }
  for (place, byte) in zip(folder.indices, folder) where byte == "/" && place > folder.startIndex {
    mkdir(String(folder[..<place]), 0o700)
  }
  return mkdir(folder, 0o700) == 0 || errno == EEXIST
}

/// The user's home folder: `HOME` if it is an absolute path, otherwise, as for some services that run without
/// it, the one in the system's list of users; empty if there is none.
package func homeFolder(environment: [String: String]) -> String {
  if let home = environment["HOME"], home.hasPrefix("/") { return home }
  guard let user = getpwuid(getuid()), let folder = user.pointee.pw_dir else { return "" }
  return String(cString: folder)
}

/// The pause between two attempts to lock a file in microseconds: too short to be noticed.
private let lockPause: UInt32 = 5_000

/// Locks a file with `flock(2)`.
///
/// - Parameter seconds: How long other processes are waited for.
/// - Returns: Whether no other process holds the lock. That is assumed on file systems without locks.
package func waitForLock(_ descriptor: Int32, isExclusive: Bool = true, waiting seconds: Double) -> Bool {
  let end = ContinuousClock.now + .seconds(seconds)
  while true {
    let result = flock(descriptor, (isExclusive ? LOCK_EX : LOCK_SH) | LOCK_NB)
    if result == 0 || errno != EWOULDBLOCK && errno != EINTR { return true }
    guard ContinuousClock.now < end else { return false }
    usleep(lockPause)
  }
}

extension String {
  /// The word as a shell needs it: in quotes, where a character means something to a shell.
  package var shellQuoted: String {
    let isPlain = utf8.allSatisfy { byte in
      let character = UnicodeScalar(byte)
      return ("a"..."z").contains(character) || ("A"..."Z").contains(character)
        || ("0"..."9").contains(character) || "-_./=:@+,%".utf8.contains(byte)
    }
    return isPlain && !isEmpty ? self : "'" + replacing("'", with: "'\\''") + "'"
  }
}
