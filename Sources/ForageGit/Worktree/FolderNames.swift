import ForagePlatform

/// The names in a folder; the memory is reused for the next folder.
struct FolderNames {
  struct Name {
    /// The offset in `bytes`; a NUL follows the name.
    var start: Int32
    var count: Int32
    var kind: FileAccess.Entry.Kind
  }

  private(set) var bytes: [UInt8] = []
  private(set) var names: [Name] = []
  private(set) var hasGit = false
  private(set) var hasIgnoreFile = false

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    names.removeAll(keepingCapacity: true)
    hasGit = false
    hasIgnoreFile = false
  }

  /// Reads the names in an open folder, without `.`, `..` and `.git`.
  mutating func read(_ directory: DirectoryStream, foldsCase: Bool) {
    removeAll()
    let descriptor = dirfd(directory)
    FileAccess.visit(directory) { name, type in
      let kind: FileAccess.Entry.Kind? =
        switch type {
        case Int32(DT_REG): .file
        case Int32(DT_DIR): .directory
        case Int32(DT_LNK): .symlink
        case Int32(DT_UNKNOWN): nil
        default: .other
        }
      let count = strlen(name)
      let text = UnsafeRawBufferPointer(start: name, count: count)
      if text.first == UInt8(ascii: "."), isSpecial(text, foldsCase) { return }
      let start = Int32(truncatingIfNeeded: bytes.count)
      bytes.append(contentsOf: UnsafeRawBufferPointer(start: name, count: count + 1))
      names.append(
        Name(
          start: start, count: Int32(truncatingIfNeeded: count),
          kind: kind ?? Self.kind(of: name, in: descriptor)))
    }
  }

  private mutating func isSpecial(_ name: UnsafeRawBufferPointer, _ foldsCase: Bool) -> Bool {
    switch name.count {
    case 4:
      let isGit =
        ".git".utf8.elementsEqual(name) || foldsCase && ".git".utf8.elementsEqual(name.map(lowercased))
      if isGit { hasGit = true }
      return isGit
    case 10:
      if ".gitignore".utf8.elementsEqual(name) { hasIgnoreFile = true }
      return false
    default: return false
    }
  }

  private static func kind(
    of name: UnsafePointer<CChar>, in descriptor: Int32
  ) -> FileAccess.Entry.Kind {
    var info = stat()
    return fstatat(descriptor, name, &info, AT_SYMLINK_NOFOLLOW) == 0 ? .init(info) : .other
  }
}
