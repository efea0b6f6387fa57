/// Gzip streams (RFC 1952) for tests, made without a compressor.
enum Gzip {
  /// A stream of stored blocks: valid, not smaller.
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var deflate: [UInt8] = []
    var start = 0
    repeat {
      // A stored block takes at most 65,535 bytes.
      let part = bytes[start..<min(start + 65_535, bytes.count)]
      start += part.count
      let length = UInt16(part.count)
      deflate.append(start == bytes.count ? 1 : 0)
      deflate += little(length) + little(~length) + part
    } while start < bytes.count
    return framed(deflate, check: checksum(bytes), size: bytes.count)
  }

  /// A stream that unpacks to a byte and so many copies of it, 258 times: 13 bits for each 258 bytes.
  ///
  /// The checksum is right up to 1 MiB; it stands at the end, where nobody arrives with more.
  ///
  /// - Parameter runs: how many runs of 258 bytes follow the first byte.
  static func bomb(of byte: UInt8 = UInt8(ascii: "a"), runs: Int) -> [UInt8] {
    var bits = BitWriter()
    bits.add(1, count: 1)  // last block
    bits.add(1, count: 2)  // fixed Huffman codes
    bits.addCode(UInt(0x30) + UInt(byte), count: 8)  // literals 0 to 143
    for _ in 0..<runs {
      bits.addCode(0b1100_0101, count: 8)  // length 258
      bits.addCode(0, count: 5)  // distance 1
    }
    bits.addCode(0, count: 7)  // end of block
    let size = 1 + runs * 258
    return framed(bits.bytes, check: checksum(repeatElement(byte, count: min(size, 1 << 20))), size: size)
  }

  private static func framed(_ deflate: [UInt8], check: UInt32, size: Int) -> [UInt8] {
    [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + deflate + little(check)
      + little(UInt32(truncatingIfNeeded: size))
  }

  private static func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> Number($0 * 8)) }
  }

  /// CRC-32 as in RFC 1952, section 8.
  private static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    let table = (0..<256).map { start in
      var value = UInt32(start)
      for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
      return value
    }
    var check = ~UInt32(0)
    for byte in bytes { check = table[Int(UInt8(truncatingIfNeeded: check) ^ byte)] ^ (check >> 8) }
    return ~check
  }

  /// Packs bits from the lowest up, as deflate wants (RFC 1951, section 3.1.1).
  private struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var used = 8

    mutating func add(_ value: UInt, count: Int) {
      for position in 0..<count { addBit(value >> UInt(position) & 1) }
    }

    /// Huffman codes go from the highest bit down.
    mutating func addCode(_ value: UInt, count: Int) {
      for position in (0..<count).reversed() { addBit(value >> UInt(position) & 1) }
    }

    private mutating func addBit(_ bit: UInt) {
      if used == 8 {
        bytes.append(0)
        used = 0
      }
      bytes[bytes.count - 1] |= UInt8(bit) << UInt8(used)
      used += 1
    }
  }
}
