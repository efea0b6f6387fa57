import GRDB

/// The schema of a database that can be deleted at any time.
struct DisposableSchema: Sendable {
  /// Distinguishes the database from those of other programs and other purposes.
  let applicationID: Int
  /// The migrations; their number is the schema version. A released migration is never changed.
  let steps: [String]

  /// Migrates a database to the current version.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_NOTADB` for a database of another program or a newer version.
  func prepare(_ queue: DatabaseQueue) throws {
    if try queue.read(version) == steps.count { return }
    try queue.write { database in
      for step in steps[try version(database)...] { try database.execute(sql: step) }
      // Pragmas do not support bound values; both are constants.
      try database.execute(sql: "PRAGMA application_id = \(applicationID)")
      try database.execute(sql: "PRAGMA user_version = \(steps.count)")
    }
  }

  private func version(_ database: Database) throws -> Int {
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT application_id, user_version FROM pragma_application_id, pragma_user_version
        """)
    let application: Int = row?["application_id"] ?? 0
    let version: Int = row?["user_version"] ?? 0
    if application == applicationID, (1...steps.count).contains(version) { return version }
    if application == 0, version == 0,
      try Bool.fetchOne(database, sql: "SELECT NOT EXISTS (SELECT 1 FROM sqlite_master)") == true
    {
      return 0
    }
    throw DatabaseError(resultCode: .SQLITE_NOTADB, message: "not a database of this version")
  }
}
