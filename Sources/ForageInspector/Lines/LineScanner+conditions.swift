extension LineScanner {
  /// Whether a token matches here and its conditions hold.
  func matchesConditions(_ token: SyntaxRule) -> Bool {
    let condition = token.condition
    let end = at + token.open.count
    if condition.contains(.anyCase) {
      for k in 0..<token.open.count {
        let byte = bytes[at + k]
        let lower = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
        if lower != token.open[k] { return false }
      }
    } else if !stands(token.open, at: at) {
      return false
    }
    if condition.contains(.firstOnLine), hasCode { return false }
    if condition.contains(.columnZero), at != lineStart { return false }
    if condition.contains(.columnSix), at - lineStart != 6 { return false }
    if condition.contains(.wordStart), at > lineStart, !Self.endsWord(bytes[at - 1]) { return false }
    if condition.contains(.notInWord), at > lineStart, Self.isWord(bytes[at - 1]) { return false }
    if condition.contains(.wordEnd), end < count, Self.isWord(bytes[end]) { return false }
    if condition.contains(.noBracketAfter), end < count, bytes[end] == UInt8(ascii: "[") { return false }
    if condition.contains(.noLetterAfter), end < count, Self.isLetter(bytes[end]) { return false }
    if condition.contains(.noDirective), isDirective(end) { return false }
    if condition.contains(.letterAfter), end >= count || !Self.isLetter(bytes[end]) { return false }
    if condition.contains(.afterR), !isAfterR() { return false }
    if condition.contains(.noOperator), isOperator(at) { return false }
    if condition.contains(.lastOnLine) {
      var place = end
      while place < count, Self.isSpace(bytes[place]) { place += 1 }
      if place < count, bytes[place] != 0x0A { return false }
    }
    return true
  }

  /// At the beginning of a line: skips COBOL's sequence area (six digits or spaces) if an indicator of a
  /// comment follows.
  mutating func skipSequence() {
    let indicator = lineStart + 6
    guard indicator < count, bytes[indicator] == UInt8(ascii: "*") || bytes[indicator] == UInt8(ascii: "/"),
      (lineStart..<indicator).allSatisfy({ bytes[$0] == 0x20 || (0x30...0x39).contains(bytes[$0]) })
    else { return }
    at = indicator
  }

  /// Whether the preceding byte is an `r` that is a prefix of a string.
  private func isAfterR() -> Bool {
    guard at > lineStart, bytes[at - 1] | 0x20 == UInt8(ascii: "r") else { return false }
    guard at - 1 > lineStart, Self.isWord(bytes[at - 2]) else { return true }
    switch bytes[at - 2] {
    case UInt8(ascii: "b"), UInt8(ascii: "c"), UInt8(ascii: "u"), UInt8(ascii: "U"), UInt8(ascii: "L"),
      UInt8(ascii: "8"):
      return true
    default: return false
    }
  }

  /// Whether the word at an index is a directive of the C preprocessor.
  private func isDirective(_ place: Int) -> Bool {
    var end = place
    while end < count, end - place < 8, Self.isLetter(bytes[end]) { end += 1 }
    func isWord(_ word: StaticString) -> Bool {
      word.count == end - place
        && (0..<(end - place)).allSatisfy { bytes[place + $0] == word[$0] }
    }
    return isWord("include") || isWord("define") || isWord("if") || isWord("ifdef") || isWord("ifndef")
      || isWord("else") || isWord("elif") || isWord("endif") || isWord("undef") || isWord("error")
      || isWord("pragma") || isWord("line") || isWord("warning")
  }

  /// Whether the dashes at an index are part of an operator such as `-->` or `|--`.
  ///
  /// A preceding dash means that the run has been rejected already, so each run is scanned once.
  private func isOperator(_ place: Int) -> Bool {
    if place > lineStart, Self.isSymbol(bytes[place - 1]) || bytes[place - 1] == UInt8(ascii: "-") {
      return true
    }
    var end = place
    while end < count, bytes[end] == UInt8(ascii: "-") { end += 1 }
    return end < count && Self.isSymbol(bytes[end])
  }

  private static func isSymbol(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
      UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "<"),
      UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "?"), UInt8(ascii: "@"), UInt8(ascii: "\\"),
      UInt8(ascii: "^"), UInt8(ascii: "|"), UInt8(ascii: "~"), UInt8(ascii: ":"):
      true
    default: false
    }
  }

  /// Whether a word may begin after this byte in a shell.
  private static func endsWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: "|"), UInt8(ascii: "("), UInt8(ascii: ")"),
      UInt8(ascii: "`"):
      true
    default: isSpace(byte)
    }
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0B || byte == 0x0C
  }

  static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  /// Whether a byte is a letter, digit, underscore or part of a character beyond ASCII.
  static func isWord(_ byte: UInt8) -> Bool {
    isLetter(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_") || byte >= 0x80
  }
}
