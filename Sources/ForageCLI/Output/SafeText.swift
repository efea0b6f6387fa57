/// The one place where text from outside is made fit for a terminal.
package enum SafeText {
  /// The text on one line, without anything that a terminal would obey.
  ///
  /// Tabs and line breaks become spaces, control characters their visible pictures (U+2400 block), C1 controls, bidirectional
  /// overrides and isolates, invisible separators and tag characters U+FFFD. What is left moves no cursor and reorders no text.
  package static func line(_ text: some StringProtocol) -> String {
    let isPlain = text.utf8.allSatisfy { $0 >= 32 && $0 < 127 }
    if isPlain { return String(text) }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { result.append(replacement(scalar)) }
    return String(result)
  }

  private static func replacement(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 9...13: " "
    case 0..<32: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
    case 127: "\u{2421}"
    default: isDangerous(scalar) ? "\u{FFFD}" : scalar
    }
  }

  /// Whether a character beyond ASCII could change how a terminal or a reader sees the text around it.
  static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // C1 controls; among them the one-byte forms of escape sequences.
    case 0x80...0x9F: true
    // Arabic letter mark, directional marks, embeddings, overrides, isolates.
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    // Line and paragraph separators, deprecated format characters, byte order mark, annotation marks.
    case 0x2028, 0x2029, 0x2060...0x2064, 0x206A...0x206F, 0xFEFF, 0xFFF9...0xFFFB: true
    // Zero-width space, soft hyphen, Mongolian vowel separator: text that is there and not seen.
    case 0x200B, 0x00AD, 0x180E: true
    // Tag characters: invisible ASCII.
    case 0xE0000...0xE007F: true
    default: false
    }
  }
}
