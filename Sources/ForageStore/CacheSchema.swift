import GRDB

/// The form of the cache.
enum CacheSchema {
  /// Tells a cache of ours from another program's database: "Fora".
  static let applicationID = 0x466F_7261
  /// The steps from an empty database to the present form; the version is their number. A released step is
  /// never changed.
  ///
  /// Times are seconds since 2001-01-01 UTC, which keeps them exact.
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
    // Refusals without a time are counted; a circuit's scope already names its credential.
    """
    ALTER TABLE budget ADD COLUMN strikes INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE circuit DROP COLUMN credential;
    """,
    // Facts about clones; the index holds the sizes, so that letting go of the oldest reads none of them.
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

  /// Brings a database up to date; one that is costs a single look.
  ///
  /// - Throws: `DatabaseError`, `SQLITE_NOTADB` for another program's database and for one that a newer
  ///   version made.
  static func prepare(_ queue: DatabaseQueue) throws {
    if try queue.read(version) == steps.count { return }
    try queue.write { database in
      for step in steps[try version(database)...] { try database.execute(sql: step) }
      // Pragmas take no bound values; both are numbers of ours.
      try database.execute(sql: "PRAGMA application_id = \(applicationID)")
      try database.execute(sql: "PRAGMA user_version = \(steps.count)")
    }
  }

  /// How many of the steps have been made.
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
