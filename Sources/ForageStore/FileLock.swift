import ForagePlatform
import GRDB

/// Locks out other processes while a file is changed or a database is created or replaced, which SQLite's own
/// locks do not cover.
///
/// A process that opens a database while it is being replaced could delete the new file's journal. Several
/// first starts would create the same tables.
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
    let descriptor = try opened(path)
    defer { close(descriptor) }
    if waitForLock(descriptor, isExclusive: isExclusive, waiting: seconds) { return try body() }
    // Unlike SQLITE_BUSY, this error is not retried.
    throw DatabaseError(resultCode: .SQLITE_LOCKED)
  }

  /// Does work that is needed once, by one process; all others that find it undone wait for that one
  /// together, and not in turn.
  ///
  /// - Parameters:
  ///   - seconds: How long another process is waited for.
  ///   - isDone: Whether there is nothing to do.
  ///   - work: Does it, while no other process holds the lock.
  /// - Throws: `DatabaseError` with `SQLITE_LOCKED` if another process does not end in time, and what the
  ///   bodies throw.
  static func once(
    _ path: String, waiting seconds: Double, isDone: () throws -> Bool, _ work: () throws -> Void
  ) throws {
    let end = ContinuousClock.now + .seconds(seconds)
    while try !isDone() {
      let descriptor = try opened(path)
      defer { close(descriptor) }
      if waitForLock(descriptor, isExclusive: true, waiting: 0) {
        if try !isDone() { try work() }
        return
      }
      let isFree = waitForLock(descriptor, isExclusive: false, waiting: seconds)
      guard isFree, ContinuousClock.now < end else { throw DatabaseError(resultCode: .SQLITE_LOCKED) }
    }
  }

  private static func opened(_ path: String) throws -> Int32 {
    let descriptor = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw DatabaseError(resultCode: .SQLITE_CANTOPEN) }
    return descriptor
  }
}
