package import ForageFoundation
import ForagePlatform
import GRDB

/// A folder in which clones are searched.
package struct CloneFolder: Sendable, Hashable {
  /// The absolute path.
  package var path: String
  /// Whether it was detected automatically rather than added by the user.
  package var isFound: Bool
  /// When it was last scanned.
  package var scannedAt: Date?
  /// When it was last scanned or checked, without the work trees of clones.
  package var checkedAt: Date?
  /// The folders in it that had no clone then, and may have got one.
  package var open: [String] = []

  package init(path: String, isFound: Bool, scannedAt: Date? = nil, checkedAt: Date? = nil) {
    self.path = path
    self.isFound = isFound
    (self.scannedAt, self.checkedAt) = (scannedAt, checkedAt)
  }
}

extension CloneFolder {
  fileprivate init(_ row: Row) throws {
    path = try row.required("path")
    isFound = try row.required("is_found")
    scannedAt = try row.optional("scanned_at").map { Date(timeIntervalSince1970: $0) }
    checkedAt = try row.optional("checked_at").map { Date(timeIntervalSince1970: $0) } ?? scannedAt
    // A read-only store of an older version lacks this column.
    let folders: String? = (try? row.optional("open_folders")) ?? nil
    open = folders?.split(separator: "\n").map(String.init) ?? []
  }
}

extension Store {
  /// The folders, by path.
  package func cloneFolders() throws(StoreError) -> [CloneFolder] {
    let folders = try read {
      try Row.map($0, "SELECT * FROM clone_folder ORDER BY path") { try? CloneFolder($0) }
    }
    return readable(folders, .folder)
  }

  /// Adds a folder. An existing one is kept, and is no longer marked as detected if the user adds it.
  package func addCloneFolder(_ path: String, isFound: Bool) throws(StoreError) {
    try write { database in
      try database.execute(
        sql: """
          INSERT INTO clone_folder (path, is_found) VALUES (?, ?)
          ON CONFLICT (path) DO UPDATE SET is_found = min(is_found, excluded.is_found)
          """, arguments: [path, isFound])
    }
  }

  /// Removes a folder and the clones found in it.
  ///
  /// - Returns: The number of removed clones; `nil` if there was no such folder.
  package func removeCloneFolder(_ path: String) throws(StoreError) -> Int? {
    try write { database in
      try database.execute(sql: "DELETE FROM clone_folder WHERE path = ?", arguments: [path])
      guard database.changesCount > 0 else { return nil }
      try database.execute(sql: "DELETE FROM clone WHERE folder = ?", arguments: [path])
      return database.changesCount
    }
  }

  /// The folders that the clones of a folder lie in, each once.
  package func parentsOfClones(in folder: String) throws(StoreError) -> [String] {
    try read { database in
      // Only the index by folder is read.
      let paths = try String.fetchCursor(
        database, sql: "SELECT path FROM clone WHERE folder = ?", arguments: [folder])
      var parents: Set<String> = []
      var last = ""
      while let path = try paths.next() {
        // Most lie beside the one before.
        let name = path.utf8.dropFirst(last.utf8.count)
        if path.utf8.starts(with: last.utf8), name.lastIndex(of: UInt8(ascii: "/")) == name.startIndex {
          continue
        }
        last = parentFolder(of: path)
        parents.insert(last)
      }
      return Array(parents)
    }
  }

  /// The ids of the entities with clones whose ids are one in any case of ASCII letters.
  package func entities(inAnyCase id: String) throws(StoreError) -> [String] {
    try read { database in
      try String.fetchAll(
        database, sql: "SELECT DISTINCT entity_id FROM clone WHERE entity_id = ? COLLATE NOCASE",
        arguments: [id])
    }
  }

  /// Which of some paths are clones of a folder.
  package func clones(among paths: Set<String>, of folder: String) throws(StoreError) -> Set<String> {
    try read { database in
      let statement = try database.makeStatement(sql: "SELECT 1 FROM clone WHERE path = ? AND folder = ?")
      return try paths.filter { try Bool.fetchOne(statement, arguments: [$0, folder]) == true }
    }
  }

  /// The ids of the clones that have one, with the addresses that they come from.
  package func cloneAddresses() throws(StoreError)
    -> [(path: String, folder: String, id: String, url: String)]
  {
    try read { database in
      let sql = """
        SELECT path, folder, entity_id, remote_url FROM clone
        WHERE entity_id IS NOT NULL AND remote_url IS NOT NULL
        """
      return try Row.map(database, sql) {
        (
          try $0.required("path"), try $0.required("folder"), try $0.required("entity_id"),
          try $0.required("remote_url")
        )
      }
    }
  }

  package func hasClones() throws(StoreError) -> Bool {
    try read { database in
      let rows = try Row.fetchCursor(database, sql: "SELECT path FROM clone")
      return try rows.contains { row in (try? row.required("path")).map { !isIgnored($0) } ?? false }
    }
  }

  /// All clones that are not ignored, by path.
  package func clones() throws(StoreError) -> [CloneRecord] {
    listed(try rows())
  }

  /// All clones, also those that are ignored, by path.
  package func allClones() throws(StoreError) -> [CloneRecord] { readable(try rows(), .clone) }

  private func rows() throws(StoreError) -> [CloneRecord?] {
    try read { try Row.map($0, "SELECT * FROM clone ORDER BY path") { try? CloneRecord($0) } }
  }

