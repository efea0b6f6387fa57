import ForagePlatform

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
  /// `GIT_CONFIG_COUNT` and the variables that it counts, `GIT_NO_REPLACE_OBJECTS`, `XDG_CONFIG_HOME`, `HOME`,
  /// `SUDO_UID` and `GIT_CEILING_DIRECTORIES`.
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
