/// The configuration files that apply, of those that exist.
struct ConfigFiles: Sendable {
  /// Whose file it is; a later one overrides an earlier one.
  enum Level: Sendable {
    case system, shared, user, repository, worktree

    /// Whether it belongs to the system or the user; one that may not be read counts as absent then, as in git.
    var isUsers: Bool { self != .repository && self != .worktree }
  }

  /// Files are read up to 16 MiB: the largest seen in practice have some thousand branches, 1 MB.
  static let sizeLimit = 16 << 20

  /// The files, lowest priority first.
  let files: [(path: String, level: Level)]

  /// - Parameters:
  ///   - local: the repository's file; nil for only what the system and the user say.
  ///   - worktree: the work tree's own file.
  init(_ environment: GitEnvironment, local: String? = nil, worktree: String? = nil) {
    var files: [(path: String, level: Level)] = []
    if let system = environment.systemConfig { files.append((system, .system)) }
    let globals = environment.globalConfigs.suffix(2)
    for (path, level) in zip(globals, [.shared, .user].suffix(globals.count) as ArraySlice<Level>) {
      files.append((path, level))
    }
    if let local { files.append((local, .repository)) }
    if let worktree { files.append((worktree, .worktree)) }
    self.files = files.filter { FileAccess.isFile($0.path) }
  }

  /// What the files say.
  ///
  /// - Throws: `corrupt` for a line that is not understood, `permission`.
  func values() throws(GitError) -> GitConfig {
    if let config = plainValues() { return config }
    return try ConfigHandle(self).values()
  }

  /// What the files say, read without libgit2; nil when that is needed, because a file includes others or cannot be
  /// understood.
  func plainValues() -> GitConfig? {
    var entries: [ConfigFile.Entry] = []
    for (path, level) in files {
      do throws(GitError) {
        let file = try ConfigFile(try FileAccess.read(path, limit: Self.sizeLimit) ?? [], name: path)
        guard !file.entries.contains(where: Self.includes) else { return nil }
        entries += file.entries
      } catch {
        guard error.code == .permission, level.isUsers else { return nil }
      }
    }
    return GitConfig(entries: entries)
  }

  private static func includes(_ entry: ConfigFile.Entry) -> Bool {
    entry.key.hasPrefix("include.") || entry.key.hasPrefix("includeif.")
  }
}
