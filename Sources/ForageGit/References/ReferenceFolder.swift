import ForagePlatform

/// The check of a folder of loose references before libgit2 lists it.
///
/// libgit2 1.5.1 follows links to folders, in a circle without end, and waits for a pipe that a link names.
enum ReferenceFolder {
  /// The depth of folders; libgit2 follows 100.
  private static let depthLimit = 90

  /// Calls `body` with the path of each file below a folder, relative to it.
  ///
  /// - Throws: `corrupt` for a link to anything but a file, `tooLarge` for too deep folders, `permission`, and
  ///   the errors of `body`.
  static func visit(_ folder: String, _ body: ([UInt8]) throws(GitError) -> Void) throws(GitError) {
    try visit(Array(folder.utf8), relative: [], depth: 0, body)
  }

  private static func visit(
    _ folder: [UInt8], relative: [UInt8], depth: Int, _ body: ([UInt8]) throws(GitError) -> Void
  ) throws(GitError) {
    let shown = String(decoding: folder, as: UTF8.self)
    guard depth < depthLimit else {
      throw GitError(.tooLarge, "\(shown) is below more than \(depthLimit) levels of folders")
    }
    let path = folder.map { CChar(bitPattern: $0) } + [0]
    guard let directory = opendir(path) else {
      if errno == EACCES { throw FileAccess.denied(shown) }
      return
    }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { FileAccess.bytes($0) }
      }
      if name == [UInt8(ascii: ".")] || name == Array("..".utf8) { continue }
      let own = relative + (relative.isEmpty ? [] : [UInt8(ascii: "/")]) + name
      let full = folder + [UInt8(ascii: "/")] + name
      switch kind(full, AT_SYMLINK_NOFOLLOW) {
      case S_IFDIR: try visit(full, relative: own, depth: depth + 1, body)
      case S_IFREG: try body(own)
      case S_IFLNK:
        guard let target = kind(full, 0) else { continue }
        guard target == S_IFREG else {
          throw GitError(
            .corrupt, "\(String(decoding: full, as: UTF8.self)) is a link to something other than a file",
            hint: "remove the link")
        }
        try body(own)
      default: continue
      }
    }
  }

  /// Returns the type of a file; nil if it does not exist.
  private static func kind(_ path: [UInt8], _ flags: Int32) -> mode_t? {
    var info = stat()
    let name = path.map { CChar(bitPattern: $0) } + [0]
    return fstatat(AT_FDCWD, name, &info, flags) == 0 ? info.st_mode & S_IFMT : nil
  }
}
