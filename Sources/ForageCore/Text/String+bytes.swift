import ForagePlatform

extension String {
  /// Whether its UTF-8 bytes sort before those of another text, independent of locale.
  ///
  /// The bytes are compared in place, because long lists are sorted by this function.
  package func bytesPrecede(_ other: String) -> Bool {
    utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in
        guard let first = left.baseAddress, let second = right.baseAddress else {
          return left.count < right.count
        }
        let order = memcmp(first, second, min(left.count, right.count))
        return order == 0 ? left.count < right.count : order < 0
      }
    }.flatMap(\.self) ?? utf8.lexicographicallyPrecedes(other.utf8)
  }
}

extension StringProtocol {
  /// Whether every character is in one of the ranges of ASCII or one of the others.
  package func consists(of ranges: ClosedRange<Unicode.Scalar>..., and others: String = "") -> Bool {
    utf8.allSatisfy { byte in
      ranges.contains { $0.contains(UnicodeScalar(byte)) } || others.utf8.contains(byte)
    }
  }

  /// The text without leading and trailing white space.
  package func trimmingWhitespace() -> String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first..<index(after: last)])
  }
}

extension Sequence<UInt8> {
  /// A 64-bit hash against accidental damage, stable across processes: FNV-1a (Fowler, Noll, Vo).
  @inlinable package var fnv1a: UInt64 {
    reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// Eight hexadecimal digits: `fnv1a`, folded to 32 bits, from which a secret cannot be recovered.
  package var fingerprint: String {
    let hash = fnv1a
    let digits = String(UInt32(truncatingIfNeeded: hash ^ hash >> 32), radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
