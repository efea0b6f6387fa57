import ForageCore

/// A line of text that is edited.
package struct TextField: Hashable, Sendable {
  /// The most scalars: longer than any query that a forge accepts.
  static let maximum = 2000

  /// The text before the cursor.
  package private(set) var before: String
  /// The text after it.
  package private(set) var after = ""

  /// Creates a field with the cursor at the end.
  package init(_ text: String = "") {
    before = Self.line(text)
  }

  package var text: String { before + after }

  /// The columns of the text.
  var width: Int { TextWidth.of(SafeText.line(text)) }

  private static func line(_ text: String) -> String {
    let scalars = text.unicodeScalars.prefix(maximum).map { scalar -> Unicode.Scalar in
      scalar.properties.isWhitespace ? " " : scalar
    }
    return String(String.UnicodeScalarView(scalars.filter { $0.value >= 32 && $0.value != 127 }))
  }

  /// Inserts text at the cursor; line breaks and tabs become spaces, other control characters are left out.
  ///
  /// - Returns: Whether all of it fits.
  @discardableResult
  package mutating func insert(_ text: String) -> Bool {
    let room = max(0, Self.maximum - self.text.unicodeScalars.count)
    let added = Self.line(text)
    before += String(String.UnicodeScalarView(added.unicodeScalars.prefix(room)))
    return text.unicodeScalars.count <= room
  }

  /// Applies an editing key.
  ///
  /// - Returns: Whether the key edits or moves the cursor.
  package mutating func apply(_ key: BrowseKey) -> Bool {
    switch key {
    case .character(let character): insert(String(character))
    case .left: if let last = before.popLast() { after = String(last) + after }
    case .right:
      if let first = after.first {
        after.removeFirst()
        before.append(first)
      }
    case .home, .control("a"): (before, after) = ("", text)
    case .end, .control("e"): (before, after) = (text, "")
    case .backspace: _ = before.popLast()
    case .delete: if !after.isEmpty { after.removeFirst() }
    case .control("u"): before = ""
    case .control("k"): after = ""
    case .control("w"):
      while before.last == " " { before.removeLast() }
      while let last = before.last, last != " " { before.removeLast() }
    case .wordLeft, .alt("b"):
      let word = Self.wordEnding(before)
      (before, after) = (String(before.dropLast(word)), String(before.suffix(word)) + after)
    case .wordRight, .alt("f"):
      let word = Self.wordBeginning(after)
      (before, after) = (before + String(after.prefix(word)), String(after.dropFirst(word)))
    case .deleteWordBefore: before.removeLast(Self.wordEnding(before))
    case .deleteWordAfter, .alt("d"): after.removeFirst(Self.wordBeginning(after))
    default: return false
    }
    return true
  }

  /// The characters of the last word of a text, with what stands behind it.
  private static func wordEnding(_ text: String) -> Int { wordBeginning(String(text.reversed())) }

  /// The characters up to the end of the first word: letters and digits, as for the line editors of shells.
  private static func wordBeginning(_ text: String) -> Int {
    let gap = text.prefix { !$0.isLetter && !$0.isNumber }
    return gap.count + text.dropFirst(gap.count).prefix { $0.isLetter || $0.isNumber }.count
  }

  /// The part of the text that fits a width, and the column of the cursor in it.
  func shown(width: Int) -> (text: String, cursor: Int) {
    guard width > 0 else { return ("", 0) }
    var start = SafeText.line(before)
    // One column is for the cursor itself.
    while TextWidth.of(start) > width - 1 { start.removeFirst() }
    var shown = ""
    var used = 0
    for character in start + SafeText.line(after) {
      let wide = TextWidth.width(character)
      if used + wide > width { break }
      shown.append(character)
      used += wide
    }
    return (shown, min(TextWidth.of(start), width - 1))
  }
}
