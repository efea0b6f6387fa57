package import ForageGit
import ForagePlatform

/// A temporary folder beside the place of a clone, in which git makes the clone until it is complete, or into
/// which the clone is moved to be removed.
///
/// The folder is locked while this process uses it, so that a later run recognises the folder of a process
/// that was killed.
package final class UnfinishedClone: Sendable {
  /// The folder, absolute.
  package let path: String
  /// The open folder, which holds the lock.
  private let descriptor: Int32

  /// What stands between the name of the clone and the characters that make the folder's name unique.
  private static let mark = ".forage-"
  private static let uniqueCharacters = 6
  /// All that is in the folder.
  private static let contents = "clone"
  /// Bytes of the clone's name that are used: with the rest, the folder's name stays within the 255 of file
  /// systems.
  private static let nameLimit = 200
  /// How often a folder is made that another process takes for an abandoned one before it is locked.
  private static let attempts = 5
  /// How often a folder is removed to which a program that is ending still adds files, and the pause in
  /// microseconds.
  private static let removals = (count: 20, pause: UInt32(50_000))

  /// Makes the folder.
  ///
  /// - Parameter target: Where the clone will be, an absolute path whose parent folder exists.
  /// - Throws: `GitError` when no folder can be made.
  package init(for target: String) throws(GitError) {
    let parent = FileAccess.parent(of: target)
    let name = String(decoding: FileAccess.name(of: target).utf8.prefix(Self.nameLimit), as: UTF8.self)
    let unique = String(repeating: "X", count: Self.uniqueCharacters)
    for _ in 0..<Self.attempts {
      var template = Array(FileAccess.join(parent, "." + name + Self.mark + unique).utf8CString)
      guard mkdtemp(&template) != nil else {
        throw GitError(
          .permission, "no folder can be made in \(parent): \(String(cString: strerror(errno)))",
          hint: "check the permissions and the free space of that folder")
      }
      let made = template.withUnsafeBufferPointer { buffer in
        buffer.baseAddress.map { String(cString: $0) } ?? ""
      }
      guard let descriptor = Self.opened(made, needsLock: false) else { continue }
      (path, self.descriptor) = (made, descriptor)
      return
    }
    throw GitError(.other, "no folder can be kept in \(parent)", hint: "run the command again")
  }

  deinit { close(descriptor) }

  /// The path at which git is to make the clone, or of the one to be removed: nothing is there at first.
  package var clone: String { path + "/" + Self.contents }

  /// Moves the complete clone to its place.
  ///
  /// - Throws: `GitError` when something else is there by now.
  package func move(to target: String) throws(GitError) {
    guard rename(clone, target) == 0 else {
      throw GitError(
        .other, "the clone cannot be moved to \(target): \(String(cString: strerror(errno)))",
        hint: "look at what is there; the repository was not cloned")
    }
  }

  /// Moves a clone into the folder, to be removed with it.
  ///
  /// - Parameter clone: A folder in the same one as this, without links in its path.
  /// - Throws: `GitError` where it cannot be moved, and where something is mounted in it; it is then as it
  ///   was.
  package func take(_ clone: String) throws(GitError) {
    // A folder that gets another parent must be writable itself.
    var status = stat()
    let isReadOnly =
      lstat(clone, &status) == 0 && status.st_uid == geteuid() && status.st_mode & S_IWUSR == 0
    if isReadOnly { chmod(clone, status.st_mode & 0o7777 | S_IWUSR) }
    var problem = rename(clone, self.clone) == 0 ? nil : String(cString: strerror(errno))
    if problem == nil, let mount = FolderRemoval.mounts(in: self.clone).first {
      problem = "\(String(decoding: mount, as: UTF8.self)) is mounted"
      rename(self.clone, clone)
    }
    guard let problem else { return }
    if isReadOnly { chmod(clone, status.st_mode & 0o7777) }
    throw GitError(.permission, problem, hint: "check the permissions of the folder above it")
  }

  /// Removes the folder with everything in it.
  ///
  /// - Returns: What could not be removed; `nil` when everything is gone.
  @discardableResult
  package func remove() -> FolderRemoval.Obstacle? { Self.remove(path) }

  package static func isName(_ name: String) -> Bool {
    let front = name.dropLast(uniqueCharacters)
    return front.hasPrefix(".") && front.hasSuffix(mark) && front.utf8.count > mark.utf8.count + 1
  }

  /// Whether a folder is there, and no process uses it.
  package static func isAbandoned(_ path: String) -> Bool {
    guard let descriptor = opened(path, needsLock: true) else { return false }
    close(descriptor)
    return true
  }

  /// Removes the folder of a process that was killed, with everything in it. One with other contents than a
  /// clone is somebody's own, whatever its name.
  ///
  /// - Returns: What could not be removed; `nil` when everything is gone, or another process uses it.
  @discardableResult
  package static func removeAbandoned(_ path: String) -> FolderRemoval.Obstacle? {
    guard FileAccess.entry(path, follow: false)?.kind == .directory,
      let descriptor = opened(path, needsLock: true)
    else { return nil }
    defer { close(descriptor) }
    guard FileAccess.names(in: path).allSatisfy({ $0 == contents }) else { return nil }
    return remove(path)
  }

  /// Removes the folders of processes that were killed, right in a folder; those in use stay.
  package static func removeAbandoned(in folder: String) {
    for name in FileAccess.names(in: folder) where isName(name) {
      removeAbandoned(FileAccess.join(folder, name))
    }
  }

  /// The same below a folder.
  ///
  /// - Parameter root: The folder below which clones are placed, in folders named after hosts; clones are not
  ///   entered.
  package static func removeAbandoned(below root: String) {
    var pending = [(path: root, depth: 0)]
    while let (path, depth) = pending.popLast() {
      removeAbandoned(in: path)
      for name in FileAccess.names(in: path) where depth > 0 || isHost(name) {
        let inner = FileAccess.join(path, name)
        guard FileAccess.entry(inner, follow: false)?.kind == .directory, depth < CloneFinder.maximumDepth,
          !CloneProbe.isClone(inner)
        else { continue }
        pending.append((inner, depth + 1))
      }
    }
  }

  /// Whether a name may be that of a host: other folders below the root can hold any number of files.
  private static func isHost(_ name: String) -> Bool { name.contains(".") || name.contains(":") }

  /// Opens and locks a folder; nil when another process has the lock or has removed the folder.
  ///
  /// - Parameter needsLock: Whether to give up on a file system that has no locks.
  private static func opened(_ path: String, needsLock: Bool) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var info = stat()
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK && !needsLock,
      fstat(descriptor, &info) == 0, info.st_nlink > 0
    else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  private static func remove(_ path: String) -> FolderRemoval.Obstacle? {
    var obstacle = FolderRemoval.remove(path)
    for _ in 1..<removals.count where obstacle?.code == ENOTEMPTY {
      usleep(removals.pause)
      obstacle = FolderRemoval.remove(path)
    }
    return obstacle
  }
}

/// Folders that a command makes for clones, which are removed again where they stay empty.
package struct MadeFolders: Sendable {
  private var paths: Set<String> = []

  package init() {}

  /// Notes a folder that is to be made, and those above it that do not exist either.
  ///
  /// - Parameter path: An absolute path.
  package mutating func willMake(_ path: String) {
    var path = path
    while path.utf8.count > 1, FileAccess.entry(path, follow: false) == nil, paths.insert(path).inserted {
      path = FileAccess.parent(of: path)
    }
  }

  /// Removes the folders that are empty.
  package func removeEmpty() {
    for path in paths.sorted(by: { $0.utf8.count > $1.utf8.count }) { rmdir(path) }
  }
}
