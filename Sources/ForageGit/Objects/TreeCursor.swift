/// A position in the bytes of a tree object.
struct TreeCursor {
  /// An entry, as offsets into the bytes.
  struct Entry {
    /// The type and permissions in git's canonical form; other mode bits are ignored.
    let mode: UInt32
    let name: Range<Int>

    var isFolder: Bool { mode == TreeCursor.folder }
    var isSubmodule: Bool { mode == TreeCursor.submodule }
    /// The offset of the raw id.
    var idStart: Int { name.upperBound + 1 }
    var end: Int { idStart + ObjectID.byteCount }
  }

  static let folder: UInt32 = 0o040000
  private static let kindMask: UInt32 = 0o170000
  private static let submodule: UInt32 = 0o160000

  let bytes: CheckedBytes
  /// The offset of the next entry.
  var position = 0

  /// Creates a cursor; the bytes must outlive this value.
  init(_ bytes: CheckedBytes) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { position >= bytes.count }

  /// Parses the next entry; nil if it is truncated, has no name, or has an invalid mode.
  @inline(__always)
  func entry() -> Entry? {
    var mode: UInt32 = 0
    var place = position
    while place < bytes.count, bytes[place] != UInt8(ascii: " ") {
      let digit = bytes[place] &- 0x30
      guard digit < 8, mode < 0o10_000_000 else { return nil }
      mode = mode << 3 | UInt32(digit)
      place += 1
    }
    let start = place + 1
    guard place > position, let end = Self.zero(bytes, from: start), end > start,
      bytes.count - end > ObjectID.byteCount
    else { return nil }
    return Entry(mode: Self.canonical(mode), name: start..<end)
  }

  func id(_ entry: Entry) -> ObjectID { bytes.id(at: entry.idStart) }

  func name(_ entry: Entry) -> UnsafeRawBufferPointer { bytes[entry.name] }

  /// Skips the entries that are byte for byte equal at both positions, and returns their number.
  ///
  /// - Parameter limit: the most entries to skip.
  @inline(__always)
  static func skipEqual(_ left: inout TreeCursor, _ right: inout TreeCursor, limit: Int) -> Int {
    let count = equalBytes(left, right)
    let bytes = left.bytes
    let end = left.position + count
    var position = left.position
    var steps = 0
    // Only whole entries within the equal bytes count; a mode has no NUL, so the first NUL ends the name.
    while steps < limit, let zero = zero(bytes, from: position) {
      let next = zero &+ 1 &+ ObjectID.byteCount
      guard next <= end else { break }
      position = next
      steps &+= 1
    }
    right.position += position - left.position
    left.position = position
    return steps
  }

  /// Compares entries in tree order: by the bytes of the name, with a slash after the name of a folder (git's
  /// `base_name_compare`). Negative if the left one is first.
  @inline(__always)
  static func order(_ left: TreeCursor, _ a: Entry, _ right: TreeCursor, _ b: Entry) -> Int {
    let count = min(a.name.count, b.name.count)
    for index in 0..<count {
      let (x, y) = (left.bytes[a.name.lowerBound + index], right.bytes[b.name.lowerBound + index])
      if x != y { return Int(x) - Int(y) }
    }
    return left.next(a, count) - right.next(b, count)
  }

  /// Returns the byte of a name at an offset, or the byte that stands for its end.
  @inline(__always)
  private func next(_ entry: Entry, _ offset: Int) -> Int {
    if offset < entry.name.count { return Int(bytes[entry.name.lowerBound + offset]) }
    return entry.isFolder ? Int(UInt8(ascii: "/")) : 0
  }

  private static func canonical(_ mode: UInt32) -> UInt32 {
    switch mode & kindMask {
    case 0o100000: mode & 0o100 == 0 ? 0o100644 : 0o100755
    case 0o120000: 0o120000
    case folder: folder
    default: submodule
    }
  }

  /// Returns the index of the first NUL, with eight bytes a step (zero byte test of "Hacker's Delight", 6-1).
  ///
  /// - Parameter start: at most the number of bytes, so none of the sums below exceeds it.
  @inline(__always)
  private static func zero(_ bytes: CheckedBytes, from start: Int) -> Int? {
    var position = start
    // Most names end within these 32 bytes; four words without a branch, because their lengths are
    // unpredictable.
    if bytes.count &- position >= 32 {
      let first = zeroBits(bytes, position)
      let second = zeroBits(bytes, position &+ 8)
      let third = zeroBits(bytes, position &+ 16)
      let fourth = zeroBits(bytes, position &+ 24)
      if first | second | third | fourth != 0 {
        var found = fourth
        var offset = 24
        if third != 0 { (found, offset) = (third, 16) }
        if second != 0 { (found, offset) = (second, 8) }
        if first != 0 { (found, offset) = (first, 0) }
        return position &+ offset &+ found.trailingZeroBitCount >> 3
      }
      position &+= 32
    }
    while bytes.count &- position >= 8 {
      let found = zeroBits(bytes, position)
      if found != 0 { return position &+ found.trailingZeroBitCount >> 3 }
      position &+= 8
    }
    while position < bytes.count {
      if bytes[position] == 0 { return position }
      position &+= 1
    }
    return nil
  }

  /// Returns eight bytes in which the highest bit of the first zero byte is set, and no lower one.
  @inline(__always)
  private static func zeroBits(_ bytes: CheckedBytes, _ position: Int) -> UInt64 {
    let word = bytes.littleEndian64(position)
    return (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
  }

  /// The bytes that are compared at a time (256 KiB): some microseconds.
  private static let runLimit = 256 << 10

  /// Returns how many bytes from both positions on are equal, at most ``runLimit``.
  @inline(__always)
  private static func equalBytes(_ left: TreeCursor, _ right: TreeCursor) -> Int {
    let count = min(left.bytes.count &- left.position, right.bytes.count &- right.position, runLimit)
    let (a, b) = (left.bytes, right.bytes)
    let (aStart, bStart) = (left.position, right.position)
    var offset = 0
    // Positions are within the bytes and `offset` is within `count`, so no sum exceeds a buffer's size.
    while count &- offset >= 32 {
      var difference: UInt64 = 0
      for word in 0..<4 {
        let step = offset &+ word &* 8
        let x = a.littleEndian64(aStart &+ step)
        let y = b.littleEndian64(bStart &+ step)
        difference |= x ^ y
      }
      if difference != 0 { break }
      offset &+= 32
    }
    while offset < count, a[aStart &+ offset] == b[bStart &+ offset] { offset &+= 1 }
    return offset
  }
}
