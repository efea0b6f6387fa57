/// The bytes of a line. None of them is at a position outside it.
extension UnsafeRawBufferPointer {
  func isWord(_ position: Int) -> Bool { position < count && Definitions.isWord(self[position]) }

  func isSpace(_ position: Int) -> Bool { hasOne(of: " \t\r", at: position) }

  func isDigit(_ position: Int) -> Bool { hasOne(of: "0123456789", at: position) }

  /// Whether one of some ASCII characters is at a position.
  func hasOne(of characters: StaticString, at position: Int) -> Bool {
    guard indices.contains(position) else { return false }
    return characters.withUTF8Buffer { $0.contains(self[position]) }
  }

  /// Whether a text is at a position.
  func has(_ text: StaticString, at position: Int) -> Bool {
    guard position >= 0, position + text.utf8CodeUnitCount <= count else { return false }
    return text.withUTF8Buffer { zip($0, self[position...]).allSatisfy { $0 == $1 } }
  }

  /// Whether a text is at a position or after it.
  func has(_ text: StaticString, after position: Int) -> Bool {
    (position..<Swift.max(position, count)).contains { has(text, at: $0) }
  }

  /// The position after the word that begins at a position.
  func wordEnd(_ start: Int) -> Int {
    var end = start
    while isWord(end) { end += 1 }
    return end
  }

  /// The first position that has no space.
  func spaceEnd(_ start: Int) -> Int {
    var end = start
    while isSpace(end) { end += 1 }
    return end
  }

  /// The position after the bracket that closes the one at a position; `nil` if another byte is there.
  func closing(_ open: Unicode.Scalar, _ close: Unicode.Scalar, at start: Int) -> Int? {
    let (open, close) = (UInt8(ascii: open), UInt8(ascii: close))
    guard start < count, self[start] == open else { return nil }
    var depth = 0
    for position in start..<count {
      if self[position] == open { depth += 1 }
      // In "->" and "=>" it closes nothing.
      if self[position] == close, !(close == UInt8(ascii: ">") && hasOne(of: "-=", at: position - 1)) {
        depth -= 1
      }
      if depth == 0 { return position + 1 }
    }
    return nil
  }
}
