/// Parses an index file: the header, the entries of versions 2 to 4, and the extensions.
struct IndexParser {
  /// The size of the checksum at the end.
  private static let checksumBytes = ObjectID.byteCount
  /// The size of "DIRC", the version and the number of entries.
  private static let headerBytes = 12
  /// The length limit of a path in bytes: 16 times what Linux can open.
  static let pathLimit = 1 << 16
  /// The size limit of all decompressed paths of version 4 (1 GiB), because crafted ones could expand to any
  /// size.
  static let expandedLimit = 1 << 30

  /// The entries; those that replace entries of a shared index have no path.
  private(set) var records: [IndexRecord] = []
  /// The decompressed paths of version 4.
  private(set) var expanded: [UInt8] = []
  /// Whether the paths are in `expanded`; otherwise they are in the file.
  private(set) var isCompressed = false
  private(set) var treeExtension: Range<Int> = 0..<0
  /// The range of the `link` extension, which names the shared index.
  private(set) var linkExtension: Range<Int>?

  init(_ bytes: CheckedBytes) throws(GitError) {
    guard bytes.count >= Self.headerBytes + Self.checksumBytes else {
      throw IndexFile.corrupt("it is truncated")
    }
    guard bytes.bigEndian32(0) == 0x4449_5243 else { throw IndexFile.corrupt("it does not begin with DIRC") }
    let version = bytes.bigEndian32(4)
    guard (2...4).contains(version) else {
      throw Self.unsupported("it has the unknown version \(version)")
    }
    let end = bytes.count - Self.checksumBytes
    let count = Int(bytes.bigEndian32(8))
    // The smallest entry has the fields, the flags and two bytes of path.
    guard count <= (end - Self.headerBytes) / (IndexView.fieldBytes + 4) else {
      throw IndexFile.corrupt("it is truncated")
    }
    records.reserveCapacity(count)
    isCompressed = version == 4
    var position = Self.headerBytes
    if isCompressed {
      expanded.reserveCapacity(count * 48)
      var before = 0..<0
      for _ in 0..<count { try compressed(bytes, &position, end, &before) }
    } else {
      for _ in 0..<count { try plain(bytes, &position, end) }
    }
    try extensions(bytes, position, end)
  }

  /// Reads the flags of an entry; `next` is the offset of its path.
  @inline(__always) private func flags(
    _ bytes: CheckedBytes, _ position: Int, _ end: Int
  ) throws(GitError) -> (nameLength: Int, next: Int) {
    let start = position + IndexView.fieldBytes
    guard end - start >= 4 else { throw IndexFile.corrupt("it is truncated") }
    let flags = bytes.bigEndian16(start)
    guard flags & 0x4000 != 0 else { return (Int(flags & 0xFFF), start + 2) }
    let more = bytes.bigEndian16(start + 2)
    // Only two of the extended flags are defined (skip-worktree, intent-to-add).
    guard more & ~0x6000 == 0 else { throw Self.unsupported("an entry has unknown flags") }
    return (Int(flags & 0xFFF), start + 4)
  }

  @inline(__always) private mutating func plain(
    _ bytes: CheckedBytes, _ position: inout Int, _ end: Int
  ) throws(GitError) {
    let (length, start) = try flags(bytes, position, end)
    let rest = bytes[start..<end]
    guard let zero = Bytes.first(0, in: rest) else { throw IndexFile.corrupt("a path has no end") }
    // The length field of longer paths is 0xFFF.
    guard zero == length || length == 0xFFF && zero > length else {
      throw IndexFile.corrupt("the length of a path is wrong")
    }
    guard zero <= Self.pathLimit else { throw Self.tooLong() }
    records.append(
      IndexRecord(
        entry: UInt32(truncatingIfNeeded: position), path: UInt32(truncatingIfNeeded: start),
        pathLength: UInt32(truncatingIfNeeded: zero)))
    // One to eight NULs pad the entry to a multiple of eight bytes.
    position += (start - position + zero + 8) & ~7
    guard position <= end else { throw IndexFile.corrupt("it is truncated") }
  }

  private mutating func compressed(
    _ bytes: CheckedBytes, _ position: inout Int, _ end: Int, _ before: inout Range<Int>
  ) throws(GitError) {
    var (length, start) = try flags(bytes, position, end)
    // The number of bytes to drop from the previous path, as a variable-length number (as in `OFS_DELTA`).
    var drop = -1
    var byte = 128
    while byte >= 128 {
      guard start < end, drop <= Self.pathLimit else {
        throw IndexFile.corrupt("the length of a path is wrong")
      }
      byte = Int(bytes[start])
      drop = (drop + 1) << 7 | byte & 127
      start += 1
    }
    let rest = bytes[start..<end]
    guard drop <= before.count, let zero = Bytes.first(0, in: rest) else {
      throw IndexFile.corrupt("the length of a path is wrong")
    }
    let kept = before.count - drop
    let count = kept + zero
    guard count <= Self.pathLimit else { throw Self.tooLong() }
    guard count == length || length == 0xFFF && count > length else {
      throw IndexFile.corrupt("the length of a path is wrong")
    }
    let path = expanded.count
    guard path + count < Self.expandedLimit else {
      throw GitError(.tooLarge, "the paths of the index have more than \(Self.expandedLimit) bytes")
    }
    if kept > 0 { expanded.append(contentsOf: expanded[before.lowerBound..<(before.lowerBound + kept)]) }
    expanded.append(contentsOf: rest[0...zero])
    before = path..<(path + count)
    records.append(
      IndexRecord(
        entry: UInt32(truncatingIfNeeded: position), path: UInt32(truncatingIfNeeded: path),
        pathLength: UInt32(truncatingIfNeeded: count)))
    position = start + zero + 1
  }

  private mutating func extensions(
    _ bytes: CheckedBytes, _ start: Int, _ end: Int
  ) throws(GitError) {
    var position = start
    while end - position >= 8 {
      let size = Int(bytes.bigEndian32(position + 4))
      let content = position + 8
      guard size <= end - content else { throw IndexFile.corrupt("an extension is truncated") }
      let name = String(decoding: bytes[position..<(position + 4)], as: UTF8.self)
      switch name {
      case "TREE": treeExtension = content..<(content + size)
      case "link": linkExtension = content..<(content + size)
      // `sdir` allows entries for folders, which their modes show.
      case "sdir": break
      default:
        // A capital letter marks an optional extension.
        guard (0x41...0x5A).contains(bytes[position]) else {
          throw Self.unsupported("it needs the unknown extension \(Self.printable(name))")
        }
      }
      position = content + size
    }
    guard position == end else { throw IndexFile.corrupt("an extension is truncated") }
  }

  private static func printable(_ name: String) -> String {
    String(
      name.unicodeScalars.map { $0.isASCII && $0.value >= 0x20 && $0.value < 0x7F ? Character($0) : "?" })
  }

  private static func tooLong() -> GitError {
    GitError(.tooLarge, "a path of the index has more than \(pathLimit) bytes")
  }

  private static func unsupported(_ why: String) -> GitError {
    GitError(.unsupportedIndex, "the index cannot be read: \(why)", hint: "use `git status`")
  }
}
