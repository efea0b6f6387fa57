/// A column of a table.
package struct TableColumn: Hashable, Sendable {
  package var title: String
  package var style: Style?
  package var alignsRight: Bool
  /// Columns with a higher number are left out first when the table is too wide; 0 is always shown.
  package var dropOrder: Int
  /// Whether the column is cut first when the table is too wide, and grows into free room.
  package var isFlexible: Bool
  /// The most columns of the terminal that it takes; of names the columns that even a single long one may
  /// take.
  package var maximum: Int
  /// The least width at which a flexible column, or one that gives way, is of use.
  package var least: Int
  /// Whether it is cut, and left out, before a flexible column is narrower than can be read well.
  package var givesWay: Bool
  /// Whether a text that is too long is cut in the middle, so that its end is shown.
  package var keepsEnd: Bool
  /// Whether it has paths of files, of which folders are left out first.
  package var isPath: Bool
  /// Whether it names the rows: it is cut after the flexible ones.
  package var isName: Bool
  /// The fifths of the table, at least `usualLeast` columns, that are the maximum of a column of names.
  package var fifths: Int?
  /// Whether marks of stars and favorites follow it in the lists of `forage browse`.
  package var hasMarks: Bool

  /// The usual least width of a flexible column, and of the share of names.
  package static let usualLeast = 16

  package init(
    title: String = "", style: Style? = nil, alignsRight: Bool = false, dropOrder: Int = 0,
    isFlexible: Bool = false, maximum: Int = .max, least: Int = usualLeast, keepsEnd: Bool = false,
    isPath: Bool = false, isName: Bool = false, fifths: Int? = nil, givesWay: Bool = false,
    hasMarks: Bool = false
  ) {
    self.title = title
    self.style = style
    self.alignsRight = alignsRight
    self.dropOrder = dropOrder
    self.isFlexible = isFlexible
    self.maximum = maximum
    self.least = least
    self.keepsEnd = keepsEnd
    self.isPath = isPath
    self.isName = isName || fifths != nil
    self.fifths = fifths
    self.givesWay = givesWay
    self.hasMarks = hasMarks
  }

  /// The title as a heading of Markdown and HTML: `Last commit`.
  package var heading: String { String(title.prefix(1)) + title.dropFirst().lowercased() }
}

