import ForageFoundation
import ForagePlatform
import GRDB

/// File operations on databases.
///
/// Never open a descriptor of the database file itself here: closing it would release the locks that SQLite
/// holds in this process.
enum CacheFile {
  /// The permissions of the files: accessible only to the user.
  private static let mode: mode_t = 0o600
  /// The permission bits of group and others.
  private static let othersMode: mode_t = 0o077
  /// The files that SQLite keeps next to a database in WAL mode.
  private static let companions = ["-wal", "-shm"]

  /// The identity of a file, independent of its name.
  struct Identity: Equatable, Sendable {
    let device: UInt64
    let node: UInt64
  }

  /// The identity of the file at a path; `nil` if there is none.
  static func identity(_ path: String) -> Identity? {
    status(path).map {
      Identity(device: UInt64(truncatingIfNeeded: $0.st_dev), node: UInt64(truncatingIfNeeded: $0.st_ino))
    }
  }

  /// Whether a file has content. The first process that opens a database of ours enables WAL mode, which
  /// writes its first page, and for which SQLite waits for nobody.
  static func hasContent(_ path: String) -> Bool { status(path).map { $0.st_size > 0 } ?? false }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  /// Creates an empty file that only the user can read, unless it exists. SQLite gives its companion files
  /// the same mode.
  ///
  /// Failures are ignored: SQLite then creates the file, or reports the error.
  static func make(_ path: String) {
    guard status(path) == nil else { return }
    let temporary = path + "." + UUID().uuidString
    let descriptor = open(temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode)
    guard descriptor >= 0 else { return }
    close(descriptor)
    // Unlike a rename, a link never replaces a file that another process created meanwhile.
    let isLinked = link(temporary, path) == 0
    unlink(temporary)
    // SQLite creates what a symbolic link names, and would let others read it.
    guard !isLinked, status(path) == nil else { return }
    let target = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, mode)
    if target >= 0 { close(target) }
  }

  /// Removes the permissions of group and others from an existing file and its companions.
  static func protect(_ path: String) {
    guard let status = status(path), status.st_mode & othersMode != 0 else { return }
    for name in [path] + companions.map({ path + $0 }) { _ = chmod(name, mode) }
  }

  /// Removes a database. The main file is removed last, so that no other process creates a new one next to
  /// old companions.
  ///
  /// - Throws: `DatabaseError` if it cannot be removed.
  static func remove(_ path: String) throws {
    for name in companions.map({ path + $0 }) + [path] where unlink(name) != 0 && errno != ENOENT {
      throw DatabaseError(resultCode: .SQLITE_READONLY, message: "\(name) cannot be removed")
    }
  }
}