  /// The paths of all clones, also of those that are ignored.
  package func clonePaths() throws(StoreError) -> [String] {
    readable(
      try read { try Row.map($0, "SELECT path FROM clone") { try? $0.required("path") as String } }, .clone)
  }

  private func listed(_ clones: [CloneRecord?]) -> [CloneRecord] {
    readable(clones, .clone).filter { !isIgnored($0.path) }
  }

  /// The clones whose text contains all words.
  ///
  /// - Parameter words: Words in lower case; none means all clones.
  package func clones(containing words: [String]) throws(StoreError) -> [CloneRecord] {
    guard !words.isEmpty else { return try clones() }
    // The covering index on the text is a fifth of the table.
    let conditions = words.map { _ in "instr(haystack, ?) > 0" }.joined(separator: " AND ")
    return listed(
      try read {
        try Row.map(
          $0, "SELECT * FROM clone WHERE path IN (SELECT path FROM clone WHERE \(conditions))",
          StatementArguments(words)
        ) { try? CloneRecord($0) }
      })
  }

  /// The clones of an entity, the one that stands for it first.
  package func clones(ofEntity id: String) throws(StoreError) -> [CloneRecord] {
    try clones(ofEntities: [id])[id] ?? []
  }

  /// The clones of entities.
  ///
  /// - Parameter ids: Canonical ids, also former ones of repositories that have other names now.
  /// - Returns: The clones by id, the one that stands for it first, without ids that have none.
  package func clones(ofEntities ids: [String]) throws(StoreError) -> [String: [CloneRecord]] {
    let (clones, names) = try read { database in
      let names = try Self.names(database, ofFormer: ids)
      let all = ids + Set(names.values.map(\.id)).subtracting(ids).sorted()
      return (
        try Row.map(database, "SELECT * FROM clone WHERE entity_id IN (?)", in: all) { try? CloneRecord($0) },
        names
      )
    }
    var found = Dictionary(grouping: listed(clones).sorted { $0.precedes($1) }) { $0.entityID ?? "" }
    for (former, name) in names where found[former] == nil { found[former] = found[name.id] }
    let asked = Set(ids)
    return names.isEmpty ? found : found.filter { asked.contains($0.key) }
  }

  /// The maximum number of relatives of an entity.
  private static let relativeLimit = 100

  /// The other entities that have a clone with the same root commit as a clone of an entity.
  ///
  /// - Parameter ids: All ids of the entity; for a clone without a forge its path.
  /// - Returns: Their ids in byte order, at most 100.
  package func relatives(of ids: [String]) throws(StoreError) -> [String] {
    try read { database in
      // A read-only store of an older version has no root commits.
      guard try database.columns(in: "clone").contains(where: { $0.name == "root_commit" }) else { return [] }
      let marks = Array(repeating: "?", count: ids.count).joined(separator: ",")
      let relatives = try Row.map(
        database,
        """
        SELECT DISTINCT coalesce(other.entity_id, other.path) AS id, other.path AS path
        FROM clone JOIN clone AS other ON other.root_commit = clone.root_commit
        WHERE coalesce(clone.entity_id, clone.path) IN (\(marks)) AND id NOT IN (\(marks))
        ORDER BY id
        """, StatementArguments(ids + ids)
      ) { row -> (id: String, path: String)? in
        guard let id: String = try? row.required("id") else { return nil }
        return (try? row.required("path")).map { (id, $0) }
      }
      var found: [String] = []
      for case (let id, let path)? in relatives where !isIgnored(path) && found.last != id {
        found.append(id)
      }
      return Array(found.prefix(Self.relativeLimit))
    }
  }

  /// Removes clones that are gone.
  package func removeClones(_ paths: [String]) throws(StoreError) {
    try write { database in
      for path in paths {
        try database.execute(
          sql: "DELETE FROM clone WHERE path = ? OR substr(path, 1, length(?) + 1) = ? || '/'",
          arguments: [path, path, path])
      }
    }
  }

  /// Stores one clone; the time of the last scan of its folder stays unchanged.
  package func record(_ clone: CloneRecord) throws(StoreError) {
    try write { database in try clone.save(database) }
  }

  /// Stores the result of a scan in one transaction.
  ///
  /// - Parameters:
  ///   - folder: The scanned folder.
  ///   - changed: New and changed clones.
  ///   - gone: Paths that are no longer clones.
  ///   - open: The folders without a clone that may get one.
  ///   - time: When the scan began.
  ///   - isCheck: Whether the work trees of clones were not searched.
  package func record(
    folder: String, changed: [CloneRecord], gone: [String], open: [String] = [], at time: Date,
    isCheck: Bool = false
  ) throws(StoreError) {
    try write { database in
      for path in gone { try database.execute(sql: "DELETE FROM clone WHERE path = ?", arguments: [path]) }
      for clone in changed { try clone.save(database) }
      let columns = isCheck ? "checked_at = ?1" : "scanned_at = ?1, checked_at = ?1"
      let names = open.filter { !$0.contains("\n") }.joined(separator: "\n")
      try database.execute(
        sql: "UPDATE clone_folder SET \(columns), open_folders = ?3 WHERE path = ?2",
        arguments: [time.timeIntervalSince1970, folder, names])
    }
  }
}
