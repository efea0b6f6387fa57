import ForageCore

/// A table for a terminal: aligned columns, cut to the width; columns for which there is no room are left out.
struct Table {
  /// A column.
  struct Column {
    var title: String
    var style: Style?
    var alignsRight = false
    /// Columns with a higher number are left out first when the table is too wide; 0 is always shown.
    var dropOrder = 0
    /// Whether the column is cut first when the table is too wide, and grows into free room.
    var isFlexible = false
    /// The most columns of the terminal that it takes; of names the columns that even a single long one may take.
    var maximum = Int.max
    /// The least width at which a flexible column is of use.
    var least = 16
    /// Whether a text that is too long is cut in the middle, so that its end is shown.
    var keepsEnd = false
    /// Whether the column names the rows: it is cut after the flexible ones, and a name that is much longer than the others is cut alone.
    var isName = false

    /// The title as a heading of Markdown and HTML: `Last commit`.
    var heading: String { String(title.prefix(1)) + title.dropFirst().lowercased() }
  }

  private static let gap = "  "
  /// The part of the terminal, in quarters, that names may take.
  private static let nameQuarters = 3

  var columns: [Column]
  /// Cells, already safe for a terminal.
  var rows: [[String]]

  /// The lines of the table, header first; no line is wider than `width`.
  func lines(width: Int, isColored: Bool) -> [String] {
    let layout = layout(width: width)
    let header = line(layout, cells: columns.map(\.title), isColored: isColored) { _ in .header }
    let body = rows.map { row in line(layout, cells: row, isColored: isColored) { columns[$0].style } }
    return [header] + body
  }

  /// A column that is shown, and its width.
  private typealias Place = (index: Int, width: Int)

  /// The columns that are shown.
  private func layout(width: Int) -> [Place] {
    let widest = columns.indices.map { index in
      max(TextWidth.of(columns[index].title), rows.map { TextWidth.of($0[index]) }.max() ?? 0)
    }
    let natural = columns.indices.map { index in
      columns[index].isName
        ? nameWidth(index, widest[index], of: width) : min(columns[index].maximum, widest[index])
    }
    func least(_ index: Int) -> Int {
      columns[index].isFlexible ? min(natural[index], columns[index].least) : natural[index]
    }
    // A column without content is of no use.
    var shown = columns.indices.filter { index in
      columns[index].dropOrder == 0 || rows.contains { !$0[index].isEmpty }
    }.map { Place($0, least($0)) }
    while Self.total(shown) > width,
      let victim = shown.filter({ columns[$0.index].dropOrder > 0 }).max(by: {
        columns[$0.index].dropOrder < columns[$1.index].dropOrder
      })
    {
      // Names are cut before a description is left out, and it is left out before they are cut further.
      if columns[victim.index].isFlexible {
        let cut = cuttingNames(shown, to: width)
        if Self.total(cut) <= width {
          shown = cut
          break
        }
      }
      shown.removeAll { $0.index == victim.index }
    }
    grow(&shown, to: width) { columns[$0].isFlexible ? natural[$0] : 0 }
    grow(&shown, to: width) { columns[$0].isName ? widest[$0] : 0 }
    while Self.total(shown) > width,
      let widest = shown.indices.max(by: { shown[$0].width < shown[$1].width }),
      shown[widest].width > 1
    {
      shown[widest].width -= 1
    }
    return shown
  }

  /// The width of all columns together.
  private static func total(_ shown: [Place]) -> Int {
    shown.reduce(0) { $0 + $1.width } + gap.count * max(0, shown.count - 1)
  }

  /// The room that names need: other columns give way to names that can be shown whole.
  ///
  /// Names that are too long for that, and longer than twice the usual length, are not counted: they are cut alone.
  private func nameWidth(_ index: Int, _ widest: Int, of width: Int) -> Int {
    let share = columns[index].maximum
    guard widest > share, columns[index].dropOrder == 0 else { return min(widest, share) }
    let lengths = rows.map { TextWidth.of($0[index]) }.sorted()
    let usual = lengths[lengths.count / 2] * 2
    let most = max(share, width / 4 * Self.nameQuarters)
    let needed = lengths.last { $0 <= max(usual, most) } ?? 0
    return max(share, min(needed, most))
  }

  /// The columns with names cut as far as their share of the terminal, no further than needed.
  private func cuttingNames(_ shown: [Place], to width: Int) -> [Place] {
    var shown = shown
    for place in shown.indices where columns[shown[place].index].isName {
      let excess = max(0, Self.total(shown) - width)
      let least = min(shown[place].width, columns[shown[place].index].maximum)
      shown[place].width = max(least, shown[place].width - excess)
    }
    return shown
  }

  /// Gives free room to columns, one after the other, up to a width of each.
  private func grow(_ shown: inout [Place], to width: Int, _ limit: (Int) -> Int) {
    for place in shown.indices {
      let free = max(0, width - Self.total(shown))
      shown[place].width = max(shown[place].width, min(limit(shown[place].index), shown[place].width + free))
    }
  }

  private func line(
    _ layout: [Place], cells: [String], isColored: Bool, style: (Int) -> Style?
  ) -> String {
    let parts = layout.map { index, width -> String in
      let cell = cells[index].trimmingWhitespace()
      let text =
        columns[index].keepsEnd
        ? TextWidth.truncatedInside(cell, to: width) : TextWidth.truncated(cell, to: width)
      let padded = TextWidth.padded(text, to: width, alignsRight: columns[index].alignsRight)
      // The last column needs no padding; styles cover the text alone, so that underlines end with it.
      let isLast = index == layout.last?.index && !columns[index].alignsRight
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
