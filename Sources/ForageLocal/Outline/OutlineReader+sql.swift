import ForageCore

/// SQL: what `create` makes, and the columns of tables.
extension OutlineReader {
  /// The statement that a definition reaches to the end of.
  private struct SQLStatement {
    var definition: Int
    /// It has a body of statements: `begin … end`.
    var isRoutine = false
    var isPackage = false
    /// The blocks that are open in its body.
    var depth = 0
    /// Declarations come before the `begin`: `is a int; begin`.
    var awaitsBegin = false
    /// The procedure or function in a package.
    var member: Int?
  }

  mutating func readSQL() {
    var statement: SQLStatement?
    var index = 0
    while index < tokens.count {
      if let open = statement, endsSQLStatement(open, at: index) {
        endSQLStatement(open, with: mark(index) == Mark.semicolon ? index : index - 1)
        statement = nil
      }
      index = readSQLToken(at: index, &statement)
    }
    if let open = statement { endSQLStatement(open, with: tokens.count - 1) }
  }

  private mutating func endSQLStatement(_ statement: SQLStatement, with last: Int) {
    end(statement.definition, with: last)
    if let member = statement.member { end(member, with: last) }
  }

  private func endsSQLStatement(_ statement: SQLStatement, at index: Int) -> Bool {
    if isFirst(index) {
      if isSQLWord(index, "go") || isSQLWord(index, "delimiter") { return true }
      if mark(index) == Mark.slash, isFirst(index + 1) { return true }
      if !statement.isRoutine, beginsSQLStatement(index) { return true }
    }
    guard statement.depth <= 0, !statement.awaitsBegin, !statement.isPackage else { return false }
    return mark(index) == Mark.semicolon || isPair(index, Mark.dollar, Mark.dollar)
      || isPair(index, Mark.slash, Mark.slash)
  }

  /// A word that begins a statement and cannot be in the one before it, for those who write no `;`.
  private func beginsSQLStatement(_ index: Int) -> Bool {
    for word in Self.sqlBeginnings where isSQLWord(index, word) { return true }
    return false
  }

  private static let sqlBeginnings: [StaticString] = [
    "alter", "drop", "insert", "grant", "exec", "use", "print",
  ]

  private mutating func readSQLToken(at index: Int, _ statement: inout SQLStatement?) -> Int {
    let isStart = isFirst(index) || mark(index - 1) == Mark.semicolon
    switch word(index) {
    case .create where isStart || word(index - 1) == .begin: return readSQLCreate(at: index, &statement)
    case .none where isStart && isSQLWord(index, "alter"): return readSQLAlter(at: index)
    case .begin:
      // `begin;` and `begin transaction` open no block.
      let isBlock =
        mark(index + 1) != Mark.semicolon && !isSQLWord(index + 1, "transaction")
        && !isSQLWord(index + 1, "tran")
      if isBlock { statement?.depth += 1 }
      statement?.awaitsBegin = false
    case .case where word(index - 1) != .end: statement?.depth += 1
    case .end:
      switch word(index + 1) {
      case .if, .loop, .while, .repeat, .for: break
      default: statement?.depth -= 1
      }
    case .function, .procedure:
      guard isStart, let open = statement, open.isPackage, isWord(index + 1) else { break }
      if let member = open.member { end(member, with: index - 1) }
      statement?.member = begin(index + 1, .function, from: index)
    default: break
    }
    return index + 1
  }

  // MARK: Create

