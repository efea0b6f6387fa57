/// A summary of a file's content for the detection of renames: the number of bytes in its lines, by hash.
///
/// Lines, in pieces of at most 64 bytes, are hashed as in git (diffcore-delta.c), so that the similarity of
/// files is that of git.
struct FileContent {
  private static let pieceBytes = 64
  /// The modulus of git's hashes.
  private static let modulus: UInt32 = 107_927
  /// The bytes at the beginning that are searched for a NUL, which marks a binary file.
  private static let sniffedBytes = 8_000

  /// The size of the file in bytes.
  let size: Int
  /// Sorted; the lower half of each is the number of bytes, the upper half the hash.
  private let pieces: [UInt64]

  /// The summary of an empty file.
  static let none = FileContent(UnsafeRawBufferPointer(start: nil, count: 0))

  /// Hashes the lines of a file.
  init(_ bytes: UnsafeRawBufferPointer) {
    size = bytes.count
    let isText = Bytes.first(0, in: UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.sniffedBytes))) == nil
    var hashes: [UInt64] = []
    var count: UInt64 = 0
    var first: UInt32 = 0
    var second: UInt32 = 0
    for position in 0..<bytes.count {
      let byte = bytes[position]
      if isText, byte == UInt8(ascii: "\r"), position + 1 < bytes.count,
        bytes[position + 1] == UInt8(ascii: "\n")
      {
        continue
      }
      let before = first
      first = (first << 7) ^ (second >> 25)
      second = (second << 7) ^ (before >> 25)
      first &+= UInt32(byte)
      count += 1
      if count < Self.pieceBytes, byte != UInt8(ascii: "\n") { continue }
      let hash = (first &+ second &* 0x61) % Self.modulus
      hashes.append(UInt64(hash) << 32 | count)
      (count, first, second) = (0, 0, 0)
    }
    hashes.sort()
    var pieces: [UInt64] = []
    for hash in hashes {
      if let last = pieces.last, last >> 32 == hash >> 32 {
        pieces[pieces.count - 1] = last &+ (hash & 0xFFFF_FFFF)
      } else {
        pieces.append(hash)
      }
    }
    self.pieces = pieces
  }

  /// Returns the number of bytes of this file that another file also contains.
  func copied(to other: FileContent) -> Int {
    var copied: UInt64 = 0
    var position = 0
    for piece in pieces {
      while position < other.pieces.count, other.pieces[position] >> 32 < piece >> 32 { position += 1 }
      guard position < other.pieces.count else { break }
      guard other.pieces[position] >> 32 == piece >> 32 else { continue }
      copied += min(piece & 0xFFFF_FFFF, other.pieces[position] & 0xFFFF_FFFF)
      position += 1
    }
    return Int(copied)
  }
}
