package import ForageCore
import ForageFoundation
import ForagePlatform

/// Installs a copy of a folder in the place of another one, atomically.
package enum FolderReplacement {
  /// The most files of a plugin's folder: a folder with more is a mistake, such as a home folder.
  private static let fileLimit = 10_000
  /// How the names of unfinished copies begin, before the number of their process; hidden folders are no
  /// plugins.
  private static let prefix = ".new-"

  /// Copies a folder beside the target and exchanges the two: the target always names the old folder or the
  /// new one. The copies are the user's own, whoever owns the originals.
  ///
  /// - Parameters:
  ///   - target: The folder that is replaced.
  ///   - source: The folder that is copied.
  ///   - files: The files that the plugin runs. Of what is hidden, such as `.git` and the products of a
  ///     build, only these are copied.
  /// - Throws: `SearchError`; the target is then as it was.
  package static func replace(_ target: String, with source: String, files: [String]) throws(SearchError) {
    let manager = FileManager.default
    guard let count = count(source) else {
      throw SearchError(
        .configuration, "\(source), or a folder in it, cannot be read",
        hint: "check the permissions of its folders")
    }
    guard count <= fileLimit else {
      throw SearchError(
        .configuration, "\(source) has more than \(fileLimit) files", hint: "name the plugin's own folder")
    }
    let parent = parentFolder(of: target)
    let copy = parent + "/" + prefix + "\(getpid())-" + UUID().uuidString
    do throws(FileFailure) {
      makeFolders(parent)
      removeAbandoned(in: parent)
      let own = realPath(parent).map { $0 + copy.dropFirst(parent.count) }
      try copyFolder(source, to: copy, Selection(files: files, own: own))
      try install(copy, as: target)
    } catch {
      try? manager.removeItem(atPath: copy)
      throw SearchError(
        .local,
        "\(source) could not be copied to \(target): \(error.path.map { $0 + ": " } ?? "")\(error.reason)",
        hint: "check the permissions of both, and the free space of \(parent)")
    }
    // After an exchange the old folder has the name of the copy.
    try? manager.removeItem(atPath: copy)
  }

  /// The number of files and folders in a folder that are not hidden, as far as the limit; `nil` where one
  /// cannot be read.
  private static func count(_ folder: String) -> Int? {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return nil }
    var count = 0
    for name in names where !name.hasPrefix(".") && count <= fileLimit {
      count += 1
      var status = stat()
      guard lstat(folder + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { continue }
      guard let inner = self.count(folder + "/" + name) else { return nil }
      count += inner
    }
    return count
  }

  /// What is copied.
  private struct Selection {
    /// The files that the plugin runs, relative to its folder.
    var files: [String]
    /// The copy itself, which may be in what is copied.
    var own: String?
    /// The path relative to the folder of the plugin, with a slash at its end; empty for the folder itself.
    var place = ""
    /// Whether the place is in something hidden.
    var isHidden = false

    /// The same for what has a name in its place; `nil` for what is not copied.
    func entering(_ name: String) -> Selection? {
      var inner = self
      inner.isHidden = isHidden || name.hasPrefix(".")
      let path = place + name
      inner.place = path + "/"
      return !inner.isHidden || files.contains { $0 == path || $0.hasPrefix(inner.place) } ? inner : nil
    }
  }

  /// Copies files, folders and links. Nobody else may change the copies, whatever the originals allow.
  private static func copyFolder(_ source: String, to target: String, _ selection: Selection)
    throws(FileFailure)
  {
    guard mkdir(target, 0o755) == 0, access(source, R_OK) == 0 else { throw FileFailure(number: errno) }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: source) else {
      throw FileFailure(number: EIO)
    }
    for name in names {
      let original = source + "/" + name
      guard let inner = selection.entering(name) else { continue }
      if name.hasPrefix(prefix), realPath(original) == selection.own { continue }
      do throws(FileFailure) {
        try copyEntry(original, to: target + "/" + name, inner)
      } catch {
        throw FileFailure(number: error.number, path: error.path ?? original)
      }
    }
  }

  private static func copyEntry(_ original: String, to copy: String, _ selection: Selection)
    throws(FileFailure)
  {
    var status = stat()
    // A link that leads to a file which the plugin runs may lead to what is not copied, as `.build/release`
    // does.
    let result = selection.isHidden ? stat(original, &status) : lstat(original, &status)
    guard result == 0 else { throw FileFailure(number: errno) }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: try copyFolder(original, to: copy, selection)
    case S_IFLNK:
      var destination = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
      guard readlink(original, &destination, destination.count - 1) >= 0, symlink(destination, copy) == 0
      else { throw FileFailure(number: errno) }
    default:
      let bytes = try FileContents.read(original, limit: .max)
      let number = replaceFile(copy, with: bytes, mode: status.st_mode & 0o755 | 0o600)
      guard number == 0 else { throw FileFailure(number: number) }
    }
  }

  private static func install(_ copy: String, as target: String) throws(FileFailure) {
    var status = stat()
    guard lstat(target, &status) == 0 else { return try move(copy, to: target) }
    switch exchange(copy, target) {
    case 0: return
    case ENOTSUP:
      // Some network file systems have no exchange: for a moment the target is not there, and a failure puts
      // it back.
      let old = copy + "-old"
      try move(target, to: old)
      do throws(FileFailure) {
        try move(copy, to: target)
      } catch {
        try? move(old, to: target)
        throw error
      }
      try? move(old, to: copy)
    case let number: throw FileFailure(number: number)
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

  private static func move(_ source: String, to target: String) throws(FileFailure) {
    guard rename(source, target) == 0 else { throw FileFailure(number: errno) }
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