  private mutating func readSQLCreate(at start: Int, _ statement: inout SQLStatement?) -> Int {
    guard let object = sqlObject(behind: start), let name = sqlName(at: sqlNameStart(behind: object)) else {
      return start + 1
    }
    let kind = sqlKind(object)
    let isRoutine = kind == .function || kind == .trigger || kind == .module
    let isPackage = word(object) == .package
    if let open = statement, isRoutine || open.depth <= 0 {
      endSQLStatement(open, with: start - 1)
      statement = nil
    }
    add(name.range, kind, from: start, to: name.next - 1)
    let definition = definitions.count - 1
    var next = name.next
    if kind == .table || kind == .type {
      var columns = next
      if kind == .type, word(columns) == .as { columns += 1 }
      if kind == .type, isSQLWord(columns, "object") || word(columns) == .table { columns += 1 }
      if mark(columns) == Mark.openParenthesis {
        next = readSQLColumns(in: columns)
        end(definition, with: next)
      }
    }
    guard statement == nil else { return next }
    statement = SQLStatement(definition: definition, isRoutine: isRoutine, isPackage: isPackage)
    if isRoutine { statement?.awaitsBegin = hasSQLDeclarations(behind: next) }
    return next
  }

  /// Whether `is` or `as` is followed by declarations and not by the body itself.
  private func hasSQLDeclarations(behind start: Int) -> Bool {
    var index = start
    while index < min(tokens.count, start + 60), mark(index) != Mark.semicolon, word(index) != .begin {
      if word(index) == .as || word(index) == .is {
        return isWord(index + 1) && word(index + 1) == .none && isSQLDeclaration(behind: index + 1)
      }
      index = next(behind: index)
    }
    return false
  }

  /// `name type` and `cursor name`, but no statement of SQL.
  private func isSQLDeclaration(behind index: Int) -> Bool {
    guard isWord(index + 1) else { return false }
    for statement in Self.sqlStatements where isSQLWord(index, statement) { return false }
    return true
  }

  private static let sqlStatements: [StaticString] = [
    "select", "insert", "update", "delete", "merge", "exec", "execute", "declare", "print", "with", "return",
    "raiserror",
  ]
  private static let sqlModifiers: [StaticString] = [
    "recursive", "clustered", "nonclustered", "fulltext", "spatial", "bitmap", "public", "aggregate",
    "editionable",
    "noneditionable", "sql", "security", "invoker", "algorithm", "alter", "columnstore", "virtual",
    "partitioned",
    "transient", "volatile",
  ]

  /// The word that tells what is created.
  private func sqlObject(behind start: Int) -> Int? {
    var index = start + 1
    while index < min(tokens.count, start + 16) {
      switch word(index) {
      case .table, .view, .function, .procedure, .index, .trigger, .typeWord, .domain, .schema, .database,
        .sequence,
        .package:
        return index
      case .or, .replace, .temp, .temporary, .unlogged, .unique, .materialized, .global, .local, .definer,
        .external,
        .foreign, .constraint:
        index += 1
      default:
        let isAggregate = isSQLWord(index, "aggregate") && word(index + 1) != .function
        if isAggregate || isSQLWord(index, "proc") || isSQLWord(index, "event") { return index }
        let isValue = mark(index - 1) == Mark.equals || mark(index - 1) == Mark.at
        let isMark = mark(index) == Mark.equals || mark(index) == Mark.at
        guard isValue || isMark || isSQLModifier(index) else { return nil }
        index += 1
      }
    }
    return nil
  }

  private func isSQLModifier(_ index: Int) -> Bool {
    for modifier in Self.sqlModifiers where isSQLWord(index, modifier) { return true }
    return false
  }

  private func sqlKind(_ object: Int) -> SymbolKind {
    switch word(object) {
    case .table: .table
    case .view: .view
    case .index: .index
    case .trigger: .trigger
    case .typeWord, .domain: .type
    case .schema, .database, .package: .module
    case .sequence: .variable
    default: .function
    }
  }

  private func sqlNameStart(behind object: Int) -> Int {
    var index = object + 1
    while word(index) == .body || word(index) == .concurrently { index += 1 }
    if word(index) == .if, word(index + 1) == .not, word(index + 2) == .exists { index += 3 }
    return mark(index) == Mark.hash ? index + 1 : index
  }
}
