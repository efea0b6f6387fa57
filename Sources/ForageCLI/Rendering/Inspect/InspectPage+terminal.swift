import ForageCore
import ForageInspector

/// The page on a terminal.
extension InspectPage {
  /// A wider page than this is harder to read.
  private static let maximumColumns = 100
  /// The least width of the values.
  private static let leastValue = 16
  /// The greatest width of the language bar.
  private static let barColumns = 60
  /// The most lines of one text; the JSON has all of it.
  private static let textLines = 6

  /// Writes the page.
  func write(_ style: PageStyle, to output: Output) throws {
    for line in terminalLines(style) { try output.result(line) }
  }

  /// The lines of the page; none is wider than the terminal.
  func terminalLines(_ style: PageStyle) -> [String] {
    let columns = min(style.columns, Self.maximumColumns)
    let labels = groups.flatMap { $0.facts.map { SafeText.line($0.label) } }
    let label = min(max(20, columns / 3) - 4, labels.map(TextWidth.of).max() ?? 0)
    let width = max(Self.leastValue, columns - label - 4)
    let title = TextWidth.truncatedInside(SafeText.line(report.path), to: style.columns)
    var lines = [Style.title.apply(title, style.isColored)]
    for group in groups {
      lines += ["", Style.dim.apply(group.heading.uppercased(), style.isColored)]
      for fact in group.facts {
        let shown = self.lines(fact.value, width: width, style)
        for (index, line) in shown.enumerated() {
          let text = index == 0 ? TextWidth.truncated(SafeText.line(fact.label), to: label) : ""
          let space = String(repeating: " ", count: label - TextWidth.of(text))
          lines.append("  " + Style.dim.apply(text, style.isColored) + space + "  " + line)
        }
      }
    }
    return lines
  }

  private func lines(_ value: Value, width: Int, _ style: PageStyle) -> [String] {
    switch value {
    case .text(let text):
      let lines = TextWidth.wrapped(SafeText.line(text), width: width)
      guard lines.count > Self.textLines, let last = lines.prefix(Self.textLines).last else { return lines }
      return lines.prefix(Self.textLines - 1) + [TextWidth.truncated(last + "…", to: width)]
    case .lines(let texts): return texts.flatMap { TextWidth.wrapped(SafeText.line($0), width: width) }
    case .languages(let languages):
      let bar = LanguageBar(languages, color: color)
      let line = bar.line(width: min(width, Self.barColumns), style.depth)
      return (line.isEmpty ? [] : [line]) + bar.legend(width: width, style)
    case .activity(let activity):
      let summary = ActivitySummary(activity: activity)
      let text = summary.text(isUnicode: style.isUnicode)
      let bars = summary.sparkline(width: width, isUnicode: style.isUnicode)
      return (summary.total > 0 ? [Style.source.apply(bars, style.isColored)] : [])
        + TextWidth.wrapped(text, width: width)
    case .table(let table): return Self.lines(table, width: width, style)
    }
  }

  private static func lines(_ table: PageTable, width: Int, _ style: PageStyle) -> [String] {
    let cells = table.rows.map { $0.map { SafeText.line($0) } }
    let titles = table.columns.map { $0.title.lowercased() }
    let widths = table.columns.indices.map { index in
      (cells.map { TextWidth.of($0[index]) }
        + (table.needsTitles && index > 0 ? [TextWidth.of(titles[index])] : []))
        .max() ?? 0
    }
    let numbers = widths.dropFirst().reduce(0) { $0 + $1 + 2 }
    let first = max(1, min(widths.first ?? 0, width - numbers))
    func line(_ row: [String]) -> String {
      let cells = row.enumerated().map { index, cell -> String in
        guard index == 0 else { return "  " + TextWidth.padded(cell, to: widths[index], alignsRight: true) }
        let text =
          table.columns[0].keepsEnd
          ? TextWidth.truncatedInside(cell, to: first) : TextWidth.truncated(cell, to: first)
        return TextWidth.padded(text, to: first)
      }
      // On a very narrow terminal even the numbers are cut.
      return TextWidth.truncated(cells.joined(), to: width)
    }
    func dim(_ text: String) -> String { Style.dim.apply(text, style.isColored) }
    var lines = table.caption.map { TextWidth.wrapped(SafeText.line($0), width: width) } ?? []
    if table.needsTitles { lines.append(dim(line([""] + titles.dropFirst()))) }
    lines += cells.map(line)
    if table.more > 0 { lines.append(dim("and \(HumanFormat.grouped(table.more)) more")) }
    return lines
  }
}
