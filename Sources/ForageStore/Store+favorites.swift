import GRDB

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Store {
  /// Adds a favourite; one that is there takes the new kind, title and address and keeps the time of its
  /// first adding.
  ///
  /// - Returns: False when it was there.
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

  /// Removes a favourite.
  ///
  /// - Returns: False when it was not there.
  package func removeFavorite(_ id: String) throws(StoreError) -> Bool {
    try write { database in
      try database.execute(sql: "DELETE FROM favorite WHERE id = ?", arguments: [id])
      return database.changesCount > 0
    }
  }

  /// Every favourite, the newest first; of the same moment by the bytes of the id.
  package func favorites() throws(StoreError) -> [Favorite] {
    try read { database in
      guard try Self.hasFavorites(database) else { return [] }
      return try Row.fetchAll(database, sql: "SELECT * FROM favorite ORDER BY added_at DESC, id").map(
        Favorite.init)
    }
  }

  /// The ids of all favourites.
  package func favoriteIDs() throws(StoreError) -> Set<String> {
    try read { database in
      guard try Self.hasFavorites(database) else { return [] }
      return try String.fetchSet(database, sql: "SELECT id FROM favorite")
    }
  }

  /// A store that is only read may be of a version that knew no favourites.
  private static func hasFavorites(_ database: Database) throws -> Bool {
    try database.tableExists("favorite")
  }
}
