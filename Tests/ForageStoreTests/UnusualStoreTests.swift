import ForageCore
import ForageStore
import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

/// Stores that others have changed or hold, and such as can only be read.
@Suite struct UnusualStoreTests {
  private let folder: TemporaryDirectory
  private var path: String { folder.path("data/forage.db") }

  /// A store with a folder, a clone and a favourite.
  init() throws {
    folder = try TemporaryDirectory(prefix: "forage-store")
    let store = try Store(path: folder.path("data/forage.db"))
    try store.addCloneFolder("/src", isFound: false)
    let clone = CloneRecord(
      path: "/src/a", folder: "/src", relativePath: "a", fingerprint: "f", name: "a")
    try store.record(folder: "/src", changed: [clone], gone: [], at: noon)
    _ = try store.addFavorite(Favorite(id: "host/o/n", kind: "repo", title: "o/n", addedAt: noon))
  }

  private func execute(_ sql: String) throws {
    try DatabaseQueue(path: path).writeWithoutTransaction { try $0.execute(sql: sql) }
  }

  @Test func aNewerVersionIsLeftAlone() throws {
    try execute("INSERT INTO grdb_migrations VALUES ('1000 what nobody knows yet')")
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let error = #expect(throws: StoreError.self) { try Store(path: path) }
    #expect(error?.message.contains(path) == true)
    #expect(error?.hint.contains("XDG_DATA_HOME") == true && error?.canBeRead == false)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  /// A store of before the index of the texts: it is found in without one, and gets one when it may be
  /// written.
  @Test func anOlderVersion() throws {
    try execute("DROP INDEX clone_by_text; DELETE FROM grdb_migrations WHERE identifier = '4 texts'")
    let search = { (store: Store) in try store.clones(containing: ["a"]).map(\.path) }
    #expect(try search(Store(readingFrom: path)) == ["/src/a"])
    #expect(try search(Store(path: path)) == ["/src/a"])
    let indexes = try DatabaseQueue(path: path).read { try $0.indexes(on: "clone").map(\.name) }
    #expect(indexes.contains("clone_by_text"))
  }

  /// A store of before clones told where their histories begin, which cannot be written.
  @Test func aMuchOlderVersion() throws {
    try execute(
      """
      DROP INDEX clone_by_text; DROP INDEX clone_by_root; ALTER TABLE clone DROP COLUMN root_commit;
      DELETE FROM grdb_migrations WHERE identifier IN ('3 root commits', '4 texts')
      """)
    let store = try Store(readingFrom: path)
    #expect(try store.clones().map(\.path) == ["/src/a"] && store.clones().first?.rootCommit == nil)
    #expect(try store.clones(containing: ["a"]).count == 1 && store.clones(ofEntity: "host/o/a").isEmpty)
    #expect(try Store(path: path).clones().map(\.path) == ["/src/a"])
  }

  /// A store of before it had the kinds of clones: until the next scan the name tells a bare one.
  @Test func aVersionWithoutKindsOfClones() throws {
    try execute(
      """
      ALTER TABLE clone DROP COLUMN is_bare; ALTER TABLE clone DROP COLUMN is_incomplete;
      UPDATE clone SET path = '/src/a.git';
      DELETE FROM grdb_migrations WHERE identifier = '6 kinds of clones'
      """)
    #expect(try Store(readingFrom: path).clones().map(\.isBare) == [false])
    let clones = try Store(path: path).clones()
    #expect(clones.map(\.isBare) == [true] && clones.map(\.fingerprint) == [""])
  }

  /// What a search reads of the index must be what the table holds.
  @Test func anIndexThatLeadsAstray() throws {
    #expect(try Store(path: path).passesIntegrityCheck())
    try execute(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = 'CREATE INDEX clone_by_text ON clone (fingerprint)' WHERE name = 'clone_by_text';
      """)
    #expect(try !Store(path: path).passesIntegrityCheck())
  }

  /// A row with a value that was never written is left out and reported; the others are read, and the store
  /// is not damaged.
  @Test(
    arguments: [
      ("clone SET name = NULL", .clone), ("clone SET folder = x'00ff'", .clone),
      ("clone SET size_bytes = 'big'", .clone), ("clone SET path = x'00ff'", .clone),
      ("clone_folder SET path = x'00ff'", .folder), ("clone_folder SET is_found = NULL", .folder),
      ("clone_folder SET scanned_at = 'noon'", .folder), ("favorite SET id = NULL", .favorite),
      ("favorite SET added_at = 'noon'", .favorite),
    ] as [(String, StoredEntity)])
  func valuesThatWereNeverWritten(_ change: String, _ entity: StoredEntity) throws {
    let usual = try Store(path: path)
    try usual.addCloneFolder("/größe", isFound: false)
    let clone = CloneRecord(
      path: "/größe/b", folder: "/größe", relativePath: "b", fingerprint: "f", name: "b")
    try usual.record(folder: "/größe", changed: [clone], gone: [], at: noon)
    _ = try usual.addFavorite(Favorite(id: "host/o/größe", kind: "repo", title: "o/größe", addedAt: noon))
    // The same tables without their conditions.
    for table in ["clone", "clone_folder", "favorite"] {
      try execute("CREATE TABLE copy AS SELECT * FROM \(table); DROP TABLE \(table)")
      try execute("ALTER TABLE copy RENAME TO \(table)")
    }
    try execute("UPDATE \(change) WHERE rowid = 1")
    let reported = Mutex<Set<StoredEntity>>([])
    let store = try Store(path: path, onUnreadable: { entity in _ = reported.withLock { $0.insert(entity) } })
    let counts = try [
      StoredEntity.folder: store.cloneFolders().count, .clone: store.clones().count,
      .favorite: store.favorites().count,
    ]
    for (kind, count) in counts { #expect(count == (kind == entity ? 1 : 2), "\(kind)") }
    #expect(reported.withLock { $0 } == [entity])
    #expect(try store.hasClones() && !store.favoriteIDs().isEmpty && !store.clonePaths().isEmpty)
  }

  /// A size that none can be is the nearest one.
  @Test func sizesAreTheNearest() throws {
    for (value, size) in [("-1", 0), ("1e300", .max), ("7.5", 7)] {
      try execute("UPDATE clone SET size_bytes = \(value)")
      #expect(try Store(path: path).clones().map(\.sizeBytes) == [size], "\(value)")
    }
  }

  /// Any number in each column of each table: the store is read.
  @Test func hostileNumbers() throws {
    let columns = try DatabaseQueue(path: path).read { database in
      try ["clone", "clone_folder", "favorite"].flatMap { table in
        try database.columns(in: table).map { (table, $0.name) }
      }
    }
    // The same tables without their conditions.
    for table in ["clone", "clone_folder", "favorite"] {
      try execute("CREATE TABLE copy AS SELECT * FROM \(table); DROP TABLE \(table)")
      try execute("ALTER TABLE copy RENAME TO \(table)")
    }
    for (table, column) in columns {
      try execute("CREATE TABLE usual AS SELECT * FROM \(table)")
      for value in HostileNumbers.values {
        try execute("UPDATE \(table) SET \(column) = \(value.replacing("\"", with: "'"))")
        let store = try Store(path: path)
        for folder in try store.cloneFolders() { _ = HumanFormat.age(folder.scannedAt ?? noon, now: noon) }
        for clone in try store.clones() {
          _ = HumanFormat.age(clone.lastCommitAt ?? noon, now: noon)
          #expect((clone.sizeBytes ?? 0) >= 0, "\(column): \(value)")
        }
        for favorite in try store.favorites() { _ = HumanFormat.age(favorite.addedAt, now: noon) }
      }
      try execute("DROP TABLE \(table); ALTER TABLE usual RENAME TO \(table)")
    }
  }

  /// Who only reads does not wait for somebody who holds the store for writing.
  @Test func writersHoldUpNoReaders() throws {
    try DatabaseQueue(path: path).writeWithoutTransaction { database in
      try database.execute(sql: "BEGIN IMMEDIATE; DELETE FROM favorite")
      let store = try Store(path: path)
      #expect(try store.favoriteIDs() == ["host/o/n"])
      #expect(try store.clones().count == 1)
      try database.execute(sql: "ROLLBACK")
    }
  }

  @Test func readingWritesNothing() throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    do {
      let store = try Store(path: path)
      #expect(try store.clones().count == 1 && store.isBlank() == false)
      let log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
      #expect(log.isEmpty)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func writingIsRefusedWithTheReason() throws {
    let reason = StoreError("the disk is full", hint: "make room")
    let store = try Store(readingFrom: path, refusal: reason)
    #expect(try store.favoriteIDs() == ["host/o/n"])
    #expect(throws: reason) { try store.removeFavorite("host/o/n") }
    #expect(throws: reason) { try store.addCloneFolder("/other", isFound: false) }
    #expect(try Store(path: path).favoriteIDs() == ["host/o/n"])
  }

  @Test func anEmptyFile() throws {
    try folder.write("empty.db", "")
    #expect(try Store(readingFrom: folder.path("empty.db")).isBlank())
  }

  @Test func aFolderInItsPlace() throws {
    try folder.makeDirectory("folder.db")
    let error = #expect(throws: StoreError.self) { try Store(path: folder.path("folder.db")) }
    #expect(error?.message.contains(folder.path("folder.db")) == true)
  }
}
