package import ForageFoundation
import GRDB

/// The index of the code in clones: the trigrams of each text, by blob, the files of each clone's `HEAD`, and
/// snapshots of work trees.
///
/// It can be deleted at any time. All it answers are candidates: every one is verified against the bytes.
package final class CodeIndex: Sendable {
  /// Why the content of a blob is not searched.
  package enum State: Int, Sendable {
    case text = 0
    case binary = 1
    case tooLarge = 2
  }

  package struct Tree: Sendable, Hashable {
    package var path: String
    /// The id of the tree, 20 bytes.
    package var tree: Data
    /// Identifies the state of the clone, to detect changes.
    package var stamp: String
    /// The commit of the tree, 40 hexadecimal digits.
    package var commit: String
    /// The branch; `nil` if `HEAD` is detached.
    package var branch: String?
    /// The committer date, in seconds since 1970.
    package var committedAt: Int
    /// Whether the forge was known to have the commit when the tree was indexed, of which it is taken to keep
    /// it.
    package var isPublished = false
    /// The number of files that are searched.
    package var files = 0
    /// The number of files that are not searched because they are binary, or pointers to files that are
    /// elsewhere.
    package var binary = 0
    /// The number of files that are not searched because of their size.
    package var tooLarge = 0
    /// The number of files whose blob is missing or damaged, and of such folders.
    package var missing = 0
    /// The number of the clone in the index; 0 before it is stored.
    package var number: Int64 = 0

    package init(
      path: String, tree: Data, stamp: String, commit: String, branch: String?, committedAt: Int
    ) {
      self.path = path
      self.tree = tree
      self.stamp = stamp
      self.commit = commit
      self.branch = branch
      self.committedAt = committedAt
    }

    /// The number of rows that the index has for the clone.
    var rows: Int { files + binary + tooLarge }
  }

  package struct NewBlob: Sendable {
    /// The id, 20 bytes.
    package var id: Data
    package var bytes: Int
    package var state: State
    /// The terms of the text, of ASCII letters and digits, separated by spaces. A blob that is no text has
    /// those of what rg may search of it; no search for code finds it.
    package var terms: Data

    package init(id: Data, bytes: Int, state: State, terms: Data = Data()) {
      self.id = id
      self.bytes = bytes
      self.state = state
      self.terms = terms
    }
  }

  package struct File: Sendable, Hashable {
    package var blob: Data
    package var path: String
    package var language: String?
    /// Bits that describe the file; the caller defines them.
    package var flags: Int
    /// A number by which the caller recognises the unchanged file in the work tree.
    package var stamp: Int64?

    package init(blob: Data, path: String, language: String?, flags: Int, stamp: Int64? = nil) {
      self.blob = blob
      self.path = path
      self.language = language
      self.flags = flags
      self.stamp = stamp
    }
  }

  /// The bit of `File.flags` of a file whose text is that of the file on disk.
  package static let convertedFlag = 1 << 9

  private static let schema = DisposableSchema(
    // "Fcod"
    applicationID: 0x4663_6F64, version: 12,
    statements: """
      CREATE TABLE trees (
        clone INTEGER PRIMARY KEY,
        path TEXT UNIQUE NOT NULL,
        tree BLOB NOT NULL,
        stamp TEXT NOT NULL,
        commit_id TEXT NOT NULL,
        branch TEXT,
        committed_at INTEGER NOT NULL,
        published INTEGER NOT NULL,
        files INTEGER NOT NULL,
        binary_files INTEGER NOT NULL,
        large_files INTEGER NOT NULL,
        missing_files INTEGER NOT NULL,
        indexed_at REAL NOT NULL
      );
      CREATE TABLE blobs (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        oid BLOB UNIQUE NOT NULL,
        bytes INTEGER NOT NULL,
        state INTEGER NOT NULL
      );
      CREATE INDEX long_blobs ON blobs (state) WHERE state = 2;
      CREATE TABLE files (
        id INTEGER PRIMARY KEY,
        blob INTEGER NOT NULL,
        clone INTEGER NOT NULL,
        path TEXT NOT NULL,
        language TEXT,
        flags INTEGER NOT NULL,
        stamp INTEGER
      );
      CREATE INDEX files_by_blob ON files (blob);
      CREATE INDEX files_by_clone ON files (clone);
      CREATE INDEX converted_files ON files (clone) WHERE flags & 512;
      CREATE TABLE worktrees (path TEXT PRIMARY KEY NOT NULL, snapshot BLOB NOT NULL);
      -- The texts that a snapshot needs and the tree of its clone may lack.
      CREATE TABLE worktree_blobs (path TEXT NOT NULL, blob INTEGER NOT NULL, PRIMARY KEY (path, blob)) WITHOUT ROWID;
      CREATE INDEX worktree_blobs_by_blob ON worktree_blobs (blob);
      CREATE TABLE setting (name TEXT PRIMARY KEY NOT NULL, value INTEGER NOT NULL) WITHOUT ROWID;
      CREATE VIRTUAL TABLE text USING fts5(terms, content='', detail=none, columnsize=0, tokenize='ascii');
      -- Parts are merged less often: 100 clones take 42 instead of 48 seconds, and searches as long as before.
      INSERT INTO text (text, rank) VALUES ('automerge', 16);
      """)

  package let path: String
  let database: DisposableDatabase

  /// Creates an index; no file is accessed.
  ///
  /// - Parameters:
  ///   - path: The database file; its folder is created on first write.
  ///   - isForSearch: Whether it is for a search, which waits for no other process that writes it, and goes
  ///     on without it if another process keeps it from being read.
  package init(path: String, isForSearch: Bool = false) {
    self.path = path
    database = DisposableDatabase(.codeIndex(path), Self.schema, isForSearch: isForSearch)
  }

  package var isThere: Bool { database.isThere }
}

extension DatabasePlace {
  static func codeIndex(_ path: String) -> DatabasePlace {
    DatabasePlace(
      path: path, noun: "code index", variable: "XDG_CACHE_HOME",
      damageHint: "delete it, then index the clones again")
  }
}
