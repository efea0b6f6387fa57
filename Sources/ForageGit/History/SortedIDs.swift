/// The binary search that pack indexes and commit-graphs share: a fan-out table of 256 cumulative counts,
/// then sorted ids.
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
  init?(_ bytes: UnsafeRawBufferPointer, fanout: Int, ids: Int) {
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
  func id(_ index: Int, in bytes: UnsafeRawBufferPointer) -> ObjectID {
    ObjectID(bytes, at: ids + index * ObjectID.byteCount)
  }

  /// Whether the fan-out table agrees with the first byte of the id at an index below ``count``.
  @inline(__always)
  func isInBucket(_ index: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
    let first = Int(bytes[ids + index * ObjectID.byteCount])
    let low = first == 0 ? 0 : Int(bytes.bigEndian32(fanout + 4 * (first - 1)))
    return index >= low && index < Int(bytes.bigEndian32(fanout + 4 * first))
  }

  /// Returns the index of an id; nil if there is none. `bytes` must be those that were validated.
  ///
  /// Of several ids with the same first eight bytes, which are unknown in practice, one may not be found.
  func index(of id: ObjectID, in bytes: UnsafeRawBufferPointer) -> Int? {
    let key = id.word0.bigEndian
    let first = Int(truncatingIfNeeded: key >> 56)
    // The counts do not decrease and the last one is `count`, so both ends are within the ids.
    var low = first == 0 ? 0 : Int(bytes.bigEndian32(fanout + 4 * (first - 1)))
    var high = Int(bytes.bigEndian32(fanout + 4 * first))
    // Ids are uniformly distributed, so the interpolated guess is close; a few steps from there narrow the
    // range.
    if high - low > 16 {
      let spread = (key << 8).multipliedFullWidth(by: UInt64(high - low)).high
      let guess = low + Int(spread)
      var step = 8
      if bytes.bigEndian64(ids + guess * ObjectID.byteCount) <= key {
        low = guess
        while high - low > step, bytes.bigEndian64(ids + (low + step) * ObjectID.byteCount) <= key {
          low += step
          step *= 2
        }
        high = min(high, low + step)
      } else {
        high = guess
        while high - low > step, bytes.bigEndian64(ids + (high - step) * ObjectID.byteCount) > key {
          high -= step
          step *= 2
        }
        low = max(low, high - step)
      }
    }
    while low < high {
      let middle = (low + high) / 2
      let word = bytes.bigEndian64(ids + middle * ObjectID.byteCount)
      if word == key {
        let found = self.id(middle, in: bytes)
        if found == id { return middle }
        if found < id { low = middle + 1 } else { high = middle }
      } else if word < key {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return nil
  }
}
