package import ForageGit
import ForagePlatform

/// Removes a folder with everything in it. A look beforehand finds what could not be removed, so that nothing
/// or all is.
package enum FolderRemoval {
  /// A file or folder that cannot be removed.
  package struct Obstacle: Error, Hashable {
    /// The path, with replacements for bytes that are not UTF-8.
    package let path: String
    /// Why, as a clause.
    package let reason: String
    /// The `errno` value that is the reason; 0 for another one.
    let code: Int32

    init(_ path: [UInt8], _ reason: String) {
      (self.path, self.reason, code) = (String(decoding: path, as: UTF8.self), reason, 0)
    }

    init(_ path: [UInt8], errno code: Int32) {
      self.path = String(decoding: path, as: UTF8.self)
      (reason, self.code) = (String(cString: strerror(code)), code)
    }
  }

  /// The findings of a look at a folder.
  package struct Survey: Sendable {
    /// The bytes that its files take on disk.
    package fileprivate(set) var bytes = 0
    /// The first thing found that cannot be removed; the look ends there.
    package fileprivate(set) var obstacle: Obstacle?
  }

  /// The unit of `st_blocks` (POSIX leaves it open; Linux and macOS use this one).
  fileprivate static let blockSize = 512

  /// Looks at a folder; nothing is changed.
  ///
  /// A folder of the user's own without write permission is no obstacle, because it is made writable. What
  /// another user owns, what the file system protects, and what is mounted is one.
  ///
  /// - Parameter folder: An absolute path without links.
  /// - Throws: `cancelled`.
  package static func survey(_ folder: String, isCancelled: () -> Bool) throws(GitError) -> Survey {
    var survey = Survey()
    if let mount = mounts(in: folder).first {
      survey.obstacle = Obstacle(mount, "it is mounted")
      return survey
    }
    let parent = parentFolder(of: folder)
    if Look.isProtected(AT_FDCWD, FileAccess.cString(Array(parent.utf8))) {
      survey.obstacle = Obstacle(Array(parent.utf8), "its attributes protect it")
      return survey
    }
    var look = Look()
    do throws(Look.Ending) {
      try look.examine(AT_FDCWD, Array(folder.utf8), Array(folder.utf8), in: nil, isCancelled)
    } catch {
      guard case .obstacle(let obstacle) = error else { throw .cancelled }
      survey.obstacle = obstacle
    }
    survey.bytes = look.bytes
    return survey
  }

  /// The places where something is mounted at or below a folder, by the table of mounts; a folder of the same
  /// file system can be mounted, too.
  ///
  /// A folder can be reached by several paths where the file system is mounted several times: a mount below
  /// any of them keeps the folder under it from being removed.
  ///
  /// - Parameter folder: An absolute path without links.
  package static func mounts(in folder: String) -> [[UInt8]] {
    // As in the table, the root is an empty path.
    let (table, folder) = (mountTable(), folder == "/" ? [] : Array(folder.utf8))
    // Of several at one place the last one is seen.
    let above = table.filter { isInside(folder, $0.point) }
    let length = above.map(\.point.count).max()
    let own = above.last { $0.point.count == length }
    let place = own.map { $0.root + rest(of: folder, below: $0.point) }
    return table.filter { mount in
      if isInside(mount.point, folder) { return true }
      guard let own, let place, mount.id != own.id,
        let outer = table.first(where: { $0.id == mount.outer && $0.device == own.device }),
        isInside(mount.point, outer.point)
      else { return false }
      return isInside(outer.root + rest(of: mount.point, below: outer.point), place)
    }.map(\.point)
  }

  /// An entry of the table of mounts; the root of a file system has an empty path.
  private struct MountEntry {
    var id = 0
    /// The id of the one that it is mounted in.
    var outer = 0
    var device: [UInt8] = []
    /// What of its file system is mounted.
    var root: [UInt8] = []
    var point: [UInt8]
  }

  /// Whether a path is a folder or lies in it.
  private static func isInside(_ path: [UInt8], _ folder: [UInt8]) -> Bool {
    path.starts(with: folder)
      && (path.count == folder.count || folder.isEmpty || path[folder.count] == UInt8(ascii: "/"))
  }

  private static func rest(of path: [UInt8], below folder: [UInt8]) -> ArraySlice<UInt8> {
    path.dropFirst(folder.count)
  }

  #if canImport(Darwin)
    private static func mountTable() -> [MountEntry] {
      var table: UnsafeMutablePointer<statfs>?
      let count = getmntinfo(&table, MNT_NOWAIT)
      return (0..<max(0, Int(count))).compactMap { number in
        table.map { table in
          MountEntry(
            id: number, outer: -1,
            point: withUnsafeBytes(of: table[number].f_mntonname) { Array($0.prefix { $0 != 0 }) })
        }
      }
    }
  #else
    /// Reads `/proc/self/mountinfo` (proc(5)): in each line the id, the outer id, the device, the root and
    /// the place, in which white space and backslashes are octal.
    private static func mountTable() -> [MountEntry] {
      let descriptor = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return [] }
      defer { close(descriptor) }
      var table: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      while case let count = read(descriptor, &buffer, buffer.count), count > 0 { table += buffer[..<count] }
      return table.split(separator: UInt8(ascii: "\n")).compactMap { line in
        let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
        guard fields.count > 4 else { return nil }
        let numbers = fields[..<2].map { Int(String(decoding: $0, as: UTF8.self)) ?? -1 }
        let paths = fields[3...4].map { field in
          let path = unescaped(field)
          return path == [UInt8(ascii: "/")] ? [] : path
        }
        return MountEntry(
          id: numbers[0], outer: numbers[1], device: Array(fields[2]), root: paths[0], point: paths[1])
      }
    }

    private static func unescaped(_ field: ArraySlice<UInt8>) -> [UInt8] {
      var bytes: [UInt8] = []
      var rest = field
      while let byte = rest.popFirst() {
        let digits = rest.prefix(3)
        if byte == UInt8(ascii: "\\"), digits.count == 3,
          let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
        {
          bytes.append(code)
          rest = rest.dropFirst(3)
        } else {
          bytes.append(byte)
        }
      }
      return bytes
    }
  #endif

  /// Removes a folder with everything in it; links are removed and not followed, and nothing is removed of
  /// another file system.
  ///
  /// It goes on after what cannot be removed.
  ///
  /// - Returns: The first thing that is left, with the reason; `nil` when everything is gone.
  package static func remove(_ folder: String) -> Obstacle? {
    if let mount = mounts(in: folder).first { return Obstacle(mount, "it is mounted") }
    var removal = Removal()
    removal.remove(AT_FDCWD, Array(folder.utf8), Array(folder.utf8))
    return removal.first
  }
}

