import GRDB

extension Row {
  /// A value that may be absent. Unlike GRDB's subscripts this never traps, whatever a damaged file holds.
  ///
  /// - Throws: `DatabaseError`, `SQLITE_CORRUPT` when the value is of another type.
  func optional<Value: DatabaseValueConvertible>(_ column: String) throws -> Value? {
    guard let stored = self[column] as DatabaseValue?, !stored.isNull else { return nil }
    guard let value = Value.fromDatabaseValue(stored) else { throw Self.damage(column) }
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
