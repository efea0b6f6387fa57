import ForageGit

/// The words of a text, as symbols of the license list: runs of ASCII letters and digits in any case.
///
/// As SPDX's guidelines for matching say, punctuation, the ends of lines, signs of comments, marks of lists
/// and lines of a copyright do not count.
struct LicenseText {
  /// The symbol of a word that no text of the list has.
  static let unknown: Int32 = -1
  /// The most words of a line that names a copyright holder; longer lines go on with the license.
  private static let copyrightLimit = 20

  /// The symbol of each word.
  private(set) var words: [Int32] = []
  /// Whether each word may number an item of a list: a letter, one or two digits, or a Roman number.
  private(set) var isMark: [Bool] = []
  /// Whether each word belongs to a line that names a copyright holder, or to an address on the Web.
  private(set) var isFree: [Bool] = []

  init(_ bytes: [UInt8]) {
    // Files of old systems end lines with a carriage return alone.
    let end: UInt8 = bytes.contains(0x0A) ? 0x0A : 0x0D
    var namesHolder = false
    for line in bytes.split(separator: end, omittingEmptySubsequences: false) {
      namesHolder = add(line, behindHolder: namesHolder)
    }
  }

  /// Returns the first words of the text.
  func prefix(_ count: Int) -> LicenseText {
    var result = self
    result.words = Array(words.prefix(count))
    result.isMark = Array(isMark.prefix(count))
    result.isFree = Array(isFree.prefix(count))
    return result
  }

  /// The grams of the text with the first and the last of their places, with and without what does not count.
  var grams: [(gram: LicenseGram, places: ClosedRange<Int>)] {
    var result: [(gram: LicenseGram, places: ClosedRange<Int>)] = []
    for places in [Array(words.indices), words.indices.filter { !isFree[$0] }] {
      for at in places.indices.dropLast(2) {
        guard let gram = LicenseGram(words[places[at]], words[places[at + 1]], words[places[at + 2]]) else {
          continue
        }
        result.append((gram, places[at]...places[at + 2]))
      }
    }
    return result
  }

  /// The hashes by which licenses are found.
  var shingles: [UInt32] {
    let places = words.indices.filter { !isFree[$0] && !isMark[$0] }
    let length = LicenseList.shingleLength
    return places.indices.dropLast(length - 1).map { first in
      var hash: UInt32 = 0x811C_9DC5
      for place in places[first..<(first + length)] {
        hash = (hash ^ UInt32(bitPattern: words[place])) &* 0x0100_0193
        hash ^= hash >> 15
      }
      return hash &* 0x9E37_79B1
    }
  }

  /// Returns the symbol of a word.
  static func symbol(_ word: String) -> Int32 { symbol(Array(word.utf8)[...]) }

  private static func symbol(_ word: ArraySlice<UInt8>) -> Int32 {
    // FNV-1a of 32 bits.
    var hash: UInt32 = 0x811C_9DC5
    for byte in word { hash = (hash ^ UInt32(lowercased(byte))) &* 0x0100_0193 }
    return LicenseList.symbol(ofWord: hash) ?? unknown
  }

