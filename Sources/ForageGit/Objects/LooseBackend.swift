import CLibGit2

/// Loose objects, read safely; takes the place of libgit2's own backend for them.
///
/// libgit2 trusts loose objects. If the content is longer than the header states, it writes past the end of
/// its buffer (its issue 7177, fixed in 1.9.3); if an object is truncated, it loops forever (no release up to
/// 1.9.7 is free of that); it blocks on a pipe. Crafted repositories and full disks produce such objects.
/// Once the oldest supported libgit2 reads them all safely, `git_odb_backend_loose` replaces this file.
final class LooseBackend {
  /// The folders of the databases, in the order in which they are searched.
  private let folders: [String]

  private init(_ folders: [String]) { self.folders = folders }

  /// Adds a backend to a database, after those that are there.
  ///
  /// - Throws: `other` if libgit2 refuses it.
  static func add(_ folders: [String], to database: OpaquePointer) throws(GitError) {
    let own = UnsafeMutablePointer<forage_odb_backend>.allocate(capacity: 1)
    own.initialize(to: forage_odb_backend())
    own.pointee.parent.version = UInt32(GIT_ODB_BACKEND_VERSION)
    own.pointee.context = Unmanaged.passRetained(LooseBackend(folders)).toOpaque()
    own.pointee.parent.read = { data, size, type, backend, id in
      guard let data, let size, let type, let backend, let id else { return GIT_ERROR.rawValue }
      return LooseBackend.answer(backend, ObjectID(id.pointee), first: .max) { file in
        guard let object = LooseObject(file),
          let copy = git_odb_backend_data_alloc(backend, object.content.count + 1)
        else { return false }
        // libgit2 expects a NUL after the content.
        let room = UnsafeMutableRawBufferPointer(start: copy, count: object.content.count + 1)
        room.copyBytes(from: object.content)
        room[object.content.count] = 0
        (data.pointee, size.pointee, type.pointee) = (copy, object.content.count, object.kind.type)
        return true
      }
    }
    own.pointee.parent.read_header = { size, type, backend, id in
      guard let size, let type, let backend, let id else { return GIT_ERROR.rawValue }
      return LooseBackend.answer(backend, ObjectID(id.pointee), first: LooseObject.headerFileLimit) { file in
        guard let header = LooseObject.Header(inFile: file) else { return false }
        (size.pointee, type.pointee) = (header.size, header.kind.type)
        return true
      }
    }
    own.pointee.parent.exists = { backend, id in
      guard let backend, let id else { return 0 }
      return LooseBackend.answer(backend, ObjectID(id.pointee), first: 1) { _ in true } == 0 ? 1 : 0
    }
    own.pointee.parent.free = { backend in if let backend { LooseBackend.free(backend) } }
    let added = own.withMemoryRebound(to: git_odb_backend.self, capacity: 1) { backend in
      let status = git_odb_add_backend(database, backend, ObjectStore.loosePriority)
      if status != 0 { free(backend) }
      return status
    }
    try LibGit2.check(added, "setting up the object database")
  }

  /// Calls `body` with the first bytes of an object's file, and returns libgit2's status: an error if the
  /// file cannot be read or `body` returns false.
  private static func answer(
    _ backend: UnsafeMutablePointer<git_odb_backend>, _ id: ObjectID, first count: Int,
    _ body: ([UInt8]) -> Bool
  ) -> Int32 {
    let own = backend.withMemoryRebound(to: forage_odb_backend.self, capacity: 1) { own in
      own.pointee.context.map { Unmanaged<LooseBackend>.fromOpaque($0).takeUnretainedValue() }
    }
    guard let own else { return GIT_ERROR.rawValue }
    var message = "a loose object is damaged"
    do throws(GitError) {
      guard let file = try own.file(id, first: count) else { return GIT_ENOTFOUND.rawValue }
      if body(file) { return 0 }
    } catch {
      message = error.message
    }
    git_error_set_str(Int32(GIT_ERROR_ODB.rawValue), message)
    return GIT_ERROR.rawValue
  }

