import ForageFoundation
import GRDB

/// Damage that no search notices: changed values of rows, in what a search does not read.
extension CodeIndex {
  /// The name of the setting with the checksum of the content, which is there from `seal` to the next change.
  private static let content = "content"

  /// The rows that the checksum is of. Those of trees change more often; a search compares them with the clones.
  private static let rows = [
    "SELECT id, oid, bytes, state FROM blobs ORDER BY id",
    "SELECT blob, clone, path, language, flags FROM files ORDER BY id",
    // A row for each is too slow. The remainders keep the sum in 64 bits.
    "SELECT count(*), sum(name * blob % 2147483647) FROM definitions",
    "SELECT id, block FROM text_data ORDER BY id",
    "SELECT segid, term, pgno FROM text_idx ORDER BY segid, term",
  ]

  /// Checks the whole index: the structure of the file, and the content by its checksum or, if it has changed since that
  /// was noted, the structure of the texts. It takes some 10 ms a megabyte.
  ///
  /// - Returns: Whether no damage was found; true if there is no index.
  package func isSound() throws(StoreError) -> Bool {
    let known: Bool? = try database.read(absent: true) { database in
      try Self.falseIfDamaged {
        try Self.check(database, countsBlobs: true)
        guard try String.fetchOne(database, sql: "PRAGMA integrity_check(1)") == "ok" else { return false }
        return try Self.noted(database).map { try Self.checksum(database) == $0 }
      }
    }
    if let known { return known }
    // FTS5 checks itself by a statement that writes; an index that cannot be written is not checked.
    let result = try? database.write { database in
      try Self.falseIfDamaged {
        try database.execute(sql: "INSERT INTO text (text) VALUES ('integrity-check')")
        return true
      }
    }
    return result.flatMap { $0 } ?? true
  }

  /// False where an error means damage, so that the index is not replaced by asking.
  private static func falseIfDamaged(_ body: () throws -> Bool?) throws -> Bool? {
    do {
      return try body()
    } catch let error as DatabaseError where error.meansDamage {
      return false
    }
  }

  /// Notes the checksum of the content, if it has changed since.
  package func seal() throws(StoreError) {
    try database.write(absent: ()) { database in
      guard try Self.noted(database) == nil else { return }
      try database.execute(
        sql: "INSERT INTO setting (name, value) VALUES (?, ?)",
        arguments: [Self.content, try Self.checksum(database)])
    }
  }

  /// Deletes a damaged index; an empty one takes its place.
  package func discard() throws(StoreError) {
    guard isThere else { return }
    var isDamaged = true
    try database.write { _ in
      guard isDamaged else { return }
      isDamaged = false
      throw DatabaseError(resultCode: .SQLITE_CORRUPT)
    }
  }

  /// Forgets the checksum; the content is about to change.
  static func unseal(_ database: Database) throws {
    try database.execute(sql: "DELETE FROM setting WHERE name = ?", arguments: [content])
  }

  private static func noted(_ database: Database) throws -> Int64? {
    try Int64.fetchOne(database, sql: "SELECT value FROM setting WHERE name = ?", arguments: [content])
  }

  private static func checksum(_ database: Database) throws -> Int64 {
    var sum = Checksum()
    for query in rows {
      let rows = try Row.fetchCursor(database, sql: query)
      let columns = rows.columnCount
      while let row = try rows.next() {
        for column in 0..<columns {
          switch (row[column] as DatabaseValue).storage {
          case .null: sum.add(1)
          case .int64(let number): sum.add(UInt64(bitPattern: number))
          case .double(let number): sum.add(number.bitPattern)
          case .string(var text): text.withUTF8 { sum.add(UnsafeRawBufferPointer($0)) }
          case .blob(let data): data.withUnsafeBytes { sum.add($0) }
          }
        }
      }
    }
    return Int64(bitPattern: sum.value)
  }
}

/// A sum by which accidental changes are noticed: FNV-1a with words instead of bytes.
private struct Checksum {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ word: UInt64) {
    value = (value ^ word) &* 0x100_0000_01B3
    // The upper bits would not reach the lower ones.
    value ^= value >> 32
  }

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    add(UInt64(bytes.count))
    var place = 0
    while place + 8 <= bytes.count {
      add(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      place += 8
    }
    for byte in bytes[place...] { add(UInt64(byte)) }
  }
}
