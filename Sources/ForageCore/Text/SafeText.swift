/// Makes text from outside safe for a terminal; every such text passes through here.
package enum SafeText {
  /// The text on one line, without anything that a terminal interprets.
  ///
  /// Tabs and line breaks become spaces, control characters their visible pictures (U+2400 block), C1
  /// controls, bidirectional overrides and isolates, invisible separators and tag characters U+FFFD. Tag
  /// characters of an emoji (the flag of Scotland) stay. Soft hyphens and other characters without a width
  /// that only tell where a line may break or how it runs are left out.
  package static func line(_ text: some StringProtocol) -> String { line(text, keepsTabs: false) }

  /// The same.
  ///
  /// - Parameter keepsTabs: Whether tabs stay what they are, in a text that is no field between tabs.
  package static func line(_ text: some StringProtocol, keepsTabs: Bool) -> String {
    let text = String(text)
    if text.utf8.allSatisfy({ $0 >= 32 && $0 < 127 }) { return text }
    let scalars = text.unicodeScalars
    // What needs no replacement is copied in whole parts: scalar by scalar, a list of long texts takes
    // seconds.
    var result: [UInt8] = []
    var copied = scalars.startIndex
    var place = copied
    while place < scalars.endIndex {
      let (scalar, next) = (scalars[place], scalars.index(after: place))
      let safe = keepsTabs && scalar == "\t" ? scalar : replacement(scalar)
      if safe != scalar {
        result += text.utf8[copied..<place]
        if let safe { result += UTF8.encode(safe) ?? UTF8.encodedReplacementCharacter }
        copied = next
      }
      place = scalar == blackFlag ? flagTags(scalars[next...])?.endIndex ?? next : next
    }
    return copied == scalars.startIndex
      ? text : String(decoding: result + text.utf8[copied...], as: UTF8.self)
  }

  /// The base of the flags that have no code of their own.
  private static let blackFlag: Unicode.Scalar = "\u{1F3F4}"
  private static let cancelTag: Unicode.Scalar = "\u{E007F}"
  /// Letters and digits of a subdivision: a country of two or three, then one to four (`gbsct`).
  private static let flagLengths = 3...7

  /// The tag characters that make a flag of a region out of the scalar before them, with the one that ends
  /// them; `nil` where they make none.
  private static func flagTags<Scalars: Collection>(_ rest: Scalars) -> Scalars.SubSequence?
  where Scalars.Element == Unicode.Scalar {
    let tags = rest.prefix(flagLengths.upperBound + 1).prefix {
      (0xE0030...0xE0039).contains($0.value) || (0xE0061...0xE007A).contains($0.value)
    }
    guard flagLengths.contains(tags.count), rest.dropFirst(tags.count).first == cancelTag else { return nil }
    return rest.prefix(tags.count + 1)
  }

  /// What is shown in place of a character; `nil` for nothing.
  private static func replacement(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 9...13: " "
    case 0..<32: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
    case 127: "\u{2421}"
    default: isLeftOut(scalar) ? nil : isDangerous(scalar) ? "\u{FFFD}" : scalar
    }
  }

  /// The character that is seen in place of one in a text: a space for a tab or line break, nothing for what
  /// is left out or replaced, or only joins or varies its neighbours.
  package static func seen(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    let shown = replacement(scalar)
    if shown != scalar { return shown == " " ? shown : nil }
    return !scalar.isASCII && scalar.properties.isDefaultIgnorableCodePoint ? nil : scalar
  }

  /// Whether a character is left out: it has no width, and only tells where a line may break or how it runs.
  package static func isLeftOut(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // Soft hyphen, directional marks, zero-width spaces, word joiner and its like, deprecated format
    // characters.
    case 0x00AD, 0x061C, 0x180E, 0x200B, 0x200E, 0x200F, 0x2060...0x2064, 0x206A...0x206F, 0xFEFF: true
    default: false
    }
  }

  /// Whether a character beyond ASCII could change how a terminal or a reader sees the text around it.
  package static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // C1 controls; among them the one-byte forms of escape sequences.
    case 0x80...0x9F: true
    // Arabic letter mark, directional marks, embeddings, overrides, isolates.
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    // Line and paragraph separators, deprecated format characters, byte order mark, annotation marks.
    case 0x2028, 0x2029, 0x2060...0x2064, 0x206A...0x206F, 0xFEFF, 0xFFF9...0xFFFB: true
    // Zero-width space, soft hyphen, Mongolian vowel separator: invisible text.
    case 0x200B, 0x00AD, 0x180E: true
    // Tag characters: invisible ASCII.
    case 0xE0000...0xE007F: true
    default: false
    }
  }
}
