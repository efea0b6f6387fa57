import ForageCore

/// A table for a terminal: columns aligned, cut to the width, dropped where there is no room.
struct Table {
  /// A column.
  struct Column {
    var title: String
    var style: Style?
    var alignsRight = false
    /// Columns with a higher number go first when the table is too wide; 0 never goes.
    var dropOrder = 0
    /// Whether the column shrinks and takes what is left.
    var isFlexible = false
    /// The most columns of the terminal that it takes.
    var maximum = Int.max
    /// The least width at which a flexible column still tells something.
    var least = 16
    /// Whether a text that is too long is cut in the middle, because its end tells as much as its beginning.
    var keepsEnd = false
  }

  private static let gap = "  "

  var columns: [Column]
  /// Cells, already safe for a terminal.
  var rows: [[String]]

  /// The lines of the table, header first; no line is wider than `width`.
  func lines(width: Int, isColored: Bool) -> [String] {
    let natural = columns.indices.map { index in
      min(
        columns[index].maximum,
        max(TextWidth.of(columns[index].title), rows.map { TextWidth.of($0[index]) }.max() ?? 0))
    }
    let shown = shownColumns(natural, width: width)
    let widths = fitted(shown, natural, width: width)
    let header = line(shown, widths, cells: columns.map(\.title), isColored: isColored) { _ in .header }
    let body = rows.map { row in line(shown, widths, cells: row, isColored: isColored) { columns[$0].style } }
    return [header] + body
  }

  private func shownColumns(_ natural: [Int], width: Int) -> [Int] {
    // A column without any content tells nothing.
    var shown = columns.indices.filter { index in
      columns[index].dropOrder == 0 || rows.contains { !$0[index].isEmpty }
    }
    func least(_ index: Int) -> Int {
      columns[index].isFlexible ? min(natural[index], columns[index].least) : natural[index]
    }
    while shown.reduce(0, { $0 + least($1) }) + Self.gap.count * (shown.count - 1) > width,
      let victim = shown.filter({ columns[$0].dropOrder > 0 }).max(by: {
        columns[$0].dropOrder < columns[$1].dropOrder
      })
    {
      shown.removeAll { $0 == victim }
    }
    return shown
  }

  private func fitted(_ shown: [Int], _ natural: [Int], width: Int) -> [Int: Int] {
    var widths = Dictionary(uniqueKeysWithValues: shown.map { ($0, natural[$0]) })
    func total() -> Int { widths.values.reduce(0, +) + Self.gap.count * (shown.count - 1) }
    if total() > width, let flexible = shown.first(where: { columns[$0].isFlexible }) {
      widths[flexible] = max(
        min(natural[flexible], columns[flexible].least), natural[flexible] - (total() - width))
    }
    while total() > width, let widest = shown.max(by: { (widths[$0] ?? 0) < (widths[$1] ?? 0) }),
      (widths[widest] ?? 0) > 1
    {
      widths[widest] = (widths[widest] ?? 1) - 1
    }
    return widths
  }

  private func line(
    _ shown: [Int], _ widths: [Int: Int], cells: [String], isColored: Bool, style: (Int) -> Style?
  ) -> String {
    let parts = shown.map { index -> String in
      let width = widths[index] ?? 0
      let cell = cells[index].trimmingWhitespace()
      let text =
        columns[index].keepsEnd
        ? TextWidth.truncatedInside(cell, to: width) : TextWidth.truncated(cell, to: width)
      let padded = TextWidth.padded(text, to: width, alignsRight: columns[index].alignsRight)
      // The last column needs no padding; styles cover the text alone, so that underlines do not run on.
      let isLast = index == shown.last && !columns[index].alignsRight
      guard let style = style(index) else { return isLast ? text : padded }
      let styled = style.apply(text, isColored)
      let space = String(repeating: " ", count: max(0, width - TextWidth.of(text)))
      return columns[index].alignsRight ? space + styled : isLast ? styled : styled + space
    }
    var line = parts.joined(separator: Self.gap)
    while line.last == " " { line.removeLast() }
    return line
  }
}
