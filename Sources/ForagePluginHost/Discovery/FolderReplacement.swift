package import ForageCore
import ForageFoundation
import ForagePlatform

/// Installs a copy of a folder in the place of another one, atomically.
package enum FolderReplacement {
  /// The most files of a plugin's folder: a folder with more is a mistake, such as a home folder.
  private static let fileLimit = 10_000
  /// How the names of unfinished copies begin, before the number of their process; hidden folders are no plugins.
  private static let prefix = ".new-"

  /// Copies a folder beside the target and exchanges the two: the target always names the old folder or the new one.
  ///
  /// - Throws: `SearchError`; the target is then as it was.
  package static func replace(_ target: String, with source: String) throws(SearchError) {
    let manager = FileManager.default
    guard (try? manager.subpathsOfDirectory(atPath: source).count).map({ $0 <= fileLimit }) ?? false else {
      throw SearchError(
        .configuration, "\(source) cannot be read, or has more than \(fileLimit) files",
        hint: "name the plugin's own folder")
    }
    let parent = parentFolder(of: target)
    let copy = parent + "/" + prefix + "\(getpid())-" + UUID().uuidString
    do {
      try manager.createDirectory(atPath: parent, withIntermediateDirectories: true)
      removeAbandoned(in: parent)
      try manager.copyItem(atPath: source, toPath: copy)
      try? manager.removeItem(atPath: copy + "/.git")
      try install(copy, as: target)
    } catch {
      try? manager.removeItem(atPath: copy)
      throw SearchError(
        .local, "\(target) could not be written: \((error as? Failure)?.reason ?? "\(error)")",
        hint: "check the permissions and the free space of \(parent)")
    }
    // After an exchange the old folder has the name of the copy.
    try? manager.removeItem(atPath: copy)
  }

  private struct Failure: Error {
    var reason: String
  }

  private static func install(_ copy: String, as target: String) throws(Failure) {
    var status = stat()
    guard lstat(target, &status) == 0 else { return try move(copy, to: target) }
    switch exchange(copy, target) {
    case 0: return
    case ENOTSUP:
      // Some network file systems have no exchange: for a moment the target is not there, and a failure puts it back.
      let old = copy + "-old"
      try move(target, to: old)
      do throws(Failure) {
        try move(copy, to: target)
      } catch {
        try? move(old, to: target)
        throw error
      }
      try? move(old, to: copy)
    case let number: throw Failure(reason: errorText(number))
    }
  }

  /// Exchanges what two paths name, in one step.
  ///
  /// - Returns: 0, or the number of the error: `ENOTSUP` where the system or the file system cannot do that.
  private static func exchange(_ first: String, _ second: String) -> Int32 {
    #if canImport(Darwin)
      return renamex_np(first, second, UInt32(RENAME_SWAP)) == 0 ? 0 : errno
    #else
      typealias Rename =
        @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
      // `RENAME_EXCHANGE` of <linux/fs.h>.
      let exchanging: UInt32 = 1 << 1
      guard let rename = gnuFunction("renameat2", as: Rename.self) else { return ENOTSUP }
      if rename(AT_FDCWD, first, AT_FDCWD, second, exchanging) == 0 { return 0 }
      return errno == EINVAL || errno == ENOSYS ? ENOTSUP : errno
    #endif
  }

  private static func move(_ source: String, to target: String) throws(Failure) {
    guard rename(source, target) == 0 else { throw Failure(reason: errorText(errno)) }
  }

  /// Removes the copies of processes that ended before they were done.
  private static func removeAbandoned(in folder: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      guard name.hasPrefix(prefix), let process = pid_t(name.dropFirst(prefix.count).prefix { $0 != "-" }),
        process > 0, kill(process, 0) != 0, errno == ESRCH
      else { continue }
      try? FileManager.default.removeItem(atPath: folder + "/" + name)
    }
  }
}
