import ForagePlatform

/// Comparison, search and hashing of borrowed bytes.
enum Bytes {
  @inline(__always)
  static func sharedPrefix(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    let count = min(left.count, right.count)
    var position = 0
    while count - position >= 8 {
      let first = left.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      let second = right.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      let difference = UInt64(littleEndian: first ^ second)
      if difference != 0 { return position + difference.trailingZeroBitCount / 8 }
      position += 8
    }
    while position < count, left[position] == right[position] { position += 1 }
    return position
  }

  @inline(__always)
  static func first(_ byte: UInt8, in bytes: UnsafeRawBufferPointer, from start: Int = 0) -> Int? {
    guard let base = bytes.baseAddress, start < bytes.count,
      let found = memchr(base + start, Int32(byte), bytes.count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }

  /// A seeded hash for tables in memory; the seed keeps repositories from crafting names that collide.
  ///
  /// Eight bytes a step are folded by a 128-bit product with a seed, as in wyhash.
  @inline(__always)
  static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
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

  @inline(__always) private static func fold(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
    return product.high ^ product.low
  }
}

extension Range<Int> {
  /// Returns the first index of a sorted list that is not below what is searched; the upper bound if all are.
  @inlinable package func search(_ isBelow: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if isBelow(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension UnsafeRawBufferPointer {
  /// Whether a file with these bytes is binary: there is a NUL in the first 8,000, which is what git
  /// examines.
  package var isBinary: Bool { Bytes.first(0, in: UnsafeRawBufferPointer(rebasing: prefix(8_000))) != nil }
}

@inlinable package func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
@inlinable package func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
@inlinable package func isAlphanumeric(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }
@inlinable package func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte &- 0x09 < 5 }
@inlinable package func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
