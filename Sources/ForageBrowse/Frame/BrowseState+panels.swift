import ForageCore

/// What covers the list: the keys, the choice of providers, the question where to clone to.
extension BrowseState {
  /// All keys, with what they do; an empty key begins a group.
  package static let keys: [(key: String, does: String)] = [
    ("", "query (/ edits it, Enter or ↓ leaves it)"), ("letters, paste", "edit the query"),
    ("←→ Home End", "move the cursor; Ctrl-A, Ctrl-E too"),
    ("Ctrl-W Ctrl-U", "delete the word, or all, before the cursor"),
    ("Enter", "search now, and go to the list"), ("", "list"), ("↑↓ j k PgUp PgDn", "move; the wheel too"),
    ("g G", "first result; load all and go to the last"), ("Enter → l", "open the details; a click too"),
    ("Esc ← h", "back; stop loading all"), ("Tab Shift-Tab", "next kind, kind before"),
    ("] [ 1…9", "next tab, tab before, tab by its place: saved searches, then kinds"),
    ("p", "choose providers"), ("t", "sort by relevance, stars, updated"), ("F", "show only favorites"),
    ("r", "ask every provider again"), ("R", "ten at random, in the feed"), ("", "one result"),
    ("s", "star it, or remove the star"), ("f", "add it to the favorites, or remove it"),
    ("o", "open its page, or its file where its commit has no page"),
    ("e", "open its file, or its clone, in the editor"),
    ("n N", "next, previous match in the details of a file"),
    ("w W", "next, previous word of that line"),
    ("d u b", "its definition, its uses; back"),
    ("y", "copy its address"), ("c", "clone it"),
    ("x", "mark a notification as read"),
    ("i", "facts of its clone"), ("", "anywhere"), ("?", "this page (in a query it is a letter)"),
    ("Ctrl-L", "draw the screen again"), ("Ctrl-Z", "stop until fg"), ("q Ctrl-C", "quit"),
  ]

  /// The keys as rows.
  private var helpLines: [FrameRow] {
    let wide = Self.keys.map { TextWidth.of($0.key) }.max() ?? 0
    let own = actions.compactMap { action in
      action.key.map { key in
        (
          key: String(key),
          does: action.title + (action.plugin.map { " (of the plugin \($0))" } ?? " (of your settings)")
        )
      }
    }
    var lines: [FrameRow] = []
    for (key, does) in Self.keys + (own.isEmpty ? [] : [("", "actions on one result")] + own) {
      guard !key.isEmpty else {
        if !lines.isEmpty { lines.append(FrameRow()) }
        lines.append(FrameRow(" " + does, .title))
        continue
      }
      var row = FrameRow("   ")
      row.add(key, .hint, width: min(wide, max(1, columns / 2)))
      row.add("  ")
      row.add(does)
      lines.append(row)
    }
    return lines
  }

  /// The last row from which the help can be shown.
  var lastHelpTop: Int { max(0, helpLines.count - max(1, listHeight)) }

  func helpRows(from top: Int, count: Int) -> [FrameRow] {
    helpLines.dropFirst(min(top, lastHelpTop)).prefix(count).map { $0.cut(to: columns) }
  }

  func providerRows(_ menu: ProviderMenu, count: Int) -> [FrameRow] {
    let chosen = providers.map(\.id).filter(menu.chosen.contains)
    let isAll = chosen.count == providers.count
    let names = chosen.isEmpty ? "none" : isAll ? "all" : chosen.joined(separator: ", ")
    let lines =
      [(isAll ? "x" : chosen.isEmpty ? " " : "-", "all providers; chosen: \(names)")]
      + providers.map { provider in
        (
          menu.chosen.contains(provider.id) ? "x" : " ",
          provider.id
            + (provider.kinds.isEmpty
              ? "" : "  (" + provider.kinds.map(\.rawValue).joined(separator: ", ") + ")")
        )
      }
    let first = max(0, min(menu.selected - count + 1, lines.count - count))
    return lines.enumerated().dropFirst(first).prefix(count).map { index, line in
      let isSelected = index == menu.selected
      var row = FrameRow(isSelected ? isUnicode ? " ▸ " : " > " : "   ")
      row.add("[\(line.0)] \(line.1)")
      row = row.cut(to: columns)
      return isSelected ? row.reversed(to: columns) : row
    }
  }

  func promptRows(_ prompt: ClonePrompt) -> (rows: [FrameRow], cursor: Frame.Cursor?) {
    var row = FrameRow(columns > 20 ? "   " : "")
    let start = row.width
    let (text, cursor) = prompt.folder.shown(width: max(1, columns - start - 1))
    row.add(text)
    let question = FrameRow(" clone \(prompt.result.title) to:", .title).cut(to: columns)
    // The folder counts more than the question where there is one row.
    return listHeight < 2
      ? ([row], Frame.Cursor(row: 0, column: start + cursor))
      : ([question, row], Frame.Cursor(row: 1, column: start + cursor))
  }
}
