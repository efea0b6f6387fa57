import ForageCore

/// Labelled facts about one entity, for people.
struct FactSheet {
  var title: String
  /// The number of characters of one value on a page; the JSON has all.
  private static let valueLimit = 2000

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
      Style.title.apply(TextWidth.truncated(SafeText.line(title), to: output.columns), output.hasColor))
    let width = facts.map { TextWidth.of($0.label) }.max() ?? 0
    for (label, value) in facts {
      let lines = TextWidth.wrapped(
        SafeText.line(value), width: max(16, output.columns - width - 4), breaks: WebAddress.canBeBroken)
      for (index, line) in lines.enumerated() {
        let head = TextWidth.padded(index == 0 ? label : "", to: width)
        try output.result("  " + Style.dim.apply(head, output.hasColor) + "  " + line)
      }
    }
  }

  private func writeMarkdown(to output: Output) throws {
    try output.result("## " + MarkdownWriter.text(title))
    try output.result("")
    for (label, value) in facts {
      let shown =
        WebAddress.isSafe(value) ? MarkdownWriter.link(value, to: value) : MarkdownWriter.text(value)
      try output.result("- **\(label):** " + shown)
    }
  }
}
