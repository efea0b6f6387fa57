import ForageFoundation
import GRDB

package struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A sentence without a full stop that says what happened.
  package var message: String
  package var hint: String
  /// Whether only writing failed, so that reading may still work.
  package var canBeRead = false
  /// Whether another process held the database for the whole wait, so that another attempt may succeed.
  package var isBusy = false

  package init(_ message: String, hint: String, canBeRead: Bool = false, isBusy: Bool = false) {
    self.canBeRead = canBeRead
    self.isBusy = isBusy
    self.message = message
    self.hint = hint
  }

  package var description: String { message }

  static func from(_ error: any Error, _ place: DatabasePlace) -> StoreError {
    if let error = error as? StoreError { return error }
    if error is RowDecodingError { return from(Row.damage("a column"), place) }
    let named = "the \(place.noun) \(place.path)"
    guard let error = error as? DatabaseError else {
      return StoreError(
        "the folder of \(named) cannot be created or used",
        hint: "check its permissions, or set \(place.variable) to another folder")
    }
    if isFolder(place.path) {
      return StoreError(
        "\(named) is a folder instead of a file",
        hint: "move the folder away, or set \(place.variable) to another folder")
    }
    switch error.resultCode {
    case .SQLITE_FULL:
      return StoreError(
        "the disk is full; nothing was stored in \(place.path)", hint: "free some space and try again",
        canBeRead: true)
    case .SQLITE_IOERR where !FileManager.default.fileExists(atPath: place.path):
      return StoreError("\(named) was deleted while it was in use", hint: "run the command again")
    case .SQLITE_IOERR where error.extendedResultCode != .SQLITE_IOERR_READ:
      // SQLite reports a full disk and a failing one with the same code, except when writing to the database
      // itself.
      return StoreError(
        "the disk is full or failing; nothing was stored in \(place.path)",
        hint: "free some space and try again; if there is enough, check the disk", canBeRead: true)
    case .SQLITE_IOERR:
      return StoreError("\(named) cannot be read: the disk is failing", hint: "check the disk")
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN, .SQLITE_AUTH: return unwritable(place)
    case .SQLITE_CORRUPT, .SQLITE_NOTADB:
      return StoreError(
        "\(named) is damaged",
        hint: place.damageHint)
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      return StoreError(
        "\(named) is in use by another process", hint: "try again in a moment", isBusy: true)
    default:
      return StoreError(
        "\(named) failed: \(error.message ?? "SQLite error \(error.resultCode.rawValue)")",
        hint: "check the disk, or move \(place.path) away")
    }
  }

  /// The error for a read-only database.
  static func unwritable(_ place: DatabasePlace) -> StoreError {
    StoreError(
      "the \(place.noun) \(place.path) cannot be written",
      hint: "check the permissions of it and of its folder, or set \(place.variable) to another folder",
      canBeRead: true)
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
  }
}
