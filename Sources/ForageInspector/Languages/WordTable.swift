/// A hash table from words to numbers. The words stay in one text, so that no string or dictionary is built.
///
/// A word may have several numbers. Preferred ones come first; otherwise they keep the order in which they
/// were added.
struct WordTable: Sendable {
  /// A number of a word.
  private struct Entry: Sendable {
    let start: UInt32
    let count: UInt16
    let value: UInt16
    let isPreferred: Bool
    /// The next entry of the same word; negative for the last.
    var next: Int32
  }

  /// The count is a power of two; a free slot is negative. At most half of the slots are filled, which keeps
  /// probe sequences short.
  private var slots: [Int32]
  private var entries: [Entry] = []
  private var filled = 0
  private let text: [UInt8]
  private let foldsCase: Bool

  /// Creates an empty table.
  ///
  /// - Parameters:
  ///   - text: the text that contains all words.
  ///   - foldsCase: whether `A` to `Z` equal `a` to `z`.
  ///   - capacity: the expected number of words.
  init(of text: [UInt8], foldsCase: Bool, capacity: Int) {
    self.text = text
    self.foldsCase = foldsCase
    var size = 16
    while size < capacity * 2 { size *= 2 }
    slots = [Int32](repeating: -1, count: size)
    entries.reserveCapacity(capacity)
  }

  /// Creates a table of words separated by white space; the value of each is its position.
  init(words: StaticString, foldsCase: Bool = false) {
    self.init(of: words.withUTF8Buffer { [UInt8]($0) }, foldsCase: foldsCase, capacity: 128)
    var start = 0
    for at in 0...text.count where at == text.count || text[at] <= 0x20 {
      if at > start { add(start..<at, entries.count) }
      start = at + 1
    }
  }

  /// Adds a number for the word in a range of the text.
  mutating func add(_ range: Range<Int>, _ value: Int, isPreferred: Bool = false) {
    guard let start = UInt32(exactly: range.lowerBound), let count = UInt16(exactly: range.count), count > 0,
      let value = UInt16(exactly: value), range.upperBound <= text.count
    else { return }
    let (slot, found) = text.withUnsafeBytes { bytes in
      find(UnsafeRawBufferPointer(rebasing: bytes[range]), bytes)
    }
    let new = Int32(truncatingIfNeeded: entries.count)
    entries.append(Entry(start: start, count: count, value: value, isPreferred: isPreferred, next: -1))
    guard found >= 0 else {
      slots[slot] = new
      filled += 1
      if filled * 2 > slots.count { grow() }
      return
    }
    if isPreferred, !entries[Int(found)].isPreferred {
      entries[Int(new)].next = found
      slots[slot] = new
      return
    }
    var last = found
    while entries[Int(last)].next >= 0, !isPreferred || entries[Int(entries[Int(last)].next)].isPreferred {
      last = entries[Int(last)].next
    }
    entries[Int(new)].next = entries[Int(last)].next
    entries[Int(last)].next = new
  }

  /// Returns the first entry of a word; nil if there is none.
  @inline(__always)
  func entry(_ word: UnsafeRawBufferPointer) -> Int? {
    guard word.count > 0 else { return nil }
    let found = text.withUnsafeBytes { find(word, $0).entry }
    return found < 0 ? nil : Int(found)
  }

  /// Returns the first entry of a word; nil if there is none.
  func entry(_ word: some StringProtocol) -> Int? {
    var word = String(word)
    return word.withUTF8 { entry(UnsafeRawBufferPointer($0)) }
  }

  /// Returns the number of an entry.
  func value(_ entry: Int) -> Int { Int(entries[entry].value) }

  /// Returns the next entry of the same word.
  func next(_ entry: Int) -> Int? {
    let next = entries[entry].next
    return next < 0 ? nil : Int(next)
  }

  /// Returns all numbers from an entry on.
  func values(_ first: Int?) -> [Int] {
    Array(
      sequence(state: first) { at in
        guard let entry = at else { return nil }
        at = next(entry)
        return value(entry)
      })
  }

  /// Returns the slot of a word and its first entry, which is negative if the slot is free.
  ///
  /// Bounds: a slot holds an index of `entries`, and ``add`` checks the range of every entry.
  @inline(__always)
  private func find(
    _ word: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer
  ) -> (slot: Int, entry: Int32) {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash(word)) & mask
    while true {
      let entry = slots[slot]
      if entry < 0 { return (slot, entry) }
      let known = entries[Int(entry)]
      if Int(known.count) == word.count, equal(word, text, Int(known.start)) { return (slot, entry) }
      slot = (slot + 1) & mask
    }
  }

  @inline(__always)
  private func equal(_ word: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer, _ start: Int) -> Bool {
    for at in 0..<word.count where fold(word[at]) != fold(text[start + at]) { return false }
    return true
  }

  /// FNV-1a, with the high bits mixed into the low ones that choose the slot.
  @inline(__always)
  private func hash(_ word: UnsafeRawBufferPointer) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in word { hash = (hash ^ UInt64(fold(byte))) &* 0x0000_0100_0000_01B3 }
    return hash ^ hash >> 32
  }

  @inline(__always)
  private func fold(_ byte: UInt8) -> UInt8 {
    foldsCase && byte &- 0x41 < 26 ? byte | 0x20 : byte
  }

  private mutating func grow() {
    let old = slots
    slots = [Int32](repeating: -1, count: old.count * 2)
    for entry in old where entry >= 0 {
      let known = entries[Int(entry)]
      let range = Int(known.start)..<(Int(known.start) + Int(known.count))
      let slot = text.withUnsafeBytes { find(UnsafeRawBufferPointer(rebasing: $0[range]), $0).slot }
      slots[slot] = entry
    }
  }
}
