import ForagePlatform

/// Compares an index entry with the metadata of its file, as git does.
struct StatRules: Sendable {
  enum Verdict {
    /// The file is unchanged since it was added to the index.
    case clean
    /// The content must be compared.
    case doubtful
    /// The file is certainly different.
    case changed
  }

  /// Whether the status change time is compared (`core.trustCtime`).
  var trustsChangeTime = true
  /// Whether owner, inode and nanoseconds are compared (`core.checkStat`).
  var checksAll = true
  /// Whether the executable bit is reliable (`core.fileMode`).
  var trustsMode = true
  /// Whether the file system supports symbolic links (`core.symlinks`).
  var hasSymlinks = true
  /// Whether the file system ignores case (`core.ignoreCase`).
  var foldsCase = false
  /// Whether skip-worktree files are compared if they exist nevertheless.
  var seesSkipped = false
  var indexTime: (seconds: Int64, nanoseconds: Int64) = (0, 0)

  /// - Parameter isStrict: Whether everything is compared that tells of a change, also where the configuration leaves it out.
  init(_ config: GitConfig, _ index: IndexFile, isStrict: Bool = false) {
    trustsChangeTime = isStrict || config.bool("core.trustctime") ?? true
    checksAll = isStrict || config.string("core.checkstat")?.lowercased() != "minimal"
    trustsMode = config.bool("core.filemode") ?? true
    hasSymlinks = config.bool("core.symlinks") ?? true
    foldsCase = config.bool("core.ignorecase") ?? false
    seesSkipped =
      config.bool("core.sparsecheckout") ?? false
      && !(config.bool("sparse.expectfilesoutsideofpatterns") ?? false)
    indexTime = index.modifiedAt
  }

  @inline(__always) func verdict(_ entry: Int, _ view: IndexView, _ info: borrowing stat) -> Verdict {
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
      // 0 means that the size was unknown or not reliable.
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
    // The id of the empty blob.
    if size == 0, view.id(entry).hex != "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391" { return .doubtful }
    // Racily clean: written at the time of the index or later, when a change could leave the same metadata.
    if indexTime.seconds != Int64(seconds) { return indexTime.seconds < Int64(seconds) ? .doubtful : .clean }
    // The modification time can be set back; without the status change time only its second is certain.
    return nanoseconds == 0 || !checksAll || !trustsChangeTime || indexTime.nanoseconds <= Int64(nanoseconds)
      ? .doubtful : .clean
  }

  /// Some programs write no nanoseconds into the index and leave 0.
  @inline(__always) private func isSame(_ nanoseconds: UInt32, _ time: timespec) -> Bool {
    !checksAll || nanoseconds == 0 || Int(nanoseconds) == time.tv_nsec
  }
}
