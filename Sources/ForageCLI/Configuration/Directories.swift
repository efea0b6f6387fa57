/// Where files of this program are, by the XDG Base Directory Specification.
struct Directories: Sendable {
  /// The settings.
  var configFile: String
  /// The store.
  var storeFile: String
  /// What can be had again: safe to delete.
  var cacheFolder: String

  /// Reads `XDG_CONFIG_HOME`, `XDG_DATA_HOME`, `XDG_CACHE_HOME` and `HOME`; relative values do not count, as the specification demands.
  init(environment: [String: String]) {
    func folder(_ variable: String, _ fallback: String) -> String {
      if let value = environment[variable], value.hasPrefix("/") { return value }
      return (environment["HOME"] ?? "") + "/" + fallback
    }
    configFile = folder("XDG_CONFIG_HOME", ".config") + "/forage/config.yaml"
    cacheFolder = folder("XDG_CACHE_HOME", ".cache") + "/forage"
    storeFile = folder("XDG_DATA_HOME", ".local/share") + "/forage/forage.db"
  }
}
