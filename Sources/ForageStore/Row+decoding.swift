import GRDB

extension Row {
  /// A value that may be absent. Unlike GRDB's subscripts this never traps, whatever a damaged file holds.
  ///
  /// - Throws: `DatabaseError`, `SQLITE_CORRUPT` when the value is of another type.
  func optional<Value: DatabaseValueConvertible>(_ column: String) throws -> Value? {
    try Self.value(self[column], of: column)
  }

  /// What is stored in a column; nothing where there is no such column.
  fileprivate static func value<Value: DatabaseValueConvertible>(
    _ stored: DatabaseValue?, of column: String
  ) throws -> Value? {
    guard let stored, !stored.isNull else { return nil }
    guard let value = Value.fromDatabaseValue(stored) else { throw damage(column) }
    return value
  }

  /// A value that is always there.
  ///
  /// - Throws: `DatabaseError`, `SQLITE_CORRUPT` when it is not, or is of another type.
  func required<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
    guard let value: Value = try optional(column) else { throw Self.damage(column) }
    return value
  }

  /// The error for a value that nobody can have written.
  static func damage(_ column: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: "\(column) holds what was never written")
  }
}

/// The rows of a statement one after the other, with the places of their columns looked up once for all.
struct ColumnReader {
  private let places: [String: Int]
  private let row: Row

  /// Reads every row of a statement.
  ///
  /// - Parameter body: Makes a value of a row, which it must not keep.
  static func map<Value>(_ statement: Statement, _ body: (ColumnReader) throws -> Value) throws -> [Value] {
    let places = Dictionary(zip(statement.columnNames, 0...), uniquingKeysWith: { first, _ in first })
    let rows = try Row.fetchCursor(statement)
    var values: [Value] = []
    while let row = try rows.next() { values.append(try body(ColumnReader(places: places, row: row))) }
    return values
  }

  /// A value that may be absent, as is one whose column is.
  ///
  /// - Throws: `DatabaseError`, `SQLITE_CORRUPT` when the value is of another type.
  func optional<Value: DatabaseValueConvertible>(_ column: String) throws -> Value? {
    try Row.value(places[column].map { row[$0] }, of: column)
  }

  /// A value that is always there.
  ///
  /// - Throws: `DatabaseError`, `SQLITE_CORRUPT` when it is not, or is of another type.
  func required<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
    guard let value: Value = try optional(column) else { throw Row.damage(column) }
    return value
  }
}
