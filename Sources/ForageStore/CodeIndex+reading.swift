package import ForageFoundation
import GRDB

extension CodeIndex {
  package struct Candidate: Sendable {
    /// The number of the blob in the index.
    package var number: Int64
    /// The id of the blob, 20 bytes.
    package var blob: Data
    package var bytes: Int
    /// The number of the clone in the index.
    package var clone: Int64
    package var path: String
    package var language: String?
    package var flags: Int
    /// See `File.stamp`.
    package var stamp: Int64?
  }

  /// The contents of the index in numbers, for a message about it.
  package struct Usage: Sendable {
    package var clones: Int
    package var blobs: Int
    /// Blobs that no clone has any more.
    package var unused: Int
    /// The size of the searched texts in bytes.
    package var textBytes: Int
    /// When the clone was indexed that was indexed last.
    package var indexedAt: Date?
  }

  /// The indexed trees, by the path of the clone; without those that have fewer files than were written.
  package func trees() throws(StoreError) -> [String: Tree] {
    try database.read(absent: [:]) { database in
      var trees = try Row.map(database, "SELECT * FROM trees") { try Tree($0) }
      // The total is read from the pages of an index alone; counts for each tree take five times as long.
      let total = try Int.fetchOne(database, sql: "SELECT count(*) FROM files")
      let isAstray = try Bool.fetchOne(
        database,
        sql: """
          SELECT (SELECT min(clone) < 1 FROM files) OR EXISTS (SELECT 1 FROM trees
            WHERE files + binary_files + large_files > 0
              AND NOT EXISTS (SELECT 1 FROM files WHERE files.clone = trees.clone))
          """)
      if total != trees.reduce(0, { $0 + $1.rows }) || isAstray == true {
        var counts: [Int64: Int] = [:]
        let rows = try Row.fetchCursor(
          database, sql: "SELECT clone, count(*) AS count FROM files GROUP BY clone")
        while let row = try rows.next() { counts[try row.required("clone")] = try row.required("count") }
        trees.removeAll { counts[$0.number, default: 0] != $0.rows }
      }
      return Dictionary(trees.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    }
  }

  package func tree(path: String) throws(StoreError) -> Tree? {
    try database.read(absent: nil) { try Self.tree($0, path: path) }
  }

  static func tree(_ database: Database, path: String) throws -> Tree? {
    try Row.fetchOne(database, sql: "SELECT * FROM trees WHERE path = ?", arguments: [path]).map(Tree.init)
  }

  /// Reads trees and candidates in one transaction, so that they belong together.
  ///
  /// - Parameters:
  ///   - expression: An FTS5 expression of trigrams; `nil` for every text.
  ///   - includesAll: Whether files without text, binary and large ones, are candidates too.
  ///   - name: A text, in any case of its ASCII letters: files whose paths have it are candidates, too,
  /// whatever     their text.
  ///   - isWanted: Whether the files of a tree are wanted.
  ///   - body: Receives each candidate.
  /// - Returns: The wanted trees.
  package func candidates(
    expression: String?, includesAll: Bool = false, named name: String? = nil, isWanted: (Tree) -> Bool,
    _ body: (Candidate) -> Void
  ) throws(StoreError) -> [Tree] {
    try database.read(absent: []) { database in
      let trees = try Row.map(database, "SELECT * FROM trees") { try Tree($0) }.filter(isWanted)
      guard !trees.isEmpty else { return [] }
      let wanted = Set(trees.map(\.number))
      // A row without its blob is damage, which reading it finds.
      let unread = "\(State.binary.rawValue), \(State.tooLarge.rawValue)"
      let condition = includesAll ? "1" : "b.state IS NULL OR b.state NOT IN (\(unread))"
      let rows: RowCursor
      if let expression {
        rows = try Row.fetchCursor(
          database,
          sql: """
            SELECT \(Candidate.columns) FROM text LEFT JOIN blobs AS b ON b.id = text.rowid
            CROSS JOIN files AS f ON f.blob = text.rowid
            WHERE text MATCH ? AND (\(condition))
            """, arguments: [expression])
      } else {
        let list = wanted.count <= Self.listedClones ? wanted.map(String.init).joined(separator: ",") : nil
        let only = list.map { "f.clone IN (\($0))" } ?? "1"
        rows = try Row.fetchCursor(
          database,
          sql: """
            SELECT \(Candidate.columns) FROM files AS f LEFT JOIN blobs AS b ON b.id = f.blob
            WHERE \(only) AND (\(condition))
            """)
      }
      while let row = try rows.next() {
        guard let clone = Int64.fromDatabaseValue(row[3]), wanted.contains(clone) else { continue }
        body(try Candidate(row))
      }
      guard let expression, let name else { return trees }
      let pattern = "%" + name.replacing(/[!%_]/) { "!" + $0.output } + "%"
      let named = try Row.fetchCursor(
        database,
        sql: """
          SELECT \(Candidate.columns) FROM files AS f LEFT JOIN blobs AS b ON b.id = f.blob
          WHERE f.path LIKE ?1 ESCAPE '!' AND (\(condition))
            AND f.blob NOT IN (SELECT rowid FROM text WHERE text MATCH ?2)
          """, arguments: [pattern, expression])
      while let row = try named.next() {
        guard let clone = Int64.fromDatabaseValue(row[3]), wanted.contains(clone) else { continue }
        body(try Candidate(row))
      }
      return trees
    }
  }

  /// With more clones than this, all files are read and filtered afterwards.
  private static let listedClones = 200

  /// The files of some trees that are too long to be searched.
  ///
  /// - Parameter trees: The numbers of the trees.
  package func longFiles(of trees: Set<Int64>) throws(StoreError) -> [Candidate] {
    try database.read(absent: []) { database in
      let rows = try Row.map(
        database,
        """
        SELECT \(Candidate.columns) FROM blobs AS b JOIN files AS f ON f.blob = b.id
        WHERE b.state = \(State.tooLarge.rawValue)
        """
      ) { try Candidate($0) }
      return rows.filter { trees.contains($0.clone) }
    }
  }

  /// The files of some trees whose text is that of the file on disk.
  ///
  /// - Parameter trees: The numbers of the trees.
  package func convertedFiles(of trees: Set<Int64>) throws(StoreError) -> [Candidate] {
    try database.read(absent: []) { database in
      try Row.map(
        database,
        """
        SELECT \(Candidate.columns) FROM files AS f JOIN blobs AS b ON b.id = f.blob
        WHERE f.flags & 512 AND f.clone IN (?)
        """, in: Array(trees)
      ) { try Candidate($0) }
    }
  }

  /// The contents of the index in numbers; `nil` if there is no index.
  package func usage() throws(StoreError) -> Usage? {
    try database.read(absent: nil) { database in
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT (SELECT count(*) FROM trees) AS clones, (SELECT max(indexed_at) FROM trees) AS indexed_at,
            count(*) AS blobs, coalesce(sum(CASE WHEN state = 0 THEN bytes ELSE 0 END), 0) AS text_bytes,
            coalesce(sum(NOT EXISTS (SELECT 1 FROM files WHERE files.blob = blobs.id)
              AND NOT EXISTS (SELECT 1 FROM worktree_blobs AS kept WHERE kept.blob = blobs.id)), 0) AS unused
          FROM blobs
          """)
      guard let row else { return nil }
      return Usage(
        clones: try row.required("clones"), blobs: try row.required("blobs"),
        unused: try row.required("unused"), textBytes: try row.required("text_bytes"),
        indexedAt: try row.optional("indexed_at").map { Date(timeIntervalSince1970: $0) })
    }
  }
}

extension CodeIndex.Candidate {
  /// The columns that `init(_:)` reads, of the files `f` and the blobs `b`.
  fileprivate static let columns = "f.blob, b.oid, b.bytes, f.clone, f.path, f.language, f.flags, f.stamp"

  fileprivate init(_ row: Row) throws {
    guard let number = Int64.fromDatabaseValue(row[0]), let blob = Data.fromDatabaseValue(row[1]),
      let bytes = Int.fromDatabaseValue(row[2]), let clone = Int64.fromDatabaseValue(row[3]),
      let path = String.fromDatabaseValue(row[4]), let flags = Int.fromDatabaseValue(row[6])
    else { throw Row.damage("files") }
    self.init(
      number: number, blob: blob, bytes: bytes, clone: clone, path: path,
      language: String.fromDatabaseValue(row[5]), flags: flags, stamp: Int64.fromDatabaseValue(row[7]))
  }
}

extension CodeIndex.Tree {
  init(_ row: Row) throws {
    path = try row.required("path")
    tree = try row.required("tree")
    stamp = try row.required("stamp")
    commit = try row.required("commit_id")
    branch = try row.optional("branch")
    committedAt = try row.required("committed_at")
    isPublished = try row.required("published")
    files = try row.count("files")
    binary = try row.count("binary_files")
    tooLarge = try row.count("large_files")
    missing = try row.count("missing_files")
    number = try row.required("clone")
    guard number > 0 else { throw Row.damage("clone") }
  }
}
