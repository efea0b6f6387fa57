/// The configuration files that exist and apply.
struct ConfigFiles: Sendable {
  /// The scope of a file; a later case overrides an earlier one.
  enum Level: Sendable {
    case system, shared, user, repository, worktree

    /// Whether the file belongs to the system or the user; git ignores such a file if it is unreadable.
    var isUsers: Bool { self != .repository && self != .worktree }
  }

  /// The size limit of a file (16 MiB); the largest seen in practice, with some thousand branches, has 1 MB.
  static let sizeLimit = 16 << 20

  /// The files, lowest precedence first.
  let files: [(path: String, level: Level)]

  /// Finds the files.
  ///
  /// - Parameters:
  ///   - local: the repository's file; nil for the configuration of the system and the user only.
  ///   - worktree: the work tree's file (`config.worktree`).
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

  /// Reads all files.
  ///
  /// - Throws: `corrupt` for an invalid line, `permission`.
  func values() throws(GitError) -> GitConfig {
    if let config = plainValues() { return config }
    return try ConfigHandle(self).values()
  }

  /// Reads all files without libgit2; nil if a file has includes or is invalid.
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
