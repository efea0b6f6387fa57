/// How a match stands in the words around it, the best last.
enum WordFit: Int, Comparable, Sendable {
  /// Within a word: "mit" in "commit".
  case inside
  /// A part of a name, or the beginning of one: "detect" in `DetectLanguage`, `detect_all` and `detector`.
  case part
  case whole

  static func < (a: WordFit, b: WordFit) -> Bool { a.rawValue < b.rawValue }

  /// Shorter matches are no beginnings of parts: "the" is none of "theme".
  private static let leastBeginning = 4

  static func isWord(_ byte: UInt8) -> Bool {
    let kind = Kind(byte)
    return kind != .other || byte == UInt8(ascii: "_")
  }

  /// Finds out how a match stands in a text.
  init(of match: Range<Int>, in text: UnsafeRawBufferPointer) {
    guard !match.isEmpty else {
      self = .inside
      return
    }
    func isWord(_ place: Int) -> Bool { text.indices.contains(place) && Self.isWord(text[place]) }
    let isJoinedBefore = isWord(match.lowerBound - 1) && isWord(match.lowerBound)
    let isJoinedAfter = isWord(match.upperBound) && isWord(match.upperBound - 1)
    if !isJoinedBefore, !isJoinedAfter {
      self = .whole
    } else if Self.isBoundary(match.lowerBound, in: text),
      match.count >= Self.leastBeginning || Self.isBoundary(match.upperBound, in: text)
    {
      self = .part
    } else {
      self = .inside
    }
  }

  /// How a word stands at best in a range of a text, and where; `nil` if it does not occur.
  ///
  /// - Parameters:
  ///   - word: In lower case.
  ///   - folded: The text in lower case.
  static func best(
    of word: [UInt8], in text: UnsafeRawBufferPointer, _ folded: [UInt8], _ range: Range<Int>
  ) -> (fit: WordFit, place: Range<Int>)? {
    guard let first = word.first else { return nil }
    var best: (fit: WordFit, place: Range<Int>)?
    var start = range.lowerBound
    while start + word.count <= range.upperBound {
      if folded[start] == first, (1..<word.count).allSatisfy({ folded[start + $0] == word[$0] }) {
        let place = start..<start + word.count
        let fit = WordFit(of: place, in: text)
        if best.map({ fit > $0.fit }) ?? true { best = (fit, place) }
      }
      start += 1
    }
    return best
  }

  /// A text in lower case, as long as it is.
  static func folded(_ text: UnsafeRawBufferPointer) -> [UInt8] {
    let ascii = text.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
    guard ascii.contains(where: { $0 >= 0x80 }) else { return ascii }
    let whole = Array(String(decoding: text, as: UTF8.self).lowercased().utf8)
    return whole.count == ascii.count ? whole : ascii
  }

  /// The number of letters and digits.
  static func length(_ text: some Sequence<UInt8>) -> Int { text.count { Kind($0) != .other } }

  /// What a byte is in a name. All bytes of characters beyond ASCII are taken for lower-case letters.
  private enum Kind {
    case lower, upper, digit, other

    init(_ byte: UInt8) {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...: self = .lower
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): self = .upper
      case UInt8(ascii: "0")...UInt8(ascii: "9"): self = .digit
      default: self = .other
      }
    }
  }

  /// Whether a part of a name begins or ends at a place: at another character than a letter or digit, between
  /// a letter and a digit, or where case changes as in "apiCreateApp" and "HTTPClient".
  private static func isBoundary(_ place: Int, in text: UnsafeRawBufferPointer) -> Bool {
    guard place > 0, place < text.count else { return true }
    switch (Kind(text[place - 1]), Kind(text[place])) {
    case (.lower, .lower), (.digit, .digit), (.upper, .lower): return false
    case (.upper, .upper): return place + 1 < text.count && Kind(text[place + 1]) == .lower
    default: return true
    }
  }
}
