import ForageCore
public import ForageFoundation
public import ForageHTTP
import ForagePlatform

/// The environment, files and connections that a ``Forage`` uses; by default those of the user.
public struct ForageSetup: Sendable {
  /// The variables: where files are, which tokens there are, which proxy is used.
  public var environment: [String: String]
  /// The settings, `nil` for the file that the environment names.
  public var settingsFile: String?
  /// The folder of what can be made again, `nil` for the one that the environment names.
  public var cacheFolder: String?
  /// The file of favorites and of the catalogue of clones, `nil` for the one that the environment names.
  public var storeFile: String?
  /// The time that relative times count from.
  public var now: @Sendable () -> Date = { Date() }
  /// Plugins and manifests to use beside those of the user, by their paths; naming one is trusting it.
  public var pluginPaths: [String] = []
  /// The most requests of all searches, `nil` for any number.
  public var maximumRequests: Int?
  /// Sends requests, `nil` for connections of this process.
  public var transport: HTTPTransport?
  /// Whether the questions of this run are answered with yes.
  package var assumesYes = false

  /// Creates the setup of the user, or one with other variables.
  ///
  /// - Parameter environment: The variables, `nil` for those of this process.
  public init(environment: [String: String]? = nil) {
    self.environment = environment ?? ProcessInfo.processInfo.environment
  }
}

/// The folders and files of this program, by the XDG Base Directory Specification.
package struct Paths: Sendable {
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
  /// What is known of the stars of accounts.
  var starsFolder: String { cacheFolder + "/stars" }
  /// What forges have told of repositories.
  var knownRepositoriesFile: String { cacheFolder + "/repositories" }
  /// The hosts for SSH that forges have named.
  var sshHostsFile: String { cacheFolder + "/ssh-hosts" }
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

  /// The paths of the environment, but for those that the setup names.
  init(_ setup: ForageSetup) {
    self.init(environment: setup.environment)
    configFile = setup.settingsFile ?? configFile
    cacheFolder = setup.cacheFolder ?? cacheFolder
    storeFile = setup.storeFile ?? storeFile
  }
}
