extension PlainMarkdown {
  /// The first lines for a terminal, safe for it, none wider than `width`; and whether there are more.
  func lines(width: Int, limit: Int, isColored: Bool) -> (lines: [String], isCut: Bool) {
    var lines: [String] = []
    var previous: Block?
    for block in blocks {
      // What cannot be seen makes no line: an empty one in code counts where code goes on.
      let laidOut = Self.lines(block, width: max(1, width), isColored: isColored)
      guard !laidOut.isEmpty else { continue }
      if let previous, !Self.isJoined(previous, block) { lines.append("") }
      lines += laidOut
      previous = block
      if lines.count > limit { break }
    }
    let isCut = lines.count > limit
    lines = Array(lines.prefix(limit))
    while lines.last?.isEmpty == true { lines.removeLast() }
    return (lines, isCut)
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
      FactSheet.wrapped(SafeText.line(text), width: width).map { Style.title.apply($0, isColored) }
    case .paragraph(let text): FactSheet.wrapped(SafeText.line(text), width: width)
    case .item(let level, let mark, let text): item(level, mark, text, width: width)
    case .code(let text):
      [trimmed(TextWidth.truncated("    " + SafeText.line(text.replacing("\t", with: "    ")), to: width))]
    }
  }

  private static func item(_ level: Int, _ mark: String, _ text: String, width: Int) -> [String] {
    let indent = String(repeating: " ", count: min(level * 2, width / 4))
    // A number that takes half of the line is no help.
    let head = indent + (indent.count + mark.count + 1 > width / 2 ? "-" : mark) + " "
    let room = max(1, width - head.count)
    return FactSheet.wrapped(SafeText.line(text), width: room).enumerated().map { index, line in
      (index == 0 ? head : String(repeating: " ", count: head.count)) + line
    }
  }

  private static func trimmed(_ line: String) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return line
  }
}
