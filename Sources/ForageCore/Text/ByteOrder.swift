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
