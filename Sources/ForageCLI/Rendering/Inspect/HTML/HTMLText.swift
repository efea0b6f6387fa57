/// Texts from outside as parts of a page for the browser: the one place where they are made fit for it.
enum HTMLText {
  /// The text on one line, as content or as the value of a quoted attribute; nothing in it is markup, hides or reorders what is around it.
  ///
  /// What is neutralised on a terminal is so here, too; the two code points that no XML may hold become U+FFFD.
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
}

/// A text that is markup already.
struct HTML: ExpressibleByStringInterpolation, CustomStringConvertible {
  let description: String

  init(stringLiteral value: String) { description = value }
  init(stringInterpolation: Interpolation) { description = stringInterpolation.text }
  private init(raw: String) { description = raw }

  /// Several pieces, one after the other, each on its line.
  init(lines: [HTML]) { self.init(raw: lines.map(\.description).joined(separator: "\n")) }

  /// What is put into markup: markup stays, every other text is escaped.
  struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }
    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ value: HTML) { text += value.description }
    mutating func appendInterpolation(_ values: [HTML]) { text += HTML(lines: values).description }
    mutating func appendInterpolation(_ value: String) { text += HTMLText.escaped(value) }
    mutating func appendInterpolation(_ value: Int) { text += String(value) }
  }
}
