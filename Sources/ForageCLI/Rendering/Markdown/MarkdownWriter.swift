import ForageCore

/// Writes Markdown and escapes texts from outside.
enum MarkdownWriter {
  /// Characters with a meaning in a line of Markdown.
  private static let active = Array("\\`*_[]<>|~".utf8)

  /// The text on one line, escaped.
  static func text(_ text: String) -> String {
    var result: [UInt8] = []
    for byte in SafeText.line(text).trimmingWhitespace().utf8 {
      if byte == UInt8(ascii: "&") {
        result += "&amp;".utf8
      } else {
        if active.contains(byte) { result.append(UInt8(ascii: "\\")) }
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// A link, or the text alone where the address is not safe.
  static func link(_ label: String, to address: String?) -> String {
    guard let address, WebAddress.isSafe(address) else { return text(label) }
    var target = ""
    for scalar in address.unicodeScalars {
      switch scalar {
      case "(": target += "%28"
      case ")": target += "%29"
      case "|": target += "%7C"
      case "\\": target += "%5C"
      case "<": target += "%3C"
      case ">": target += "%3E"
      default: target.unicodeScalars.append(scalar)
      }
    }
    return "[\(text(label))](\(SafeText.line(target)))"
  }

  /// A table of cells that are Markdown. Columns without content are left out.
  static func table(_ header: [String], _ rows: [[String]]) -> [String] {
    let shown = header.indices.filter { index in index == 0 || rows.contains { !$0[index].isEmpty } }
    func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
    return [line(shown.map { text(header[$0]) }), line(shown.map { _ in "---" })]
      + rows.map { row in line(shown.map { row[$0] }) }
  }
}
