/// A hash table from words to numbers. The words stay in one text, so that no string or dictionary is built.
///
/// A word may have several numbers; they keep their order.
struct WordTable: Sendable {
  /// The range of a word in the text, and its number.
  typealias Word = (range: Range<Int>, value: Int)

  /// A word with a number; a slot without bytes is free.
  private struct Slot: Sendable {
    var start: UInt32 = 0
    var count: UInt16 = 0
    var value: UInt16 = 0
  }

  /// Each number of a word has a slot of its own. The count is a power of two. At most half of the slots are
  /// filled, which keeps probe sequences short.
  private var slots: [Slot]
  private let text: [UInt8]
  private let foldsCase: Bool

  /// Creates a table of words of a text.
  ///
  /// - Parameters:
  ///   - words: none is empty.
  ///   - foldsCase: whether `A` to `Z` equal `a` to `z`.
  init(_ words: [Word], of text: [UInt8], foldsCase: Bool) {
    var size = 16
    while size < words.count * 2 { size *= 2 }
    self.text = text
    self.foldsCase = foldsCase
    slots = [Slot](repeating: Slot(), count: size)
    text.withUnsafeBytes { bytes in
      for (range, value) in words {
        var slot = self.slot(UnsafeRawBufferPointer(rebasing: bytes[range]))
        while slots[slot].count > 0 { slot = (slot + 1) & (size - 1) }
        slots[slot] = Slot(start: UInt32(range.lowerBound), count: UInt16(range.count), value: UInt16(value))
      }
    }
  }

  /// Creates a table of words separated by white space; the number of each is its position.
  init(words: StaticString, foldsCase: Bool = false) {
    let text = words.withUTF8Buffer { [UInt8]($0) }
    let ranges = text.indices.split { text[$0] <= 0x20 }
    self.init(ranges.enumerated().map { ($1, $0) }, of: text, foldsCase: foldsCase)
  }

  /// The numbers of a word, which must outlive them.
  struct Values: Sequence, IteratorProtocol {
    fileprivate let table: WordTable
    fileprivate let word: UnsafeRawBufferPointer
    fileprivate var slot: Int

    mutating func next() -> Int? {
      guard let found = table.find(word, from: slot) else { return nil }
      slot = found + 1
      return Int(table.slots[found].value)
    }
  }

  /// Returns the numbers of a word in their order.
  func values(_ word: UnsafeRawBufferPointer) -> Values { Values(table: self, word: word, slot: slot(word)) }

  func values(_ word: some StringProtocol) -> [Int] {
    var word = String(word)
    return word.withUTF8 { Array(values(UnsafeRawBufferPointer($0))) }
  }

  /// Returns the first number of a word; nil if there is none.
  func first(_ word: UnsafeRawBufferPointer) -> Int? {
    find(word, from: slot(word)).map { Int(slots[$0].value) }
  }

  func contains(_ word: UnsafeRawBufferPointer) -> Bool { find(word, from: slot(word)) != nil }

  /// Returns the next slot of a word; nil if a free one precedes it.
  @inline(__always) private func find(_ word: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var slot = start & (slots.count - 1)
    while true {
      let known = slots[slot]
      if known.count == 0 { return nil }
      if known.count == word.count, equal(word, Int(known.start)) { return slot }
      slot = (slot + 1) & (slots.count - 1)
    }
  }

  @inline(__always) private func equal(_ word: UnsafeRawBufferPointer, _ start: Int) -> Bool {
    text.withUnsafeBytes { text in
      for at in 0..<word.count where fold(word[at]) != fold(text[start + at]) { return false }
      return true
    }
  }

  /// Returns the slot where a word begins to be searched: FNV-1a, with the high bits mixed into the low ones.
  @inline(__always) private func slot(_ word: UnsafeRawBufferPointer) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in word { hash = (hash ^ UInt64(fold(byte))) &* 0x0000_0100_0000_01B3 }
    return Int(truncatingIfNeeded: hash ^ hash >> 32) & (slots.count - 1)
  }

  @inline(__always) private func fold(_ byte: UInt8) -> UInt8 {
    foldsCase && byte &- 0x41 < 26 ? byte | 0x20 : byte
  }
}
