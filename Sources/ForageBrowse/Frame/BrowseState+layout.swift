import ForageCore

/// Where the parts of the screen are.
extension BrowseState {
  /// The least height at which lines separate the parts.
  private static let ruledHeight = 7
  /// The least height at which a message may take several rows.
  private static let wrappedHeight = 12
  private static let messageRows = 3

  /// Whether lines separate the parts of the screen.
  var hasRules: Bool { height >= Self.ruledHeight }

  /// The rows of the list, from the top.
  var listRows: Range<Int> {
    let first = min(height - 1, hasRules ? 2 : height > 1 ? 1 : 0)
    let last = height - (height > 2 ? 1 : 0) - footRows
    return first..<max(first, last)
  }

  /// The rows between the list and the status: a line, or messages.
  private var footRows: Int {
    let count = messages.count
    return hasRules ? max(1, count) : height >= 4 ? min(1, count) : 0
  }

  package var listHeight: Int { listRows.count }

  /// The columns of the list beside the pane.
  var listWidth: Int { hasPane ? columns * 11 / 20 : columns }

  /// The columns of the text of the details.
  var detailWidth: Int { hasPane ? columns - listWidth - 3 : max(1, columns - 2) }

  package var detailHeight: Int { max(1, listHeight) }

  /// What is to be told: what was done last, else why the search fails or its list is short.
  var problems: [BrowseProblem] {
    if let message { return [message] }
    // The page of keys is about something else.
    if case .help? = panel { return [] }
    if case .failed(let problem)? = detail?.phase, focus == .detail || hasPane {
      let again = focus == .detail ? "try again with r" : "try again with Enter"
      return [BrowseProblem(problem.message, hint: problem.hint.isEmpty ? again : problem.hint)]
    }
    // Without results the list says it.
    if rows.isEmpty, !isOutdated || items.isEmpty { return [] }
    return searchProblems
  }

  /// Why the search fails, or its list is short.
  var searchProblems: [BrowseProblem] {
    var found: [BrowseProblem] = []
    if case .failed(let problem) = phase { found.append(problem) }
    for status in statuses {
      switch status.state {
      // The notes at the end of a search tell it in other words.
      case .failed(let problem) where notes.isEmpty:
        found.append(BrowseProblem("\(status.id): \(problem.message)", hint: problem.hint))
      case .deferred(let remaining):
        found.append(
          BrowseProblem(
            "\(status.id): \(remaining) of its searches left, so it is asked at Enter only",
            hint: "press \(keyToAsk)"))
      case .limited(let end) where request.limits[status.id] != nil:
        found.append(
          BrowseProblem(
            "\(status.id) was not asked: its limit "
              + (end > now ? "ends in \(HumanFormat.wait(end - now))" : "is over"),
            hint: "\(end > now ? "then " : "")press \(keyToAsk)"))
      default: break
      }
    }
    return found + notes
  }

  /// The key that asks every provider.
  var keyToAsk: String {
    switch focus {
    case .field: "Enter"
    case .list: "r"
    case .detail: "Esc, then r"
    }
  }

  /// The messages, in as many rows as there is room for.
  var messages: [FrameRow] {
    let limit = height >= Self.wrappedHeight ? Self.messageRows : 1
    var rows: [FrameRow] = []
    for problem in problems {
      let hint = problem.hint.isEmpty ? "" : "hint: \(problem.hint)"
      let parts = [(problem.message, SpanStyle.plain), (hint, SpanStyle.hint)].filter { !$0.0.isEmpty }
      if limit == 1 || parts.reduce(0, { $0 + TextWidth.of($1.0) + 2 }) <= columns {
        var row = FrameRow(" ")
        for (index, part) in parts.enumerated() { row.add((index > 0 ? "; " : "") + part.0, part.1) }
        rows.append(row)
      } else {
        for (text, style) in parts {
          rows += TextWidth.wrapped(SafeText.line(text), width: max(1, columns - 1)).map {
            var row = FrameRow(" ")
            row.add($0, style)
            return row
          }
        }
      }
    }
    guard rows.count > limit else { return rows.map { $0.cut(to: columns) } }
    var shown = Array(rows.prefix(limit))
    shown[limit - 1].add(isUnicode ? " …" : " ...", .dim)
    return shown.map { $0.cut(to: columns) }
  }
}

/// The columns of the list that are shown, with the marks of its rows.
struct ColumnLayout {
  /// The columns of the marks.
  private static let marks = 2

  private let columns: [TableColumn]
  private let layout: TableLayout
  /// After which of the columns that are shown the marks stand; `nil` without marks.
  private let marksAfter: Int?
  /// The columns in which the repositories of files are written without their owners.
  private let short: Set<Int>

  /// Distributes the columns of a row.
  ///
  /// - Parameters:
  ///   - items: All rows, also those that are not shown.
  ///   - widest: The widest text of each column.
  ///   - names: The widths of the texts of the first column, ascending.
  init(
    _ columns: [TableColumn], _ items: [BrowseItem], widest: [Int], names: [Int], width: Int, hasMarks: Bool
  ) {
    self.columns = columns
    layout = TableLayout(
      columns, shown: columns.indices.filter { $0 == 0 || widest[$0] > 0 }, widest: widest,
      names: { $0 == 0 ? names : [] }, width: width,
      reserved: hasMarks ? Self.marks + TableLayout.gap : 0)
    let owner = columns.firstIndex(where: \.hasMarks) ?? 0
    marksAfter = hasMarks ? layout.places.lastIndex { $0.index <= owner } : nil
    short = Set(
      layout.places.filter { index, width in
        columns[index].keepsEnd
          && items.contains { index < $0.cells.count && PlaceText.needsShortName($0.cells[index], in: width) }
      }.map(\.index))
  }

  func row(_ item: BrowseItem, marks: String) -> FrameRow {
    var row = FrameRow()
    for (place, (index, width)) in layout.places.enumerated() {
      if place > 0 { row.add(String(repeating: " ", count: TableLayout.gap)) }
      let column = columns[index]
      let cell = index < item.cells.count ? item.cells[index] : ""
      row.add(
        column.isPath ? PlaceText.path(SafeText.line(cell), to: width) : cell, SpanStyle(column.style),
        width: width,
        alignsRight: column.alignsRight, keepsEnd: column.keepsEnd,
        isShort: short.contains(index))
      if place == marksAfter {
        row.add(String(repeating: " ", count: TableLayout.gap))
        row.add(marks, .mark, width: Self.marks)
      }
    }
    return row
  }
}
