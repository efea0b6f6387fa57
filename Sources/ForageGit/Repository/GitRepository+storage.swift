import ForagePlatform

package struct ObjectStorage: Sendable, Hashable {
  package var packs = 0
  /// The size of the `.pack` files without their indexes, in bytes.
  package var packBytes = 0
  package var looseObjects = 0
  /// The disk usage of the loose objects in bytes, in whole blocks: 1024 times the rounded `size` of
  /// `git count-objects -v`.
  package var looseBytes = 0
}

extension GitRepository {
  /// The number of hexadecimal digits of a SHA-256 id.
  private static let longHexCount = 64
  /// The files between two polls of `isCancelled`: some milliseconds.
  private static let looseStride = 1_024

  /// Counts the packs and loose objects of the repository's own database, without alternates.
  ///
  /// Files that are neither a pack with an index nor named like an object are ignored.
  ///
  /// - Throws: `corrupt` for an invalid file size, `cancelled`.
  package func storage(isCancelled: () -> Bool = { false }) throws(GitError) -> ObjectStorage {
    var result = ObjectStorage()
    let folder = objectsFolder + "/pack"
    let names = FileAccess.names(in: folder)
    let indexes = Set(names.lazy.filter { $0.hasSuffix(".idx") }.map { $0.dropLast(4) })
    for name in names where name.hasSuffix(".pack") && indexes.contains(name.dropLast(5)) {
      guard let entry = FileAccess.entry(folder + "/" + name), entry.kind == .file else { continue }
      try Self.add(entry.size, to: &result.packBytes, name)
      result.packs += 1
    }
    for byte in 0..<256 {
      if isCancelled() { throw .cancelled }
      let digits = String(byte, radix: 16)
      let name = digits.utf8.count == 1 ? "0" + digits : digits
      try countLoose(objectsFolder + "/" + name, &result, isCancelled)
    }
    return result
  }

  private func countLoose(
    _ folder: String, _ result: inout ObjectStorage, _ isCancelled: () -> Bool
  ) throws(GitError) {
    guard let directory = opendir(folder) else { return }
    defer { closedir(directory) }
    let descriptor = dirfd(directory)
    var seen = 0
    try FileAccess.visit(directory) { (name, _) throws(GitError) in
      seen += 1
      if seen % Self.looseStride == 0, isCancelled() { throw .cancelled }
      var info = stat()
      guard isObjectName(name), fstatat(descriptor, name, &info, AT_SYMLINK_NOFOLLOW) == 0,
        info.st_mode & S_IFMT == S_IFREG
      else { return }
      let (bytes, overflows) = Int(info.st_blocks).multipliedReportingOverflow(by: 512)
      try Self.add(overflows ? -1 : bytes, to: &result.looseBytes, folder)
      result.looseObjects += 1
    }
  }

  /// Whether a file name has the digits of an id that follow the two of the folder's name.
  private func isObjectName(_ name: UnsafePointer<CChar>) -> Bool {
    let count = (objectProblem == nil ? ObjectID.hexCount : Self.longHexCount) - 2
    for index in 0..<count {
      let byte = UInt8(bitPattern: name[index])
      // The NUL at the end is not a digit, so nothing after it is read.
      guard isDigit(byte) || (byte | 0x20) &- 0x61 < 6 else { return false }
    }
    return name[count] == 0
  }

  private static func add(_ bytes: Int, to sum: inout Int, _ name: String) throws(GitError) {
    let (total, overflows) = sum.addingReportingOverflow(bytes)
    guard (0...sizeLimit).contains(bytes), !overflows else {
      throw GitError(.corrupt, "the size of \(name) is invalid", hint: "run `git fsck` in the repository")
    }
    sum = total
  }
}

/// The alternates of an object database, from `info/alternates` (git's `link_alt_odb_entries`).
///
/// `GIT_ALTERNATE_OBJECT_DIRECTORIES` is ignored. libgit2 1.5.1 misses quoted names, relative names without a
/// leading dot, and relative names in the list of an alternate, so it is told each database.
struct Alternates: Sendable, Hashable {
  /// The depth to which alternates of alternates are followed, as in git.
  private static let depth = 5
  /// The most alternates, because each is examined.
  private static let limit = 1_000

  /// The databases that exist, absolute and without symbolic links, in the order in which git searches them.
  private(set) var found: [String] = []
  /// The databases that do not exist.
  private(set) var broken: [String] = []
  /// Whether there may be others: there are too many, or a list of them cannot be read.
  private(set) var isIncomplete = false

  init(of objects: String) {
    guard FileAccess.isFile(objects + "/info/alternates") else { return }
    let own = FileAccess.realPath(objects) ?? objects
    var seen: Set<String> = [own]
    follow(own, 0, &seen)
  }

  /// Depth first: the alternates of a database directly follow it.
  private mutating func follow(_ objects: String, _ depth: Int, _ seen: inout Set<String>) {
    guard let lines = Self.lines(objects) else {
      isIncomplete = true
      return
    }
    for line in lines {
      guard seen.count < Self.limit else {
        isIncomplete = true
        return
      }
      let path = FileAccess.join(objects, line)
      let resolved = FileAccess.realPath(path) ?? path
      guard seen.insert(resolved).inserted else { continue }
      guard FileAccess.isDirectory(resolved) else {
        broken.append(resolved)
        continue
      }
      found.append(resolved)
      if depth < Self.depth { follow(resolved, depth + 1, &seen) }
    }
  }

  /// Returns the paths in `info/alternates`, one a line; `#` begins a comment, and unusual names are quoted. Nil if the file
  /// cannot be read.
  private static func lines(_ objects: String) -> [String]? {
    let bytes: [UInt8]?
    do throws(GitError) {
      bytes = try FileAccess.read(objects + "/info/alternates", limit: GitRepository.textLimit)
    } catch {
      return nil
    }
    return (bytes ?? []).split(separator: UInt8(ascii: "\n")).compactMap { line in
      if line.first == UInt8(ascii: "#") { return nil }
      if line.first == UInt8(ascii: "\""), let name = QuotedName(line) {
        return String(decoding: name.bytes, as: UTF8.self)
      }
      return String(decoding: line, as: UTF8.self)
    }
  }
}

extension GitRepository {
  /// Returns the object databases from which this one borrows, directly or indirectly, absolute and without
  /// symbolic links. ``brokenAlternates()`` returns those that do not exist.
  package func alternates() -> [String] { objectFolders.alternates.found }

  package func brokenAlternates() -> [String] { objectFolders.alternates.broken }
}