  /// Adds a line.
  ///
  /// - Parameter behindHolder: Whether the line before names a copyright holder.
  /// - Returns: Whether the line does.
  private mutating func add(_ line: ArraySlice<UInt8>, behindHolder: Bool) -> Bool {
    let start = words.count
    // The first words of a copyright behind a title, and of the license in the same line.
    var (holder, license): (Int?, Int?)
    // Where a line that begins with a copyright has its year or sign, and the end of "All rights reserved".
    var (isCopyright, isDated) = (false, false)
    var reserved: Int?
    var rest = line
    var addresses: [Int] = []
    var addressEnd = line.startIndex
    while let first = rest.firstIndex(where: isAlphanumeric) {
      let word = rest[first...].prefix(while: isAlphanumeric)
      rest = rest[word.endIndex...]
      let isMark = Self.isMark(word)
      let isSign =
        isMark && lowercased(word[first]) == UInt8(ascii: "c") && first > line.startIndex
        && line[first - 1] == UInt8(ascii: "(")
      if words.count == start {
        // `1.`, `a)`, `(iv)` at the beginning of a line are marks of a list.
        if isMark, !isSign, let sign = rest.first, ".):".utf8.contains(sign),
          rest.dropFirst().first.map({ $0 == 0x20 || $0 == 0x09 }) ?? true
        {
          continue
        }
        isCopyright = isSign || Self.equals(word, "copyright")
      }
      if holder == nil, words.count - start <= Self.titleLimit, Self.equals(word, "copyright") {
        holder = words.count
      } else if holder != nil, license == nil, Self.beginnings.contains(where: { Self.equals(word, $0) }) {
        license = words.count
      }
      if license == nil { isDated = isDated || isSign || Self.isYear(word) }
      if first >= addressEnd, rest.starts(with: "://".utf8) {
        addressEnd = rest.firstIndex(of: 0x20) ?? line.endIndex
      }
      if first < addressEnd { addresses.append(words.count) }
      words.append(Self.symbol(word))
      self.isMark.append(isMark)
      if words.suffix(3).elementsEqual(Self.allRightsReserved) { reserved = words.count }
    }
    isFree += [Bool](repeating: false, count: words.count - start)
    for word in addresses { isFree[word] = true }
    let isLine = isCopyright && isDated && words.count - start <= Self.copyrightLimit
    if isLine || reserved == start + 3 || (isCopyright && reserved != nil) {
      for word in start..<(reserved ?? words.count) { isFree[word] = true }
      return reserved == nil
    }
    // "Copyright 2020 Ana Permission is hereby granted", and what goes on with the names in another line.
    var names: Range<Int>?
    if let holder, isDated {
      names = holder..<(license ?? words.count)
    } else if behindHolder, line.first.map({ (0x61...0x7A).contains($0) }) == true {
      names = start..<words.count
    }
    guard let names, names.count <= Self.copyrightLimit,
      !words[names].contains(where: LicenseRemarks.decisive.contains)
    else { return false }
    for word in names { isFree[word] = true }
    return false
  }

  /// The most words of a title before a copyright in the same line.
  private static let titleLimit = 8
  /// The words with which licenses begin behind the names of holders.
  private static let beginnings = ["permission", "redistribution", "licensed", "this"]

  private static let allRightsReserved = ["all", "rights", "reserved"].map(symbol)
  private static let romanNumbers = ["ii", "iii", "iv", "vi", "vii", "viii", "ix", "xi", "xii"]

  private static func isYear(_ word: ArraySlice<UInt8>) -> Bool {
    (word.count == 4 && word.allSatisfy(isDigit)) || equals(word, "year") || equals(word, "yyyy")
  }

  private static func equals(_ word: ArraySlice<UInt8>, _ other: String) -> Bool {
    word.count == other.utf8.count && zip(word, other.utf8).allSatisfy { lowercased($0) == $1 }
  }

  private static func isMark(_ word: ArraySlice<UInt8>) -> Bool {
    word.count == 1 || word.count == 2 && word.allSatisfy(isDigit)
      || word.count <= 4 && romanNumbers.contains { equals(word, $0) }
  }
}

/// A text of the license list: its words, those that may be absent, and places where any words may be.
package struct LicenseTemplate {
  /// The marks among the symbols of a text.
  private enum Mark {
    static let open: Int32 = 0
    static let close: Int32 = 1
    static let gap: Int32 = 2
  }

  package private(set) var words: [Int32] = []
  package private(set) var isOptional: [Bool] = []
  /// Whether any words may be before each word, and after the last one.
  package private(set) var gaps: [Bool] = [false]

  package init(_ symbols: [Int32]) {
    var isOpen = false
    for symbol in symbols {
      switch symbol {
      case Mark.open: isOpen = true
      case Mark.close: isOpen = false
      case Mark.gap: gaps[gaps.count - 1] = true
      default:
        words.append(symbol)
        isOptional.append(isOpen)
        gaps.append(false)
      }
    }
  }
}

