enum CacheSchema {
  /// The current version; its application id is "Fora".
  static let current = DisposableSchema(applicationID: 0x466F_7261, steps: steps)

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
}
