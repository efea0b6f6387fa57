import CLibGit2

/// All configuration that applies to a repository, as values: system, user, repository, work tree.
package struct GitConfig: Sendable, Hashable {
  /// Every entry, lowest priority first, so that the last value of a key is the one that holds.
  package let entries: [ConfigFile.Entry]

  /// The positions in ``entries`` by key, so that thousands of remotes cost no search each.
  private let positions: [String: [Int]]
  /// The subsections by section, in order of appearance, each once.
  private let sections: [String: [String]]

  /// Creates a configuration from entries.
  package init(entries: [ConfigFile.Entry]) {
    self.entries = entries
    var positions: [String: [Int]] = [:]
    var sections: [String: [String]] = [:]
    var seen: Set<Substring> = []
    for (position, entry) in entries.enumerated() {
      let key = entry.key
      positions[key, default: []].append(position)
      let dot = UInt8(ascii: ".")
      guard let first = key.utf8.firstIndex(of: dot), let last = key.utf8.lastIndex(of: dot), first < last,
        seen.insert(key[..<last]).inserted
      else { continue }
      sections[String(key[..<first]), default: []].append(String(key[key.utf8.index(after: first)..<last]))
    }
    self.positions = positions
    self.sections = sections
  }

  package static func == (left: GitConfig, right: GitConfig) -> Bool { left.entries == right.entries }

  package func hash(into hasher: inout Hasher) { hasher.combine(entries) }

  /// The value of a key in its normal form (section and key in lower case); nil when absent or without `=`.
  package func string(_ key: String) -> String? { last(key)?.value }

  /// All values of a key in order.
  package func strings(_ key: String) -> [String] {
    (positions[key] ?? []).map { entries[$0].value ?? "" }
  }

  /// A boolean; nil when absent or not a boolean.
  package func bool(_ key: String) -> Bool? {
    guard let entry = last(key) else { return nil }
    guard let value = entry.value else { return true }
    return Self.boolean(value)
  }

  /// The subsections of a section (a name without dots), in order of appearance, each once.
  package func subsections(of section: String) -> [String] { sections[section] ?? [] }

  private func last(_ key: String) -> ConfigFile.Entry? { positions[key]?.last.map { entries[$0] } }

  /// What git understands by a boolean's text.
  static func boolean(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "true", "yes", "on": true
    case "false", "no", "off", "": false
    default: Int(text).map { $0 != 0 }
    }
  }
}

/// A libgit2 configuration handle: frees it when it goes.
final class ConfigHandle {
  let pointer: OpaquePointer

  /// Opens the files that apply.
  ///
  /// - Parameters:
  ///   - local: the repository's file; nil for only what the system and the user say.
  ///   - worktree: the work tree's own file.
  ///   - repository: what `includeIf` conditions are tested against.
  init(
    environment: GitEnvironment, local: String? = nil, worktree: String? = nil,
    repository: OpaquePointer? = nil
  ) throws(GitError) {
    try LibGit2.start()
    var handle: OpaquePointer?
    try LibGit2.check(git_config_new(&handle), "creating a configuration")
    guard let handle else { throw GitError(.other, "libgit2 made no configuration") }
    pointer = handle
    var files: [(path: String, level: git_config_level_t)] = []
    if let system = environment.systemConfig { files.append((system, GIT_CONFIG_LEVEL_SYSTEM)) }
    let userLevels = [GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL]
    for (path, level) in zip(
      environment.globalConfigs.suffix(2), userLevels.suffix(environment.globalConfigs.count))
    {
      files.append((path, level))
    }
    if let local { files.append((local, GIT_CONFIG_LEVEL_LOCAL)) }
    if let worktree { files.append((worktree, GIT_CONFIG_LEVEL_APP)) }
    for (path, level) in files where Disk.isFile(path) {
      let status = git_config_add_file_ondisk(handle, path, level, repository, 0)
      // A file of the system or the user that may not be read counts as absent, as in git.
      if status < 0, level.rawValue < GIT_CONFIG_LEVEL_LOCAL.rawValue,
        LibGit2.error(status, path).code == .permission
      {
        continue
      }
      try LibGit2.check(status, "reading \(path)")
    }
  }

  deinit {
    git_config_free(pointer)
  }

  /// Copies every entry.
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
