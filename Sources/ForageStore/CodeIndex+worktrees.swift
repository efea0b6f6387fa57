package import ForageFoundation
import GRDB

/// Snapshots of work trees: which files a search of the disk reads, and the text that each of them had.
extension CodeIndex {
  /// The data that a search of work trees needs, of one state of the index.
  package struct Worktrees: Sendable {
    /// The snapshots, by the bytes of the path of the clone.
    package var snapshots: [[UInt8]: Data] = [:]
    /// The numbers of the texts that may match.
    package var texts: Set<Int64> = []
  }

  /// The snapshots of some work trees, and the texts that an expression finds.
  ///
  /// - Parameters:
  ///   - paths: The paths of the clones.
  ///   - expression: An FTS5 expression of trigrams.
  package func worktrees(of paths: [String], matching expression: String) throws(StoreError) -> Worktrees {
    try database.read(absent: Worktrees()) { database in
      var found = Worktrees()
      found.snapshots = try Self.snapshots(database, paths)
      guard !found.snapshots.isEmpty else { return found }
      let rows = try Row.fetchCursor(
        database, sql: "SELECT rowid FROM text WHERE text MATCH ?", arguments: [expression])
      while let row = try rows.next() {
        guard let number = Int64.fromDatabaseValue(row[0]) else { throw Row.damage("text") }
        found.texts.insert(number)
      }
      return found
    }
  }

  /// The snapshots of some work trees, by the bytes of the path of the clone: names may differ in their
  /// normalisation alone.
  package func snapshots(of paths: [String]) throws(StoreError) -> [[UInt8]: Data] {
    try database.read(absent: [:]) { try Self.snapshots($0, paths) }
  }

  private static func snapshots(_ database: Database, _ paths: [String]) throws -> [[UInt8]: Data] {
    let rows = try Row.map(database, "SELECT path, snapshot FROM worktrees WHERE path IN (?)", in: paths) {
      (path: try $0.required("path") as String, snapshot: try $0.required("snapshot") as Data)
    }
    return Dictionary(
      rows.map { (Array($0.path.utf8), $0.snapshot) }, uniquingKeysWith: { first, _ in first })
  }

  /// The numbers of those of some blobs whose terms the index has.
  ///
  /// - Parameter ids: Ids of 20 bytes.
  package func numbers(of ids: [Data]) throws(StoreError) -> [Data: Int64] {
    try database.read(absent: [:]) { database in
      let rows = try Row.map(
        database, "SELECT oid, id FROM blobs WHERE state <> \(State.tooLarge.rawValue) AND oid IN (?)",
        in: ids
      ) { (id: try $0.required("oid") as Data, number: try $0.required("id") as Int64) }
      return Dictionary(rows.map { ($0.id, $0.number) }, uniquingKeysWith: { first, _ in first })
    }
  }

  /// Stores the snapshot of a work tree.
  ///
  /// - Parameter blobs: The numbers of the texts that it needs.
  package func setSnapshot(_ snapshot: Data, of path: String, blobs: some Sequence<Int64>) throws(StoreError)
  {
    try database.write { database in
      try Self.removeSnapshot(database, path)
      try database.execute(
        sql: "INSERT INTO worktrees (path, snapshot) VALUES (?, ?)", arguments: [path, snapshot])
      // What the tree of the clone has is kept by that.
      let insert = try database.makeStatement(
        sql: """
          INSERT OR IGNORE INTO worktree_blobs (path, blob)
          SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM files WHERE blob = ?2)
          """)
      for blob in blobs { try insert.execute(arguments: [path, blob]) }
    }
  }

  /// Removes the snapshots of work trees.
  package func removeSnapshots(of paths: [String]) throws(StoreError) {
    guard !paths.isEmpty else { return }
    try database.write(absent: ()) { database in
      for path in paths { try Self.removeSnapshot(database, path) }
    }
  }

  /// The paths of the clones of which there is a snapshot.
  package func snapshotPaths() throws(StoreError) -> Set<String> {
    try database.read(absent: []) { Set(try String.fetchAll($0, sql: "SELECT path FROM worktrees")) }
  }

  private static func removeSnapshot(_ database: Database, _ path: String) throws {
    try database.execute(sql: "DELETE FROM worktrees WHERE path = ?", arguments: [path])
    try database.execute(sql: "DELETE FROM worktree_blobs WHERE path = ?", arguments: [path])
  }
}
