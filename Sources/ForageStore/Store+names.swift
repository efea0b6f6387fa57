import ForageCore
import GRDB

/// The name that a repository has on its forge, as an answer of the forge told it.
package struct RepositoryName: Sendable, Hashable {
  /// The canonical id that was asked for, or that the repository had before: a former one where it differs
  /// from `id`.
  package var formerID: String
  /// `host/owner/name` now, as the forge writes it.
  package var name: String
  /// The canonical id now.
  package var id: String

  /// - Returns: `nil` for a name of no repository.
  package init?(formerID: String, name: String) {
    guard let id = RepositoryIdentity.canonical(name), RepositoryIdentity.components(name) != nil else {
      return nil
    }
    (self.formerID, self.name, self.id) = (formerID, name, id)
  }

  /// The name now without the host.
  var title: String { String(name.drop { $0 != "/" }.dropFirst()) }

  /// Whether the repository has another name now; letter case makes none.
  package var isRenamed: Bool { formerID.lowercased() != id.lowercased() }
}

/// What is known of repositories that were renamed or moved on their forges, and of their ids there.
extension Store {
  /// The names that repositories have now, by their former ids.
  package func formerNames() throws(StoreError) -> [String: RepositoryName] {
    try read { database in
      guard try Self.hasNames(database) else { return [:] }
      return Self.byFormerID(try Row.map(database, "SELECT * FROM former_name", [], Self.name))
    }
  }

  /// The names of the repositories among ids that have other ones now, by these ids.
  static func names(_ database: Database, ofFormer ids: [String]) throws -> [String: RepositoryName] {
    guard try hasNames(database) else { return [:] }
    return byFormerID(try Row.map(database, "SELECT * FROM former_name WHERE id IN (?)", in: ids, name))
  }

  /// Records the names that repositories have now, as far as there are clones of them: a clone is one of the
  /// repository by its name of now, whatever its address says, and a favorite of the former name becomes one
  /// of the repository.
  ///
  /// - Parameter waits: Whether it waits for another process that writes.
  /// - Returns: Whether anything was not known.
  @discardableResult
  package func learn(_ names: [RepositoryName], waits: Bool = true) throws(StoreError) -> Bool {
    let known = try formerNames()
    let news = names.filter { name in
      name.isRenamed ? known[name.formerID]?.name != name.name : known[name.formerID] != nil
    }
    guard !news.isEmpty else { return false }
    return try write(waits: waits) { database in
      var isNew = false
      for name in news {
        var clones = try Row.map(
          database, "SELECT * FROM clone WHERE entity_id IN (?1, ?2) OR address_id = ?1",
          [name.formerID, name.id]
        ) { try? CloneRecord($0) }.compactMap(\.self)
        guard !clones.isEmpty else { continue }
        isNew = true
        // A name of now is no former one.
        try database.execute(sql: "DELETE FROM former_name WHERE id = ?", arguments: [name.id])
        if name.isRenamed {
          try database.execute(
            sql: "UPDATE former_name SET name = ?1, now_id = ?2 WHERE now_id = ?3",
            arguments: [name.name, name.id, name.formerID])
          try database.execute(
            sql: "INSERT OR REPLACE INTO former_name (id, name, now_id) VALUES (?, ?, ?)",
            arguments: [name.formerID, name.name, name.id])
          try database.execute(
            sql: "UPDATE OR IGNORE favorite SET id = ?, title = ? WHERE id = ?",
            arguments: [name.id, name.title, name.formerID])
          try database.execute(sql: "DELETE FROM favorite WHERE id = ?", arguments: [name.formerID])
        } else {
          // Another repository has the former name now.
          clones = clones.filter { $0.addressID == name.id }
        }
        for var clone in clones {
          if !name.isRenamed { clone.forgeID = nil }
          clone.take(name)
          try clone.save(database)
        }
      }
      return isNew
    }
  }

  /// Records the ids that forges have for repositories, for the clones of which none was known.
  ///
  /// Nothing waits for another process that writes.
  ///
  /// - Parameter ids: The forges' ids by canonical id.
  package func recordForgeIDs(_ ids: [String: String]) throws(StoreError) {
    guard !ids.isEmpty else { return }
    try write(waits: false) { database in
      for (id, forgeID) in ids {
        try database.execute(
          sql: "UPDATE clone SET forge_id = ? WHERE entity_id = ? AND forge_id IS NULL",
          arguments: [forgeID, id])
      }
    }
  }

  /// The clones of repositories with ids of their forges.
  package func clones(ofForgeIDs ids: [String]) throws(StoreError) -> [CloneRecord] {
    try read { database -> [CloneRecord] in
      guard try Self.hasNames(database) else { return [] }
      return try Row.map(database, "SELECT * FROM clone WHERE forge_id IN (?)", in: ids) {
        try? CloneRecord($0)
      }.compactMap(\.self)
    }
  }

  /// - Returns: `nil` for a row that the program does not write.
  private static func name(_ row: Row) -> RepositoryName? {
    guard let id: String = try? row.required("id"), let name: String = try? row.required("name") else {
      return nil
    }
    return RepositoryName(formerID: id, name: name)
  }

  private static func byFormerID(_ names: [RepositoryName?]) -> [String: RepositoryName] {
    Dictionary(names.compactMap { $0 }.map { ($0.formerID, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// A store that is only read may be of a version without names.
  private static func hasNames(_ database: Database) throws -> Bool {
    try database.tableExists("former_name")
  }
}
