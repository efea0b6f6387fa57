import ForageCore

/// Draws the state.
extension BrowseState {
  /// The frame for the size of the terminal; no row is wider than it.
  package func frame() -> Frame {
    var rows = [FrameRow](repeating: FrameRow(), count: height)
    var cursor: Frame.Cursor?
    let (header, column) = header()
    rows[0] = header
    if focus == .field, panel == nil { cursor = column.map { Frame.Cursor(row: 0, column: $0) } }
    if hasRules { rows[1] = tabs }
    let body = listRows
    if !body.isEmpty {
      let (shown, place) = self.body(body.count)
      for (index, row) in shown.prefix(body.count).enumerated() { rows[body.lowerBound + index] = row }
      if let place, place.row < body.count {
        cursor = Frame.Cursor(row: body.lowerBound + place.row, column: place.column)
      }
    }
    let messages = messages
    let foot = body.upperBound
    for (index, row) in messages.enumerated() where foot + index < height - (height > 2 ? 1 : 0) {
      rows[foot + index] = row
    }
    if hasRules, messages.isEmpty { rows[foot] = rule }
    if height > 2 { rows[height - 1] = status() }
    if let shown = cursor {
      cursor = Frame.Cursor(row: min(shown.row, height - 1), column: min(shown.column, columns - 1))
    }
    return Frame(columns: columns, rows: rows.map { $0.cut(to: columns) }, cursor: cursor)
  }

  private var horizontal: String { isUnicode ? "─" : "-" }

  private var rule: FrameRow {
    FrameRow(String(repeating: horizontal, count: columns), .dim)
  }

  /// The rule below the query, with the tabs that Tab and the digits choose; the one that is shown is in
  /// brackets.
  private var tabs: FrameRow {
    let names = tabNames
    guard names.count > 1 else { return rule }
    var row = FrameRow(horizontal, .dim)
    for (index, name) in names.enumerated() {
      let isShown = index == shownTab
      let text = (index < 9 ? "\(index + 1) " : "") + SafeText.line(name)
      let tab = isShown ? "[\(text)]" : " \(text) "
      guard row.width + TextWidth.of(tab) < columns else { break }
      row.add(tab, isShown ? .title : .dim)
    }
    row.add(String(repeating: horizontal, count: max(0, columns - row.width)), .dim)
    return row
  }

  /// The row with the query, and the column of its cursor.
  private func header() -> (row: FrameRow, cursor: Int?) {
    let name = columns >= 40 ? " forage  " : columns >= 12 ? " " : ""
    // The query needs room more than what is chosen.
    let needed = max(Self.leastQuery, min(field.width + 1, columns / 2))
    let right = FrameRow(scopeText(columns - name.count - needed - 3), .dim)
    let room = max(0, columns - name.count - right.width - (right.width > 0 ? 3 : 0))
    var row = FrameRow(name, .title)
    let (text, column) = field.shown(width: room)
    let start = row.width
    if field.text.isEmpty, focus == .field, room > 8 {
      row.add("type to search", .dim, width: min(room, 14))
    } else {
      row.add(text)
    }
    if right.width > 0 {
      row.pad(to: columns - right.width - 1)
      row.add(right)
    }
    return (row, room > 0 ? start + column : nil)
  }

  /// The least room for the query beside what is chosen.
  private static let leastQuery = 16

  /// What is searched: the kind, the providers, the order; what is most usual is left out first.
  private func scopeText(_ width: Int) -> String {
    let chosen = providers.filter(\.isChosen)
    var parts: [String] = []
    if let name = shownSearch?.name { parts.append("@" + name) }
    if query.isEmpty { parts.append(request.isSample ? "\(Self.sampleSize) at random" : "feed") }
    if !query.isEmpty || !kinds.isEmpty {
      parts.append((kinds.isEmpty ? usualKinds : kinds).map(\.rawValue).joined(separator: ","))
    }
    if providers.allSatisfy({ $0.isChosen == $0.isEnabled }) || chosen.count == providers.count {
      parts.append(Self.allProviders)
    } else {
      parts.append(
        chosen.count <= 2 ? chosen.map(\.id).joined(separator: ", ") : "\(chosen.count) providers")
    }
    if let sort { parts.append("by \(sort)") }
    if showsOnlyFavorites || isFiltered { parts.append("only favorites") }
    func text() -> String { parts.joined(separator: isUnicode ? " · " : " | ") }
    while !parts.isEmpty, TextWidth.of(text()) > width {
      parts.remove(at: parts.firstIndex(of: Self.allProviders) ?? 0)
    }
    return text()
  }

  private static let allProviders = "all providers"