/// Three words in a row, as one number.
struct LicenseGram: Hashable {
  private let bits: UInt64

  /// Returns nil if a word is one that no text of the list has.
  init?(_ first: Int32, _ second: Int32, _ third: Int32) {
    guard min(first, second, third) > LicenseText.unknown else { return nil }
    // Symbols have 18 bits.
    bits = UInt64(first) << 40 | UInt64(second) << 20 | UInt64(third)
  }
}

/// The grams of a text of the license list, also those that it has where words that may be absent are absent.
struct LicenseGrams {
  private typealias Occurrence = (gram: LicenseGram, places: (Int, Int, Int), isRequired: Bool)

  private let template: LicenseTemplate
  /// The last word that must not be absent, up to each word, and the first one from each word on.
  private var requiredBefore: [Int] = []
  private var requiredAfter: [Int]
  private var occurrences: [Occurrence] = []
  private(set) var all: Set<LicenseGram> = []
  /// The grams directly before and behind a place where any words may be.
  private(set) var beforeGap: Set<LicenseGram> = []
  private(set) var afterGap: Set<LicenseGram> = []
  /// The number of words that must not be absent.
  let required: Int
  /// The number of all words.
  var length: Int { template.words.count }
  /// The first gram that the text has in any case.
  var title: LicenseGram? { occurrences.first(where: \.isRequired)?.gram }

  init(_ template: LicenseTemplate) {
    self.template = template
    required = template.isOptional.count { !$0 }
    var last = -1
    for (place, isOptional) in template.isOptional.enumerated() {
      if !isOptional { last = place }
      requiredBefore.append(last)
    }
    requiredAfter = requiredBefore
    var next = template.words.count
    for place in template.words.indices.reversed() {
      if !template.isOptional[place] { next = place }
      requiredAfter[place] = next
    }
    all.reserveCapacity(template.words.count * 2)
    for first in template.words.indices {
      for second in followers(of: first) { for third in followers(of: second) { add(first, second, third) } }
    }
  }

  private mutating func add(_ first: Int, _ second: Int, _ third: Int) {
    let words = template.words
    guard let gram = LicenseGram(words[first], words[second], words[third]) else { return }
    let isRequired = third == first + 2 && !(first...third).contains { template.isOptional[$0] }
    occurrences.append((gram, (first, second, third), isRequired && !hasGap(first, third)))
    all.insert(gram)
    let end = third + 1 < words.count ? requiredAfter[third + 1] : words.count
    if hasGap(requiredBefore[third], end) { beforeGap.insert(gram) }
    if hasGap(first > 0 ? requiredBefore[first - 1] : -1, requiredAfter[first]) { afterGap.insert(gram) }
  }

  /// The next word, and the one that follows where the words between them are absent.
  private func followers(of place: Int) -> [Int] {
    let next = place + 1
    guard next < template.words.count else { return [] }
    let required = requiredAfter[next]
    return required == next || required == template.words.count ? [next] : [next, required]
  }

  /// Whether any words may be between two words.
  private func hasGap(_ place: Int, _ next: Int) -> Bool {
    place < next && template.gaps[(place + 1)...next].contains(true)
  }

  /// Returns the words that must not be absent and that are in none of these grams.
  func missing(from grams: Set<LicenseGram>) -> [Int32] {
    var isNeeded = [Bool](repeating: false, count: template.words.count)
    var isFound = isNeeded
    for (gram, places, isRequired) in occurrences {
      let isThere = grams.contains(gram)
      guard isThere || isRequired else { continue }
      for place in [places.0, places.1, places.2] {
        if isThere { isFound[place] = true } else { isNeeded[place] = true }
      }
    }
    return template.words.indices.filter { isNeeded[$0] && !isFound[$0] }.map { template.words[$0] }
  }
}
