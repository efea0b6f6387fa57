import CLibGit2

/// A libgit2 configuration; frees the handle when it is deinitialised.
final class ConfigHandle {
  let pointer: OpaquePointer

  /// Opens the files.
  ///
  /// - Parameters:
  ///   - files: the files that apply.
  ///   - repository: the repository for `includeIf` conditions.
  init(_ files: ConfigFiles, repository: OpaquePointer? = nil) throws(GitError) {
    try LibGit2.start()
    var handle: OpaquePointer?
    try LibGit2.check(git_config_new(&handle), "creating a configuration")
    guard let handle else { throw GitError(.other, "libgit2 returned no configuration") }
    pointer = handle
    for file in files.files {
      let status = git_config_add_file_ondisk(handle, file.path, file.level.library, repository, 0)
      if status < 0, file.level.isUsers, LibGit2.error(status, file.path).code == .permission { continue }
      try LibGit2.check(status, "reading \(file.path)")
    }
  }

  deinit {
    git_config_free(pointer)
  }

  /// Copies all entries.
  func values() throws(GitError) -> GitConfig {
    var iterator: OpaquePointer?
    try LibGit2.check(git_config_iterator_new(&iterator, pointer), "reading the configuration")
    defer { git_config_iterator_free(iterator) }
    var found: [(level: Int32, entry: ConfigFile.Entry)] = []
    var entry: UnsafeMutablePointer<git_config_entry>?
    while git_config_next(&entry, iterator) == 0, let item = entry?.pointee, let name = item.name {
      let value = item.value.map { String(cString: $0) }
      found.append((item.level.rawValue, .init(key: String(cString: name), value: value)))
    }
    let ordered = found.enumerated().sorted { ($0.element.level, $0.offset) < ($1.element.level, $1.offset) }
    return GitConfig(entries: ordered.map(\.element.entry))
  }
}

extension ConfigFiles.Level {
  fileprivate var library: git_config_level_t {
    switch self {
    case .system: GIT_CONFIG_LEVEL_SYSTEM
    case .shared: GIT_CONFIG_LEVEL_XDG
    case .user: GIT_CONFIG_LEVEL_GLOBAL
    case .repository: GIT_CONFIG_LEVEL_LOCAL
    case .worktree: GIT_CONFIG_LEVEL_APP
    }
  }
}
