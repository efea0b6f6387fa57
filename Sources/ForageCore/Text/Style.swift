/// The style of a text on a terminal.
///
/// There is no yellow: on a white background it can hardly be read.
package enum Style: String, Sendable {
  case title = "1"
  case header = "2;4"
  case dim = "2"
  case language = "36"
  case stars = "35"
  case source = "32"
  case error = "1;31"
  case hint = "1;34"
  case warning = "1;35"
  /// A match, as grep shows it; the order of the codes distinguishes it from an error.
  case match = "31;1"

  /// The text in this style; unchanged without colours.
  package func apply(_ text: String, _ isColored: Bool) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
  }

  /// The columns that a line with styles takes on a terminal.
  package static func width(of line: String) -> Int {
    guard line.utf8.contains(0x1B) else { return TextWidth.of(line) }
    var isCode = false
    return line.reduce(0) { width, character in
      if character == "\u{1B}" { isCode = true }
      defer { if character == "m" { isCode = false } }
      return isCode ? width : width + TextWidth.width(character)
    }
  }
}