/// A table for a terminal: aligned columns, cut to the width; columns for which there is no room are left
/// out.
package struct Table {
  package var columns: [TableColumn]
  /// Cells, already safe for a terminal.
  package var rows: [[String]]

  package init(columns: [TableColumn], rows: [[String]]) { (self.columns, self.rows) = (columns, rows) }

  /// The lines of the table, header first; no line is wider than `width`.
  package func lines(width: Int, isColored: Bool) -> [String] {
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

/// The columns of a table that fit a width, and how wide each is.
///
/// The columns are chosen as if no name were wider than its share of the table and no description wider than
/// its least width. The names of nine tenths of the rows then take the room of descriptions, descriptions
/// take what is left, and the longest names what is left after that: they alone are cut. In a table narrower
/// than 80 columns names take the room of other columns as well. A column that gives way is shown only where
/// descriptions have 40 columns beside it, or all that they need.
package struct TableLayout {
  /// The columns between two columns.
  package static let gap = 2
  /// The width from which on names take no room of columns other than descriptions.
  private static let wideTable = 80
  /// The part of a narrower table, in quarters, that names may take.
  private static let nameQuarters = 3
  /// The width that descriptions have before columns that give way take more than their least.
  private static let readable = 40
  /// The tenths of the rows whose names are counted.
  private static let countedTenths = 9

  /// The columns that are shown, with their widths.
  package private(set) var places: [(index: Int, width: Int)]
  private let columns: [TableColumn]

  /// Distributes the columns of a row.
  ///
  /// - Parameters:
  ///   - shown: The indices of columns that have something to show.
  ///   - widest: The width of the widest text of each column.
  ///   - names: The widths of the texts of a column of names, ascending; called for some of these columns
  ///     only.
  ///   - reserved: The part of it that something else takes.
  package init(
    _ columns: [TableColumn], shown: [Int], widest: [Int], names: (_ column: Int) -> [Int], width: Int,
    reserved: Int = 0
  ) {
    func layout(_ shown: [Int]) -> TableLayout {
      TableLayout(
        distributing: columns, shown: shown, widest: widest, names: names, width: width, reserved: reserved)
    }
    var (shown, fitting) = (shown, layout(shown))
    while fitting.isCramped(widest),
      let victim = fitting.places.map(\.index)
        .filter({ columns[$0].givesWay && columns[$0].dropOrder > 0 })
        .max(by: { columns[$0].dropOrder < columns[$1].dropOrder })
    {
      shown.removeAll { $0 == victim }
      fitting = layout(shown)
    }
    self = fitting
  }

  /// Whether a description has less room than can be read well.
  private func isCramped(_ widest: [Int]) -> Bool {
    places.contains { index, width in
      columns[index].isFlexible && width < min(widest[index], columns[index].maximum, Self.readable)
    }
  }

  private init(
    distributing columns: [TableColumn], shown: [Int], widest: [Int], names: (_ column: Int) -> [Int],
    width: Int, reserved: Int
  ) {
    let columns = columns.map { column in
      var column = column
      if let fifths = column.fifths { column.maximum = max(TableColumn.usualLeast, width * fifths / 5) }
      return column
    }
    self.columns = columns
    func hasLongNames(_ index: Int) -> Bool {
      columns[index].isName && columns[index].dropOrder == 0 && widest[index] > columns[index].maximum
    }
    let natural = columns.indices.map { index in
      let share = min(columns[index].maximum, widest[index])
      guard width < Self.wideTable, hasLongNames(index) else { return share }
      return max(share, Self.usualWidth(names(index), most: width / 4 * Self.nameQuarters))
    }
    places = shown.map { index in
      let isCut = columns[index].isFlexible || columns[index].givesWay
      return (index, isCut ? min(natural[index], columns[index].least) : natural[index])
    }
    let room = width - reserved
    while total > room,
      let victim = places.map(\.index).filter({ columns[$0].dropOrder > 0 }).max(by: {
        columns[$0].dropOrder < columns[$1].dropOrder
      })
    {
      // Names and the description are cut before it is left out, and it is left out before names are cut
      // further.
      if columns[victim].isFlexible, cutNames(and: victim, to: room) { break }
      places.removeAll { $0.index == victim }
    }
    let free = max(0, room - total)
    grow(to: room) { hasLongNames($0) ? Self.usualWidth(names($0), most: natural[$0] + free) : 0 }
    grow(to: room) { columns[$0].isFlexible ? min(natural[$0], Self.readable) : 0 }
    grow(to: room) { columns[$0].givesWay ? natural[$0] : 0 }
    grow(to: room) { columns[$0].isFlexible ? natural[$0] : 0 }
    grow(to: room) { columns[$0].isName ? widest[$0] : 0 }
    while total > room, let wide = places.indices.max(by: { places[$0].width < places[$1].width }),
      places[wide].width > 1
    {
      places[wide].width -= 1
    }
  }

  /// The width of all columns together.
  private var total: Int { places.reduce(0) { $0 + $1.width } + Self.gap * max(0, places.count - 1) }

  /// The width that the usual names of a column need: those of nine tenths of the rows.
  ///
  /// Of these a name that neither fits nor is within twice the median is not counted either, so that one long
  /// name in a short list is cut alone.
  ///
  /// - Parameters:
  ///   - names: The widths of the names, ascending.
  ///   - most: The most columns that the names may take.
  private static func usualWidth(_ names: [Int], most: Int) -> Int {
    guard !names.isEmpty else { return 0 }
    let counted = names.prefix((names.count * countedTenths + 9) / 10)
    return min(most, counted.last { $0 <= max(most, names[names.count / 2] * 2) } ?? 0)
  }

  /// Cuts names as far as their share of the terminal, and then a description as far as the usual least
  /// width, no further than needed.
  ///
  /// - Returns: Whether the columns then have room; where they do not, nothing is changed.
  private mutating func cutNames(and description: Int, to room: Int) -> Bool {
    let old = places
    func cut(_ place: Int, to limit: Int) {
      let width = places[place].width
      places[place].width = max(min(width, limit), width - max(0, total - room))
    }
    for place in places.indices where columns[places[place].index].isName {
      cut(place, to: columns[places[place].index].maximum)
    }
    for place in places.indices where places[place].index == description {
      cut(place, to: TableColumn.usualLeast)
    }
    if total <= room { return true }
    places = old
    return false
  }

  /// Gives free room to columns, one after the other, up to a width of each.
  private mutating func grow(to room: Int, _ limit: (Int) -> Int) {
    for place in places.indices {
      let (index, width) = places[place]
      places[place].width = max(width, min(limit(index), width + max(0, room - total)))
    }
  }
}
