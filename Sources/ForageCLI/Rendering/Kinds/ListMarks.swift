import ForageCore

/// What stands before the results of a list on a terminal: their numbers, and marks of favorites and stars.
struct ListMarks: Sendable {
  var showsNumbers = false
  /// The number of the first result.
  var first = 1
  /// Whether the terminal shows symbols; letters otherwise.
  var isUnicode = true

  /// Numbers are off, marks are symbols.
  init() {}

  /// - Parameters:
  ///   - showsNumbers: Whether numbers are wanted; only lists on a terminal have them.
  ///   - first: The number of the first result: numbers go on over the pages of a list.
  init(_ output: Output, showsNumbers: Bool, first: Int = 1) {
    self.showsNumbers = showsNumbers && output.isTerminal
    self.first = first
    isUnicode = output.isUnicode
  }

  /// The marks of a result: a favorite, a star given by the account of the token; empty for neither.
  func text(_ result: SearchResult) -> String {
    (result[.favorite]?.flag == true ? isUnicode ? "♥" : "F" : "")
      + (result[.starred]?.flag == true ? isUnicode ? "★" : "S" : "")
  }

  /// The marks of a result in words: `♥ favorite, ★ starred`.
  static func words(_ result: SearchResult, isUnicode: Bool) -> String {
    let marks: [(ResultField, String, String)] = [(.favorite, "♥ ", "favorite"), (.starred, "★ ", "starred")]
    return marks.filter { result[$0.0]?.flag == true }.map { (isUnicode ? $0.1 : "") + $0.2 }
      .joined(separator: ", ")
  }

  /// The table with the columns of numbers and marks before its own.
  func added(to table: Table, _ items: [MergedItem]) -> Table {
    var table = table
    // The mark belongs to the title, so that it goes only after the other columns.
    table.columns.insert(TableColumn(title: "", style: .stars, dropOrder: 1), at: 0)
    for (index, item) in items.enumerated() { table.rows[index].insert(text(item.result), at: 0) }
    return showsNumbers ? table.numbered(from: first) : table
  }

  /// The number and the marks of a result as the beginning of a line, and the width of that.
  func prefix(_ index: Int, _ result: SearchResult, _ isColored: Bool) -> (text: String, width: Int) {
    let (number, marks) = (showsNumbers ? "\(first + index)  " : "", text(result))
    let end = marks.isEmpty ? "" : "  "
    return (
      Style.dim.apply(number, isColored) + Style.stars.apply(marks, isColored) + end,
      TextWidth.of(number + marks + end)
    )
  }
}

extension Table {
  /// The table with a column of numbers before its own.
  func numbered(from first: Int = 1) -> Table {
    var table = self
    table.columns.insert(TableColumn(title: "#", style: .dim, alignsRight: true), at: 0)
    for index in rows.indices { table.rows[index].insert(String(first + index), at: 0) }
    return table
  }
}
