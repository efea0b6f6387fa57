import GRDB

/// Why the store could not be used.
package struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
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

  /// What happened, for those who only tell it on.
  package var description: String { message }

  /// The error for what the database says of its file.
  static func from(_ error: any Error, _ place: DatabasePlace) -> StoreError {
    if let error = error as? StoreError { return error }
    let named = "the \(place.noun) \(place.path)"
    guard let error = error as? DatabaseError else {
      return StoreError(
        "the folder of \(named) cannot be made or used",
        hint: "check its permissions, or set \(place.variable) to another folder")
    }
    switch error.resultCode {
    case .SQLITE_FULL:
      return StoreError(
        "the disk is full, so nothing was stored in \(place.path)", hint: "make room and try again",
        canBeRead: true)
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN, .SQLITE_AUTH:
      return StoreError(
        "\(named) cannot be written",
        hint: "check its permissions, or set \(place.variable) to another folder", canBeRead: true)
    case .SQLITE_CORRUPT, .SQLITE_NOTADB:
      return StoreError(
        "\(named) is damaged",
        hint: place.damageHint)
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      return StoreError("\(named) is in use by another process", hint: "try again in a moment")
    default:
      return StoreError(
        "\(named) failed: \(error.message ?? "SQLite error \(error.resultCode.rawValue)")",
        hint: "run forage doctor")
    }
  }
}
