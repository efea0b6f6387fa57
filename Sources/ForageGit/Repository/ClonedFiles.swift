import CLibGit2
import ForagePlatform

/// The files of a work tree: opens them beneath its root, through no symbolic link.
///
/// Paths are bytes, relative to the root, with `/` between their components. A path that is absolute or has a
/// component that is empty, `.`, `..` or `.git` names nothing, and neither does one behind a link: to git
/// that is no file of the work tree. A link as the last component is data, and its target is not looked at.
/// The root itself may be reached through links; it is opened once, so that what has its path afterwards
/// makes no difference.
package final class ClonedFiles: Sendable {
  /// The path of the root.
  package let root: String
  /// The open root; negative if it cannot be opened.
  private let descriptor: Int32
  /// Why the root cannot be opened; 0 if it can.
  private let failure: Int32
  private let usesOpenat2: Bool
  /// How a folder is opened through which others are reached.
  #if canImport(Darwin)
    private static let folderFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
  #else
    // `O_PATH`, which headers declare for programs of GNU only: the folder need not be readable.
    private static let folderFlags = 0o10000000 | O_DIRECTORY | O_CLOEXEC
  #endif

  /// Creates a reader of the files below a folder, which holds one descriptor.
  ///
  /// - Parameters:
  ///   - root: The root of a work tree.
  ///   - usesOpenat2: Whether `openat2(2)` opens files where the system has it; only tests do without.
  package init(_ root: String, usesOpenat2: Bool = true) {
    self.root = root
    self.usesOpenat2 = usesOpenat2
    descriptor = open(root, Self.folderFlags)
    failure = descriptor < 0 ? errno : 0
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Reads a regular file; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - limit: The size limit of what is read, in bytes.
  ///   - count: The number of bytes to read at most.
  /// - Returns: The bytes, and the stamp that the file had before it was read.
  /// - Throws: `permission`; `tooLarge` if the file exceeds the limit; `other` if reading fails.
  package func read(
    _ path: [UInt8], limit: Int = FileAccess.fileLimit, first count: Int = .max
  ) throws(GitError) -> (bytes: [UInt8], stamp: FileStamp)? {
    let file = openBeneath(path, O_RDONLY | O_NONBLOCK)
    guard file >= 0 else {
      try FileAccess.checkAbsence(of: shownPath(path))
      return nil
    }
    defer { close(file) }
    return try FileAccess.contents(of: file, shownPath(path), limit: limit, from: 0, first: count)
  }

  /// Returns the metadata of a path, also of the root, whose path is empty; of a link its own. `nil` if there
  /// is nothing or it is inaccessible (see `errno`).
  package func entry(_ path: [UInt8]) -> FileAccess.Entry? {
    var info = stat()
    let isKnown =
      path.isEmpty
      ? isOpen && fstat(descriptor, &info) == 0
      : withParent(of: path) { fstatat($0, $1, &info, AT_SYMLINK_NOFOLLOW) == 0 } ?? false
    return isKnown ? FileAccess.Entry(info) : nil
  }

  /// The stamp of a regular file; `nil` if there is none.
  package func stamp(of path: [UInt8]) -> FileStamp? {
    var info = stat()
    let isKnown = withParent(of: path) { fstatat($0, $1, &info, AT_SYMLINK_NOFOLLOW) == 0 } ?? false
    return isKnown && info.st_mode & S_IFMT == S_IFREG ? FileStamp(info) : nil
  }

  /// A text that no other folder has as long as the root exists; `nil` if it cannot be opened.
  package var rootIdentity: String? {
    var info = stat()
    return isOpen && fstat(descriptor, &info) == 0 ? "\(info.st_dev):\(info.st_ino)" : nil
  }

  /// Whether a path is a regular file.
  package func isFile(_ path: [UInt8]) -> Bool { entry(path)?.kind == .file }

  /// Returns the names in a folder in byte order, without `.`, `..` and `.git`; empty if it cannot be listed.
  /// The path of the root is empty.
  package func names(in path: [UInt8]) -> [[UInt8]] {
    let flags = O_RDONLY | O_DIRECTORY
    let folder =
      path.isEmpty && isOpen ? openat(descriptor, ".", flags | O_CLOEXEC) : openBeneath(path, flags)
    guard folder >= 0 else { return [] }
    guard let directory = fdopendir(folder) else {
      close(folder)
      return []
    }
    defer { closedir(directory) }
    var names: [[UInt8]] = []
    FileAccess.visit(directory) { name, _ in
      let bytes = FileAccess.bytes(name)
      if !Self.isOfGit(bytes[...]) { names.append(bytes) }
    }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Returns the target of a symbolic link; `nil` if the path is not a link, or it is longer than 64 KiB.
  package func linkTarget(_ path: [UInt8]) -> [UInt8]? {
    withParent(of: path) { folder, name in FileAccess.linkTarget { readlinkat(folder, name, $0, $1) } } ?? nil
  }

  /// The path on this disk, for messages.
  private func shownPath(_ path: [UInt8]) -> String {
    FileAccess.join(root, String(decoding: path, as: UTF8.self))
  }

  /// Whether the root is open; otherwise `errno` says why not.
  private var isOpen: Bool {
    if failure != 0 { errno = failure }
    return failure == 0
  }

  /// Whether a component of a path is the name of a git directory, also where names ignore case.
  private static func isOfGit(_ name: ArraySlice<UInt8>) -> Bool {
    name.count == 4 && name.first == UInt8(ascii: ".")
      && name.dropFirst().elementsEqual("git".utf8, by: { $0 | 0x20 == $1 })
  }

  /// The components of a path; `nil` if one of them cannot be that of a file of the clone.
  private static func components(_ path: [UInt8]) -> [ArraySlice<UInt8>]? {
    let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isPath = parts.allSatisfy { part in
      !part.isEmpty && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8) && !isOfGit(part)
        && !part.contains(0)
    }
    return isPath ? parts : nil
  }

  /// Opens what a path names beneath the root.
  ///
  /// - Returns: A descriptor; negative if it cannot be opened (see `errno`): `ELOOP` or `ENOTDIR` for a link.
  private func openBeneath(_ path: [UInt8], _ flags: Int32) -> Int32 {
    guard isOpen else { return -1 }
    guard let parts = Self.components(path) else {
      errno = ENOENT
      return -1
    }
    let flags = flags | O_NOFOLLOW | O_CLOEXEC
    #if os(Linux)
      if usesOpenat2, Self.hasOpenat2 {
        let file = forage_open_beneath(descriptor, FileAccess.cString(path), flags)
        if file >= 0 || errno != EAGAIN { return file }
      }
    #endif
    return openEach(parts, flags)
  }

  #if os(Linux)
    /// Whether the system has `openat2(2)`, since Linux 5.6; a container may forbid it.
    private static let hasOpenat2: Bool = {
      let folder = forage_open_beneath(AT_FDCWD, ".", folderFlags)
      if folder >= 0 { close(folder) }
      return folder >= 0
    }()
  #endif

  /// The same component by component.
  private func openEach(_ parts: [ArraySlice<UInt8>], _ flags: Int32) -> Int32 {
    var folder = descriptor
    for (place, part) in parts.enumerated() {
      let isLast = place == parts.count - 1
      let next = openat(folder, FileAccess.cString(part), isLast ? flags : Self.folderFlags | O_NOFOLLOW)
      let failure = errno
      if folder != descriptor { close(folder) }
      errno = failure
      folder = next
      if next < 0 { break }
    }
    return folder
  }

  /// Calls `body` with the open folder of a path, and the last component.
  ///
  /// - Returns: `nil` if the folder cannot be opened (see `errno`).
  private func withParent<Value>(
    of path: [UInt8], _ body: (Int32, [CChar]) -> Value
  ) -> Value? {
    guard isOpen else { return nil }
    guard let parts = Self.components(path), let name = parts.last else {
      errno = ENOENT
      return nil
    }
    if parts.count == 1 { return body(descriptor, FileAccess.cString(name)) }
    let folder = openBeneath(Array(path.dropLast(name.count + 1)), Self.folderFlags)
    guard folder >= 0 else { return nil }
    let value = body(folder, FileAccess.cString(name))
    let failure = errno
    close(folder)
    errno = failure
    return value
  }
}

extension GitRepository {
  /// Whether the work tree is the folder of the clone; with `core.worktree` it can be any other one, with
  /// files of others.
  private var hasOwnWorktree: Bool { worktree.map { $0 == FileAccess.realPath(root) } ?? false }

  /// The files of the clone's own work tree; `nil` if there is none.
  package func clonedFiles() -> ClonedFiles? { hasOwnWorktree ? worktree.map { ClonedFiles($0) } : nil }
}
