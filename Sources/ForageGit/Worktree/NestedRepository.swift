/// Decides whether a folder is the work tree of a repository, by git's rules for folders in a work tree.
enum NestedRepository {
  /// Whether `path/.git` is a git directory or a file that names one.
  static func isWorkTree(_ path: String) -> Bool { gitDir(path) != nil }

  /// Returns the git directory of a work tree; nil if the folder is not one.
  static func gitDir(_ path: String) -> String? {
    let git = path + "/.git"
    guard let entry = FileAccess.entry(git) else { return nil }
    switch entry.kind {
    case .directory:
      return isGitDirectory(git) ? git : nil
    case .file:
      let prefix = "gitdir: "
      // An unreadable file counts as one that names a repository, as in git.
      guard FileAccess.canRead(git) else { return git }
      guard let line = (try? FileAccess.line(git)) ?? nil, line.hasPrefix(prefix) else { return nil }
      let target = FileAccess.join(path, String(line.dropFirst(prefix.count)))
      return isGitDirectory(target) ? target : nil
    case .symlink, .other:
      return nil
    }
  }

  private static func isGitDirectory(_ path: String) -> Bool {
    guard (try? RepositoryLocation.isGitDirectory(path)) == true else { return false }
    if let target = FileAccess.linkTarget(path + "/HEAD") { return target.hasPrefix("refs/") }
    guard let bytes = (try? FileAccess.read(path + "/HEAD", limit: 1 << 16)) ?? nil else { return false }
    let text = String(decoding: bytes.prefix(300), as: UTF8.self)
    if text.hasPrefix("ref:") { return text.dropFirst(4).drop { $0 == " " || $0 == "\t" }.hasPrefix("refs/") }
    return bytes.withUnsafeBytes { ObjectID(hex: $0) } != nil
  }
}
