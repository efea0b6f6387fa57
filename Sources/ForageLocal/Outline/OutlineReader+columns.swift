import ForageCore

/// SQL: names with their parts, and the columns of tables.
extension OutlineReader {
  /// Whether a word is this one, in whatever case; `word` is in small letters. A name in quotes is no word.
  func isSQLWord(_ index: Int, _ word: StaticString) -> Bool {
    guard isWord(index) else { return false }
    let range = tokens[index].range
    guard range.count == word.utf8CodeUnitCount, !isQuotedName(index) else { return false }
    for offset in 0..<range.count where text[range.lowerBound + offset] | 32 != word.utf8Start[offset] {
      return false
    }
    return true
  }

  private func isQuotedName(_ index: Int) -> Bool {
    let start = Int(tokens[index].start)
    return start > 0 && (text[start - 1] == Mark.quote || text[start - 1] == Mark.backtick)
  }

  /// The last part of `a.b.c`, of which each may be in quotes or in brackets.
  func sqlName(at start: Int) -> (range: Range<Int>, next: Int)? {
    var index = start
    while true {
      guard let part = sqlNamePart(at: index) else { return nil }
      guard mark(part.next) == Mark.dot else { return part }
      index = part.next + 1
    }
  }

  private func sqlNamePart(at index: Int) -> (range: Range<Int>, next: Int)? {
    if isWord(index) { return word(index) == .on ? nil : (tokens[index].range, index + 1) }
    if isString(index) {
      let content = content(index)
      return content.isEmpty ? nil : (content, index + 1)
    }
    guard mark(index) == Mark.openBracket else { return nil }
    let close = close(of: index)
    guard close > index + 1 else { return nil }
    return (Int(tokens[index + 1].start)..<Int(tokens[close - 1].end), close + 1)
  }

  /// Adds the columns between parentheses, and gives the place of the closing one.
  mutating func readSQLColumns(in open: Int) -> Int {
    let close = close(of: open)
    var index = open + 1
    while index < close {
      let first = index
      while index < close, mark(index) != Mark.comma { index = next(behind: index) }
      addSQLColumn(from: first, to: min(index, close) - 1)
      index += 1
    }
    return close
  }

  private mutating func addSQLColumn(from first: Int, to last: Int) {
    guard !isSQLConstraint(first), let name = sqlNamePart(at: first), name.next <= last + 1 else { return }
    guard name.next > last || isWord(name.next) || mark(name.next) == Mark.openBracket else { return }
    add(name.range, .field, from: first, to: last)
  }

  private static let sqlConstraints: [StaticString] = [
    "exclude", "like", "fulltext", "spatial", "period", "partition",
  ]
  private static let sqlTypes: [StaticString] = [
    "text", "varchar", "nvarchar", "char", "nchar", "int", "integer", "bigint", "smallint", "uuid", "bytea",
    "json",
    "jsonb", "blob", "varbinary", "binary", "date", "timestamp", "numeric", "character",
  ]

  /// A rule for the table in place of a column.
  private func isSQLConstraint(_ index: Int) -> Bool {
    guard isWord(index), !isQuotedName(index) else { return false }
    switch word(index) {
    case .constraint, .primary, .foreign, .unique, .check: return true
    case .key, .index: return !isSQLType(index + 1)
    default: break
    }
    for constraint in Self.sqlConstraints where isSQLWord(index, constraint) { return !isSQLType(index + 1) }
    return false
  }

  private func isSQLType(_ index: Int) -> Bool {
    for type in Self.sqlTypes where isSQLWord(index, type) { return true }
    return false
  }

  private func endsSQLAlteration(_ index: Int) -> Bool {
    word(index) == .create || isSQLWord(index, "alter") || isSQLWord(index, "go")
  }

  /// `alter table a add column b int, add c int`
  mutating func readSQLAlter(at start: Int) -> Int {
    guard word(start + 1) == .table else { return start + 1 }
    var index = start + 2
    if word(index) == .if, word(index + 1) == .exists { index += 2 }
    if isSQLWord(index, "only") { index += 1 }
    guard let name = sqlName(at: index) else { return start + 1 }
    index = name.next
    while word(index) == .add {
      var column = index + 1
      if isSQLWord(column, "column") { column += 1 }
      if word(column) == .if, word(column + 1) == .not, word(column + 2) == .exists { column += 3 }
      let first = index
      while index < tokens.count, mark(index) != Mark.comma, mark(index) != Mark.semicolon,
        index == first || !isFirst(index) || !endsSQLAlteration(index)
      {
        index = next(behind: index)
      }
      if column < index { addSQLColumn(from: column, to: index - 1) }
      guard mark(index) == Mark.comma else { break }
      index += 1
    }
    return index
  }
}
