import ForagePlatform
import GRDB

/// Locks out other processes while a file is changed or a database is created or replaced, which SQLite's own locks do
/// not cover.
///
/// A process that opens a database while it is being replaced could delete the new file's journal. Several first
/// starts would create the same tables.
enum FileLock {
  /// The permissions of the file: accessible only to the user.
  private static let mode: mode_t = 0o600

  /// Runs a body while no other process holds the lock of a file; unless `isExclusive`, shared locks are
  /// allowed.
  ///
  /// - Parameter seconds: How long other processes are waited for.
  /// - Throws: `DatabaseError` if the lock is not available, and what the body throws.
  static func hold<Value>(
    _ path: String, isExclusive: Bool, waiting seconds: Double, _ body: () throws -> Value
  ) throws -> Value {
    let descriptor = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw DatabaseError(resultCode: .SQLITE_CANTOPEN) }
    defer { close(descriptor) }
    if waitForLock(descriptor, isExclusive: isExclusive, waiting: seconds) { return try body() }
    // Unlike SQLITE_BUSY, this error is not retried.
    throw DatabaseError(resultCode: .SQLITE_LOCKED)
  }
}
