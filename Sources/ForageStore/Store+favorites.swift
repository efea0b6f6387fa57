package import ForageFoundation
import GRDB

extension Store {
  /// Adds a favorite. An existing one receives the new kind, title and URL, and the new facts if there are
  /// any, and keeps its time. A repository that was renamed on its forge is added by its name of now.
  ///
  /// - Returns: False if it existed.
  package func addFavorite(_ favorite: Favorite) throws(StoreError) -> Bool {
    try write { database in
      var favorite = favorite
      if let name = try Self.names(database, ofFormer: [favorite.id])[favorite.id] {
        (favorite.id, favorite.title) = (name.id, name.title)
      }
      let known = try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM favorite WHERE id = ?)", arguments: [favorite.id])
      try database.execute(
        sql: """
          INSERT INTO favorite (id, kind, title, url, added_at, facts) VALUES (?, ?, ?, ?, ?, ?)
          ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, title = excluded.title, url = excluded.url,
            facts = coalesce(excluded.facts, facts)
          """,
        arguments: [
          favorite.id, favorite.kind, favorite.title, favorite.url, favorite.addedAt.timeIntervalSince1970,
          favorite.facts,
        ])
      return known != true
    }
  }

  /// Removes a favorite, of a repository that was renamed on its forge also by a former id.
  ///
  /// - Returns: False if it did not exist.
  package func removeFavorite(_ id: String) throws(StoreError) -> Bool {
    try write { database in
      let now = try Self.names(database, ofFormer: [id])[id]?.id ?? id
      try database.execute(sql: "DELETE FROM favorite WHERE id IN (?, ?)", arguments: [id, now])
      return database.changesCount > 0
    }
  }

  /// Updates title, URL and facts of favorites, unless another process is writing, for which a search must
  /// not wait.
  ///
  /// Favorites that were removed meanwhile stay removed.
  package func refreshFavorites(_ favorites: [Favorite]) throws(StoreError) {
    try write(waits: false) { database in
      for favorite in favorites {
        try database.execute(
          sql: "UPDATE favorite SET title = ?, url = ?, facts = ? WHERE id = ?",
          arguments: [favorite.title, favorite.url, favorite.facts, favorite.id])
      }
    }
  }

  /// All favorites, newest first, then by the bytes of the id.
  package func favorites() throws(StoreError) -> [Favorite] {
    let favorites = try read { database -> [Favorite?] in
      guard try Self.hasFavorites(database) else { return [] }
      return try Row.map(database, "SELECT * FROM favorite ORDER BY added_at DESC, id") { try? Favorite($0) }
    }
    return readable(favorites, .favorite)
  }

  /// The favorites among ids, by id.
  package func favorites(of ids: [String]) throws(StoreError) -> [String: Favorite] {
    let found = try read { database -> [Favorite?] in
      guard try Self.hasFavorites(database) else { return [] }
      return try Row.map(database, "SELECT * FROM favorite WHERE id IN (?)", in: ids) { try? Favorite($0) }
    }
    return Dictionary(
      readable(found, .favorite).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  package func favoriteIDs() throws(StoreError) -> Set<String> {
    let ids = try read { database -> [String?] in
      guard try Self.hasFavorites(database) else { return [] }
      return try Row.map(database, "SELECT id FROM favorite") { try? $0.required("id") }
    }
    return Set(readable(ids, .favorite))
  }

  /// A store that is only read may be of a version without favorites.
  private static func hasFavorites(_ database: Database) throws -> Bool {
    try Row.fetchOne(database, sql: "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'favorite'")
      != nil
  }
}

/// An entity that the user added to the favorites on this machine.
package struct Favorite: Sendable, Hashable {
  /// The canonical id of the entity, for example `github.com/owner/name`.
  package var id: String
  /// The kind of entity, as in results.
  package var kind: String
  /// The display name, in the forge's letter case if known.
  package var title: String
  /// Its address, without credentials.
  package var url: String?
  /// When it was first added, with a precision of about a microsecond.
  package var addedAt: Date
  /// The properties when it was last added or seen, as a JSON object; `nil` for none.
  package var facts: String?

  package init(
    id: String, kind: String, title: String, url: String? = nil, addedAt: Date, facts: String? = nil
  ) {
    self.id = id
    self.kind = kind
    self.title = title
    self.url = url
    self.addedAt = addedAt
    self.facts = facts
  }

  init(_ row: Row) throws {
    id = try row.required("id")
    kind = try row.required("kind")
    title = try row.required("title")
    url = try row.optional("url")
    addedAt = Date(timeIntervalSince1970: try row.required("added_at"))
    // A read-only store of an older version lacks this column.
    facts = try row.optional("facts")
  }
}
