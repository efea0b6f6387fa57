/// A pack and its index (version 2) as defined in gitformat-pack; read-only.
///
/// The files are not trusted: every offset is compared with the file size before use.
struct PackFile: Sendable {
  /// The header of an object in a pack.
  struct Record {
    /// The object types in a pack.
    enum Kind: UInt8 {
      case commit = 1
      case tree = 2
      case blob = 3
      case tag = 4
      case offsetDelta = 6
      case idDelta = 7
    }

    let kind: Kind
    /// The size of the decompressed content (of a delta: of the delta itself), in bytes.
    let size: Int
    /// The offset of the zlib stream.
    let start: Int
    /// The offset of a delta's base; 0 for other types.
    let base: Int
  }

  /// The size of signature, version and number of objects.
  private static let packHeader = 12
  /// The size of signature and version.
  private static let indexHeader = 8
  /// The size of the SHA-1 at the end of a pack; an index has two.
  static let trailer = 20

  /// The pack.
  let pack: MappedFile
  private let index: MappedFile
  private let ids: SortedIDs
  /// The offset of the 32-bit offsets in the index, which the 64-bit ones follow.
  private let offsets: Int
  private let longOffsets: Int
  private let longCount: Int

  /// Opens a pack by its path without `.pack`; nil if its version is unknown or it is damaged.
  init?(_ path: String) {
    guard let index = MappedFile(path + ".idx"), let pack = MappedFile(path + ".pack") else { return nil }
    let bytes = index.bytes
    let minimum = Self.indexHeader + SortedIDs.fanoutBytes + 2 * Self.trailer
    guard bytes.count >= minimum, bytes.bigEndian32(0) == 0xFF74_4F63, bytes.bigEndian32(4) == 2,
      let ids = SortedIDs(
        bytes, fanout: Self.indexHeader, ids: Self.indexHeader + SortedIDs.fanoutBytes)
    else { return nil }
    // The ids are followed by a CRC-32 and an offset for each, four bytes both.
    offsets = Self.indexHeader + SortedIDs.fanoutBytes + ids.count * (ObjectID.byteCount + 4)
    longOffsets = offsets + ids.count * 4
    let rest = bytes.count - 2 * Self.trailer - longOffsets
    guard rest >= 0 else { return nil }
    longCount = rest / 8
    let content = pack.bytes
    guard content.count > Self.packHeader + Self.trailer, content.bigEndian32(0) == 0x5041_434B,
      (2...3).contains(content.bigEndian32(4)), Int(content.bigEndian32(8)) == ids.count
    else { return nil }
    self.ids = ids
    self.index = index
    self.pack = pack
  }

  /// Returns the offset of an object; nil if it is not in this pack or the index has an invalid offset.
  func offset(of id: ObjectID) -> Int? {
    let bytes = index.bytes
    guard let position = ids.index(of: id, in: bytes) else { return nil }
    let short = bytes.bigEndian32(offsets + 4 * position)
    guard short & 0x8000_0000 != 0 else { return checked(Int(short)) }
    let long = Int(short & 0x7FFF_FFFF)
    guard long < longCount else { return nil }
    return Int(exactly: bytes.bigEndian64(longOffsets + 8 * long)).flatMap(checked)
  }

  @inline(__always)
  private func checked(_ offset: Int) -> Int? {
    offset >= Self.packHeader && offset < pack.bytes.count - Self.trailer ? offset : nil
  }

  /// Parses the record at an offset; nil if it is invalid.
  func record(at offset: Int) -> Record? {
    let bytes = pack.bytes
    let end = bytes.count - Self.trailer
    guard let start = checked(offset) else { return nil }
    var position = start
    var byte = bytes[position]
    position += 1
    let code = byte >> 4 & 7
    var size = Int(byte & 15)
    var shift = 4
    while byte & 0x80 != 0 {
      // Sizes fit into 60 bits.
      guard position < end, shift <= 53 else { return nil }
      byte = bytes[position]
      position += 1
      size |= Int(byte & 0x7F) << shift
      shift += 7
    }
    guard let kind = Record.Kind(rawValue: code) else { return nil }
    var base = 0
    if kind == .offsetDelta {
      guard position < end else { return nil }
      byte = bytes[position]
      position += 1
      var distance = Int(byte & 0x7F)
      while byte & 0x80 != 0 {
        guard position < end, distance < 1 << 54 else { return nil }
        byte = bytes[position]
        position += 1
        distance = (distance + 1) << 7 | Int(byte & 0x7F)
      }
      // The base precedes the delta, so chains of such deltas end.
      guard distance > 0, let found = checked(offset - distance) else { return nil }
      base = found
    } else if kind == .idDelta {
      guard end - position > ObjectID.byteCount,
        let found = self.offset(of: ObjectID(bytes, at: position))
      else { return nil }
      base = found
      position += ObjectID.byteCount
    }
    return Record(kind: kind, size: size, start: position, base: base)
  }
}
