/// The ids of a commit-graph: a fan-out table of 256 cumulative counts, then sorted ids.
struct SortedIDs: Sendable {
  /// The size of the fan-out table: four bytes for each first byte of an id.
  static let fanoutBytes = 1024

  /// The offset of the fan-out table.
  private let fanout: Int
  /// The offset of the ids.
  private let ids: Int
  /// The number of ids.
  let count: Int

  /// Validates the fan-out table; nil if it is truncated, decreases, or ends with more than 2^31 - 2.
  init?(_ bytes: CheckedBytes, fanout: Int, ids: Int) {
    guard fanout >= 0, ids >= 0, fanout <= bytes.count - Self.fanoutBytes else { return nil }
    var last: UInt32 = 0
    for index in 0..<256 {
      let next = bytes.bigEndian32(fanout + 4 * index)
      guard next >= last else { return nil }
      last = next
    }
    guard last < UInt32(Int32.max) else { return nil }
    count = Int(last)
    self.fanout = fanout
    self.ids = ids
    guard count <= (bytes.count - min(ids, bytes.count)) / ObjectID.byteCount else { return nil }
  }

  /// Returns the id at an index below ``count``.
  @inline(__always)
  func id(_ index: Int, in bytes: CheckedBytes) -> ObjectID {
    bytes.id(at: ids + index * ObjectID.byteCount)
  }

  /// Whether the fan-out table agrees with the first byte of the id at an index below ``count``.
  @inline(__always)
  func isInBucket(_ index: Int, in bytes: CheckedBytes) -> Bool {
    let first = Int(bytes[ids + index * ObjectID.byteCount])
    let low = first == 0 ? 0 : Int(bytes.bigEndian32(fanout + 4 * (first - 1)))
    return index >= low && index < Int(bytes.bigEndian32(fanout + 4 * first))
  }

  /// Returns the index of an id; nil if there is none. `bytes` must be those that were validated.
  func index(of id: ObjectID, in bytes: CheckedBytes) -> Int? {
    let first = Int(truncatingIfNeeded: id.word0.bigEndian >> 56)
    // The counts do not decrease and the last one is `count`, so both ends are within the ids.
    var low = first == 0 ? 0 : Int(bytes.bigEndian32(fanout + 4 * (first - 1)))
    var high = Int(bytes.bigEndian32(fanout + 4 * first))
    while low < high {
      let middle = (low + high) / 2
      let found = self.id(middle, in: bytes)
      if found == id { return middle }
      if found < id { low = middle + 1 } else { high = middle }
    }
    return nil
  }
}
