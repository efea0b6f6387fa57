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
