public import ForageCore
public import ForageFoundation
public import ForageHTTP
package import ForageLocal
import ForageManifest
import ForagePlatform
package import ForagePluginHost
package import ForageStore

/// Searches everywhere code lives: GitHub, the clones on this machine, and providers of the program that uses
/// this library.
///
/// It is made once and used for as long as the program runs:
///
/// ```swift
/// let forage = try Forage(adding: [MyProvider()])
/// for try await update in forage.search("http client language:swift") {
///   if case .finished(let report) = update { print(report.items.map(\.result.title)) }
/// }
/// await forage.close()
/// ```
///
/// Several searches may run at once. Nothing is printed; what a person may want to know arrives as updates of
/// a search.
public final class Forage: Sendable {
  package static let version = "0.2.0"

  /// The values that it was made from.
  package let setup: ForageSetup
  package let paths: Paths
  package let credentials: Credentials
  package let network: Network
  package let reporter: Reporter
  package let configuration: Configuration
  package let store: StoreAccess
  private let host: Once<PluginHost, Never>
  /// Counts the restarts of plugins in all tasks.
  private let restarts: PluginRestarts
  private let ssh: Once<SSHConfiguration, Never>
  package let sshHosts: KnownSSHHosts
  /// What the user has agreed to in this run.
  let agreements: Locked<Set<String>>
  /// The searches that run, which ``close()`` ends.
  package let running = RunningTasks()

  /// Uses the settings and the environment of the user.
  ///
  /// - Parameter providers: Providers to ask beside those of the settings; one with the id of another
  ///   provider is left out.
  /// - Throws: ``ForageError`` for settings that cannot be read.
  public convenience init(adding providers: [any SearchProvider] = []) throws {
    try self.init(ForageSetup(), adding: providers)
  }

  /// Uses something else than the files and connections of the user.
  ///
  /// - Parameters:
  ///   - setup: What is used.
  ///   - providers: As for ``init(adding:)``.
  /// - Throws: ``ForageError`` for settings that cannot be read.
  public convenience init(_ setup: ForageSetup, adding providers: [any SearchProvider] = []) throws {
    self.init(setup, reportingTo: Reporter(), adding: providers)
    // What is wrong in a part of them is reported by what uses them.
    _ = try configuration.settings.get()
  }

  /// Reads, opens and sends nothing; settings that cannot be read fail what is asked for.
  ///
  /// - Parameters:
  ///   - reporter: Takes what a person may want to know.
  ///   - other: One of the same environment whose connections, tokens and knowledge of servers are used.
  package init(
    _ setup: ForageSetup, reportingTo reporter: Reporter, adding providers: [any SearchProvider] = [],
    sharing other: Forage? = nil
  ) {
    self.setup = setup
    self.reporter = reporter
    let (paths, environment) = (Paths(setup), setup.environment)
    self.paths = paths
    let configuration = Configuration(setup, paths, adding: providers, sharing: other?.configuration)
    self.configuration = configuration
    let credentials = Credentials(
      environment: environment, configuration, reporter, sharing: other?.credentials)
    self.credentials = credentials
    network = Network(setup, paths, credentials, reporter, sharing: other?.network)
    store = StoreAccess(
      path: paths.storeFile, isIgnored: { configuration.ignored.get().contains($0) },
      onUnreadable: { entity in
        let hint =
          switch entity {
          case .clone: reporter.text(.scanClones)
          case .folder: reporter.text(.addCloneFolder)
          case .favorite: "add it again"
          }
        reporter.warnOnce(
          "a \(entity.rawValue) in the store \(paths.storeFile) cannot be read and is left out", hint: hint)
      })
    agreements = Locked([])
    ssh = other?.ssh ?? Once { () throws(Never) in SSHConfiguration(home: paths.home) }
    sshHosts = other?.sshHosts ?? KnownSSHHosts(path: paths.sshHostsFile)
    let restarts = other?.restarts ?? PluginRestarts()
    self.restarts = restarts
    let requests = PluginRequests(
      userAgent: "forage/" + Self.version, transport: { [network] in try network.transport() },
      services: { [network] in network.services(of: $0, .normal) },
      knownSecrets: { await credentials.knownSecrets() })
    host = Once { () throws(Never) in
      PluginHost(
        version: Self.version, environment: environment, restarts: restarts,
        http: { try await requests.send($0) },
        log: { reporter.trace?($0) }, knownSecrets: { await credentials.knownSecrets() })
    }
  }

  private init(_ other: Forage, reportingTo reporter: Reporter) {
    (setup, paths) = (other.setup, other.paths)
    network = other.network.reporting(to: reporter)
    (configuration, store, host, ssh) = (other.configuration, other.store, other.host, other.ssh)
    sshHosts = other.sshHosts
    restarts = other.restarts
    self.reporter = reporter.sharingWhatIsTold(with: other.reporter)
    credentials = other.credentials.reporting(to: self.reporter)
    agreements = other.agreements
  }

