import ForagePlatform

/// File metadata by which an unchanged file is recognised without reading it.
///
/// The change time (`ctime`) is set by the system only, so a program cannot change a file and keep its stamp.
/// A change within the clock's resolution would go unnoticed, so a stamp is used only for a file that has not
/// changed for a while, as in Git's index.
struct FileStamp: Hashable {
  /// The seconds for which a file must be unchanged; the coarsest file systems have a resolution of two
  /// seconds.
  private static let minimumAge = 3

  /// Device, inode, size, and the modification and change times.
  let text: String
  /// Whether the file has been unchanged for long enough.
  let isUnchanged: Bool

  /// Creates the stamp of a file.
  ///
  /// - Parameters:
  ///   - status: The file's status.
  ///   - now: Seconds since 1970.
  init(_ status: stat, now: Int) {
    let (changed, entry) = (status.modified, status.changed)
    text =
      "\(status.st_dev):\(status.st_ino):\(status.st_size):\(changed.tv_sec).\(changed.tv_nsec):"
      + "\(entry.tv_sec).\(entry.tv_nsec)"
    isUnchanged = Int(entry.tv_sec) + Self.minimumAge <= now
  }
}
