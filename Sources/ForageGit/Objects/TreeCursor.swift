/// The bytes of a tree object with a place in them.
struct TreeCursor {
  /// An entry, whose parts are positions in the bytes.
  struct Entry {
    /// The kind and the permissions as git compares them: other bits of a mode mean nothing.
    let mode: UInt32
    let name: Range<Int>

    var isFolder: Bool { mode == TreeCursor.folder }
    var isSubmodule: Bool { mode == TreeCursor.submodule }
    /// Where the id's bytes begin.
    var idStart: Int { name.upperBound + 1 }
    var end: Int { idStart + ObjectID.byteCount }
  }

  static let folder: UInt32 = 0o040000
  private static let kindMask: UInt32 = 0o170000
  private static let submodule: UInt32 = 0o160000

  let bytes: UnsafeRawBufferPointer
  /// Where the next entry begins.
  var position = 0

  /// Lends bytes that outlive this value.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { position >= bytes.count }

  /// The next entry; nil when it is cut short, has no name, or a mode that is no octal number.
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

  func id(_ entry: Entry) -> ObjectID { ObjectID(bytes, at: entry.idStart) }

  func name(_ entry: Entry) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[entry.name]) }

  /// Steps over the entries that both trees have alike at their places, byte for byte; returns how many.
  ///
  /// - Parameter limit: how many at most.
  @inline(__always)
  static func skipEqual(_ left: inout TreeCursor, _ right: inout TreeCursor, limit: Int) -> Int {
    let count = equalBytes(left, right)
    let bytes = left.bytes
    let end = left.position + count
    var position = left.position
    var steps = 0
    // Only whole entries within the equal bytes; no mode has a zero byte, thus the first one ends the name.
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

  /// The order of entries in a tree: by the bytes of the name, a folder as if a slash followed
  /// (`base_name_compare` of git's tree handling); negative when the left one is first.
  @inline(__always)
  static func order(_ left: TreeCursor, _ a: Entry, _ right: TreeCursor, _ b: Entry) -> Int {
    let count = min(a.name.count, b.name.count)
    for index in 0..<count {
      let (x, y) = (left.bytes[a.name.lowerBound + index], right.bytes[b.name.lowerBound + index])
      if x != y { return Int(x) - Int(y) }
    }
    return left.next(a, count) - right.next(b, count)
  }

  /// The byte of a name at an offset up to its length, and what stands for its end.
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

  /// The place of the first zero byte; eight bytes a word (the test for a zero byte of "Hacker's Delight", 6-1).
  ///
  /// - Parameter start: not beyond the end. All sums below are at most the number of bytes.
  @inline(__always)
  private static func zero(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var position = start
    // Most names end within these 32 bytes: four words without a branch, because lengths cannot be predicted.
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

  /// Eight bytes, of which the first that is zero has its highest bit set, and none before it.
  @inline(__always)
  private static func zeroBits(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> UInt64 {
    let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
    return (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
  }

  /// How many bytes are looked at in one go (256 KiB): some microseconds.
  private static let runLimit = 256 << 10

  /// How many bytes from both places on are equal, at most ``runLimit``.
  @inline(__always)
  private static func equalBytes(_ left: TreeCursor, _ right: TreeCursor) -> Int {
    let count = min(left.bytes.count &- left.position, right.bytes.count &- right.position, runLimit)
    let (a, b) = (left.bytes, right.bytes)
    let (aStart, bStart) = (left.position, right.position)
    var offset = 0
    // Positions are within the bytes and `offset` within `count`, so that no sum exceeds a buffer's size.
    while count &- offset >= 32 {
      var difference: UInt64 = 0
      for word in 0..<4 {
        let step = offset &+ word &* 8
        let x = a.loadUnaligned(fromByteOffset: aStart &+ step, as: UInt64.self)
        let y = b.loadUnaligned(fromByteOffset: bStart &+ step, as: UInt64.self)
        difference |= x ^ y
      }
      if difference != 0 { break }
      offset &+= 32
    }
    while offset < count, a[aStart &+ offset] == b[bStart &+ offset] { offset &+= 1 }
    return offset
  }
}
