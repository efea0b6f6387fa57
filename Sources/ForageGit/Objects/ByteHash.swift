/// A seeded hash for tables in memory; the seed keeps repositories from crafting names that collide.
enum ByteHash {
  /// Returns the hash: eight bytes a step, each folded by a 128-bit product with a seed, as in wyhash.
  static func of(_ bytes: UnsafeRawBufferPointer, _ seed: UInt64) -> UInt64 {
    var state = seed ^ UInt64(truncatingIfNeeded: bytes.count)
    var position = 0
    while bytes.count - position >= 8 {
      state = fold(state ^ bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      position += 8
    }
    var rest: UInt64 = 0
    while position < bytes.count {
      rest = rest << 8 | UInt64(bytes[position])
      position += 1
    }
    return fold(state ^ rest)
  }

  @inline(__always)
  static func fold(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
    return product.high ^ product.low
  }
}