  private func file(_ id: ObjectID, first count: Int) throws(GitError) -> [UInt8]? {
    let hex = id.hex
    for folder in folders {
      let path = "\(folder)/\(hex.prefix(2))/\(hex.dropFirst(2))"
      if let bytes = try FileAccess.read(path, limit: LooseObject.sizeLimit, first: count) { return bytes }
      guard FileAccess.entry(path, follow: false) == nil else {
        throw GitError(.corrupt, "\(path) is not a regular file")
      }
    }
    return nil
  }

  private static func free(_ backend: UnsafeMutablePointer<git_odb_backend>) {
    backend.withMemoryRebound(to: forage_odb_backend.self, capacity: 1) { own in
      if let context = own.pointee.context { Unmanaged<LooseBackend>.fromOpaque(context).release() }
      own.deinitialize(count: 1)
      own.deallocate()
    }
  }
}

/// A decompressed loose object: a zlib stream of `TYPE SIZE`, a NUL and the content.
private struct LooseObject {
  /// The size limit of a file or its content (256 MiB), because objects are loaded as a whole.
  static let sizeLimit = 256 << 20
  /// The size limit of a header: a type, a space, 19 digits and a NUL are shorter.
  private static let headerLimit = 64
  /// The bytes of a file that contain the whole header; compressed it is hardly longer.
  static let headerFileLimit = 1024

  let kind: ObjectKind
  let content: ArraySlice<UInt8>

  /// Decompresses a file; nil unless the content has exactly the size that the header states and nothing
  /// follows it.
  init?(_ file: [UInt8]) {
    guard let header = Header(inFile: file), header.size <= Self.sizeLimit else { return nil }
    let count = header.length + header.size
    // The extra byte detects content that is too long.
    guard let (bytes, isWhole) = Self.inflated(file, limit: count + 1), isWhole, bytes.count == count else {
      return nil
    }
    kind = header.kind
    content = bytes[header.length...]
  }

  /// Decompresses at most `limit` bytes; nil if the stream is damaged or truncated before.
  ///
  /// - Returns: the bytes, and whether the stream ends there and the file with it.
  private static func inflated(_ file: [UInt8], limit: Int) -> (bytes: [UInt8], isWhole: Bool)? {
    var stream = z_stream()
    var status = Z_STREAM_ERROR
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { output, count in
      file.withUnsafeBufferPointer { input in
        // zlib keeps a pointer to the stream, so the stream must not move.
        withUnsafeMutablePointer(to: &stream) { stream in
          guard forage_inflate_init(stream) == Z_OK else { return }
          defer { inflateEnd(stream) }
          // zlib does not write to its input. It counts in 32 bits; both limits are far below.
          stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
          stream.pointee.avail_in = UInt32(clamping: input.count)
          stream.pointee.next_out = output.baseAddress
          stream.pointee.avail_out = UInt32(clamping: limit)
          status = inflate(stream, Z_FINISH)
          count = limit - Int(stream.pointee.avail_out)
        }
      }
    }
    let isWhole = status == Z_STREAM_END && stream.avail_in == 0
    guard isWhole || status == Z_BUF_ERROR && bytes.count == limit else { return nil }
    return (bytes, isWhole)
  }

  /// The header of a loose object, such as `commit 120` and a NUL.
  struct Header {
    let kind: ObjectKind
    let size: Int
    /// The length in bytes, with the NUL.
    let length: Int

    /// Decompresses the beginning of a file; nil if its header is invalid.
    init?(inFile file: [UInt8]) {
      guard let (bytes, _) = LooseObject.inflated(file, limit: LooseObject.headerLimit),
        let space = bytes.firstIndex(of: UInt8(ascii: " ")), let end = bytes[space...].firstIndex(of: 0)
      else { return nil }
      let digits = bytes[(space + 1)..<end]
      guard let kind = ObjectKind(name: bytes[..<space]), digits.allSatisfy(isDigit),
        let size = Int(String(decoding: digits, as: UTF8.self))
      else { return nil }
      (self.kind, self.size, length) = (kind, size, end + 1)
    }
  }
}

extension ObjectKind {
  fileprivate init?(name: ArraySlice<UInt8>) {
    switch String(decoding: name, as: UTF8.self) {
    case "commit": self = .commit
    case "tree": self = .tree
    case "blob": self = .blob
    case "tag": self = .tag
    default: return nil
    }
  }
}
