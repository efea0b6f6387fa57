/// The two buffers between which deltas are applied.
struct DeltaBuffers {
  private var base: [UInt8] = []
  /// What came of the deltas so far.
  private(set) var result: [UInt8] = []

  /// Takes the object that the first delta is against.
  mutating func begin(_ bytes: UnsafeRawBufferPointer) {
    result.removeAll(keepingCapacity: true)
    result.append(contentsOf: bytes)
  }

  /// Applies a delta (gitformat-pack, "Deltified representation"); false when it does not fit.
  mutating func apply(_ delta: UnsafeRawBufferPointer, limit: Int) -> Bool {
    swap(&base, &result)
    var position = 0
    guard let baseSize = Self.size(delta, &position), let resultSize = Self.size(delta, &position),
      baseSize == base.count, resultSize <= limit
    else { return false }
    result.removeAll(keepingCapacity: true)
    result.reserveCapacity(resultSize)
    while position < delta.count {
      let command = delta[position]
      position += 1
      if command & 0x80 != 0 {
        var offset = 0
        var count = 0
        for index in 0..<4 where command & (1 << UInt8(index)) != 0 {
          guard position < delta.count else { return false }
          offset |= Int(delta[position]) << (8 * index)
          position += 1
        }
        for index in 0..<3 where command & (0x10 << UInt8(index)) != 0 {
          guard position < delta.count else { return false }
          count |= Int(delta[position]) << (8 * index)
          position += 1
        }
        if count == 0 { count = 0x10000 }
        guard offset <= base.count, count <= base.count - offset, count <= resultSize - result.count else {
          return false
        }
        result.append(contentsOf: base[offset..<(offset + count)])
      } else {
        let count = Int(command)
        guard count > 0, count <= delta.count - position, count <= resultSize - result.count else {
          return false
        }
        result.append(contentsOf: delta[position..<(position + count)])
        position += count
      }
    }
    return result.count == resultSize
  }

  /// The bytes that a delta's result has, told from its beginning.
  static func resultSize(_ delta: UnsafeRawBufferPointer) -> Int? {
    var position = 0
    return size(delta, &position) == nil ? nil : size(delta, &position)
  }

  private static func size(_ delta: UnsafeRawBufferPointer, _ position: inout Int) -> Int? {
    var value = 0
    var shift = 0
    while position < delta.count, shift <= 49 {
      let byte = delta[position]
      position += 1
      value |= Int(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return value }
      shift += 7
    }
    return nil
  }
}
