import CLibGit2

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads loose objects in libgit2's place, within their bounds.
///
/// libgit2 1.5.1 trusts a loose object: of one that claims a few bytes and has more it writes the rest behind the memory
/// that it took (its issue 7177), on one that is cut off it goes round for ever, and on a pipe it waits. That is what a
/// crafted repository, or a full disk, leaves behind.
final class LooseObjects {
  /// No object is read whose file or whose contents are larger (256 MiB): it could only be given whole.
  static let sizeLimit = 256 << 20

  /// Where to look, each ending with a slash and a zero byte.
  private let folders: [[CChar]]

  private init(_ folders: [String]) { self.folders = folders.map { Array(($0 + "/").utf8CString) } }

  /// Lets all loose objects of a database, and of its alternates, be read by this.
  ///
  /// - Parameters:
  ///   - database: one whose backends are all there, not yet used by another thread.
  ///   - objects: its folder.
  /// - Throws: `other` when libgit2 does not take it.
  static func take(over database: OpaquePointer, objects: String) throws(GitError) {
    for position in 0..<git_odb_num_backends(database) {
      var backend: UnsafeMutablePointer<git_odb_backend>?
      // Only the backends of loose objects can stream.
      guard git_odb_get_backend(&backend, database, position) == 0, let backend,
        backend.pointee.readstream != nil
      else { continue }
      backend.pointee.read = { _, _, _, _, _ in GIT_ENOTFOUND.rawValue }
      backend.pointee.read_header = { _, _, _, _ in GIT_ENOTFOUND.rawValue }
      backend.pointee.read_prefix = nil
      backend.pointee.readstream = nil
    }
    let own = UnsafeMutablePointer<forage_odb_backend>.allocate(capacity: 1)
    own.initialize(to: forage_odb_backend())
    own.pointee.parent.version = UInt32(GIT_ODB_BACKEND_VERSION)
    own.pointee.context = Unmanaged.passRetained(LooseObjects(folders(from: objects))).toOpaque()
    own.pointee.parent.read = { data, size, type, backend, id in
      guard let data, let size, let type, let backend, let id else { return GIT_ERROR.rawValue }
      return LooseObjects.of(backend)?.read(id, backend, data, size, type) ?? GIT_ERROR.rawValue
    }
    own.pointee.parent.read_header = { size, type, backend, id in
      guard let size, let type, let backend, let id else { return GIT_ERROR.rawValue }
      return LooseObjects.of(backend)?.readHeader(id, size, type) ?? GIT_ERROR.rawValue
    }
    own.pointee.parent.free = { backend in if let backend { LooseObjects.free(backend) } }
    let added = own.withMemoryRebound(to: git_odb_backend.self, capacity: 1) { backend in
      // Behind all others: what packs have is read from packs.
      let status = git_odb_add_alternate(database, backend, 0)
      if status != 0 { free(backend) }
      return status
    }
    try LibGit2.check(added, "setting up the object database")
  }

  private static func of(_ backend: UnsafeMutablePointer<git_odb_backend>) -> LooseObjects? {
    backend.withMemoryRebound(to: forage_odb_backend.self, capacity: 1) { own in
      own.pointee.context.map { Unmanaged<LooseObjects>.fromOpaque($0).takeUnretainedValue() }
    }
  }

  private static func free(_ backend: UnsafeMutablePointer<git_odb_backend>) {
    backend.withMemoryRebound(to: forage_odb_backend.self, capacity: 1) { own in
      if let context = own.pointee.context { Unmanaged<LooseObjects>.fromOpaque(context).release() }
      own.deinitialize(count: 1)
      own.deallocate()
    }
  }

  /// A folder of objects and those that it borrows from.
  private static func folders(from objects: String) -> [String] {
    guard Disk.isFile(objects + "/info/alternates") else { return [objects] }
    return [objects] + Alternates(of: objects).found
  }

  private func read(
    _ id: UnsafePointer<git_oid>, _ backend: UnsafeMutablePointer<git_odb_backend>,
    _ data: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ size: UnsafeMutablePointer<Int>,
    _ type: UnsafeMutablePointer<git_object_t>
  ) -> Int32 {
    for folder in folders {
      guard let file = Self.open(folder, id) else { continue }
      defer { close(file) }
      guard let content = Self.content(file) else { return Self.failed("a loose object cannot be read") }
      defer { content.deallocate() }
      guard let object = LooseInflation.object(UnsafeRawBufferPointer(content), for: backend) else {
        return Self.failed("a loose object is damaged")
      }
      (data.pointee, size.pointee, type.pointee) = (object.data, object.size, object.type)
      return 0
    }
    return GIT_ENOTFOUND.rawValue
  }

  private func readHeader(
    _ id: UnsafePointer<git_oid>, _ size: UnsafeMutablePointer<Int>,
    _ type: UnsafeMutablePointer<git_object_t>
  ) -> Int32 {
    for folder in folders {
      guard let file = Self.open(folder, id) else { continue }
      defer { close(file) }
      guard let content = Self.content(file, limit: LooseInflation.headerFileLimit) else {
        return Self.failed("a loose object cannot be read")
      }
      defer { content.deallocate() }
      guard let header = LooseInflation.header(UnsafeRawBufferPointer(content)) else {
        return Self.failed("a loose object is damaged")
      }
      (size.pointee, type.pointee) = (header.size, header.type)
      return 0
    }
    return GIT_ENOTFOUND.rawValue
  }

  /// Opens `FOLDER/ab/cdef…`; nil when there is no such file.
  private static func open(_ folder: [CChar], _ id: UnsafePointer<git_oid>) -> Int32? {
    let length = folder.count - 1
    // Two digits, a slash, 38 digits, a zero byte.
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + ObjectID.hexCount + 2) { path in
      for index in 0..<length { path[index] = folder[index] }
      guard let start = path.baseAddress, git_oid_pathfmt(start + length, id) == 0 else { return nil }
      path[length + ObjectID.hexCount + 1] = 0
      // Not waiting for a writer where a pipe goes by the name of an object.
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

  /// A regular file's first bytes, for the caller to free; nil when it is none, too large, or changes meanwhile.
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

  private static func failed(_ message: String) -> Int32 {
    git_error_set_str(Int32(GIT_ERROR_ODB.rawValue), message)
    return GIT_ERROR.rawValue
  }
}
