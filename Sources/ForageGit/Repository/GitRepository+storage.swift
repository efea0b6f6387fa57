#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the object database has on disk.
package struct ObjectStorage: Sendable, Hashable {
  package var packs = 0
  /// Bytes of the `.pack` files; their indexes left out.
  package var packBytes = 0
  package var looseObjects = 0
  /// Bytes that the loose objects' files take on disk, in whole blocks: 1024 times the `size` of
  /// `git count-objects -v`, which rounds.
  package var looseBytes = 0

  package init() {}
}

extension GitRepository {
  /// Files between two questions whether to stop: some milliseconds.
  private static let looseStride = 1_024

  /// Counts packs and loose objects of the repository's own database, alternates left out.
  ///
  /// What is neither a pack with an index nor a file with an object's name is passed over.
  ///
  /// - Throws: `corrupt` when a file has a size that none has, `cancelled`.
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
    while let entry = readdir(directory) {
      seen += 1
      if seen % Self.looseStride == 0, isCancelled() { throw .cancelled }
      var info = stat()
      let isObject = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { name in
          Self.isObjectName(name) && fstatat(descriptor, name, &info, AT_SYMLINK_NOFOLLOW) == 0
            && info.st_mode & S_IFMT == S_IFREG
        }
      }
      guard isObject else { continue }
      let (bytes, overflows) = Int(info.st_blocks).multipliedReportingOverflow(by: 512)
      try Self.add(overflows ? -1 : bytes, to: &result.looseBytes, folder)
      result.looseObjects += 1
    }
  }

  /// Whether a file name is the 38 digits that an object's has after its folder's two.
  private static func isObjectName(_ name: UnsafePointer<CChar>) -> Bool {
    let count = ObjectID.hexCount - 2
    for index in 0..<count {
      let byte = UInt8(bitPattern: name[index])
      // The end of the name is no digit, so that nothing behind it is read.
      guard isDigit(byte) || (byte | 0x20) &- 0x61 < 6 else { return false }
    }
    return name[count] == 0
  }

  private static func add(_ bytes: Int, to sum: inout Int, _ name: String) throws(GitError) {
    let (total, overflows) = sum.addingReportingOverflow(bytes)
    guard (0...sizeLimit).contains(bytes), !overflows else {
      throw GitError(.corrupt, "\(name) has a size that no file has", hint: "run `git fsck` there")
    }
    sum = total
  }
}
