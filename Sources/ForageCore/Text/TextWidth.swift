/// How many columns text takes on a terminal.
package enum TextWidth {
  /// The width of a text: the sum of its characters' widths.
  package static func of(_ text: some StringProtocol) -> Int { width(of: text, beyond: .max) }

  /// The width of a text, whose rest is not read where it is wider than a limit.
  package static func width(of text: some StringProtocol, beyond limit: Int) -> Int {
    let text = String(text)
    if text.utf8.allSatisfy({ $0 < 128 }) { return text.utf8.count }
    var used = 0
    for character in text {
      used += width(character)
      if used > limit { break }
    }
    return used
  }

  /// The width of one grapheme cluster: the sum of those of its scalars, as `wcwidth` of glibc counts them
  /// and terminals add them; 2 for a sequence of emoji.
  ///
  /// A conjunct of an Indic script takes as much as its letters do: terminals differ in what they draw, and
  /// none takes more.
  package static func width(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard scalars.first?.properties.isEmoji == true else { return scalars.reduce(0) { $0 + width($1) } }
    // Variation selector 16 asks for the emoji form, which is wide.
    return scalars.contains("\u{FE0F}") ? 2 : scalars.map(width).max() ?? 0
  }

  private static func width(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    if scalar.value < 0x1100 { return 1 }
    // Vowels and final consonants join the Korean consonant before them.
    if (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FB).contains(scalar.value) { return 0 }
    return isWide(scalar) ? 2 : 1
  }

  /// Whether a character is wide, full-width or an emoji by default. Source: Unicode 15.1,
  /// EastAsianWidth.txt, classes W and F, rounded to blocks.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isEmojiPresentation { return true }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
      0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
      0xFFE0...0xFFE6, 0x16FE0...0x16FFF, 0x17000...0x18CFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF,
      0x20000...0x3FFFD:
      return true
    default: return false
    }
  }

  /// The text cut to a width; an ellipsis marks the cut.
  package static func truncated(_ text: String, to limit: Int) -> String {
    if width(of: text, beyond: limit) <= limit { return text }
    if limit < 1 { return "" }
    var result = ""
    var used = 0
    for character in text {
      let width = width(character)
      if used + width > limit - 1 { break }
      result.append(character)
      used += width
    }
    while result.last == " " { result.removeLast() }
    return result + "…"
  }

  /// The text cut to a width in the middle; its beginning and its end are kept.
  package static func truncatedInside(_ text: String, to limit: Int) -> String {
    guard width(of: text, beyond: limit) > limit, limit > 2 else { return truncated(text, to: limit) }
    let room = limit / 2
    var end = text.endIndex
    var used = 0
    while end > text.startIndex {
      let before = text.index(before: end)
      let width = width(text[before])
      if used + width > room { break }
      used += width
      end = before
    }
    return truncated(text, to: limit - used) + text[end...]
  }

  /// The text in pieces of at most a width, at least one; nothing is left out but spaces at its end.
  package static func broken(_ text: String, to limit: Int) -> [String] {
    var pieces = [""]
    var used = 0
    for character in text {
      let width = width(character)
      if used + width > limit, used > 0 {
        pieces.append("")
        used = 0
      }
      pieces[pieces.count - 1].append(character)
      used += width
    }
    while pieces[pieces.count - 1].last == " " { pieces[pieces.count - 1].removeLast() }
    return pieces.count > 1 && pieces.last == "" ? pieces.dropLast() : pieces
  }

  /// The text in lines of at most `width` columns, broken at spaces where possible. Takes time linear in its
  /// length.
  ///
  /// - Parameter breaks: Whether a word that is wider than a line is broken; otherwise its line is wider.
  package static func wrapped(
    _ text: String, width: Int, breaks: (Substring) -> Bool = { _ in true }
  ) -> [String] {
    var lines: [String] = []
    var (line, used) = ("", 0)
    func breakLine() {
      if !line.isEmpty { lines.append(line) }
      (line, used) = ("", 0)
    }
    for word in text.split(separator: " ") {
      let wide = of(word)
      if !line.isEmpty, used + 1 + wide <= width {
        line += " " + word
        used += 1 + wide
        continue
      }
      breakLine()
      guard wide > width, breaks(word) else {
        (line, used) = (String(word), wide)
        continue
      }
      for character in word {
        let wide = Self.width(character)
        if used + wide > width { breakLine() }
        line.append(character)
        used += wide
      }
    }
    breakLine()
    return lines
  }

  package static func padded(_ text: String, to width: Int, alignsRight: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - of(text)))
    return alignsRight ? space + text : text + space
  }
}
