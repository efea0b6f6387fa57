import ForageCore

/// Shortens the folders in the first column of a table of clones, so that two of them never look the same.
struct FolderColumn {
  /// The most columns that folders take of a terminal: one long name leaves room for the rest.
  static func width(_ terminal: Int) -> Int { max(24, terminal / 2) }

  /// The names of the folders above and of the folder itself, for each row.
  private var rows: [[Substring]]
  /// The names in each folder.
  private var siblings: [[Substring]: Set<Substring>] = [:]

  private init(_ paths: [String]) {
    rows = paths.map { $0.split(separator: "/", omittingEmptySubsequences: false) }
    for names in rows {
      for index in names.indices { siblings[Array(names[..<index]), default: []].insert(names[index]) }
    }
  }

  /// The paths, those that are too wide with shorter names of the folders above: as much of each as no other folder beside it begins with.
  ///
  /// - Parameter limit: The width that they are to fit; the last name is never shortened.
  static func shortened(_ paths: [String], to limit: Int) -> [String] {
    let column = FolderColumn(paths)
    return zip(paths, column.rows).map { path, names in
      var (short, text) = (names, path)
      for index in names.indices.dropLast() {
        guard TextWidth.of(text) > limit else { break }
        short[index] = column.beginning(of: names[index], in: Array(names[..<index]))
        text = short.joined(separator: "/")
      }
      return text
    }
  }

  private func beginning(of name: Substring, in folder: [Substring]) -> Substring {
    let others = (siblings[folder] ?? []).subtracting([name])
    for count in 1..<max(1, name.count) {
      let start = name.prefix(count)
      if start != ".", !others.contains(where: { $0.hasPrefix(start) }) { return start }
    }
    return name
  }

  /// The folder that holds all of several paths, with a slash at its end; empty where there is none but the root of the disk.
  static func common(_ paths: [String]) -> String {
    guard paths.count > 1, var common = paths.first.map({ $0[...] }) else { return "" }
    for path in paths {
      while !path.hasPrefix(common) || !(common.hasSuffix("/") && path.count > common.count) {
        guard let slash = common.dropLast().lastIndex(of: "/") else { return "" }
        common = common[...slash]
      }
    }
    return common == "/" ? "" : String(common)
  }

  /// The least width from a limit on at which names that are cut in the middle differ.
  static func distinctWidth(_ names: [String], from limit: Int) -> Int {
    let widest = names.lazy.map(TextWidth.of).max() ?? 0
    let count = Set(names).count
    var width = limit
    while width < widest, Set(names.map { TextWidth.truncatedInside($0, to: width) }).count < count {
      width += 1
    }
    return width
  }
}

extension Table {
  /// The table with shorter folders in its first column, where it is wider than the terminal.
  ///
  /// - Parameter leavesOutCommon: Whether the folder that holds all of them is left out and, where there is room, named in the header.
  func shorteningFolders(to width: Int, leavesOutCommon: Bool) -> Table {
    guard (lines(width: .max / 2, isColored: false).lazy.map(TextWidth.of).max() ?? 0) > width else {
      return self
    }
    var table = self
    let limit = FolderColumn.width(width)
    let paths = rows.map { $0[0] }
    let common = leavesOutCommon ? FolderColumn.common(paths) : ""
    var names = paths.map { String($0.dropFirst(common.count)) }
    names = FolderColumn.shortened(names, to: limit)
    for index in table.rows.indices { table.rows[index][0] = names[index] }
    let title = columns[0].title + " IN " + common
    if !common.isEmpty, TextWidth.of(title) <= min(limit, names.lazy.map(TextWidth.of).max() ?? 0) {
      table.columns[0].title = title
    }
    table.columns[0].maximum = FolderColumn.distinctWidth(names, from: limit)
    return table
  }
}
