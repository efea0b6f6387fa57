import CLibGit2

/// A libgit2 configuration; frees the handle when it is deinitialised.
final class ConfigHandle {
  struct Entry {
    let level: git_config_level_t
    /// Whether it is from a file that another one includes.
    let isIncluded: Bool
    let entry: ConfigEntry
  }

  let pointer: OpaquePointer

  /// Opens the files; `repository` is for `includeIf` conditions.
  init(
    _ files: [(path: String, level: git_config_level_t)], repository: OpaquePointer? = nil
  ) throws(GitError) {
    try LibGit2.start()
    var handle: OpaquePointer?
    try LibGit2.check(git_config_new(&handle), "creating a configuration")
    guard let handle else { throw GitError(.other, "libgit2 returned no configuration") }
    pointer = handle
    for (path, level) in files {
      // libgit2 ignores every file that it cannot read; git only those of the system and the user.
      guard FileAccess.canRead(path) else {
        if level.rawValue < GIT_CONFIG_LEVEL_LOCAL.rawValue { continue }
        throw FileAccess.denied(path)
      }
      guard FileAccess.entry(path)?.size ?? 0 <= ConfigFiles.sizeLimit else {
        throw GitError(.tooLarge, "\(path) has more than \(ConfigFiles.sizeLimit) bytes")
      }
      let status = git_config_add_file_ondisk(handle, path, level, repository, 0)
      guard status < 0 else { continue }
      let error = LibGit2.error(status, "reading \(path)")
      throw GitError(
        error.code, error.message,
        hint: "correct the file; `git config --file \(path) --list` tells the line")
    }
  }

  deinit {
    git_config_free(pointer)
  }

  /// Copies all entries, lowest precedence first.
  func entries() throws(GitError) -> [Entry] {
    var iterator: OpaquePointer?
    try LibGit2.check(git_config_iterator_new(&iterator, pointer), "reading the configuration")
    defer { git_config_iterator_free(iterator) }
    var found: [Entry] = []
    var entry: UnsafeMutablePointer<git_config_entry>?
    while git_config_next(&entry, iterator) == 0, let item = entry?.pointee, let name = item.name {
      let setting = ConfigEntry(key: String(cString: name), value: item.value.map { String(cString: $0) })
      found.append(Entry(level: item.level, isIncluded: item.include_depth > 0, entry: setting))
    }
    return found.enumerated().sorted {
      ($0.element.level.rawValue, $0.offset) < ($1.element.level.rawValue, $1.offset)
    }.map(\.element)
  }
}
