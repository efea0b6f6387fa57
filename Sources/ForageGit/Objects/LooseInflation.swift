import CLibGit2

/// Decompresses loose objects: a zlib stream of `TYPE SIZE`, a NUL and the content.
enum LooseInflation {
  /// The size limit of a header: a type, a space, 19 digits and a NUL are shorter.
  private static let headerLimit = 64
  /// The bytes of a file that contain the whole header; compressed it is hardly longer.
  static let headerFileLimit = 1024

  /// An object in memory that the caller frees.
  struct Object {
    var data: UnsafeMutableRawPointer
    var size: Int
    var kind: ObjectKind
  }

  /// Decompresses the header only; nil if it is invalid.
  static func header(_ input: UnsafeRawBufferPointer) -> Header? {
    withStream(of: input) { _, head, _ in Header(head) }
  }

  /// Decompresses an object. Its content must have exactly the size that the header states, and nothing may
  /// follow.
  ///
  /// - Parameters:
  ///   - allocate: returns memory of the given size in bytes; nil if there is none.
  ///   - free: frees the memory of an invalid object.
  /// - Returns: nil if the object is invalid.
  static func object(
    _ input: UnsafeRawBufferPointer, allocate: (Int) -> UnsafeMutableRawPointer?,
    free: (UnsafeMutableRawPointer) -> Void
  ) -> Object? {
    withStream(of: input) { stream, known, status in
      guard let header = Header(known), header.size <= LooseObjects.sizeLimit else { return nil }
      let first = UnsafeRawBufferPointer(rebasing: known[header.length...])
      guard first.count <= header.size,
        // The extra byte detects content that is too long; libgit2 expects it to be a NUL.
        let data = allocate(header.size + 1)
      else { return nil }
      let room = UnsafeMutableRawBufferPointer(start: data, count: header.size + 1)
      room.copyMemory(from: first)
      stream.pointee.next_out = data.assumingMemoryBound(to: UInt8.self) + first.count
      stream.pointee.avail_out = UInt32(room.count - first.count)
      var status = status
      // Each call makes progress; otherwise zlib returns an error.
      while status == Z_OK { status = inflate(stream, Z_NO_FLUSH) }
      guard status == Z_STREAM_END, stream.pointee.avail_in == 0, stream.pointee.avail_out == 1 else {
        free(data)
        return nil
      }
      room[header.size] = 0
      return Object(data: data, size: header.size, kind: header.kind)
    }
  }

  /// Calls `body` with a stream, its first decompressed bytes, and zlib's status; nil without memory.
  private static func withStream<Value>(
    of input: UnsafeRawBufferPointer,
    _ body: (UnsafeMutablePointer<z_stream>, UnsafeRawBufferPointer, Int32) -> Value?
  ) -> Value? {
    // zlib counts in 32 bits; the limit is far below.
    guard let start = input.baseAddress, input.count <= LooseObjects.sizeLimit else { return nil }
    // zlib keeps a pointer to the stream, so the stream must not move.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    guard forage_inflate_init(stream) == Z_OK else { return nil }
    defer { inflateEnd(stream) }
    // zlib does not write to its input.
    stream.pointee.next_in = UnsafeMutablePointer(mutating: start.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = UInt32(input.count)
    return withUnsafeTemporaryAllocation(byteCount: headerLimit, alignment: 16) { head in
      stream.pointee.next_out = head.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.pointee.avail_out = UInt32(headerLimit)
      let status = inflate(stream, Z_NO_FLUSH)
      let known = UnsafeRawBufferPointer(rebasing: head[..<(headerLimit - Int(stream.pointee.avail_out))])
      return body(stream, known, status)
    }
  }

  /// The header of a loose object, such as `commit 120` and a NUL.
  struct Header {
    var kind: ObjectKind
    var size: Int
    /// The length in bytes, with the NUL.
    var length: Int

    init?(_ bytes: UnsafeRawBufferPointer) {
      guard let space = bytes.firstIndex(of: UInt8(ascii: " ")),
        let end = bytes[space...].firstIndex(of: 0), (2...20).contains(end - space)
      else { return nil }
      switch bytes[..<space] {
      case let name where name.elementsEqual("commit".utf8): kind = .commit
      case let name where name.elementsEqual("tree".utf8): kind = .tree
      case let name where name.elementsEqual("blob".utf8): kind = .blob
      case let name where name.elementsEqual("tag".utf8): kind = .tag
      default: return nil
      }
      size = 0
      length = end + 1
      for byte in bytes[(space + 1)..<end] {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        let (tens, isLarge) = size.multipliedReportingOverflow(by: 10)
        let (sum, isLarger) = tens.addingReportingOverflow(Int(byte - UInt8(ascii: "0")))
        guard !isLarge, !isLarger else { return nil }
        size = sum
      }
    }
  }
}
