import GRDB

extension Row {
  /// Fetches rows in parts, because SQLite supports at least 999 arguments per statement.
  ///
  /// - Parameter sql: The statement, with `(?)` in place of the list of values.
  static func fetch(_ database: Database, _ sql: String, in values: [some DatabaseValueConvertible]) throws
    -> [Row]
  {
    let size = 900
    return try stride(from: 0, to: values.count, by: size).flatMap { start in
      let part = values[start..<Swift.min(start + size, values.count)]
      let marks = Array(repeating: "?", count: part.count).joined(separator: ",")
      return try fetchAll(
        database, sql: sql.replacing("(?)", with: "(\(marks))"), arguments: StatementArguments(part))
    }
  }

  /// Decodes an optional value. Unlike GRDB's subscripts this never traps with values of a damaged file.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` if the value has another type.
  func optional<Value: DatabaseValueConvertible>(_ column: String) throws -> Value? {
    try Self.value(self[column], of: column)
  }

  /// Decodes a column; `nil` if the column does not exist.
  fileprivate static func value<Value: DatabaseValueConvertible>(
    _ stored: DatabaseValue?, of column: String
  ) throws -> Value? {
    guard let stored, !stored.isNull else { return nil }
    guard let value = Value.fromDatabaseValue(stored) else { throw damage(column) }
    return value
  }

  /// Decodes a required value.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` if it is missing or has another type.
  func required<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
    guard let value: Value = try optional(column) else { throw Self.damage(column) }
    return value
  }

  static func damage(_ column: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: "\(column) contains an invalid value")
  }
}

/// Reads the rows of a statement, looking up the positions of columns once.
struct ColumnReader {
  private let places: [String: Int]
  private let row: Row

  /// Reads all rows of a statement.
  ///
  /// - Parameter body: Decodes a row; the reader must not escape.
  static func map<Value>(_ statement: Statement, _ body: (ColumnReader) throws -> Value) throws -> [Value] {
    let places = Dictionary(zip(statement.columnNames, 0...), uniquingKeysWith: { first, _ in first })
    let rows = try Row.fetchCursor(statement)
    var values: [Value] = []
    while let row = try rows.next() { values.append(try body(ColumnReader(places: places, row: row))) }
    return values
  }

  /// Decodes an optional value; `nil` if the column does not exist.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` if the value has another type.
  func optional<Value: DatabaseValueConvertible>(_ column: String) throws -> Value? {
    try Row.value(places[column].map { row[$0] }, of: column)
  }

  /// Decodes a required value.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` if it is missing or has another type.
  func required<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
    guard let value: Value = try optional(column) else { throw Row.damage(column) }
    return value
  }
}
