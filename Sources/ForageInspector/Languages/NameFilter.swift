/// A quick test that most names are not in a set, so that they need not be hashed.
///
/// It knows which lengths occur with each first and each last byte; "no" is certain, "perhaps" is not.
struct NameFilter: Sendable {
  /// Lengths share bits from here on.
  private static let longest = 63

  private var first = [UInt64](repeating: 0, count: 256)
  private var last = [UInt64](repeating: 0, count: 256)

  /// Makes a filter for these names.
  init(_ names: some Sequence<String>) {
    for name in names {
      guard let head = name.utf8.first, let tail = name.utf8.last else { continue }
      let bit = UInt64(1) << UInt64(min(name.utf8.count, Self.longest))
      first[Int(head)] |= bit
      last[Int(tail)] |= bit
    }
  }

  /// Whether the bytes in a range may be one of the names; the range is not empty.
  func mayContain(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    let bit = UInt64(1) << UInt64(min(range.count, Self.longest))
    return first[Int(bytes[range.lowerBound])] & last[Int(bytes[range.upperBound - 1])] & bit != 0
  }
}
