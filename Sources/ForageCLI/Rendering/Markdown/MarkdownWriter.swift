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
    let target = PercentEncoding.encode(address.utf8) { !"()|\\<>".utf8.contains($0) }
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
