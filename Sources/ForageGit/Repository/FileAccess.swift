package import ForagePlatform

/// Reads files and folders; never blocks on a pipe or device. Those of a work tree belong to ``ClonedFiles``.
package enum FileAccess {
  /// The size limit of git's own files (1 GiB); a `packed-refs` of a million references has 60 MB.
  package static let fileLimit = 1 << 30

  package struct Entry: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
      case file, directory, symlink, other

      init(_ info: stat) {
        switch info.st_mode & S_IFMT {
        case S_IFREG: self = .file
        case S_IFDIR: self = .directory
        case S_IFLNK: self = .symlink
        default: self = .other
        }
      }
    }
    package let kind: Kind
    /// The size in bytes, for files.
    package let size: Int
    /// The modification time in seconds since 1970, and the nanoseconds of that second.
    package let modifiedAt: Int64
    package let modifiedNanoseconds: Int64
    package let owner: UInt32

    init(_ info: stat) {
      kind = Kind(info)
      size = Int(info.st_size)
      modifiedAt = Int64(info.modified.tv_sec)
      modifiedNanoseconds = Int64(info.modified.tv_nsec)
      owner = UInt32(info.st_uid)
    }
  }

  /// Returns the metadata of a path; nil if it does not exist or is inaccessible (see `errno`).
  package static func entry(_ path: String, follow: Bool = true) -> Entry? {
    entry(bytes: Array(path.utf8), follow: follow)
  }

  /// The same for a path that need not be UTF-8.
  package static func entry(bytes name: [UInt8], follow: Bool = true) -> Entry? {
    var info = stat()
    let path = cString(name)
    guard (follow ? stat(path, &info) : lstat(path, &info)) == 0 else { return nil }
    return Entry(info)
  }

  /// Returns the time, size and inode of a path in one text, which changes when the file does.
  package static func stamp(_ path: String) -> String {
    var info = stat()
    guard stat(path, &info) == 0 else { return errno == EACCES ? "!" : "-" }
    let time = info.modified
    return "\(time.tv_sec).\(time.tv_nsec):\(info.st_size):\(info.st_ino)"
  }

  package static func isDirectory(_ path: String) -> Bool { entry(path)?.kind == .directory }

  package static func isFile(_ path: String) -> Bool { entry(path)?.kind == .file }

  /// Reads a regular file, also through a link; nil if there is none. ``ClonedFiles`` reads those of a work
  /// tree.
  ///
  /// - Parameter limit: the size limit of what is read, in bytes.
  /// - Throws: `permission`, `tooLarge` if the file exceeds the limit, `other` if reading fails.
  package static func read(
    _ path: String, limit: Int = fileLimit, from start: Int = 0, first count: Int = .max
  ) throws(GitError) -> [UInt8]? {
    try read(bytes: Array(path.utf8), limit: limit, from: start, first: count)
  }

  /// The same for a path that need not be UTF-8.
  package static func read(
    bytes name: [UInt8], limit: Int = fileLimit, from start: Int = 0, first count: Int = .max
  ) throws(GitError) -> [UInt8]? {
    let path = String(decoding: name, as: UTF8.self)
    let descriptor = open(cString(name), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      try checkAbsence(of: path)
      return nil
    }
    defer { close(descriptor) }
    return try contents(of: descriptor, path, limit: limit, from: start, first: count)?.bytes
  }

  /// Throws unless `errno` says that there is no file at a path.
  static func checkAbsence(of path: String) throws(GitError) {
    switch errno {
    // The last two are of sockets and of devices without a driver.
    case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG, ENXIO, ENODEV: break
    case EACCES, EPERM: throw denied(path)
    default: throw GitError(.other, "\(path) cannot be opened: \(reason())")
    }
  }

  /// Reads an open file, with the stamp that it had before; nil if it is no regular file.
  static func contents(
    of descriptor: Int32, _ path: @autoclosure () -> String, limit: Int, from start: Int, first count: Int
  ) throws(GitError) -> (bytes: [UInt8], stamp: FileStamp)? {
    var info = stat()
    guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
    let size = min(count, max(0, Int(info.st_size) - start))
    guard size <= limit else { throw GitError(.tooLarge, "\(path()) has more than \(limit) bytes") }
    var isRead = true
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, done in
      while done < size, let memory = buffer.baseAddress {
        let count = pread(descriptor, memory + done, size - done, off_t(start + done))
        if count < 0, errno == EINTR { continue }
        isRead = count >= 0
        guard count > 0 else { break }
        done += count
      }
    }
    guard isRead else { throw GitError(.other, "\(path()) cannot be read: \(reason())") }
    return (bytes, FileStamp(info))
  }

  /// Returns the first line of a small text file without its line end; nil if there is no file.
  static func line(_ path: String) throws(GitError) -> String? { try line(bytes: Array(path.utf8)) }

  /// The same for a path that need not be UTF-8.
  static func line(bytes path: [UInt8]) throws(GitError) -> String? {
    // A line with a path or a reference: PATH_MAX is 4 KiB on Linux, so 64 KiB is generous.
    guard let bytes = try read(bytes: path, limit: 1 << 16) else { return nil }
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") && $0 != 0 }
    return String(decoding: line, as: UTF8.self)
  }

  /// Writes a file of the user's own for as long as it is needed, and returns its path.
  static func writeTemporary(_ bytes: [UInt8]) throws(GitError) -> String {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var path = Array("\(folder)/forage-XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    let name = path.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    guard descriptor >= 0 else {
      throw GitError(.other, "no temporary file can be made in \(folder): \(reason())", hint: "set TMPDIR")
    }
    defer { close(descriptor) }
    let failure = bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
    guard failure == 0 else {
      remove(name)
      let reason = String(cString: strerror(failure))
      throw GitError(.other, "\(name) cannot be written: \(reason)", hint: "set TMPDIR")
    }
    return name
  }

  static func remove(_ path: String) { unlink(path) }

  /// Returns the names in a folder without `.` and `..`, in byte order; empty if it cannot be listed.
  package static func names(in path: String) -> [String] {
    names(bytes: Array(path.utf8)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether a folder has no entry, or cannot be listed; stops at the first one.
  package static func isEmpty(_ path: String) -> Bool {
    struct HasEntry: Error {}
    guard access(path, X_OK) == 0, let directory = opendir(path) else { return true }
    defer { closedir(directory) }
    do throws(HasEntry) {
      try visit(directory) { (_, _) throws(HasEntry) in throw HasEntry() }
      return true
    } catch {
      return false
    }
  }

  /// The same for a path and names that need not be UTF-8.
  package static func names(bytes path: [UInt8]) -> [[UInt8]] { (try? list(bytes: path)) ?? [] }

  /// Returns the same where an answer without a name must be certain; empty only if there is no such folder.
  ///
  /// - Throws: `permission` also if what is in the folder cannot be examined; `other` if it cannot be listed.
  static func list(bytes path: [UInt8]) throws(GitError) -> [[UInt8]] {
    let text = String(decoding: path, as: UTF8.self)
    guard let directory = opendir(cString(path)) else {
      if errno == ENOENT || errno == ENOTDIR { return [] }
      throw errno == EACCES ? denied(text) : GitError(.other, "\(text) cannot be listed: \(reason())")
    }
    defer { closedir(directory) }
    // Otherwise a folder in it would look like nothing.
    guard access(cString(path), X_OK) == 0 else { throw denied(text) }
    var names: [[UInt8]] = []
    visit(directory) { name, _ in names.append(bytes(name)) }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Returns the names of the folders in a folder, in byte order, without links; empty if it cannot be
  /// listed.
  package static func folders(in path: String) -> [[UInt8]] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [[UInt8]] = []
    visit(directory) { name, type in
      guard type == Int32(DT_DIR) || type == Int32(DT_UNKNOWN) else { return }
      let bytes = bytes(name)
      // Some file systems tell no types.
      if type == Int32(DT_DIR) || kind(path, bytes) == .directory { names.append(bytes) }
    }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Whether a path is a folder or lies in it; both absolute, without links.
  package static func isInside(_ path: String, _ folder: String) -> Bool {
    path == folder || path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
  }

  /// Calls `body` with each name in an open folder except `.` and `..`, and the `d_type` of readdir(3).
  package static func visit<Failure: Error>(
    _ directory: DirectoryStream, _ body: (UnsafePointer<CChar>, _ type: Int32) throws(Failure) -> Void
  ) throws(Failure) {
    while let entry = readdir(directory) {
      let type = Int32(entry.pointee.d_type)
      try withUnsafePointer(to: &entry.pointee.d_name) { (pointer) throws(Failure) in
        try pointer.withMemoryRebound(to: CChar.self, capacity: 256) { (name) throws(Failure) in
          if strcmp(name, ".") != 0, strcmp(name, "..") != 0 { try body(name, type) }
        }
      }
    }
  }

  package static func canList(_ path: String) -> Bool { access(path, R_OK | X_OK) == 0 }

  package static func canRead(_ path: String) -> Bool { access(path, R_OK) == 0 }

  /// Whether a path cannot be examined for lack of permission.
  static func isClosed(_ path: String) -> Bool { access(path, F_OK) != 0 && errno == EACCES }

  package static func canWrite(in path: String) -> Bool { access(path, W_OK | X_OK) == 0 }

  /// Returns the absolute path without symbolic links, `.` and `..`; nil if it does not exist (see `errno`).
  package static func realPath(_ path: String) -> String? { ForagePlatform.realPath(path) }

  /// Returns the parent of an absolute path; the root is its own parent.
  package static func parent(of path: String) -> String {
    path.utf8.contains(UInt8(ascii: "/")) ? parentFolder(of: path) : "/"
  }

  package static func name(of path: String) -> Substring {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path[...] }
    return path[path.utf8.index(after: slash)...]
  }

  /// Returns `path` if it is absolute, or else `path` relative to `base`.
  package static func join(_ base: String, _ path: String) -> String {
    if path.utf8.first == UInt8(ascii: "/") { return path }
    return base == "/" ? "/" + path : base + "/" + path
  }

  package static func bytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
    UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }
  }

  static func denied(_ path: String) -> GitError {
    GitError(.permission, "access to \(path) is denied", hint: "check the permissions of that path")
  }

  static func reason() -> String { String(cString: strerror(errno)) }
}

