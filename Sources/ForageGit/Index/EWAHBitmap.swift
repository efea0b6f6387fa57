/// A compressed bitmap, as in the `link` extension of an index (gitformat-bitmap(5), "EWAH").
struct EWAHBitmap {
  /// The positions of the set bits, in order.
  private(set) var positions: [Int] = []
  /// The size of the encoded bitmap in bytes.
  private(set) var byteCount = 0

  /// Decodes a bitmap.
  ///
  /// - Parameters:
  ///   - bytes: the encoded bitmap, which may be followed by other data.
  ///   - limit: the first position that is refused, because a short encoding can stand for billions of bits.
  /// - Returns: nil if the encoding is invalid.
  init?(_ bytes: CheckedBytes, limit: Int) {
    // The number of bits, the number of words, the words, the position of the last header.
    guard bytes.count >= 12 else { return nil }
    let count = Int(bytes.bigEndian32(4))
    guard count <= (bytes.count - 12) / 8 else { return nil }
    byteCount = 12 + count * 8
    var bit = 0
    var word = 0
    func next() -> UInt64 {
      defer { word += 1 }
      return bytes.bigEndian64(8 + word * 8)
    }
    while word < count {
      // A header: the repeated bit, 32 bits with the number of words that repeat it, 31 bits with the number
      // of literal words.
      let header = next()
      let repeated = Int(header >> 1 & 0xFFFF_FFFF)
      let literals = Int(header >> 33)
      if header & 1 == 1 {
        guard repeated * 64 <= limit + 63 - bit else { return nil }
        for position in bit..<(bit + repeated * 64) { positions.append(position) }
      }
      bit += repeated * 64
      guard literals <= count - word else { return nil }
      for _ in 0..<literals {
        var rest = next()
        while rest != 0 {
          positions.append(bit + rest.trailingZeroBitCount)
          rest &= rest - 1
        }
        bit += 64
        // Positions ascend, so the last one is enough to check; empty words may follow.
        guard positions.last ?? 0 < limit || positions.isEmpty else { return nil }
      }
      // No index has more entries than 32 bits count.
      guard bit <= 1 << 33 else { return nil }
    }
    guard positions.last ?? -1 < limit else { return nil }
  }
}
