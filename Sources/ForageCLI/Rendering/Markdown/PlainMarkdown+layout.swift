import ForageCore

extension PlainMarkdown {
  /// The lines for a terminal, safe for it and at most `width` columns wide.
  func lines(width: Int, isColored: Bool) -> [String] {
    var lines: [String] = []
    var previous: Block?
    for block in blocks {
      // A block without visible text has no lines. An empty line of code counts where code continues.
      let laidOut = Self.lines(block, width: max(1, width), isColored: isColored)
      guard !laidOut.isEmpty else { continue }
      if let previous, !Self.isJoined(previous, block) { lines.append("") }
      lines += laidOut
      previous = block
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  /// Whether a block follows another without an empty line.
  private static func isJoined(_ first: Block, _ second: Block) -> Bool {
    switch (first, second) {
    case (.item, .item), (.code, .code): true
    default: false
    }
  }

  private static func lines(_ block: Block, width: Int, isColored: Bool) -> [String] {
    switch block {
    case .heading(let text):
      TextWidth.wrapped(SafeText.line(text), width: width).map { Style.title.apply($0, isColored) }
    case .paragraph(let text): TextWidth.wrapped(SafeText.line(text), width: width)
    case .item(let level, let mark, let text): item(level, mark, text, width: width)
    case .code(let text): code(text, width: width)
    }
  }

  /// Code is indented; a line that is too long continues on the next one.
  private static func code(_ text: String, width: Int) -> [String] {
    let indent = min(4, width / 4)
    let pieces = TextWidth.broken(SafeText.line(text.replacing("\t", with: "    ")), to: width - indent)
    return pieces.map { trimmed(String(repeating: " ", count: indent) + $0) }
  }

  private static func item(_ level: Int, _ mark: String, _ text: String, width: Int) -> [String] {
    let indent = String(repeating: " ", count: min(level * 2, width / 4))
    // A number that takes half of the line is replaced by a dash.
    let head = indent + (indent.count + mark.count + 1 > width / 2 ? "-" : mark) + " "
    let room = max(1, width - head.count)
    return TextWidth.wrapped(SafeText.line(text), width: room).enumerated().map { index, line in
      (index == 0 ? head : String(repeating: " ", count: head.count)) + line
    }
  }

  private static func trimmed(_ line: String) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return line
  }
}
