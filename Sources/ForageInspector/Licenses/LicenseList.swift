import ForageGit

/// The texts of the SPDX license list, read from static data without being loaded as a whole.
package enum LicenseList {
  package enum Kind: UInt8, Sendable {
    case text = 0x74
    case notice = 0x68
    case exception = 0x65
  }

  package struct Entry: Sendable {
    package let identifier: String
    package let kind: Kind
    /// The place of its symbols in ``symbols``.
    fileprivate let symbols: Range<Int>
    /// The number of shingles by which it is found.
    let shingles: Int
  }

  /// The words of one shingle.
  static let shingleLength = 5

  private static let wordTable = CodedNumbers(words, record: 7)
  private static let ruleTable = CodedNumbers(rules, record: 6)
  private static let symbolTable = CodedNumbers(symbols, record: 3)
  private static let shingleTable = CodedNumbers(shingles, record: 9)

  /// All texts, by identifier and kind.
  package static let entries: [Entry] = {
    let bytes = UnsafeBufferPointer(start: names.utf8Start, count: names.utf8CodeUnitCount)
    var result: [Entry] = []
    var start = 0
    for line in bytes.split(separator: UInt8(ascii: ";")) {
      let fields = line.split(separator: UInt8(ascii: ","))
      guard fields.count == 4, let code = fields[1].first, let kind = Kind(rawValue: code) else { continue }
      let numbers = fields[2...].map { $0.reduce(0) { $0 * 10 + Int($1) - 0x30 } }
      let end = start + numbers[0]
      result.append(
        Entry(
          identifier: String(decoding: fields[0], as: UTF8.self), kind: kind, symbols: start..<end,
          shingles: numbers[1]))
      start = end
    }
    return result
  }()

  /// Returns the symbol of a word by its hash; nil for a word that no text has.
  static func symbol(ofWord hash: UInt32) -> Int32? {
    let hash = Int(hash >> 8)
    let number = wordTable.first(atLeast: hash)
    guard number < wordTable.count, wordTable.value(number, 0..<4) == hash else { return nil }
    return Int32(truncatingIfNeeded: wordTable.value(number, 4..<7))
  }

  /// Calls a closure with the number of each text that a shingle finds.
  static func find(shingle hash: UInt32, _ body: (Int) -> Void) {
    let hash = Int(hash >> 8)
    var number = shingleTable.first(atLeast: hash)
    while number < shingleTable.count, shingleTable.value(number, 0..<4) == hash {
      body(shingleTable.value(number, 4..<6))
      number += 1
    }
  }

  /// Returns the words of a text and the marks between them, with all rules replaced.
  package static func symbols(of entry: Int) -> [Int32] {
    var result: [Int32] = []
    var rest: [Int] = []
    for place in entries[entry].symbols {
      rest.append(symbolTable.value(place, 0..<3))
      while let symbol = rest.popLast() {
        if symbol < firstRule {
          result.append(Int32(truncatingIfNeeded: symbol))
        } else {
          rest.append(ruleTable.value(symbol - firstRule, 3..<6))
          rest.append(ruleTable.value(symbol - firstRule, 0..<3))
        }
      }
    }
    return result
  }
}

/// Records of numbers in a static text, with six bits a character, sorted by their first 24 bits if they are
/// searched.
private struct CodedNumbers: Sendable {
  private let text: StaticString
  private let record: Int

  init(_ text: StaticString, record: Int) {
    self.text = text
    self.record = record
  }

  var count: Int { text.utf8CodeUnitCount / record }

  /// Returns the number in some characters of a record.
  func value(_ number: Int, _ characters: Range<Int>) -> Int {
    precondition(number >= 0 && number < count)
    var result = 0
    for character in characters {
      result = result << 6 | Int(Self.bits(text.utf8Start[number * record + character]))
    }
    return result
  }

  /// Returns the first record whose number is not lower.
  func first(atLeast value: Int) -> Int { (0..<count).search { self.value($0, 0..<4) < value } }

  private static func bits(_ character: UInt8) -> UInt8 {
    switch character {
    case 0x41...0x5A: character - 0x41
    case 0x61...0x7A: character - 0x61 + 26
    case 0x30...0x39: character - 0x30 + 52
    case 0x2B: 62
    default: 63
    }
  }
}
