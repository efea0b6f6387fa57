import ForageCore
import ForageInspector

extension InspectPage {
  /// A wider column than this is harder to read.
  private static let maximumColumns = 100
  /// The space between two columns.
  private static let gap = 4
  /// From this width on the facts are in two columns, each of 80: narrower ones would show less than the page of a usual terminal.
  private static let twoColumnsFrom = 2 * 80 + gap
  /// The greatest width of the language bar.
  private static let barColumns = 60
  /// The most lines of one text; the JSON has all of it.
  private static let textLines = 6

  func write(_ style: PageStyle, to output: Output) throws {
    for line in terminalLines(style) { try output.result(verbatim: line) }
  }

  /// The lines of the page; none is wider than the terminal.
  func terminalLines(_ style: PageStyle) -> [String] {
    let title = TextWidth.truncatedInside(SafeText.line(title), to: style.columns)
    var lines = [Style.title.apply(title, style.isColored)]
    if let place {
      let path = TextWidth.truncatedInside(SafeText.line(place), to: style.columns)
      lines.append(Style.dim.apply(path, style.isColored))
    }
    guard style.columns >= Self.twoColumnsFrom, groups.count > 1 else {
      return lines + blocks(columns: min(style.columns, Self.maximumColumns), style).joined()
    }
    let width = min((style.columns - Self.gap) / 2, Self.maximumColumns)
    return lines + Self.sideBySide(blocks(columns: width, style), width: width)
  }

  /// The lines of each group, an empty one first.
  private func blocks(columns: Int, _ style: PageStyle) -> [[String]] {
    let labels = groups.flatMap { $0.facts.map { SafeText.line($0.label) } }
    let label = min(max(20, columns / 3) - 4, labels.map(TextWidth.of).max() ?? 0)
    let isBeside = columns - label - 4 >= FactSheet.leastValue
    let width = max(1, columns - (isBeside ? label : 0) - 4)
    return groups.map { group in
      var lines = ["", Style.dim.apply(group.heading.uppercased(), style.isColored)]
      for fact in group.facts {
        lines += FactSheet.labelled(
          self.lines(fact.value, width: width, style),
          TextWidth.truncated(SafeText.line(fact.label), to: max(1, columns - 2)),
          width: isBeside ? label : nil, isColored: style.isColored)
      }
      return lines
    }
  }

  /// The blocks in two columns, in their order, so that the longer column is as short as it can be.
  private static func sideBySide(_ blocks: [[String]], width: Int) -> [String] {
    let heights = blocks.map(\.count)
    func height(_ split: Int) -> Int { max(heights[..<split].reduce(0, +), heights[split...].reduce(0, +)) }
    let split = (1..<blocks.count).min { height($0) < height($1) } ?? blocks.count
    let (left, right) = (Array(blocks[..<split].joined()), Array(blocks[split...].joined()))
    return (0..<max(left.count, right.count)).map { index in
      let first = index < left.count ? left[index] : ""
      guard index < right.count, !right[index].isEmpty else { return first }
      let space = String(repeating: " ", count: max(0, width + gap - Style.width(of: first)))
      return first + space + right[index]
    }
  }

  private func lines(_ value: Value, width: Int, _ style: PageStyle) -> [String] {
    switch value {
    case .text(let text):
      let lines = TextWidth.wrapped(SafeText.line(text), width: width)
      guard lines.count > Self.textLines, let last = lines.prefix(Self.textLines).last else { return lines }
      return lines.prefix(Self.textLines - 1) + [TextWidth.truncated(last + "…", to: width)]
    case .lines(let texts): return texts.flatMap { TextWidth.wrapped(SafeText.line($0), width: width) }
    case .languages(let languages):
      let bar = LanguageBar(languages)
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
    var cells = table.rows.map { $0.map { SafeText.line($0) } }
    let titles = table.columns.map { $0.title.lowercased() }
    var widths = table.columns.indices.map { index in
      (cells.map { TextWidth.of($0[index]) }
        + (table.needsTitles && index > 0 ? [TextWidth.of(titles[index])] : []))
        .max() ?? 0
    }
    if table.columns.last?.isOptional == true, widths.last == 0 || widths.reduce(-2, { $0 + $1 + 2 }) > width
    {
      cells = cells.map { Array($0.dropLast()) }
      widths.removeLast()
    }
    let numbers = widths.dropFirst().reduce(0) { $0 + $1 + 2 }
    let first = max(1, min(widths.first ?? 0, width - numbers))
    let names = cells.map { $0[0] }
    // Cut in the middle, names of different files may look the same.
    if table.columns[0].keepsEnd,
      Set(names.map { TextWidth.truncatedInside($0, to: first) }).count < Set(names).count
    {
      for (index, name) in FolderColumn.shortened(names, to: first).enumerated() { cells[index][0] = name }
    }
    func line(_ row: [String]) -> String {
      let cells = row.enumerated().map { index, cell -> String in
        if table.columns[index].isOptional { return cell.isEmpty ? "" : "  " + cell }
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
