@testable import ForageInspector

/// The rules of a few languages, applied in the slowest and plainest way: each byte gets a mark, then each
/// line is judged by its marks. What ``LineCounter`` is compared with.
struct PlainLineRules: Sendable {
  struct Quote: Sendable {
    let open: String
    let close: String
    let escapes: Bool
    let spansLines: Bool
  }

  let language: String
  let lineComments: [String]
  let blocks: [(open: String, close: String, nests: Bool)]
  let quotes: [Quote]

  private static func quote(_ mark: String, escapes: Bool = true, spansLines: Bool = false) -> Quote {
    Quote(open: mark, close: mark, escapes: escapes, spansLines: spansLines)
  }

  static let all: [PlainLineRules] = [
    .init(
      language: "CSS", lineComments: [], blocks: [("/*", "*/", false)], quotes: [quote("\""), quote("'")]),
    .init(
      language: "SCSS", lineComments: ["//"], blocks: [("/*", "*/", false)],
      quotes: [quote("\""), quote("'")]),
    .init(
      language: "SystemVerilog", lineComments: ["//"], blocks: [("/*", "*/", false)], quotes: [quote("\"")]),
    .init(
      language: "SQL", lineComments: ["--"], blocks: [("/*", "*/", false)],
      quotes: [quote("\"", escapes: false), quote("'", escapes: false, spansLines: true)]),
    .init(
      language: "TOML", lineComments: ["#"], blocks: [],
      quotes: [
        quote("\"\"\"", spansLines: true), quote("'''", escapes: false, spansLines: true), quote("\""),
        quote("'", escapes: false),
      ]),
    .init(
      language: "WebAssembly", lineComments: [";;"], blocks: [("(;", ";)", true)], quotes: [quote("\"")]),
    .init(
      language: "XML", lineComments: [], blocks: [("<!--", "-->", false)],
      quotes: [Quote(open: "<![CDATA[", close: "]]>", escapes: false, spansLines: true)]),
  ]

  /// What random texts are made of.
  static let pieces = [
    "/*", "*/", "//", "--", "#", ";;", "(;", ";)", ";", "(", "<!--", "-->", "<![CDATA[", "]]>", "\"", "'",
    "\\",
    "\n", "\n", "\n", "\r\n", "\r", " ", "\t", "a", "b c", "é", "/", "*", "<", "=begin\n", "=end\n", "\"\"\"",
    "'''",
    "`", "${", "}", "{-", "-}", "#{", "$(", ")", "r#\"", "[[", "]]", "[=[", "]=]", "<<EOF\n", "EOF\n", "$",
    "?", "%",
    "<script>", "</script>", "<?php", "?>", "(*", "*)", "{", "#|", "|#", "rem ", "@\"", "%{\n", "%}\n",
    "R\"x(", ")x\"",
  ]

  private enum Mark { case space, code, comment, end }

  /// Counts.
  func count(_ text: [UInt8]) -> LineCounts {
    var counts = LineCounts()
    var marks = marks(text)
    if let last = marks.last, last != .end { marks.append(.end) }
    for line in marks.split(separator: .end, omittingEmptySubsequences: false).dropLast() {
      if line.contains(.code) {
        counts.code += 1
      } else if line.contains(.comment) {
        counts.comment += 1
      } else {
        counts.blank += 1
      }
    }
    return counts
  }

  private func marks(_ text: [UInt8]) -> [Mark] {
    var marks: [Mark] = []
    var rest = text[...]
    func take(_ count: Int, _ mark: Mark) {
      for byte in rest.prefix(count) {
        let isSpace = [0x20, 0x09, 0x0D, 0x0B, 0x0C].contains(byte)
        marks.append(byte == 0x0A ? .end : isSpace ? .space : mark)
      }
      rest = rest.dropFirst(count)
    }
    func begins(_ word: String) -> Bool { rest.starts(with: Array(word.utf8)) }
    while !rest.isEmpty {
      if lineComments.contains(where: begins) {
        take(rest.prefix { $0 != 0x0A }.count, .comment)
      } else if let block = blocks.first(where: { begins($0.open) }) {
        take(block.open.utf8.count, .comment)
        var depth = 1
        while depth > 0, !rest.isEmpty {
          if begins(block.close) {
            depth -= 1
            take(block.close.utf8.count, .comment)
          } else if block.nests, begins(block.open) {
            depth += 1
            take(block.open.utf8.count, .comment)
          } else {
            take(1, .comment)
          }
        }
      } else if let quote = quotes.first(where: { begins($0.open) }) {
        take(quote.open.utf8.count, .code)
        while !rest.isEmpty, !begins(quote.close), quote.spansLines || rest.first != 0x0A {
          if quote.escapes, begins("\\") { take(begins("\\\r\n") ? 2 : 1, .code) }
          take(1, .code)
        }
        if begins(quote.close) { take(quote.close.utf8.count, .code) }
      } else {
        take(1, .code)
      }
    }
    return marks
  }
}
