import CLibGit2
import ForagePlatform

package struct ConfigEntry: Sendable, Hashable {
  /// `section.key` or `section.subsection.key`; section and key in lower case, the subsection as written.
  package let key: String
  /// The value; nil for a key without `=`, which means true.
  package let value: String?
}

/// The configuration of a repository: system, user, repository, work tree.
package struct GitConfig: Sendable, Hashable {
  /// All entries, lowest precedence first; the last value of a key applies.
  package let entries: [ConfigEntry]

  private let positions: [ExactText: [Int]]
  /// The distinct subsections by section, in order of appearance.
  private let sections: [String: [String]]

  package init(entries: [ConfigEntry]) {
    var (positions, sections): ([ExactText: [Int]], [String: [String]]) = ([:], [:])
    var seen: Set<ExactText> = []
    for (position, entry) in entries.enumerated() {
      positions[ExactText(entry.key), default: []].append(position)
      guard let (section, name) = Self.subsection(entry.key),
        seen.insert(ExactText(entry.key[..<name.endIndex])).inserted
      else { continue }
      sections[String(section), default: []].append(String(name))
    }
    (self.entries, self.positions, self.sections) = (entries, positions, sections)
  }

  package static func == (left: GitConfig, right: GitConfig) -> Bool { left.entries == right.entries }

  package func hash(into hasher: inout Hasher) { hasher.combine(entries) }

  /// Returns the value of a normalised key (section and key in lower case); nil if it is absent or has no
  /// `=`.
  package func string(_ key: String) -> String? { last(key)?.value }

  package func strings(_ key: String) -> [String] {
    (positions[ExactText(key)] ?? []).map { entries[$0].value ?? "" }
  }

  /// Returns a boolean; nil if the key is absent or the value is not a boolean.
  package func bool(_ key: String) -> Bool? {
    guard let entry = last(key) else { return nil }
    guard let value = entry.value else { return true }
    return Self.boolean(value)
  }

  /// Returns the distinct subsections of a section (a name without dots), in order of appearance.
  package func subsections(of section: String) -> [String] {
    sections[section] ?? []
  }

  /// Splits a key into section and subsection; nil if it has no subsection.
  private static func subsection(_ key: String) -> (section: Substring, name: Substring)? {
    let dot = UInt8(ascii: ".")
    guard let first = key.utf8.firstIndex(of: dot), let last = key.utf8.lastIndex(of: dot), first < last
    else { return nil }
    return (key[..<first], key[key.utf8.index(after: first)..<last])
  }

  private func last(_ key: String) -> ConfigEntry? { positions[ExactText(key)]?.last.map { entries[$0] } }

  /// Parses a boolean as git does.
  static func boolean(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "true", "yes", "on": true
    case "false", "no", "off", "": false
    default: number(text).map { $0 != 0 }
    }
  }

  /// Parses a number as git does: decimal or hexadecimal, with an optional unit (1k is 1024).
  static func number(_ text: String) -> Int? {
    let factor: Int? =
      switch text.last {
      case "k", "K": 1 << 10
      case "m", "M": 1 << 20
      case "g", "G": 1 << 30
      default: nil
      }
    let digits = factor == nil ? text[...] : text.dropLast()
    let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    guard let value = Int(isHexadecimal ? digits.dropFirst(2) : digits, radix: isHexadecimal ? 16 : 10) else {
      return nil
    }
    let (number, overflows) = value.multipliedReportingOverflow(by: factor ?? 1)
    return overflows ? nil : number
  }
}

/// The files of a configuration, each read by libgit2.
///
/// Not `git_repository_config_snapshot`, because libgit2 passes over files that it may not read, and takes
/// `GIT_CONFIG_GLOBAL` and its like only with a flag for the whole environment (both still so in 1.9). Before
/// version 1.8 it does not take `config.worktree`, where git sets sparse checkouts.
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

  /// Adds the files of includes that libgit2 does not follow (still so in 1.9): those with the condition
  /// `hasconfig:remote.*.url`, and those in the home folder of a named user. Includes in them are not
  /// followed.
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
        hint: "correct the file; `git config --file \(path.shellQuoted) --list` tells the line")
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

