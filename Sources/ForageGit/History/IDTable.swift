/// A hash table of commit ids to dense numbers: open addressing, no allocation per entry.
struct IDTable: Sendable {
  private var slots: [Int32]
  private var mask: Int
  /// The ids by number.
  private(set) var ids: [ObjectID] = []
  /// A random seed, because authors of commits can influence ids and could otherwise choose the slots.
  private let seed = UInt64.random(in: .min ... .max)
  /// The number of ids that ``number(of:)`` finds.
  private var hashed = 0

  init() {
    // Enough for small repositories without growing.
    slots = [Int32](repeating: -1, count: 4096)
    mask = 4095
  }

  private func slot(_ id: ObjectID) -> Int {
    let product = (id.word0 ^ seed).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return Int(truncatingIfNeeded: product.high ^ product.low ^ id.word1) & mask
  }

  /// Returns the number of an id; nil if it is not in the table.
  func number(of id: ObjectID) -> Int32? {
    var position = slot(id)
    while true {
      let number = slots[position]
      if number < 0 { return nil }
      if ids[Int(number)] == id { return number }
      position = (position + 1) & mask
    }
  }

  /// Returns the number of an id, and adds it if it is new.
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
    hashed += 1
    if hashed * 2 > slots.count { grow() }
    return (number, true)
  }

  /// Assigns a number to a new id that ``number(of:)`` need not find.
  @inline(__always)
  mutating func append(_ id: ObjectID) -> Int32 {
    ids.append(id)
    return Int32(truncatingIfNeeded: ids.count - 1)
  }

  private mutating func grow() {
    // Enters all ids, also those that need not be found.
    hashed = ids.count
    var capacity = slots.count
    while capacity < hashed * 2 { capacity *= 2 }
    capacity *= 2
    slots = [Int32](repeating: -1, count: capacity)
    mask = capacity - 1
    for (number, id) in ids.enumerated() {
      var position = slot(id)
      while slots[position] >= 0 { position = (position + 1) & mask }
      slots[position] = Int32(truncatingIfNeeded: number)
    }
  }
}

/// The distinct `Name <email>` texts of a walk with dense numbers; the texts are in one array.
struct IdentityTable: Sendable {
  private struct Record: Sendable {
    var offset: Int
    var count: Int
    /// The length of the encoding's name, which follows the text.
    var encoding: Int
    var hash: UInt64
  }

  private var arena: [UInt8] = []
  private var records: [Record] = []
  private var slots = [Int32](repeating: -1, count: 1024)
  private let seed = UInt64.random(in: .min ... .max)

  var count: Int { records.count }

  /// Returns the number of a text, and adds it if it is new.
  ///
  /// - Parameters:
  ///   - text: the text as recorded.
  ///   - encoding: the name of its encoding; empty for UTF-8.
  @inline(__always)
  mutating func insert(_ text: UnsafeRawBufferPointer, encoding: UnsafeRawBufferPointer) -> Int32 {
    var hash = Bytes.hash(text, seed: seed)
    if !encoding.isEmpty { hash = Bytes.hash(encoding, seed: hash) }
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

  /// Returns the text of a number in UTF-8.
  func text(_ number: Int) -> [UInt8] {
    let record = records[number]
    let end = record.offset + record.count
    return TextDecoding.utf8(
      Array(arena[record.offset..<end]), encoding: Array(arena[end..<(end + record.encoding)]))
  }

  /// Calls `body` with the text of a number as recorded, and the name of its encoding.
  func withRecord<Result>(
    _ number: Int, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Result
  ) -> Result {
    let record = records[number]
    let end = record.offset + record.count
    return arena.withUnsafeBytes { raw in
      body(
        UnsafeRawBufferPointer(rebasing: raw[record.offset..<end]),
        UnsafeRawBufferPointer(rebasing: raw[end..<(end + record.encoding)]))
    }
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
}
