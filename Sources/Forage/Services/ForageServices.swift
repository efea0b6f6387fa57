import ForageCore
public import ForageFoundation
public import ForageHTTP

/// What ``Forage`` stands on; by default the environment, the files and the connections of the user.
public struct ForageServices: Sendable {
  /// The variables: where files are, which tokens there are, which proxy is used.
  public var environment: [String: String]
  /// The settings, `nil` for the file that the environment names.
  public var settingsFile: String?
  /// The folder of what can be made again, `nil` for the one that the environment names.
  public var cacheFolder: String?
  /// The file of favorites and of the catalogue of clones, `nil` for the one that the environment names.
  public var storeFile: String?
  /// The time.
  public var now: @Sendable () -> Date = { Date() }
  /// Plugins and manifests to use beside those of the user, by their paths; naming one is trusting it.
  public var pluginPaths: [String] = []
  /// The most requests of all searches, `nil` for any number.
  public var maximumRequests: Int?
  /// Sends requests, `nil` for connections of this process.
  public var transport: HTTPTransport?

  /// The services of the user, with other variables.
  ///
  /// - Parameter environment: The variables, `nil` for those of this process.
  public init(environment: [String: String]? = nil) {
    self.environment = environment ?? ProcessInfo.processInfo.environment
  }

  func services(adding providers: [any SearchProvider]) -> Services {
    var directories = Directories(environment: environment)
    if let settingsFile { directories.configFile = settingsFile }
    if let cacheFolder { directories.cacheFolder = cacheFolder }
    if let storeFile { directories.storeFile = storeFile }
    var options = Services.Options()
    (options.pluginPaths, options.maximumRequests) = (pluginPaths, maximumRequests)
    return Services(
      environment: environment, directories: directories, options: options, reporter: Reporter(),
      adding: providers, now: now, transport: transport)
  }
}
