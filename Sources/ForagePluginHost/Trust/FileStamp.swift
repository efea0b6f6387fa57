#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the system tells of a file without reading it, by which a file that has not changed is recognised.
///
/// The time of the last change of a file's entry (`ctime`) is set by the system alone, so no program can
/// change a file and keep its stamp. A change within the clock's resolution could: a stamp is taken only of a
/// file that has not changed for a while, as Git does with its index.
struct FileStamp: Hashable {
  /// Seconds for which a file must have been left alone: file systems with the coarsest clocks count in twos.
  private static let settling = 3

  /// Device, number, size and the times of the last changes of contents and of entry.
  let text: String
  /// Whether the file has been left alone for long enough.
  let isSettled: Bool

  /// Reads the stamp of a file.
  ///
  /// - Parameter now: Seconds since 1970.
  init(_ status: stat, now: Int) {
    #if canImport(Darwin)
      let (changed, entry) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (changed, entry) = (status.st_mtim, status.st_ctim)
    #endif
    text =
      "\(status.st_dev):\(status.st_ino):\(status.st_size):\(changed.tv_sec).\(changed.tv_nsec):"
      + "\(entry.tv_sec).\(entry.tv_nsec)"
    isSettled = Int(entry.tv_sec) + Self.settling <= now
  }
}
