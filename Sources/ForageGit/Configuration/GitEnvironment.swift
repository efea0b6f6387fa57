#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The parts of the process environment that git reads: its user and the locations of configuration.
package struct GitEnvironment: Sendable, Hashable {
  /// The system's configuration file; nil for none.
  package var systemConfig: String?
  /// The user's configuration files, lowest precedence first.
  package var globalConfigs: [String]
  /// The user's home folder, for `~/` in paths.
  package var home: String?
  /// The numeric id of the effective user.
  package var effectiveUserID: UInt32
  /// The id of the user who ran `sudo`, if any; root may use the repositories of that user.
  package var sudoUserID: UInt32?
  /// Folders above which no repository is searched.
  package var ceilings: [String]
  /// The folder that contains `git/ignore`: `XDG_CONFIG_HOME` or `~/.config`.
  package var configHome: String?

  /// Creates an environment; by default one without configuration files.
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
  /// `XDG_CONFIG_HOME`, `HOME`, `SUDO_UID` and `GIT_CEILING_DIRECTORIES`.
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
    return GitEnvironment(
      systemConfig: noSystem ? nil : variable("GIT_CONFIG_SYSTEM") ?? "/etc/gitconfig",
      globalConfigs: globals, home: home, sudoUserID: variable("SUDO_UID").flatMap { UInt32($0) },
      ceilings: variable("GIT_CEILING_DIRECTORIES")?.split(separator: ":").map(String.init) ?? [],
      configHome: configHome)
  }

  /// Expands a leading `~/` in a path from the configuration.
  func expand(_ path: String) -> String {
    guard let home, path.hasPrefix("~/") else { return path }
    return home + path.dropFirst()
  }

  /// Returns the value of a variable; nil if it is unset or empty.
  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