extension FileAccess {
  /// Returns a path as a C string.
  package static func cString(_ path: some Sequence<UInt8>) -> [CChar] {
    path.map { CChar(bitPattern: $0) } + [0]
  }

  /// Returns the path of a name in a folder; the name need not be UTF-8.
  static func path(_ folder: String, _ name: some Sequence<UInt8>) -> [UInt8] {
    Array((folder + "/").utf8) + name
  }

  /// Returns the type of what has a name in a folder; nil if there is nothing. The name need not be UTF-8,
  /// and links are not followed.
  package static func kind(_ folder: String, _ name: some Sequence<UInt8>) -> Entry.Kind? {
    entry(bytes: path(folder, name), follow: false)?.kind
  }

  /// Returns the target of a symbolic link; nil if the path is not a link, or it is longer than 64 KiB.
  static func linkTarget(_ path: [UInt8]) -> [UInt8]? { linkTarget { readlink(cString(path), $0, $1) } }

  /// The same for what reads the target, as `readlink(2)`.
  static func linkTarget(_ read: (UnsafeMutablePointer<CChar>, Int) -> Int) -> [UInt8]? {
    // PATH_MAX is 4 KiB on Linux; some file systems allow more.
    let capacity = 1 << 16
    var count = -1
    let target = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initialized in
      count = buffer.withMemoryRebound(to: CChar.self) { text in
        text.baseAddress.map { read($0, capacity) } ?? -1
      }
      initialized = max(0, count)
    }
    return count >= 0 && count < capacity ? target : nil
  }
}
