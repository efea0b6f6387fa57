import GRDB

/// The schema of a database that can be deleted at any time.
struct DisposableSchema: Sendable {
  /// Distinguishes the database from those of other programs and other purposes.
  let applicationID: Int
  /// A database of another version is replaced.
  let version: Int
  /// Creates the tables.
  let statements: String

  /// Creates the tables in an empty database.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_NOTADB` for a database of another program or version.
  func prepare(_ queue: DatabaseQueue) throws {
    if try queue.read(isCurrent) { return }
    try queue.write { database in
      if try isCurrent(database) { return }
      try database.execute(sql: statements)
      // Pragmas do not support bound values; both are constants.
      try database.execute(sql: "PRAGMA application_id = \(applicationID)")
      try database.execute(sql: "PRAGMA user_version = \(version)")
    }
  }

  /// Whether the tables are there; false in an empty database.
  private func isCurrent(_ database: Database) throws -> Bool {
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT application_id, user_version, NOT EXISTS (SELECT 1 FROM sqlite_master) AS is_empty
        FROM pragma_application_id, pragma_user_version
        """)
    let (application, version): (Int, Int) = (row?["application_id"] ?? 0, row?["user_version"] ?? 0)
    if application == applicationID, version == self.version { return true }
    if application == 0, version == 0, row?["is_empty"] == true { return false }
    throw DatabaseError(resultCode: .SQLITE_NOTADB, message: "not a database of this version")
  }
}