/// The names in an open folder, except `.` and `..`; `nil` if it cannot be listed (see `errno`).
///
/// - Parameter descriptor: It stays open.
private func names(in descriptor: Int32) -> [[UInt8]]? {
  let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  guard copy >= 0 else { return nil }
  guard let stream = fdopendir(copy) else {
    close(copy)
    return nil
  }
  defer { closedir(stream) }
  var names: [[UInt8]] = []
  FileAccess.visit(stream) { name, _ in
    names.append(UnsafeBufferPointer(start: name, count: strlen(name)).map { UInt8(bitPattern: $0) })
  }
  return names
}

private func isFolder(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFDIR }

/// Looks for what of a folder cannot be removed.
private struct Look {
  enum Ending: Error {
    case cancelled
    case obstacle(FolderRemoval.Obstacle)
  }

  /// What is allocated on disk.
  private(set) var bytes = 0
  private let user = geteuid()
  private var device: dev_t?
  /// Files with several names, which count once.
  private var seen: Set<[UInt64]> = []

  /// Examines a file, or a folder with everything in it.
  ///
  /// - Parameters:
  ///   - parent: The open folder that has it.
  ///   - name: Its name in there.
  ///   - path: The whole path, for messages.
  ///   - folder: The status of the folder that has it; `nil` for the first one, whose parent folder is
  ///     checked when it is renamed.
  mutating func examine(
    _ parent: Int32, _ name: [UInt8], _ path: [UInt8], in folder: stat?, _ isCancelled: () -> Bool
  ) throws(Ending) {
    var status = stat()
    let cName = FileAccess.cString(name)
    guard fstatat(parent, cName, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      throw .obstacle(.init(path, errno: errno))
    }
    bytes += size(status)
    if let folder, folder.st_mode & S_ISVTX != 0, user != 0, folder.st_uid != user, status.st_uid != user {
      throw .obstacle(.init(path, "it belongs to another user"))
    }
    if Self.isProtected(parent, cName) { throw .obstacle(.init(path, "its attributes protect it")) }
    guard isFolder(status) else { return }
    if isCancelled() { throw .cancelled }
    if let device, status.st_dev != device {
      throw .obstacle(.init(path, "another file system is mounted there"))
    }
    device = status.st_dev
    let descriptor = openat(parent, cName, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0, let names = names(in: descriptor) else {
      let problem = errno
      if descriptor >= 0 { close(descriptor) }
      throw .obstacle(.init(path, errno: problem))
    }
    defer { close(descriptor) }
    // What is in a folder of the user's own can be removed once it is made writable.
    if !names.isEmpty, faccessat(descriptor, ".", W_OK | X_OK, AT_EACCESS) != 0,
      errno != EACCES || status.st_uid != user
    {
      throw .obstacle(.init(path, errno: errno))
    }
    for name in names {
      try examine(descriptor, name, path + [UInt8(ascii: "/")] + name, in: status, isCancelled)
    }
  }

  /// The bytes that something takes on disk, of a file with several names once.
  private mutating func size(_ status: stat) -> Int {
    if status.st_nlink > 1, !isFolder(status) {
      guard seen.insert([UInt64(status.st_dev), UInt64(status.st_ino)]).inserted else { return 0 }
    }
    return Int(status.st_blocks) * FolderRemoval.blockSize
  }

  /// Whether the file system keeps something from being removed, for root too (`chattr +i`, `+a`).
  fileprivate static func isProtected(_ parent: Int32, _ name: [CChar]) -> Bool {
    #if canImport(Darwin)
      var status = stat()
      let flags = UInt32(UF_IMMUTABLE | UF_APPEND | SF_IMMUTABLE | SF_APPEND)
      return fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_flags & flags != 0
    #else
      // statx(2): attributes are the second word of eight bytes, `STATX_ATTR_IMMUTABLE` and
      // `STATX_ATTR_APPEND` in them.
      typealias Statx =
        @convention(c) (
          Int32, UnsafePointer<CChar>, Int32, UInt32, UnsafeMutableRawPointer
        ) -> Int32
      guard let statx = gnuFunction("statx", as: Statx.self) else { return false }
      return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { buffer in
        guard let memory = buffer.baseAddress, statx(parent, name, AT_SYMLINK_NOFOLLOW, 0, memory) == 0
        else {
          return false
        }
        return memory.load(fromByteOffset: 8, as: UInt64.self) & 0x30 != 0
      }
    #endif
  }
}

/// Removes what can be removed.
private struct Removal {
  /// The first thing that could not be removed.
  private(set) var first: FolderRemoval.Obstacle?
  private let user = geteuid()
  private var device: dev_t?

  private mutating func note(_ path: [UInt8]) { first = first ?? .init(path, errno: errno) }

  mutating func remove(_ parent: Int32, _ name: [UInt8], _ path: [UInt8]) {
    let cName = FileAccess.cString(name)
    var status = stat()
    guard fstatat(parent, cName, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      if errno != ENOENT { note(path) }
      return
    }
    guard isFolder(status) else {
      if unlinkat(parent, cName, 0) != 0, errno != ENOENT { note(path) }
      return
    }
    guard device.map({ $0 == status.st_dev }) ?? true else {
      first = first ?? .init(path, "another file system is mounted there")
      return
    }
    device = status.st_dev
    let descriptor = openat(parent, cName, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return note(path) }
    defer { close(descriptor) }
    let all: mode_t = 0o700
    if status.st_uid == user, status.st_mode & all != all { fchmod(descriptor, status.st_mode & 0o777 | all) }
    guard let names = names(in: descriptor) else { return note(path) }
    for name in names { remove(descriptor, name, path + [UInt8(ascii: "/")] + name) }
    // What is left in it was noted before.
    if unlinkat(parent, cName, AT_REMOVEDIR) != 0, errno != ENOENT, first == nil { note(path) }
  }
}
