import GRDB

/// Why the store could not be used.
package struct StoreError: Error, Sendable, Hashable {
  /// What happened, a sentence without a full stop.
  package var message: String
  /// What to do about it.
  package var hint: String
  /// Whether only writing failed, so that what is there may still be read.
  package var canBeRead = false

  package init(_ message: String, hint: String, canBeRead: Bool = false) {
    self.canBeRead = canBeRead
    self.message = message
    self.hint = hint
  }

  /// The error for what the database says of the file at `path`.
  static func from(_ error: any Error, path: String) -> StoreError {
    guard let error = error as? DatabaseError else {
      return StoreError(
        "the folder of the store \(path) cannot be made or used",
        hint: "check its permissions, or set XDG_DATA_HOME to another folder")
    }
    switch error.resultCode {
    case .SQLITE_FULL:
      return StoreError(
        "the disk is full, so nothing was stored in \(path)", hint: "make room and try again", canBeRead: true
      )
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN, .SQLITE_AUTH:
      return StoreError(
        "the store \(path) cannot be written",
        hint: "check its permissions, or set XDG_DATA_HOME to another folder", canBeRead: true)
    case .SQLITE_CORRUPT, .SQLITE_NOTADB:
      return StoreError(
        "the store \(path) is damaged",
        hint: "move it away; clone folders must then be added again with: forage clones add DIR")
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      return StoreError("the store \(path) is in use by another process", hint: "try again in a moment")
    default:
      return StoreError(
        "the store \(path) failed: \(error.message ?? "SQLite error \(error.resultCode.rawValue)")",
        hint: "run forage doctor")
    }
  }
}