  /// The same, with another taker of what is reported.
  package func reporting(to reporter: Reporter) -> Forage { Forage(self, reportingTo: reporter) }

  /// The same for one task of a longer run: settings and installed providers are read again; connections,
  /// forges with their tokens, and what is known of servers are shared.
  package func renewed(reportingTo reporter: Reporter) -> Forage {
    Forage(setup, reportingTo: reporter, adding: configuration.added, sharing: self)
  }

  /// What forges have told of repositories in earlier answers.
  package var knownRepositories: KnownRepositories { KnownRepositories(path: paths.knownRepositoriesFile) }

  /// Ends the searches that run, child processes and connections. Nothing can be asked afterwards.
  public func close() async {
    await running.end()
    await endChildren()
    store.close()
    await network.close()
  }

  /// Ends the plugins, and the programs that look for a token.
  package func endChildren() async {
    network.reportCacheProblems()
    await host.made?.close()
    await credentials.close()
    network.giveUp()
  }
}

/// What the parts of a command need of each other.
extension Forage {
  /// The process's variables.
  package var environment: [String: String] { setup.environment }

  /// The time that relative times count from.
  package var now: Date { setup.now() }

  /// The environment for programs that need no token: a pager, a browser, git.
  package var environmentWithoutTokens: [String: String] { credentials.environmentWithoutTokens }

  /// Runs plugins; a plugin is started when it is first asked.
  package var pluginHost: PluginHost { host.get() }

  /// The reader of addresses of remotes.
  package var remoteHosts: RemoteHosts {
    let names = Once { [store] () throws(Never) in (try? store.existing()?.formerNames()) ?? [:] }
    return RemoteHosts(
      forges: { [configuration] in configuration.forgeHosts },
      servers: { [configuration] in
        configuration.cloneServers + configuration.servers.map { $0.authority + $0.folder }
      },
      known: { [sshHosts] in sshHosts.hosts }, ssh: { [ssh] in ssh.get() }, page: page,
      names: { names.get() })
  }

  /// Remembers the hosts for SSH that forges name for their repositories, so that clones from there are known
  /// as theirs.
  ///
  /// - Parameter results: Repositories as their own forges describe them.
  package func recordSSHHosts(_ results: [SearchResult]) {
    let forges = Set(configuration.forgeHosts)
    sshHosts.record(
      results.compactMap { result in
        guard let host = result[.host]?.text, forges.contains(host),
          let ssh = result[.sshURL]?.text.flatMap(RepositoryIdentity.sshParts)?.host,
          // The name of another forge stays that of the other forge.
          !RepositoryIdentity.ignoresCase(ssh), !forges.contains(where: { $0.prefix { $0 != ":" } == ssh })
        else { return nil }
        return (ssh, host)
      })
  }

  /// The page of an entity on a forge of a manifest, or on a server below a path or without TLS; `nil` for
  /// the usual one.
  package func page(of entity: EntityReference) -> String? {
    guard forge(at: entity.host) == nil else { return nil }
    // Where a repository is follows from its name; the manifests are read for what is in one only, because
    // that takes time.
    let forge =
      entity.subject == .repository && !configuration.hasOwnPages(entity.host)
      ? addedForges.first { $0.info.hosts.contains(entity.host) } : forgeWithPages(at: entity.host)
    if let page = forge?.page(of: entity) { return page }
    let server = configuration.servers.first { $0.authority == entity.host }
    return server.map { entity.webAddress(at: "\($0.scheme)://\($0.authority)\($0.folder)") }
  }

  /// The address from which git clones a repository over HTTPS, where it is not the usual one.
  package func cloneAddress(of repository: EntityReference) -> String? {
    let forge = configuration.hasOwnPages(repository.host) ? forgeWithPages(at: repository.host) : nil
    return (forge as? ManifestForgeProvider)?.cloneAddress(of: repository) ?? page(of: repository)
  }

  /// The index of the code in clones; commands that write it wait for each other.
  package var codeIndex: CodeIndex { CodeIndex(path: paths.cacheFolder + "/code.db") }
  /// The same index for what only reads it, which goes on without it while another process keeps it.
  package var searchedCodeIndex: CodeIndex { CodeIndex(path: codeIndex.path, isForSearch: true) }
}

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
  package var starsFolder: String { cacheFolder + "/stars" }
  /// What forges have told of repositories.
  var knownRepositoriesFile: String { cacheFolder + "/repositories" }
  /// The hosts for SSH that forges have named.
  var sshHostsFile: String { cacheFolder + "/ssh-hosts" }
  /// State of the terminal between runs, which is safe to delete.
  package var stateFolder: String

  /// Reads `XDG_CONFIG_HOME`, `XDG_DATA_HOME`, `XDG_CACHE_HOME`, `XDG_STATE_HOME` and `HOME`; relative values
  /// are ignored, as the specification requires.
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
