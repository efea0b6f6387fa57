import CLibGit2

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads the loose objects of a database and its alternates, with bounds checks.
final class LooseObjects: Sendable {
  /// The size limit of a file or its content (256 MiB), because objects are loaded as a whole.
  static let sizeLimit = 256 << 20

  /// The folders to search, each with a trailing slash and NUL.
  private let folders: [[CChar]]

  /// Creates a reader.
  ///
  /// - Parameter objects: the folder of the database.
  init(objects: String) {
    folders = ([objects] + Alternates(of: objects).found).map { Array(($0 + "/").utf8CString) }
  }

  /// Reads an object into memory that the caller deallocates; one byte larger than the object, allocated with
  /// `UnsafeMutableRawPointer.allocate`. Nil if there is no valid object.
  func object(_ id: ObjectID) -> LooseInflation.Object? {
    withContent(id) { content in
      content.flatMap {
        LooseInflation.object(
          $0, allocate: { .allocate(byteCount: $0, alignment: 16) }, free: { $0.deallocate() })
      }
    } ?? nil
  }

  /// Returns the type and size of an object; nil if there is none.
  func header(_ id: ObjectID) -> (kind: ObjectKind, size: Int)? {
    let header = withContent(id, limit: LooseInflation.headerFileLimit) { content in
      content.flatMap { LooseInflation.header($0) }
    }
    return (header ?? nil).map { ($0.kind, $0.size) }
  }

  /// Whether a file exists for an object.
  func contains(_ id: ObjectID) -> Bool {
    withContent(id, limit: 1) { $0 != nil } ?? false
  }

  /// Calls `body` with the first `limit` bytes of an object's file; with nil if the file cannot be read.
  ///
  /// - Returns: nil if there is no such file.
  func withContent<Result>(
    _ id: ObjectID, limit: Int = .max, _ body: (UnsafeRawBufferPointer?) -> Result
  ) -> Result? {
    for folder in folders {
      guard let file = id.withOID({ Self.open(folder, $0) }) else { continue }
      defer { close(file) }
      guard let content = Self.content(file, limit: limit) else { return body(nil) }
      defer { content.deallocate() }
      return body(UnsafeRawBufferPointer(content))
    }
    return nil
  }

  /// Opens `FOLDER/ab/cdef…`; nil if there is no such file.
  private static func open(_ folder: [CChar], _ id: UnsafePointer<git_oid>) -> Int32? {
    let length = folder.count - 1
    // Two digits, a slash, 38 digits and a NUL.
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + ObjectID.hexCount + 2) { path in
      for index in 0..<length { path[index] = folder[index] }
      guard let start = path.baseAddress, git_oid_pathfmt(start + length, id) == 0 else { return nil }
      path[length + ObjectID.hexCount + 1] = 0
      // O_NONBLOCK: a pipe may have the name of an object, and opening it would block.
      #if canImport(Glibc)
        let file = Glibc.open(start, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      #elseif canImport(Musl)
        let file = Musl.open(start, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      #elseif canImport(Darwin)
        let file = Darwin.open(start, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      #endif
      return file < 0 ? nil : file
    }
  }

  /// Reads the first bytes of a regular file, which the caller deallocates; nil if it is another kind of
  /// file, too large, or changes meanwhile.
  private static func content(_ file: Int32, limit: Int = .max) -> UnsafeMutableRawBufferPointer? {
    var entry = stat()
    guard fstat(file, &entry) == 0, entry.st_mode & S_IFMT == S_IFREG,
      (1...sizeLimit).contains(Int(entry.st_size))
    else { return nil }
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: min(limit, Int(entry.st_size)), alignment: 16)
    var filled = 0
    while filled < buffer.count, let start = buffer.baseAddress {
      #if canImport(Glibc)
        let count = Glibc.read(file, start + filled, buffer.count - filled)
      #elseif canImport(Musl)
        let count = Musl.read(file, start + filled, buffer.count - filled)
      #elseif canImport(Darwin)
        let count = Darwin.read(file, start + filled, buffer.count - filled)
      #endif
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      filled += count
    }
    if filled == buffer.count { return buffer }
    buffer.deallocate()
    return nil
  }
}
