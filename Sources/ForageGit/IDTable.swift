/// A hash table of commit ids to their dense numbers: open addressing, no allocation per entry.
struct IDTable: Sendable {
  private var slots: [Int32]
  private var mask: Int
  /// The ids by number.
  private(set) var ids: [ObjectID] = []
  /// Ids are chosen by whoever writes the commits; a seed keeps them from choosing the slots too.
  private let seed = UInt64.random(in: .min ... .max)

  init() {
    // Enough for small repositories without growing.
    slots = [Int32](repeating: -1, count: 4096)
    mask = 4095
  }

  private func slot(_ id: ObjectID) -> Int {
    let product = (id.word0 ^ seed).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return Int(truncatingIfNeeded: product.high ^ product.low ^ id.word1) & mask
  }

  /// The number of an id; nil when it is not in the table.
  func number(of id: ObjectID) -> Int32? {
    var position = slot(id)
    while true {
      let number = slots[position]
      if number < 0 { return nil }
      if ids[Int(number)] == id { return number }
      position = (position + 1) & mask
    }
  }

  /// The number of an id, which is added when it is new.
  @inline(__always)
  mutating func insert(_ id: ObjectID) -> (number: Int32, isNew: Bool) {
    var position = slot(id)
    while true {
      let number = slots[position]
      if number < 0 { break }
      if ids[Int(number)] == id { return (number, false) }
      position = (position + 1) & mask
    }
    let number = Int32(truncatingIfNeeded: ids.count)
    slots[position] = number
    ids.append(id)
    if ids.count * 2 > slots.count { grow() }
    return (number, true)
  }

  private mutating func grow() {
    let capacity = slots.count * 4
    slots = [Int32](repeating: -1, count: capacity)
    mask = capacity - 1
    for (number, id) in ids.enumerated() {
      var position = slot(id)
      while slots[position] >= 0 { position = (position + 1) & mask }
      slots[position] = Int32(truncatingIfNeeded: number)
    }
  }
}

/// The distinct `Name <mail>` texts of a walk with dense numbers; the texts lie in one array.
struct IdentityTable: Sendable {
  private struct Record: Sendable {
    var offset: Int
    var count: Int
    /// Bytes of the text that are the name of its encoding, at the end.
    var encoding: Int
    var hash: UInt64
  }

  private var arena: [UInt8] = []
  private var records: [Record] = []
  private var slots = [Int32](repeating: -1, count: 1024)
  private let seed = UInt64.random(in: .min ... .max)

  var count: Int { records.count }

  /// The number of a text, which is added when it is new.
  ///
  /// - Parameter encoding: the name of its encoding; empty for UTF-8.
  @inline(__always)
  mutating func insert(_ text: UnsafeRawBufferPointer, encoding: UnsafeRawBufferPointer) -> Int32 {
    var hash = Self.hash(text, seed)
    if !encoding.isEmpty { hash = Self.hash(encoding, hash) }
    var position = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[position] >= 0 {
      let record = records[Int(slots[position])]
      if record.hash == hash, record.count == text.count, record.encoding == encoding.count,
        matches(record.offset, text), matches(record.offset + record.count, encoding)
      {
        return slots[position]
      }
      position = (position + 1) & (slots.count - 1)
    }
    let number = Int32(truncatingIfNeeded: records.count)
    slots[position] = number
    records.append(Record(offset: arena.count, count: text.count, encoding: encoding.count, hash: hash))
    arena.append(contentsOf: text)
    arena.append(contentsOf: encoding)
    if records.count * 2 > slots.count { grow() }
    return number
  }

  /// The text of a number in UTF-8.
  func text(_ number: Int) -> [UInt8] {
    let record = records[number]
    let end = record.offset + record.count
    return TextDecoding.utf8(
      Array(arena[record.offset..<end]), encoding: Array(arena[end..<(end + record.encoding)]))
  }

  private func matches(_ offset: Int, _ text: UnsafeRawBufferPointer) -> Bool {
    arena.withUnsafeBytes { raw in
      for index in 0..<text.count where raw[offset + index] != text[index] { return false }
      return true
    }
  }

  private mutating func grow() {
    slots = [Int32](repeating: -1, count: slots.count * 4)
    for (number, record) in records.enumerated() {
      var position = Int(truncatingIfNeeded: record.hash) & (slots.count - 1)
      while slots[position] >= 0 { position = (position + 1) & (slots.count - 1) }
      slots[position] = Int32(truncatingIfNeeded: number)
    }
  }

  /// Eight bytes a step, each folded by a 128-bit product with a seed (the idea of wyhash).
  private static func hash(_ bytes: UnsafeRawBufferPointer, _ seed: UInt64) -> UInt64 {
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
  private static func fold(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
    return product.high ^ product.low
  }
}
