import ForageCore
import ForageInspector

extension FactSheet {
  /// A wider sheet than this is harder to read.
  private static let maximumColumns = 100
  /// The greatest width of the language bar.
  private static let barColumns = 60
  /// The least width of the values; where there is less beside the labels, they stand below them.
  private static let leastValue = 16

  /// The title, and the labels in a column with their values beside them; no line is wider than the terminal.
  func terminalLines(_ style: PageStyle) -> [String] {
    func heading(_ text: String, _ look: Style) -> [String] {
      let text = SafeText.line(text)
      let lines = TextWidth.of(text) <= style.columns ? [text] : TextWidth.wrapped(text, width: style.columns)
      return lines.map { look.apply($0, style.isColored) }
    }
    var lines = heading(title, .title) + (place.map { heading($0, .dim) } ?? [])
    let columns = min(style.columns, Self.maximumColumns)
    let labels = groups.flatMap { $0.facts.map { TextWidth.of(SafeText.line($0.label)) } }
    let widest = min(max(20, columns / 3) - 4, labels.max() ?? 0)
    let beside = columns - widest - 4
    for group in groups {
      if let heading = group.heading {
        lines += ["", Style.dim.apply(heading.uppercased(), style.isColored)]
      }
      for fact in group.facts {
        let hasRoom = beside >= Self.leastValue
        let values = self.lines(fact.value, width: max(1, hasRoom ? beside : columns - 4), style)
        // An address that is too wide beside its label may fit below it.
        let isBeside = hasRoom && values.allSatisfy { Style.width(of: $0) <= beside }
        let label = TextWidth.truncated(
          SafeText.line(fact.label), to: isBeside ? widest : max(1, columns - 2))
        let shown = Style.dim.apply(label, style.isColored)
        guard isBeside else {
          lines += ["  " + shown] + values.map { "    " + $0 }
          continue
        }
        let space = String(repeating: " ", count: widest + 2)
        lines += values.enumerated().map { index, value in
          "  " + (index == 0 ? shown + space.dropFirst(TextWidth.of(label)) : space) + value
        }
      }
    }
    return lines
  }

  private func lines(_ value: Value, width: Int, _ style: PageStyle) -> [String] {
    func wrapped(_ text: String) -> [String] { TextWidth.wrapped(SafeText.line(text), width: width) }
    switch value {
    case .text(let text):
      return TextWidth.wrapped(SafeText.line(text), width: width, breaks: WebAddress.canBeBroken)
    case .lines(let texts): return texts.flatMap(wrapped)
    case .languages(let bar):
      let line = bar.line(width: min(width, Self.barColumns), style.depth)
      return (line.isEmpty ? [] : [line]) + bar.legend(width: width, style)
    case .activity(let activity):
      let summary = ActivitySummary(activity: activity)
      let bars = summary.sparkline(width: width, isUnicode: style.isUnicode)
      return (summary.total > 0 ? [Style.source.apply(bars, style.isColored)] : [])
        + wrapped(summary.text(isUnicode: style.isUnicode))
    case .table(let table):
      return (table.caption.map(wrapped) ?? []) + table.lines(width: width, isColored: style.isColored)
    }
  }
}

extension FactTable {
  /// The rows and how many more there are, for a terminal.
  fileprivate func lines(width: Int, isColored: Bool) -> [String] {
    let shown = columns.enumerated().map { index, column in
      TableColumn(
        title: needsTitles && index > 0 ? column.title.lowercased() : "",
        alignsRight: index > 0 && !column.isOptional, dropOrder: column.isOptional ? 1 : 0,
        isPath: column.isPath)
    }
    let table = Table(columns: shown, rows: rows.map { $0.map { SafeText.line($0) } })
    let lines = table.lines(width: width, isColored: isColored)
    let rest = more > 0 ? [Style.dim.apply("and \(HumanFormat.grouped(more)) more", isColored)] : []
    return lines.dropFirst(needsTitles ? 0 : 1) + rest
  }
}
