import GRDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The file of the cache, as the file system sees it.
///
/// A descriptor of the database file itself is never opened here: closing one would drop the locks that
/// SQLite holds on it in this process.
enum CacheFile {
  /// What the user alone may do with the files.
  private static let mode: mode_t = 0o600
  /// The permission bits of everybody else.
  private static let othersMode: mode_t = 0o077
  /// What SQLite keeps beside a database in WAL mode.
  private static let companions = ["-wal", "-shm"]

  /// Which file it is, whatever its name.
  struct Identity: Equatable, Sendable {
    let device: UInt64
    let node: UInt64
  }

  /// Which file is at a path; `nil` when there is none.
  static func identity(_ path: String) -> Identity? {
    status(path).map {
      Identity(device: UInt64(truncatingIfNeeded: $0.st_dev), node: UInt64(truncatingIfNeeded: $0.st_ino))
    }
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  /// Makes an empty file that only the user may read where there is none; SQLite gives its companions the
  /// same mode.
  ///
  /// A failure is not told here: SQLite then makes the file, or says why it cannot.
  static func make(_ path: String) {
    guard status(path) == nil else { return }
    let temporary = path + "." + UUID().uuidString
    let descriptor = open(temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode)
    guard descriptor >= 0 else { return }
    close(descriptor)
    // Unlike a rename, a link never takes the place of what another process made meanwhile.
    _ = link(temporary, path)
    unlink(temporary)
  }

  /// Takes away what others may do with a file that was made elsewhere, and with its companions.
  static func protect(_ path: String) {
    guard let status = status(path), status.st_mode & othersMode != 0 else { return }
    for name in [path] + companions.map({ path + $0 }) { _ = chmod(name, mode) }
  }

  /// Removes a database. The file itself goes last, so that nobody makes a new one to which the companions
  /// would then belong.
  ///
  /// - Throws: `DatabaseError` when it stays.
  static func remove(_ path: String) throws {
    for name in companions.map({ path + $0 }) + [path] where unlink(name) != 0 && errno != ENOENT {
      throw DatabaseError(resultCode: .SQLITE_READONLY, message: "\(name) cannot be removed")
    }
  }
}
