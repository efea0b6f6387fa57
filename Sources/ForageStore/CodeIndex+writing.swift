package import ForageFoundation
import GRDB

extension CodeIndex {
  /// Those of some blobs that the index has.
  ///
  /// - Parameter ids: Ids of 20 bytes.
  package func known(_ ids: [Data]) throws(StoreError) -> Set<Data> {
    try database.read(absent: []) { database in
      Set(try Row.map(database, "SELECT oid FROM blobs WHERE oid IN (?)", in: ids) { try $0.required("oid") })
    }
  }

  static func state(_ row: Row) throws -> State {
    guard let state = State(rawValue: try row.required("state")) else { throw Row.damage("state") }
    return state
  }

  /// Adds blobs in one transaction; those that the index has already stay.
  package func add(_ blobs: [NewBlob]) throws(StoreError) {
    guard !blobs.isEmpty else { return }
    try database.write { database in
      let insert = try database.makeStatement(
        sql: "INSERT INTO blobs (oid, bytes, state) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
      let insertText = try database.makeStatement(sql: "INSERT INTO text (rowid, terms) VALUES (?, ?)")
      for blob in blobs {
        try insert.execute(arguments: [blob.id, blob.bytes, blob.state.rawValue])
        guard blob.state == .text || !blob.terms.isEmpty, database.changesCount > 0 else { continue }
        try insertText.execute(arguments: [database.lastInsertedRowID, blob.terms])
      }
    }
  }

  /// Stores the tree of a clone with its files, in one transaction.
  ///
  /// - Parameters:
  ///   - tree: The tree; where it replaces another one, with the number of folders that are missing.
  ///   - added: The files that the stored tree of the clone lacks, or all if it is replaced. Files whose blob
  ///     the index does not have are counted as missing.
  ///   - removed: Blobs and paths that are no longer in the tree; `nil` replaces all files of the clone.
  /// - Returns: Whether it was stored. It is not if the stored tree is another one than `previous`, because
  ///   another process has changed it meanwhile.
  package func set(
    _ tree: Tree, added: some Sequence<File>, removed: [(blob: Data, path: String)]?, previous: Data?
  ) throws(StoreError) -> Bool {
    try database.write { database in
      let old = try Self.tree(database, path: tree.path)
      guard removed == nil || old?.tree == previous else { return false }
      var tree = tree
      let clone = try Self.number(database, path: tree.path)
      var counts = removed == nil ? [0, 0, 0] : old.map { [$0.files, $0.binary, $0.tooLarge] } ?? [0, 0, 0]
      var missing = removed == nil ? tree.missing : old?.missing ?? 0
      if let removed {
        let delete = try database.makeStatement(
          sql: "DELETE FROM files WHERE blob = ? AND clone = ? AND path = ?")
        for file in removed {
          guard let blob = try Self.blob(database, file.blob) else {
            missing -= 1
            continue
          }
          try delete.execute(arguments: [blob.number, clone, file.path])
          counts[blob.state.rawValue] -= database.changesCount
        }
      } else {
        try database.execute(sql: "DELETE FROM files WHERE clone = ?", arguments: [clone])
      }
      let insert = try database.makeStatement(
        sql: "INSERT INTO files (blob, clone, path, language, flags, stamp) VALUES (?, ?, ?, ?, ?, ?)")
      for file in added {
        guard let blob = try Self.blob(database, file.blob) else {
          missing += 1
          continue
        }
        counts[blob.state.rawValue] += 1
        try insert.execute(
          arguments: [blob.number, clone, file.path, file.language, file.flags, file.stamp])
      }
      (tree.files, tree.binary, tree.tooLarge) = (counts[0], counts[1], counts[2])
      tree.missing = max(0, missing)
      try Self.save(tree, number: clone, database)
      return true
    }
  }

  /// Stores what has changed of a clone whose tree is the same.
  package func touch(_ tree: Tree) throws(StoreError) {
    try database.write { database in
      try database.execute(
        sql: """
          UPDATE trees SET stamp = ?, commit_id = ?, branch = ?, committed_at = ?, published = ?
          WHERE path = ? AND tree = ?
          """,
        arguments: [
          tree.stamp, tree.commit, tree.branch, tree.committedAt, tree.isPublished, tree.path, tree.tree,
        ])
    }
  }

  /// Removes the trees of clones, with their files. Blobs that no tree has any more stay until the index is
  /// rebuilt: a full-text table without content cannot delete.
  package func remove(_ paths: [String]) throws(StoreError) {
    guard !paths.isEmpty else { return }
    try database.write(absent: ()) { database in
      for path in paths {
        guard let old = try Self.tree(database, path: path) else { continue }
        try database.execute(sql: "DELETE FROM files WHERE clone = ?", arguments: [old.number])
        try database.execute(sql: "DELETE FROM trees WHERE clone = ?", arguments: [old.number])
      }
    }
  }

  package func clear() throws(StoreError) {
    try database.write(absent: ()) { database in
      try database.execute(
        sql: """
          DELETE FROM trees; DELETE FROM files; DELETE FROM blobs; DELETE FROM worktrees; DELETE FROM worktree_blobs;
          INSERT INTO text (text) VALUES ('delete-all');
          """)
    }
  }

  /// Applies the size limit of searched files. If it is another one than before, blobs that the old limit
  /// excluded are forgotten, and all trees must be indexed again.
  package func setMaximumFileSize(_ bytes: Int) throws(StoreError) {
    let known: Int? = try database.read(absent: nil) {
      try Int.fetchOne($0, sql: "SELECT value FROM setting WHERE name = 'maxFileSize'")
    }
    guard known != bytes else { return }
    try database.write { database in
      if known != nil {
        try database.execute(
          sql: "DELETE FROM trees; DELETE FROM files; DELETE FROM worktrees; DELETE FROM worktree_blobs")
        try database.execute(sql: "DELETE FROM blobs WHERE state = \(State.tooLarge.rawValue)")
      }
      try database.execute(
        sql: "INSERT OR REPLACE INTO setting (name, value) VALUES ('maxFileSize', ?)", arguments: [bytes])
    }
  }

  private static func number(_ database: Database, path: String) throws -> Int64 {
    if let number = try Int64.fetchOne(
      database, sql: "SELECT clone FROM trees WHERE path = ?", arguments: [path])
    {
      return number
    }
    return (try Int64.fetchOne(database, sql: "SELECT max(clone) FROM trees") ?? 0) + 1
  }

  private static func blob(_ database: Database, _ id: Data) throws -> (number: Int64, state: State)? {
    let statement = try database.cachedStatement(sql: "SELECT id, state FROM blobs WHERE oid = ?")
    guard let row = try Row.fetchOne(statement, arguments: [id]) else { return nil }
    return (try row.required("id"), try state(row))
  }

  private static func save(_ tree: Tree, number: Int64, _ database: Database) throws {
    try database.execute(
      sql: """
        INSERT OR REPLACE INTO trees (clone, path, tree, stamp, commit_id, branch, committed_at, files, binary_files,
          large_files, missing_files, indexed_at, published) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        number, tree.path, tree.tree, tree.stamp, tree.commit, tree.branch, tree.committedAt, tree.files,
        tree.binary, tree.tooLarge, tree.missing, Date().timeIntervalSince1970, tree.isPublished,
      ])
  }
}
