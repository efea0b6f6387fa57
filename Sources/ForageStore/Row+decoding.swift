import ForagePlatform
import GRDB

extension Row {
  /// Decodes the rows of a statement one by one: a row that is copied looks up its columns slowly.
  static func map<Value>(
    _ database: Database, _ sql: String, _ arguments: StatementArguments = [],
    _ body: @escaping (Row) throws -> Value
  ) throws -> [Value] {
    try Array(fetchCursor(database, sql: sql, arguments: arguments).map(body))
  }

  /// Decodes the rows of a statement with a list of values, in parts: SQLite supports at least 999 arguments.
  ///
  /// - Parameter sql: The statement, with `(?)` in place of the list of values.
  static func map<Value>(
    _ database: Database, _ sql: String, in values: [some DatabaseValueConvertible],
    _ body: @escaping (Row) throws -> Value
  ) throws -> [Value] {
    let size = 900
    return try stride(from: 0, to: values.count, by: size).flatMap { start in
      let part = values[start..<Swift.min(start + size, values.count)]
      let marks = Array(repeating: "?", count: part.count).joined(separator: ",")
      return try map(database, sql.replacing("(?)", with: "(\(marks))"), StatementArguments(part), body)
    }
  }

  /// Decodes an optional value; `nil` if the column does not exist. Unlike GRDB's subscripts this never traps
  /// with values of a damaged file.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` if the value has another type.
  func optional<Value: DatabaseValueConvertible>(_ column: String) throws -> Value? {
    guard let stored = self[column] as DatabaseValue?, !stored.isNull else { return nil }
    guard let value = Value.fromDatabaseValue(stored) else { throw Self.damage(column) }
    return value
  }

  /// Decodes a required value.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` if it is missing or has another type.
  func required<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
    guard let value: Value = try optional(column) else { throw Self.damage(column) }
    return value
  }

  /// Decodes a required number of files.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` if it is missing, negative or more than any repository
  ///   has.
  func count(_ column: String) throws -> Int {
    let number: Int = try required(column)
    guard let count = Offset(number), count < .max else { throw Self.damage(column) }
    return count.value
  }

  /// Decodes an optional number of bytes: the nearest one of a number that none can be.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` if the value is no number.
  func optionalCount(_ column: String) throws -> Int? {
    guard let stored = self[column] as DatabaseValue? else { return nil }
    switch stored.storage {
    case .null: return nil
    case .int64(let number): return Count(nearest: number).value
    case .double(let number): return Count(nearest: Int(nearest: number)).value
    case .string, .blob: throw Self.damage(column)
    }
  }

  static func damage(_ column: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: "\(column) contains an invalid value")
  }
}