  /// The rows between header and status, and the place of a cursor in them.
  private func body(_ count: Int) -> (rows: [FrameRow], cursor: Frame.Cursor?) {
    switch panel {
    case .help(let top)?: return (helpRows(from: top, count: count), nil)
    case .providers(let menu)?: return (providerRows(menu, count: count), nil)
    case .clone(let prompt)?: return promptRows(prompt)
    case nil: break
    }
    guard hasPane else { return (focus == .detail ? detailRows(count) : resultRows(count, columns), nil) }
    let list = resultRows(count, listWidth)
    let pane = isStale && focus != .detail ? detailRows(count).map { $0.dimmed() } : detailRows(count)
    let edge = isUnicode ? "│" : "|"
    let rows = (0..<count).map { index -> FrameRow in
      var row = index < list.count ? list[index] : FrameRow()
      row.pad(to: listWidth)
      row.add(edge, focus == .detail ? .title : .dim)
      if index < pane.count { row.add(pane[index]) }
      return row
    }
    return (rows, nil)
  }

  /// The rows of the list that are shown.
  private func resultRows(_ count: Int, _ width: Int) -> [FrameRow] {
    guard !rows.isEmpty else { return emptyRows(width) }
    let layout = ColumnLayout(
      itemColumns, items, widest: widest, names: nameWidths, width: width - 3, hasMarks: hasMarks)
    let isStale = isStale
    return rows.dropFirst(top).prefix(count).enumerated().map { place, index in
      let isSelected = top + place == selected && !isStale
      var row = FrameRow(isSelected ? isUnicode ? " ▸ " : " > " : "   ")
      row.add(layout.row(items[index], marks: marksText(items[index])))
      row = row.cut(to: width)
      if isStale { return row.dimmed() }
      return isSelected && (focus != .detail || hasPane) ? row.reversed(to: width) : row
    }
  }

  private func marksText(_ item: BrowseItem) -> String {
    (isMarked(item, .favorite) ? isUnicode ? "♥" : "F" : "")
      + (isMarked(item, .star) ? isUnicode ? "★" : "S" : "")
  }

  /// What is shown in place of a list without rows.
  private func emptyRows(_ width: Int) -> [FrameRow] {
    var texts: [BrowseProblem] = []
    let again = BrowseProblem("", hint: "\(keyToAsk) tries again")
    // Without an account a list needs clones.
    let start =
      query.isEmpty
      ? [BrowseProblem("", hint: "type to search, or add clone folders with: forage clones add DIR")] : []
    switch phase {
    case .idle: break
    case .loading: texts = [BrowseProblem(query.isEmpty ? "loading the feed" : "searching")]
    case .failed(let problem): texts = searchProblems + (problem.isInQuery ? [] : [again]) + start
    case .loaded where isFiltered && !items.isEmpty:
      texts = [BrowseProblem("no favorites in this list", hint: "F shows all of it; f adds a favorite")]
    case .loaded:
      texts = searchProblems
      if !texts.isEmpty {
        // Who was not asked has a hint of its own.
        if hasFailures, !notes.isEmpty || texts.contains(where: { !$0.hint.hasSuffix("press \(keyToAsk)") }) {
          texts.append(again)
        }
        texts += start
      } else if query.isEmpty {
        texts = [
          BrowseProblem(
            "the feed is empty",
            hint:
              "type to search; star repositories with s, or add clone folders with: forage clones add DIR")
        ]
      } else {
        texts = [
          BrowseProblem(
            "nothing found", hint: "use fewer words or qualifiers, another kind (Tab) or other providers (p)")
        ]
      }
    }
    return texts.flatMap { problem -> [FrameRow] in
      let hint = problem.hint.isEmpty ? "" : "hint: \(problem.hint)"
      return [(problem.message, SpanStyle.plain), (hint, .hint)].filter { !$0.0.isEmpty }.flatMap {
        text, style in
        TextWidth.wrapped(SafeText.line(text), width: max(1, width - 4)).map { line in
          var row = FrameRow(width > 4 ? "   " : "")
          row.add(line, style)
          return row.cut(to: width)
        }
      }
    }
  }

  /// The rows of the details that are shown; the first has the marks behind the title.
  private func detailRows(_ count: Int) -> [FrameRow] {
    guard let detail else { return [] }
    let marks = FrameRow(marksInWords(detail.item), .mark)
    var shown = detail.rows.enumerated().dropFirst(detail.top).prefix(count).map { place, line in
      var row = FrameRow(columns > 2 ? " " : "")
      guard place == 0, marks.width > 0 else {
        row.add(line)
        return row
      }
      row.add(line.cut(to: max(0, detailWidth - marks.width - 2)))
      row.add("  ")
      row.add(marks)
      return row
    }
    if detail.phase == .listed, shown.count + 2 <= count {
      let key = focus == .detail ? "r" : isUnicode ? "↵" : "Enter"
      shown += [FrameRow(), FrameRow(" \(key) loads the rest", .dim).cut(to: detailWidth)]
    }
    return shown
  }

  private func marksInWords(_ item: BrowseItem) -> String {
    [(BrowseMark.favorite, "♥ ", "favorite"), (.star, "★ ", "starred")].filter { isMarked(item, $0.0) }
      .map { (isUnicode ? $0.1 : "") + $0.2 }.joined(separator: ", ")
  }
}
