/// The SHA-1 id of an object.
///
/// The three words are the 20 bytes in memory order, so the memory of the value is the raw id.
package struct ObjectID: Sendable, Hashable {
  package static let byteCount = 20
  package static let hexCount = 40

  let word0: UInt64
  let word1: UInt64
  let word2: UInt32

  /// Loads the 20 raw bytes at an offset. The caller checks the bounds.
  package init(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0) {
    word0 = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    word1 = bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
    word2 = bytes.loadUnaligned(fromByteOffset: offset + 16, as: UInt32.self)
  }

  /// Parses 40 hexadecimal digits at an offset; nil if there are fewer or other characters.
  init?(hex bytes: UnsafeRawBufferPointer, at offset: Int = 0) {
    guard offset >= 0, bytes.count - offset >= Self.hexCount else { return nil }
    var words: (UInt64, UInt64, UInt32) = (0, 0, 0)
    var valid = true
    for index in 0..<8 { words.0 = words.0 << 8 | UInt64(pair(bytes, offset + 2 * index, &valid)) }
    for index in 8..<16 { words.1 = words.1 << 8 | UInt64(pair(bytes, offset + 2 * index, &valid)) }
    for index in 16..<20 { words.2 = words.2 << 8 | UInt32(pair(bytes, offset + 2 * index, &valid)) }
    guard valid else { return nil }
    word0 = UInt64(bigEndian: words.0)
    word1 = UInt64(bigEndian: words.1)
    word2 = UInt32(bigEndian: words.2)
  }

  package init?(hex text: some StringProtocol) {
    var copy = String(text)
    let id = copy.withUTF8 { $0.count == Self.hexCount ? ObjectID(hex: UnsafeRawBufferPointer($0)) : nil }
    guard let id else { return nil }
    self = id
  }

  package var hex: String {
    let digits: StaticString = "0123456789abcdef"
    return String(unsafeUninitializedCapacity: Self.hexCount) { output in
      withUnsafeBytes(of: self) { bytes in
        for index in 0..<Self.byteCount {
          output[2 * index] = digits.utf8Start[Int(bytes[index] >> 4)]
          output[2 * index + 1] = digits.utf8Start[Int(bytes[index] & 15)]
        }
      }
      return Self.hexCount
    }
  }
}

extension ObjectID {
  /// Hashes a part of the id, which is a hash itself; the hasher's random seed keeps crafted ids from
  /// colliding.
  package func hash(into hasher: inout Hasher) { hasher.combine(word0) }
}

extension ObjectID: Comparable {
  /// Whether the digits of the first id sort before those of the second.
  package static func < (left: ObjectID, right: ObjectID) -> Bool {
    if left.word0 != right.word0 { return left.word0.bigEndian < right.word0.bigEndian }
    if left.word1 != right.word1 { return left.word1.bigEndian < right.word1.bigEndian }
    return left.word2.bigEndian < right.word2.bigEndian
  }
}

extension ObjectID: CustomStringConvertible {
  package var description: String { hex }
}

/// Returns the byte of two hexadecimal digits; clears `valid` if they are invalid.
@inline(__always)
private func pair(_ bytes: UnsafeRawBufferPointer, _ offset: Int, _ valid: inout Bool) -> UInt8 {
  nibble(bytes[offset], &valid) << 4 | nibble(bytes[offset + 1], &valid)
}

@inline(__always) private func nibble(_ byte: UInt8, _ valid: inout Bool) -> UInt8 {
  let digit = byte &- 0x30
  if digit < 10 { return digit }
  let letter = (byte | 0x20) &- 0x61
  if letter < 6 { return letter + 10 }
  valid = false
  return 0
}

/// Dense numbers of object ids, in the order in which they are added.
struct IDTable: Sendable {
  private(set) var ids: [ObjectID] = []
  private var numbers: [ObjectID: Int32] = [:]

  func number(of id: ObjectID) -> Int32? { numbers[id] }

  @inline(__always) mutating func insert(_ id: ObjectID) -> (number: Int32, isNew: Bool) {
    if let known = numbers[id] { return (known, false) }
    let number = Int32(truncatingIfNeeded: ids.count)
    ids.append(id)
    numbers[id] = number
    return (number, true)
  }
}
