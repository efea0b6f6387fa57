import ForageGit

/// The words of a text, as symbols of the license list: runs of ASCII letters and digits in any case.
///
/// As SPDX's guidelines for matching say, punctuation, the ends of lines, signs of comments, marks of lists and
/// lines of a copyright do not count.
struct LicenseText {
  /// The symbol of a word that no text of the list has.
  static let unknown: Int32 = -1

  /// The symbol of each word.
  private(set) var words: [Int32] = []
  /// Whether each word may be there without the text being another one: what may number an item of a list (a
  /// letter, one or two digits, or a Roman number), and lines that name a copyright holder.
  private(set) var isFree: [Bool] = []

  init(_ bytes: [UInt8]) {
    words.reserveCapacity(bytes.count / 6)
    isFree.reserveCapacity(bytes.count / 6)
    bytes.withUnsafeBufferPointer { bytes in
      for line in bytes.split(omittingEmptySubsequences: true, whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
        add(line)
      }
    }
  }

  /// Returns the hash of a word in lowercase: FNV-1a of 32 bits.
  static func hash(of word: some Sequence<UInt8>) -> UInt32 {
    var hash: UInt32 = 0x811C_9DC5
    for byte in word { hash = (hash ^ UInt32(lowercased(byte))) &* 0x0100_0193 }
    return hash
  }

  /// Returns the symbol of a word of a license or of a restriction.
  static func symbol(_ word: String) -> Int32 { symbol(ofHash: hash(of: word.utf8)) }

  private static func symbol(ofHash hash: UInt32) -> Int32 {
    LicenseList.symbol(ofWord: hash) ?? restrictions[hash] ?? unknown
  }

  /// Words of restrictions that no text of the list has, with symbols below ``unknown``.
  private static let restrictions: [UInt32: Int32] = Dictionary(
    uniqueKeysWithValues: [
      "confidential", "subscription", "subscribers", "evaluation", "expires", "employers", "disallowed",
      "banned",
      "competitors", "forbids", "resell", "clause",
    ].enumerated().map { (hash(of: $1.utf8), unknown - 1 - Int32($0)) })

  private mutating func add(_ line: Slice<UnsafeBufferPointer<UInt8>>) {
    let count = words.count
    // Where a line that begins with a copyright has its year or sign, and the end of "All rights reserved".
    var isCopyright = false
    var isDated = false
    var reserved: Int?
    var at = line.startIndex
    while at < line.endIndex {
      guard isAlphanumeric(line[at]) else {
        at += 1
        continue
      }
      let start = at
      while at < line.endIndex, isAlphanumeric(line[at]) { at += 1 }
      let word = line[start..<at]
      let isMark = Self.isMark(word)
      let isSign =
        isMark && line[start] | 0x20 == UInt8(ascii: "c") && start > line.startIndex
        && line[start - 1] == UInt8(ascii: "(")
      if words.count == count {
        // `1.`, `a)`, `(iv)` at the beginning of a line are marks of a list.
        if isMark, !isSign, at < line.endIndex, ".):".utf8.contains(line[at]),
          at + 1 == line.endIndex || line[at + 1] == 0x20 || line[at + 1] == 0x09
        {
          continue
        }
        isCopyright = isSign || Self.equals(word, "copyright")
      }
      isDated = isDated || isSign || Self.isYear(word)
      words.append(Self.symbol(ofHash: Self.hash(of: word)))
      isFree.append(isMark)
      if words.last == Self.reserved, words.suffix(3).elementsEqual(Self.allRightsReserved) {
        reserved = words.count
      }
    }
    let isLine = isCopyright && isDated && words.count - count <= Self.copyrightLimit
    guard isLine || reserved == count + 3 || (isCopyright && reserved != nil) else { return }
    for word in count..<(isLine ? words.count : reserved ?? words.count) { isFree[word] = true }
  }

  /// The most words of a line that names a copyright holder; longer lines go on with the license.
  private static let copyrightLimit = 20
  private static let allRightsReserved = ["all", "rights", "reserved"].map(symbol)
  private static let reserved = allRightsReserved[2]

  private static func isYear(_ word: some Collection<UInt8>) -> Bool {
    (word.count == 4 && word.allSatisfy(isDigit)) || equals(word, "year")
      || equals(word, "yyyy")
  }

  private static func equals(_ word: some Collection<UInt8>, _ other: StaticString) -> Bool {
    word.count == other.count && zip(word, other.needle).allSatisfy { lowercased($0) == $1 }
  }

  private static func isMark(_ word: some Collection<UInt8>) -> Bool {
    if word.count == 1 { return true }
    if word.count == 2, word.allSatisfy(isDigit) { return true }
    return word.count <= 4 && romanNumbers.contains { equals(word, $0) }
  }

  private static let romanNumbers: [StaticString] = [
    "ii", "iii", "iv", "vi", "vii", "viii", "ix", "xi", "xii",
  ]
}
