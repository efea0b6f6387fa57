/// A position in the bytes of a tree object.
struct TreeCursor {
  /// An entry, as offsets into the bytes.
  struct Entry {
    /// The type and permissions in git's canonical form; other mode bits are ignored.
    let mode: UInt32
    let name: Range<Int>

    var isFolder: Bool { mode == TreeCursor.folder }
    var isSubmodule: Bool { mode == TreeCursor.submodule }
    var idStart: Int { name.upperBound + 1 }
    var end: Int { idStart + ObjectID.byteCount }
  }

  static let folder: UInt32 = 0o040000
  private static let kindMask: UInt32 = 0o170000
  private static let submodule: UInt32 = 0o160000

  let bytes: CheckedBytes
  var position = 0

  /// Creates a cursor; the bytes must outlive this value.
  init(_ bytes: CheckedBytes) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { position >= bytes.count }

  /// Parses the next entry; nil if it is truncated, has no name, or has an invalid mode.
  @inline(__always) func entry() -> Entry? {
    var mode: UInt32 = 0
    var place = position
    while place < bytes.count, bytes[place] != UInt8(ascii: " ") {
      let digit = bytes[place] &- 0x30
      guard digit < 8, mode < 0o10_000_000 else { return nil }
      mode = mode << 3 | UInt32(digit)
      place += 1
    }
    let start = place + 1
    guard place > position, let end = bytes.first(0, from: start), end > start,
      bytes.count - end > ObjectID.byteCount
    else { return nil }
    return Entry(mode: Self.canonical(mode), name: start..<end)
  }

  func id(_ entry: Entry) -> ObjectID { bytes.id(at: entry.idStart) }

  func name(_ entry: Entry) -> UnsafeRawBufferPointer { bytes[entry.name] }

  /// Skips the entries that are byte for byte equal at both positions, and returns their number.
  @inline(__always)
  static func skipEqual(_ left: inout TreeCursor, _ right: inout TreeCursor, limit: Int) -> Int {
    let end = left.position + Bytes.sharedPrefix(left.rest, right.rest)
    var position = left.position
    var steps = 0
    // Only whole entries within the equal bytes count; a mode has no NUL, so the first NUL ends the name.
    while steps < limit, let zero = left.bytes.first(0, from: position) {
      let next = zero + 1 + ObjectID.byteCount
      guard next <= end else { break }
      position = next
      steps += 1
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
  @inline(__always) private func next(_ entry: Entry, _ offset: Int) -> Int {
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

  /// The bytes that are compared at a time (256 KiB): some microseconds.
  private static let runLimit = 256 << 10

  private var rest: UnsafeRawBufferPointer {
    bytes[position..<min(bytes.count, position + Self.runLimit)]
  }
}
