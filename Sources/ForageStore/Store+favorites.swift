import GRDB

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Store {
  /// Adds a favorite. An existing one receives the new kind, title and URL and keeps its time.
  ///
  /// - Returns: False if it existed.
  package func addFavorite(_ favorite: Favorite) throws(StoreError) -> Bool {
    try write { database in
      let known = try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM favorite WHERE id = ?)", arguments: [favorite.id])
      try database.execute(
        sql: """
          INSERT INTO favorite (id, kind, title, url, added_at) VALUES (?, ?, ?, ?, ?)
          ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, title = excluded.title, url = excluded.url
          """,
        arguments: [
          favorite.id, favorite.kind, favorite.title, favorite.url, favorite.addedAt.timeIntervalSince1970,
        ])
      return known != true
    }
  }

  /// Removes a favorite.
  ///
  /// - Returns: False if it did not exist.
  package func removeFavorite(_ id: String) throws(StoreError) -> Bool {
    try write { database in
      try database.execute(sql: "DELETE FROM favorite WHERE id = ?", arguments: [id])
      return database.changesCount > 0
    }
  }

  /// All favorites, newest first, then by the bytes of the id.
  package func favorites() throws(StoreError) -> [Favorite] {
    try read { database in
      guard try Self.hasFavorites(database) else { return [] }
      return try Row.fetchAll(database, sql: "SELECT * FROM favorite ORDER BY added_at DESC, id").map(
        Favorite.init)
    }
  }

  /// The ids of all favorites.
  package func favoriteIDs() throws(StoreError) -> Set<String> {
    try read { database in
      guard try Self.hasFavorites(database) else { return [] }
      return try String.fetchSet(database, sql: "SELECT id FROM favorite")
    }
  }

  /// Whether the table exists; a read-only store can be of a version without favorites.
  private static func hasFavorites(_ database: Database) throws -> Bool {
    try database.tableExists("favorite")
  }
}
