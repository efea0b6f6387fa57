/// A delta of a pack: instructions that make an object from a base (gitformat-pack, "Deltified
/// representation").
struct PackDelta {
  private let bytes: UnsafeRawBufferPointer
  private let baseSize: Int
  /// The size of the result in bytes.
  let resultSize: Int
  /// The offset of the first instruction.
  private let start: Int

  /// Parses the two sizes at the beginning; nil if they are invalid.
  ///
  /// - Parameter bytes: the delta or its beginning, which must outlive this value.
  init?(_ bytes: UnsafeRawBufferPointer) {
    var position = 0
    guard let baseSize = Self.size(bytes, &position), let resultSize = Self.size(bytes, &position) else {
      return nil
    }
    self.bytes = bytes
    self.baseSize = baseSize
    self.resultSize = resultSize
    start = position
  }

  /// Applies the delta; nil if it does not fit the base, or the result has more than `limit` bytes.
  func apply(to base: UnsafeRawBufferPointer, limit: Int) -> ObjectBytes? {
    guard baseSize == base.count, resultSize <= limit else { return nil }
    let result = UnsafeMutableRawBufferPointer.allocate(byteCount: resultSize, alignment: 16)
    let object = ObjectBytes(result)
    var filled = 0
    var position = start
    while position < bytes.count {
      let command = bytes[position]
      position += 1
      let source: UnsafeRawBufferPointer
      if command & 0x80 != 0 {
        guard let (offset, count) = range(command, &position), offset <= base.count,
          count <= base.count - offset
        else { return nil }
        source = UnsafeRawBufferPointer(rebasing: base[offset..<(offset + count)])
      } else {
        let count = Int(command)
        guard count > 0, count <= bytes.count - position else { return nil }
        source = UnsafeRawBufferPointer(rebasing: bytes[position..<(position + count)])
        position += count
      }
      guard source.count <= resultSize - filled else { return nil }
      UnsafeMutableRawBufferPointer(rebasing: result[filled...]).copyMemory(from: source)
      filled += source.count
    }
    return filled == resultSize ? object : nil
  }

  /// Parses the range of a copy instruction; nil if it is truncated.
  @inline(__always)
  private func range(_ command: UInt8, _ position: inout Int) -> (offset: Int, count: Int)? {
    var offset = 0
    var count = 0
    for index in 0..<4 where command & (1 << UInt8(index)) != 0 {
      guard position < bytes.count else { return nil }
      offset |= Int(bytes[position]) << (8 * index)
      position += 1
    }
    for index in 0..<3 where command & (0x10 << UInt8(index)) != 0 {
      guard position < bytes.count else { return nil }
      count |= Int(bytes[position]) << (8 * index)
      position += 1
    }
    return (offset, count == 0 ? 0x10000 : count)
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
