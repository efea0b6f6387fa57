import ForagePlatform

/// The folders and files of this program, by the XDG Base Directory Specification.
package struct Directories: Sendable {
  package var home: String
  package var configFile: String
  package var providersFolder: String { configHome + "/forage/providers.d" }
  /// The folder of all programs' settings.
  package var configHome: String
  package var storeFile: String
  /// The cache, which is safe to delete.
  package var cacheFolder: String
  /// The cached answers of servers.
  package var answersFolder: String { cacheFolder + "/answers" }
  /// State of the terminal between runs, which is safe to delete.
  package var stateFolder: String

  /// Reads `XDG_CONFIG_HOME`, `XDG_DATA_HOME`, `XDG_CACHE_HOME`, `XDG_STATE_HOME` and `HOME`; relative values are ignored, as the
  /// specification requires.
  package init(environment: [String: String]) {
    let home = homeFolder(environment: environment)
    self.home = home
    func folder(_ variable: String, _ fallback: String) -> String {
      if let value = environment[variable], value.hasPrefix("/") { return value }
      return home + "/" + fallback
    }
    configHome = folder("XDG_CONFIG_HOME", ".config")
    configFile = configHome + "/forage/config.yaml"
    cacheFolder = folder("XDG_CACHE_HOME", ".cache") + "/forage"
    stateFolder = folder("XDG_STATE_HOME", ".local/state") + "/forage"
    storeFile = folder("XDG_DATA_HOME", ".local/share") + "/forage/forage.db"
  }
}
