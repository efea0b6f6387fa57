import CLibGit2

/// The files of a configuration, each read by libgit2.
///
/// Not `git_repository_config_snapshot`, because libgit2 1.5.1 takes neither `config.worktree`, where git
/// sets sparse checkouts, nor `GIT_CONFIG_GLOBAL` and its like, and passes over files that it may not read.
struct ConfigFiles: Sendable {
  /// The size limit of a file (16 MiB); the largest seen in practice, with some thousand branches, has 1 MB.
  static let sizeLimit = 16 << 20

  /// The files, lowest precedence first; that of the work tree has libgit2's level of an application.
  let files: [(path: String, level: git_config_level_t)]
  private let environment: GitEnvironment

  /// Finds the files.
  ///
  /// - Parameters:
  ///   - local: the repository's file; nil for the configuration of the system and the user only.
  ///   - worktree: the work tree's file (`config.worktree`).
  init(_ environment: GitEnvironment, local: String? = nil, worktree: String? = nil) {
    self.environment = environment
    var files: [(path: String, level: git_config_level_t)] = []
    if let system = environment.systemConfig { files.append((system, GIT_CONFIG_LEVEL_SYSTEM)) }
    let globals = environment.globalConfigs.suffix(2)
    files += zip(globals, [GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL].suffix(globals.count)).map {
      ($0, $1)
    }
    if let local { files.append((local, GIT_CONFIG_LEVEL_LOCAL)) }
    if let worktree { files.append((worktree, GIT_CONFIG_LEVEL_APP)) }
    self.files = files.filter { FileAccess.isFile($0.path) }
  }

  /// Reads all files with what they include, and `GIT_CONFIG_COUNT`, which overrides them.
  ///
  /// - Parameter repository: libgit2's repository for `includeIf` conditions.
  /// - Throws: `corrupt` for an invalid line, `permission`, `tooLarge`.
  func values(repository: OpaquePointer? = nil) throws(GitError) -> GitConfig {
    var entries = try ConfigHandle(files, repository: repository).entries()
    try addIncludes(&entries)
    if let problem = environment.overrideProblem {
      throw GitError(.corrupt, problem, hint: "correct or unset GIT_CONFIG_COUNT")
    }
    return GitConfig(entries: entries.map(\.entry) + environment.overrides)
  }

  /// Adds the files of includes that libgit2 1.5.1 does not follow: those with the condition
  /// `hasconfig:remote.*.url`, and those in the home folder of a named user. Includes in them are not followed.
  private func addIncludes(_ entries: inout [ConfigHandle.Entry]) throws(GitError) {
    let urls = entries.filter { $0.entry.key.hasPrefix("remote.") && $0.entry.key.hasSuffix(".url") }
      .compactMap(\.entry.value)
    var added: [(place: Int, entries: [ConfigHandle.Entry])] = []
    for (place, item) in entries.enumerated() {
      guard let value = item.entry.value, let file = files.first(where: { $0.level == item.level }) else {
        continue
      }
      if let pattern = Self.remotePattern(item.entry.key) {
        let glob = Glob(Array(pattern.utf8)[...])
        guard urls.contains(where: { Array($0.utf8).withUnsafeBytes(glob.matches) }) else { continue }
      } else if item.entry.key != "include.path" || !value.hasPrefix("~") || value.hasPrefix("~/") {
        continue
      }
      let path = FileAccess.join(FileAccess.parent(of: file.path), environment.expand(value))
      guard FileAccess.isFile(path) else { continue }
      added.append((place, try ConfigHandle([(path, item.level)]).entries().filter { !$0.isIncluded }))
    }
    for (place, more) in added.reversed() { entries.insert(contentsOf: more, at: place + 1) }
  }

  private static func remotePattern(_ key: String) -> Substring? {
    let prefix = "includeif.hasconfig:remote.*.url:"
    guard key.hasPrefix(prefix), key.hasSuffix(".path") else { return nil }
    return key.dropFirst(prefix.count).dropLast(".path".count)
  }
}

extension GitConfig {
  /// Reads one file without what it includes, as git reads a repository's format and `.gitmodules`; empty if
  /// there is none.
  ///
  /// - Throws: `corrupt` for an invalid line, `permission`, `tooLarge`.
  static func file(_ path: String) throws(GitError) -> GitConfig {
    guard FileAccess.isFile(path) else { return GitConfig(entries: []) }
    let entries = try ConfigHandle([(path, GIT_CONFIG_LEVEL_LOCAL)]).entries()
    return GitConfig(entries: entries.filter { !$0.isIncluded }.map(\.entry))
  }

  /// Parses a configuration that is not in a file, through a temporary one, because libgit2 reads only files.
  static func text(_ bytes: [UInt8], name: String) throws(GitError) -> GitConfig {
    let path = try FileAccess.writeTemporary(bytes)
    defer { FileAccess.remove(path) }
    do throws(GitError) {
      return try file(path)
    } catch {
      throw GitError(
        error.code, error.message.split(separator: path).joined(separator: name), hint: error.hint)
    }
  }
}
