#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How an entry of the index is compared with what the file system says of its file, as git does.
struct StatRules: Sendable {
  /// What a comparison told.
  enum Verdict {
    /// The file has not been touched since it was put in the index.
    case clean
    /// Only its content tells.
    case doubtful
    /// It differs for certain.
    case changed
  }

  /// Whether the time of the last change of attributes counts (`core.trustCtime`).
  var trustsChangeTime = true
  /// Whether owner, inode and nanoseconds count (`core.checkStat`).
  var checksAll = true
  /// Whether the file system knows executable files (`core.fileMode`).
  var trustsMode = true
  /// Whether the file system knows symbolic links (`core.symlinks`).
  var hasSymlinks = true
  /// Whether the file system takes upper and lower case for the same (`core.ignoreCase`).
  var foldsCase = false
  /// Whether files that a sparse checkout leaves out count when they are there all the same.
  var seesSkipped = false
  /// When the index was written.
  var indexTime: (seconds: Int64, nanoseconds: Int64) = (0, 0)

  /// The rules of a configuration.
  init(_ config: GitConfig, _ index: IndexFile) {
    trustsChangeTime = config.bool("core.trustctime") ?? true
    checksAll = config.string("core.checkstat")?.lowercased() != "minimal"
    trustsMode = config.bool("core.filemode") ?? true
    hasSymlinks = config.bool("core.symlinks") ?? true
    foldsCase = config.bool("core.ignorecase") ?? false
    seesSkipped =
      config.bool("core.sparsecheckout") ?? false
      && !(config.bool("sparse.expectfilesoutsideofpatterns") ?? false)
    indexTime = index.modifiedAt
  }

  /// Compares a file or link.
  @inline(__always)
  func verdict(_ entry: Int, _ view: IndexView, _ info: borrowing stat) -> Verdict {
    let mode = view.mode(entry)
    let type = UInt32(info.st_mode) & IndexView.Mode.type
    if mode & IndexView.Mode.type == IndexView.Mode.file {
      guard type == IndexView.Mode.file else { return .changed }
      if trustsMode, (mode ^ UInt32(info.st_mode)) & 0o100 != 0 { return .changed }
    } else {
      guard type == IndexView.Mode.symlink || !hasSymlinks && type == IndexView.Mode.file else {
        return .changed
      }
    }
    let size = view.size(entry)
    if size != UInt32(truncatingIfNeeded: info.st_size) {
      // 0 says that the size was not known, or not to be trusted.
      return size == 0 ? .doubtful : .changed
    }
    let time = info.modified
    let seconds = view.modifiedSeconds(entry)
    let nanoseconds = view.modifiedNanoseconds(entry)
    guard seconds == UInt32(truncatingIfNeeded: time.tv_sec), isSame(nanoseconds, time) else {
      return .doubtful
    }
    if trustsChangeTime {
      let changed = info.changed
      guard view.changedSeconds(entry) == UInt32(truncatingIfNeeded: changed.tv_sec),
        isSame(view.changedNanoseconds(entry), changed)
      else { return .doubtful }
    }
    if checksAll {
      guard view.inode(entry) == UInt32(truncatingIfNeeded: info.st_ino),
        view.user(entry) == UInt32(truncatingIfNeeded: info.st_uid),
        view.group(entry) == UInt32(truncatingIfNeeded: info.st_gid)
      else { return .doubtful }
    }
    if size == 0, !isEmptyBlob(view.id(entry)) { return .doubtful }
    // Written in the same moment as the index or later: a change of that moment could not be seen.
    if indexTime.seconds != Int64(seconds) { return indexTime.seconds < Int64(seconds) ? .doubtful : .clean }
    return nanoseconds == 0 || !checksAll || indexTime.nanoseconds <= Int64(nanoseconds) ? .doubtful : .clean
  }

  /// Some programs that write an index know no nanoseconds and leave 0.
  @inline(__always)
  private func isSame(_ nanoseconds: UInt32, _ time: timespec) -> Bool {
    !checksAll || nanoseconds == 0 || Int(nanoseconds) == time.tv_nsec
  }

  @inline(__always)
  private func isEmptyBlob(_ id: ObjectID) -> Bool {
    // e69de29bb2d1d6434b8b29ae775ad8c2e48c5391
    id.word0.bigEndian == 0xE69D_E29B_B2D1_D643 && id.word1.bigEndian == 0x4B8B_29AE_775A_D8C2
      && id.word2.bigEndian == 0xE48C_5391
  }
}
