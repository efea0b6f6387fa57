/// Recognises clones, and changes to them, by file names and metadata alone.
///
/// Not through libgit2, because a scan of many thousand folders opens none that it need not open.
package enum CloneProbe {
  /// Whether a folder is the root of a work tree or a bare repository.
  package static func isClone(_ path: String) -> Bool {
    if let entry = FileAccess.entry(path + "/.git", follow: false) {
      return entry.kind == .file || entry.kind == .directory || entry.kind == .symlink
    }
    return FileAccess.entry(path + "/HEAD", follow: false) != nil && FileAccess.isDirectory(path + "/objects")
      && FileAccess.isDirectory(path + "/refs")
  }

  /// Whether the format of a clone is one that cannot be read, such as that of SHA-256 ids.
  package static func isUnsupported(_ path: String) -> Bool {
    do throws(GitError) {
      guard let location = try RepositoryLocation.at(path) else { return false }
      return try RepositoryFormat(gitDir: location.gitDir, commonDir: location.commonDir).objectProblem != nil
    } catch {
      return error.code == .unsupportedExtension
    }
  }

  /// The folders with objects that a clone needs: its own, unless it is a linked work tree, which goes with the main one, and those
  /// that it and its submodules borrow from. Absolute, without links; empty for what is no clone.
  package static func objectFolders(_ path: String) -> [String] {
    guard let location = (try? RepositoryLocation.at(path)) ?? nil else {
      // Of a damaged clone at least the list of what it borrows may be there.
      return [path + "/.git/objects", path + "/objects"].flatMap { Alternates(of: $0).found }
    }
    let own =
      location.gitDir == location.commonDir ? [FileAccess.realPath(location.objects) ?? location.objects] : []
    let modules = (try? GitRepository.gitFolders(in: location.gitDir + "/modules")) ?? []
    return own + ([location.objects] + modules.map { $0 + "/objects" }).flatMap { Alternates(of: $0).found }
  }

  /// The root of the clone that contains a folder, which can be the folder itself.
  ///
  /// - Parameter path: An absolute path.
  package static func root(above path: String) -> String? {
    var folder = path
    while !isClone(folder) {
      guard folder != "/", !folder.isEmpty else { return nil }
      folder = FileAccess.parent(of: folder)
    }
    return folder
  }

  /// Returns a value that changes with the clone's current commit, branch, remotes, description or shallow boundary.
  ///
  /// It consists of the sizes, times and inodes of a handful of files. Only two small files are read: the one
  /// that names the git directory of a linked work tree, and `HEAD`.
  package static func fingerprint(_ path: String) -> String {
    // An ordinary clone is not looked up, because a scan asks for thousands.
    let isOrdinary = FileAccess.isDirectory(path + "/.git")
    let location = isOrdinary ? nil : try? RepositoryLocation.at(path)
    let gitDir = location?.gitDir ?? path + "/.git"
    let common = location?.commonDir ?? gitDir
    var files = [
      gitDir + "/HEAD", gitDir + "/logs/HEAD", common + "/config", common + "/packed-refs",
      common + "/description", common + "/shallow", gitDir + "/config.worktree",
    ]
    let head = (try? FileAccess.line(gitDir + "/HEAD")) ?? nil
    if let head, head.hasPrefix("ref: ") { files.append(common + "/" + head.dropFirst(5)) }
    return ([gitDir] + files.map(FileAccess.stamp)).joined(separator: " ")
  }
}

extension GitConfig {
  package static func user(_ environment: GitEnvironment = .current) throws(GitError) -> GitConfig {
    try ConfigFiles(environment).values()
  }
}
