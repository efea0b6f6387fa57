import ForageCore

/// A table for a terminal: aligned columns, cut to the width; columns for which there is no room are left out.
struct Table {
  var columns: [TableColumn]
  /// Cells, already safe for a terminal.
  var rows: [[String]]

  /// The lines of the table, header first; no line is wider than `width`.
  func lines(width: Int, isColored: Bool) -> [String] {
    let layout = layout(width: width)
    // Repositories have the same form of their names in all rows.
    let short = Set(
      layout.places.filter { index, width in
        columns[index].keepsEnd && rows.contains { PlaceText.needsShortName($0[index], in: width) }
      }.map(\.index))
    let header = line(layout, short, cells: columns.map(\.title), isColored: isColored) { _ in .header }
    let body = rows.map { row in line(layout, short, cells: row, isColored: isColored) { columns[$0].style } }
    return [header] + body
  }

  private func layout(width: Int) -> TableLayout {
    // How much wider than several tables a cell is makes no difference.
    let most = 4 * min(width, .max / 4)
    func widths(_ index: Int) -> [Int] { rows.map { TextWidth.width(of: $0[index], beyond: most) } }
    return TableLayout(
      columns,
      // A column without content is of no use.
      shown: columns.indices.filter { index in
        columns[index].dropOrder == 0 || rows.contains { !$0[index].isEmpty }
      },
      widest: columns.indices.map { max(TextWidth.of(columns[$0].title), widths($0).max() ?? 0) },
      names: { widths($0).sorted() }, width: width)
  }

  private func line(
    _ layout: TableLayout, _ short: Set<Int>, cells: [String], isColored: Bool, style: (Int) -> Style?
  ) -> String {
    let parts = layout.places.map { index, width -> String in
      let cell = cells[index].trimmingWhitespace()
      let text =
        columns[index].isPath
        ? PlaceText.path(cell, to: width)
        : columns[index].keepsEnd
          ? PlaceText.fitted(cell, to: width, isShort: short.contains(index))
          : TextWidth.truncated(cell, to: width)
      let padded = TextWidth.padded(text, to: width, alignsRight: columns[index].alignsRight)
      // The last column needs no padding; styles cover the text alone, so that underlines end with it.
      let isLast = index == layout.places.last?.index && !columns[index].alignsRight
      guard let style = style(index) else { return isLast ? text : padded }
      let styled = style.apply(text, isColored)
      let space = String(repeating: " ", count: max(0, width - TextWidth.of(text)))
      return columns[index].alignsRight ? space + styled : isLast ? styled : styled + space
    }
    var line = parts.joined(separator: String(repeating: " ", count: TableLayout.gap))
    while line.last == " " { line.removeLast() }
    return line
  }
}

extension TableColumn {
  /// The title as a heading of Markdown and HTML: `Last commit`.
  var heading: String { String(title.prefix(1)) + title.dropFirst().lowercased() }
}
