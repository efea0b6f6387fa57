import GRDB

/// The migrations of the store. A released migration is never changed.
enum Migrations {
  /// All of them, in order.
  private static var all: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 clones") { database in
      try database.execute(
        sql: """
          CREATE TABLE clone_folder (
            path TEXT PRIMARY KEY NOT NULL,
            is_found INTEGER NOT NULL DEFAULT 0,
            scanned_at REAL
          ) WITHOUT ROWID;
          CREATE TABLE clone (
            path TEXT PRIMARY KEY NOT NULL,
            folder TEXT NOT NULL,
            relative_path TEXT NOT NULL,
            fingerprint TEXT NOT NULL,
            entity_id TEXT,
            remote_url TEXT,
            host TEXT,
            owner TEXT,
            name TEXT NOT NULL,
            description TEXT,
            language TEXT,
            license TEXT,
            branch TEXT,
            commit_id TEXT,
            last_commit_at REAL,
            size_bytes INTEGER,
            error TEXT,
            haystack TEXT NOT NULL
          ) WITHOUT ROWID;
          CREATE INDEX clone_by_entity ON clone (entity_id);
          CREATE INDEX clone_by_folder ON clone (folder);
          """)
    }
    migrator.registerMigration("2 favorites") { database in
      try database.execute(
        sql: """
          CREATE TABLE favorite (
            id TEXT PRIMARY KEY NOT NULL,
            kind TEXT NOT NULL,
            title TEXT NOT NULL,
            url TEXT,
            added_at REAL NOT NULL
          ) WITHOUT ROWID;
          """)
    }
    migrator.registerMigration("3 root commits") { database in
      // Clones are opened only if their fingerprint changed; without one each is opened once more, which adds
      // its root commit.
      try database.execute(
        sql: """
          ALTER TABLE clone ADD COLUMN root_commit TEXT;
          CREATE INDEX clone_by_root ON clone (root_commit) WHERE root_commit IS NOT NULL;
          UPDATE clone SET fingerprint = '';
          """)
    }
    migrator.registerMigration("4 texts") { database in
      // A search reads the texts of all clones, then the rows of the matching ones.
      try database.execute(sql: "CREATE INDEX clone_by_text ON clone (haystack)")
    }
    migrator.registerMigration("5 favorite facts") { database in
      try database.execute(sql: "ALTER TABLE favorite ADD COLUMN facts TEXT")
    }
    migrator.registerMigration("6 kinds of clones") { database in
      // Each clone is opened once more, as for its root commit; until then the name tells a bare one.
      try database.execute(
        sql: """
          ALTER TABLE clone ADD COLUMN is_bare INTEGER NOT NULL DEFAULT 0;
          ALTER TABLE clone ADD COLUMN is_incomplete INTEGER NOT NULL DEFAULT 0;
          UPDATE clone SET is_bare = path LIKE '%.git', fingerprint = '';
          """)
    }
    migrator.registerMigration("7 checks of folders") { database in
      try database.execute(sql: "ALTER TABLE clone_folder ADD COLUMN checked_at REAL")
    }
    migrator.registerMigration("8 names of repositories, and open folders") { database in
      try database.execute(
        sql: """
          ALTER TABLE clone_folder ADD COLUMN open_folders TEXT;
          ALTER TABLE clone ADD COLUMN address_id TEXT;
          ALTER TABLE clone ADD COLUMN forge_id TEXT;
          CREATE INDEX clone_by_forge_id ON clone (forge_id) WHERE forge_id IS NOT NULL;
          CREATE TABLE former_name (
            id TEXT PRIMARY KEY NOT NULL,
            name TEXT NOT NULL,
            now_id TEXT NOT NULL
          ) WITHOUT ROWID;
          """)
    }
    return migrator
  }

  /// Whether a database has the current version.
  ///
  /// - Throws: `StoreError` for a database of a newer version.
  static func isCurrent(_ queue: DatabaseQueue, _ place: DatabasePlace) throws -> Bool {
    let migrator = all
    let known = Set(migrator.migrations)
    let applied = try queue.read(migrator.appliedIdentifiers)
    if applied.isSubset(of: known) { return applied == known }
    throw StoreError(
      "the \(place.noun) \(place.path) was made by a newer version of this program",
      hint: "use that version, or set \(place.variable) to another folder")
  }

  /// Migrates a database to the current version.
  static func migrate(_ queue: DatabaseQueue) throws { try all.migrate(queue) }
}
