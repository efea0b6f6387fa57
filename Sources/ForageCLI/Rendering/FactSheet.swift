/// Labelled facts about one thing, for a terminal.
struct FactSheet {
  var title: String
  /// Characters of one value that a terminal shows; everything is in the JSON.
  private static let valueLimit = 2000

  private(set) var facts: [(label: String, value: String)] = []

  init(title: String) { self.title = title }

  /// Adds a fact; absent and empty values are left out.
  mutating func add(_ label: String, _ value: String?) {
    guard let value, !value.isEmpty else { return }
    let shown = String(value.prefix(Self.valueLimit))
    facts.append((label, shown.utf8.count < value.utf8.count ? shown + "…" : shown))
  }

  /// Writes title and facts: for a terminal labels in a column, long values broken between words to fit the width; as Markdown a list
  /// below a heading.
  func write(to output: Output, as format: OutputFormat = .table) throws {
    if format == .markdown { return try writeMarkdown(to: output) }
    try output.result(
      Style.title.apply(TextWidth.truncated(SafeText.line(title), to: output.columns), output.hasColor))
    let width = facts.map { TextWidth.of($0.label) }.max() ?? 0
    for (label, value) in facts {
      let lines = Self.wrapped(SafeText.line(value), width: max(16, output.columns - width - 4))
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

  /// The text in lines of at most `width` columns, broken at spaces where there are any.
  static func wrapped(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      var rest = String(word)
      if !line.isEmpty, TextWidth.of(line) + 1 + TextWidth.of(rest) <= width {
        line += " " + rest
        continue
      }
      if !line.isEmpty { lines.append(line) }
      while TextWidth.of(rest) > width {
        let head = Self.prefix(rest, width: width)
        lines.append(head)
        rest = String(rest.dropFirst(head.count))
      }
      line = rest
    }
    if !line.isEmpty { lines.append(line) }
    return lines
  }

  private static func prefix(_ text: String, width: Int) -> String {
    var used = 0
    let head = text.prefix { character in
      used += TextWidth.width(character)
      return used <= width
    }
    return head.isEmpty ? String(text.prefix(1)) : String(head)
  }
}

extension JSONValue {
  /// Every single value with its path in the document, for output with tabs: `("head.branch", "main")`.
  func flattened(_ path: String = "") -> [(path: String, value: String)] {
    func below(_ name: String) -> String { path.isEmpty ? name : path + "." + name }
    switch self {
    case .null: return []
    case .bool(let value): return [(path, value ? "true" : "false")]
    case .int(let value): return [(path, String(value))]
    case .double(let value): return [(path, String(value))]
    case .string(let value): return [(path, value)]
    case .date(let value): return [(path, HumanFormat.timestamp(value))]
    case .array(let values):
      return values.enumerated().flatMap { $0.element.flattened(below(String($0.offset))) }
    case .object(let members): return members.flatMap { $0.1.flattened(below($0.0)) }
    }
  }
}
