import GRDB

/// The schema of the cache.
enum CacheSchema {
  /// Distinguishes Forage's cache from databases of other programs: "Fora".
  static let applicationID = 0x466F_7261
  /// The migrations; their number is the schema version. A released migration is never changed.
  ///
  /// Times are seconds since 2001-01-01 UTC, which stores them exactly.
  private static let steps = [
    """
    CREATE TABLE response (
      id INTEGER PRIMARY KEY,
      key BLOB UNIQUE NOT NULL,
      status INTEGER NOT NULL,
      stored_at REAL NOT NULL,
      validated_at REAL NOT NULL,
      size INTEGER NOT NULL,
      headers BLOB NOT NULL,
      body BLOB NOT NULL
    );
    CREATE INDEX response_by_age ON response (validated_at, key, size);
    CREATE TABLE budget (
      scope TEXT PRIMARY KEY NOT NULL,
      maximum INTEGER,
      remaining INTEGER,
      reset_at REAL,
      blocked_until REAL,
      recorded_at REAL NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE circuit (
      scope TEXT PRIMARY KEY NOT NULL,
      failures INTEGER NOT NULL,
      open_until REAL,
      probe_until REAL,
      credential TEXT,
      reason TEXT NOT NULL,
      changed_at REAL NOT NULL
    ) WITHOUT ROWID;
    """,
    // Counts refusals without a time. The scope of a circuit already contains its credential.
    """
    ALTER TABLE budget ADD COLUMN strikes INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE circuit DROP COLUMN credential;
    """,
    // Facts about clones. The index contains the sizes, so that eviction reads no contents.
    """
    CREATE TABLE inspection (
      key TEXT PRIMARY KEY NOT NULL,
      stored_at REAL NOT NULL,
      size INTEGER NOT NULL,
      facts BLOB NOT NULL
    );
    CREATE INDEX inspection_by_age ON inspection (stored_at, key, size);
    """,
  ]

  /// Migrates a database to the current version.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_NOTADB` for a database of another program or a newer version.
  static func prepare(_ queue: DatabaseQueue) throws {
    if try queue.read(version) == steps.count { return }
    try queue.write { database in
      for step in steps[try version(database)...] { try database.execute(sql: step) }
      // Pragmas do not support bound values; both are constants.
      try database.execute(sql: "PRAGMA application_id = \(applicationID)")
      try database.execute(sql: "PRAGMA user_version = \(steps.count)")
    }
  }

  /// The number of applied migrations.
  private static func version(_ database: Database) throws -> Int {
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
    throw DatabaseError(resultCode: .SQLITE_NOTADB, message: "not a cache of this version")
  }
}
