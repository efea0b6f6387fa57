import ForageFoundation
import GRDB

extension CodeIndex {
  /// Checks the whole index, in some 10 ms a megabyte: the structure of the file, and that of the texts.
  ///
  /// - Returns: Whether no damage was found; true if there is no index.
  package func isSound() throws(StoreError) -> Bool {
    let isWhole = try database.read(absent: true) { database in
      do {
        return try String.fetchOne(database, sql: "PRAGMA integrity_check(1)") == "ok"
      } catch let error as DatabaseError where error.meansDamage {
        return false
      }
    }
    guard isWhole, isThere else { return isWhole }
    // FTS5 checks itself by a statement that writes; an index that cannot be written is not checked.
    let areTextsWhole = try? database.write { database in
      do {
        try database.execute(sql: "INSERT INTO text (text) VALUES ('integrity-check')")
        return true
      } catch let error as DatabaseError where error.meansDamage {
        return false
      }
    }
    return areTextsWhole ?? true
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
}
