import ForageCore

/// Labelled facts about one entity, for people.
struct FactSheet {
  var title: String
  /// The number of characters of one value on a page; the JSON has all.
  private static let valueLimit = 2000
  /// The least width of the values; where there is less beside the labels, they stand below them.
  static let leastValue = 16

  private(set) var facts: [(label: String, value: String)] = []

  /// Adds a fact; absent and empty values are left out.
  mutating func add(_ label: String, _ value: String?) {
    guard let value, !value.isEmpty else { return }
    let shown = String(value.prefix(Self.valueLimit))
    facts.append((label, shown.utf8.count < value.utf8.count ? shown + "…" : shown))
  }

  /// Writes the title and the facts: as Markdown a heading and a list, otherwise labels in a column and values wrapped to the width.
  func write(to output: Output, as format: OutputFormat = .table) throws {
    if format == .markdown { return try writeMarkdown(to: output) }
    try output.result(
      verbatim: Style.title.apply(
        TextWidth.truncated(SafeText.line(title), to: output.columns), output.hasColor))
    let width = facts.map { TextWidth.of($0.label) }.max() ?? 0
    let isBeside = output.columns - width - 4 >= Self.leastValue
    for (label, value) in facts {
      let lines = TextWidth.wrapped(
        SafeText.line(value), width: max(1, output.columns - (isBeside ? width : 0) - 4),
        breaks: WebAddress.canBeBroken)
      // An address that is too wide beside its label may fit below it.
      let fits = lines.allSatisfy { TextWidth.of($0) + width + 4 <= output.columns }
      let room = isBeside && fits ? width : nil
      for line in Self.labelled(lines, label, width: room, isColored: output.hasColor) {
        try output.result(verbatim: line)
      }
    }
  }

  /// The lines of a value with its label: beside them where it has a width, else above them.
  static func labelled(_ lines: [String], _ label: String, width: Int?, isColored: Bool) -> [String] {
    guard let width else {
      return lines.isEmpty ? [] : ["  " + Style.dim.apply(label, isColored)] + lines.map { "    " + $0 }
    }
    return lines.enumerated().map { index, line in
      let text = index == 0 ? TextWidth.truncated(label, to: width) : ""
      let space = String(repeating: " ", count: width - TextWidth.of(text))
      return "  " + Style.dim.apply(text, isColored) + space + "  " + line
    }
  }

  private func writeMarkdown(to output: Output) throws {
    try output.result(verbatim: "## " + MarkdownWriter.text(title))
    try output.result("")
    for (label, value) in facts {
      let shown =
        WebAddress.isSafe(value) ? MarkdownWriter.link(value, to: value) : MarkdownWriter.text(value)
      try output.result(verbatim: "- **\(label):** " + shown)
    }
  }
}
