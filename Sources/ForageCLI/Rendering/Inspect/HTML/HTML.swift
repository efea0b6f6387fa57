import ForageCore

/// Text that is markup.
struct HTML: ExpressibleByStringInterpolation, CustomStringConvertible {
  let description: String

  init(stringLiteral value: String) { description = value }
  init(stringInterpolation: Interpolation) { description = stringInterpolation.text }
  private init(raw: String) { description = raw }

  /// A text from outside, safe for an HTML page; every such text passes through here.
  ///
  /// It is on one line, as content or as the value of a quoted attribute, without markup and characters that hide or reorder text.
  ///
  /// The characters that `SafeText` replaces are replaced here too; the two code points that XML forbids become U+FFFD.
  static func escaped(_ text: some StringProtocol) -> String {
    var result = ""
    for scalar in SafeText.line(text).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Several pieces, each on a line.
  init(lines: [HTML]) { self.init(raw: lines.map(\.description).joined(separator: "\n")) }

  /// Interpolation into markup: `HTML` stays as it is, every other text is escaped.
  struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }
    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ value: HTML) { text += value.description }
    mutating func appendInterpolation(_ values: [HTML]) { text += HTML(lines: values).description }
    mutating func appendInterpolation(_ value: String) { text += HTML.escaped(value) }
    mutating func appendInterpolation(_ value: Int) { text += String(value) }
  }
}