/// The parts of the process environment that git reads: its user and the locations of configuration.
package struct GitEnvironment: Sendable, Hashable {
  /// The system's configuration file; nil for none.
  package var systemConfig: String?
  /// The user's configuration files, lowest precedence first.
  package var globalConfigs: [String]
  package var home: String?
  package var effectiveUserID: UInt32
  /// The id of the user who ran `sudo`, if any; root may use the repositories of that user.
  package var sudoUserID: UInt32?
  /// Folders above which no repository is searched.
  package var ceilings: [String]
  /// The settings that override all files.
  package var overrides: [ConfigEntry] = []
  /// Why the overrides cannot be used; nil if they can.
  package var overrideProblem: String?
  /// The folder that contains `git/ignore`: `XDG_CONFIG_HOME` or `~/.config`.
  package var configHome: String?

  package init(
    systemConfig: String? = nil, globalConfigs: [String] = [], home: String? = nil,
    effectiveUserID: UInt32 = UInt32(geteuid()), sudoUserID: UInt32? = nil, ceilings: [String] = [],
    configHome: String? = nil
  ) {
    self.systemConfig = systemConfig
    self.globalConfigs = globalConfigs
    self.home = home
    self.effectiveUserID = effectiveUserID
    self.sudoUserID = sudoUserID
    self.ceilings = ceilings
    self.configHome = configHome
  }

  /// The environment of this process, from `GIT_CONFIG_NOSYSTEM`, `GIT_CONFIG_SYSTEM`, `GIT_CONFIG_GLOBAL`,
  /// `GIT_CONFIG_COUNT` and the variables that it counts, `GIT_NO_REPLACE_OBJECTS`, `XDG_CONFIG_HOME`,
  /// `HOME`, `SUDO_UID` and `GIT_CEILING_DIRECTORIES`.
  package static var current: GitEnvironment {
    let home = variable("HOME")
    let noSystem = variable("GIT_CONFIG_NOSYSTEM").map { GitConfig.boolean($0) ?? true } ?? false
    let configHome = variable("XDG_CONFIG_HOME") ?? home.map { $0 + "/.config" }
    let globals: [String]
    if let global = variable("GIT_CONFIG_GLOBAL") {
      globals = [global]
    } else {
      globals = [configHome.map { $0 + "/git/config" }, home.map { $0 + "/.gitconfig" }].compactMap { $0 }
    }
    var environment = GitEnvironment(
      systemConfig: noSystem ? nil : variable("GIT_CONFIG_SYSTEM") ?? "/etc/gitconfig",
      globalConfigs: globals, home: home, sudoUserID: variable("SUDO_UID").flatMap { UInt32($0) },
      ceilings: variable("GIT_CEILING_DIRECTORIES")?.split(separator: ":").map(String.init) ?? [],
      configHome: configHome)
    environment.readOverrides(variable)
    return environment
  }

  /// The most settings in variables; each takes two of them.
  private static let overrideLimit = 10_000

  /// Reads `GIT_CONFIG_COUNT`, `GIT_CONFIG_KEY_<n>` and `GIT_CONFIG_VALUE_<n>` (git-config(1)), and
  /// `GIT_NO_REPLACE_OBJECTS`, which wins over all settings.
  mutating func readOverrides(_ variable: (String) -> String?) {
    defer {
      if variable("GIT_NO_REPLACE_OBJECTS") != nil {
        overrides.append(ConfigEntry(key: "core.usereplacerefs", value: "false"))
      }
    }
    guard let text = variable("GIT_CONFIG_COUNT") else { return }
    guard let count = Int(text), (0...Self.overrideLimit).contains(count) else {
      overrideProblem = "GIT_CONFIG_COUNT is not a number from 0 to \(Self.overrideLimit)"
      return
    }
    for number in 0..<count {
      let parts = (variable("GIT_CONFIG_KEY_\(number)") ?? "").split(
        separator: ".", omittingEmptySubsequences: false)
      guard parts.count > 1, let section = parts.first, let key = parts.last, !section.isEmpty, !key.isEmpty
      else {
        overrideProblem = "GIT_CONFIG_KEY_\(number) is not the name of a setting"
        return
      }
      let name = [section.lowercased()] + parts.dropFirst().dropLast().map(String.init) + [key.lowercased()]
      overrides.append(
        ConfigEntry(
          key: name.joined(separator: "."), value: variable("GIT_CONFIG_VALUE_\(number)") ?? ""))
    }
  }

  /// Expands a leading `~` or `~user` in a path from the configuration.
  func expand(_ path: String) -> String {
    guard path.hasPrefix("~") else { return path }
    let end = path.firstIndex(of: "/") ?? path.endIndex
    let name = String(path[path.index(after: path.startIndex)..<end])
    return (name.isEmpty ? home : Self.home(of: name)).map { $0 + path[end...] } ?? path
  }

  private static func home(of user: String) -> String? {
    // 16 times what the C library suggests for an entry.
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1 << 14) { buffer in
      var entry = passwd()
      var found: UnsafeMutablePointer<passwd>?
      guard let start = buffer.baseAddress, getpwnam_r(user, &entry, start, buffer.count, &found) == 0,
        found != nil, let folder = entry.pw_dir
      else { return nil }
      return String(cString: folder)
    }
  }

  /// Returns the value of a variable; nil if it is unset or empty.
  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
