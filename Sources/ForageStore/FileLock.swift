import GRDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Keeps other processes away from a database while it is made or replaced, which SQLite's own locks cannot.
///
/// Who opens a file that is being replaced would take the new one's journal for its own and delete it; once open, a
/// connection does not look at the names again. And of many first starts at once each would make the same tables.
enum FileLock {
  /// What the user alone may do with the file.
  private static let mode: mode_t = 0o600
  /// How often the lock is tried; with the pause about as long as a writer is waited for.
  private static let tries = 1000
  /// Microseconds between two tries.
  private static let pause: UInt32 = 5_000

  /// Runs a body while no other process has the lock of a database, or, unless `isExclusive`, has it exclusively.
  ///
  /// - Throws: `DatabaseError` when the lock cannot be had; what the body throws.
  static func hold<Value>(_ path: String, isExclusive: Bool, _ body: () throws -> Value) throws -> Value {
    let descriptor = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw DatabaseError(resultCode: .SQLITE_CANTOPEN) }
    defer { close(descriptor) }
    for _ in 0..<tries {
      if flock(descriptor, (isExclusive ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0 { return try body() }
      // A file system without such locks; nobody else can be kept away there.
      if errno != EWOULDBLOCK && errno != EINTR { return try body() }
      usleep(pause)
    }
    // Waited for long enough: unlike SQLITE_BUSY this is not tried again.
    throw DatabaseError(resultCode: .SQLITE_LOCKED)
  }
}
