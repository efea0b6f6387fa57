package import ForageCore
package import ForageFoundation
import ForageGitHub
package import ForageHTTP
import ForageHTTPLive
import ForageLocal
package import ForagePluginHost
package import ForageStore

/// The services of a run: the composition root, and the only place that knows every provider.
///
/// They are chosen once, from the environment and the options; each is made at its first use.
package struct Services: Sendable {
  package static let version = "0.1.0"

  package struct Options: Sendable {
    /// Plugins and manifests that the user named by their paths; settings can be for them, too.
    package var pluginPaths: [String] = []
    /// Whether the questions of this run are answered with yes.
    package var assumesYes = false
    /// How many requests may be sent, `nil` for any number.
    package var maximumRequests: Int?

    package init() {}
  }

  package let environment: [String: String]
  package let options: Options
  package let directories: Directories
  package let store: StoreAccess
  package private(set) var reporter: Reporter
  /// The time that relative times count from.
  package let now: @Sendable () -> Date
  /// Providers of the program that uses the library, behind all others.
  let added: [any SearchProvider]
  /// Sends requests in place of connections of this run.
  private let transportOfCaller: HTTPTransport?
  private let live: Once<LiveTransport, SearchError>
  let readSettings: Once<Settings, any Error>
  let namedIDs: Once<InstalledIDs, Never>
  private let everyInstalled: Once<InstalledProviders, Never>
  private let ownInstalled: Once<InstalledProviders, Never>
  /// Every GitHub of the settings, and what finds their tokens.
  let credentials: Once<Credentials, Never>
  private let cache: HTTPCache
  /// The limits of servers and plugins, as they have told this process.
  let budgets: RateBudgets
  /// The servers that this process could not reach.
  let breaker: CircuitBreaker
  private let host: Once<PluginHost, Never>
  /// Whether connections and tokens belong to other services, which close them.
  private let isShared: Bool
  /// The fingerprint of the token that this run uses for each host, an empty text for none; set when a token is found.
  package let accounts: Locked<[String: String]>
  /// What the user has agreed to in this run.
  let agreements = Locked<Set<String>>([])
  private let allowance: RequestAllowance?
  /// The requests of this run that are traced and have not ended.
  private let exchanges = PendingReports()
  /// Problems that are reported later, because something is drawn on the terminal when they occur.
  private let cacheProblems: Locked<[String]>
  /// The warnings of this run, each reported only once.
  private let reported = Locked<Set<String>>([])

  /// Every GitHub of the settings, and what finds their tokens.
  struct Credentials: Sendable {
    var instances: [GitHubInstance]
    var finder: TokenFinder
  }

  /// Chooses the services; nothing is read, opened or sent.
  ///
  /// - Parameters:
  ///   - environment: The process's variables.
  ///   - directories: Where files are, `nil` for what the environment says.
  ///   - added: Providers of the program that uses the library.
  ///   - transport: Sends requests; `nil` for connections of this run.
  ///   - other: Services of the same environment whose connections, tokens and knowledge of servers are used.
  package init(
    environment: [String: String], directories: Directories? = nil, options: Options = Options(),
    reporter: Reporter, adding added: [any SearchProvider] = [],
    now: @escaping @Sendable () -> Date = { Date() }, transport: HTTPTransport? = nil,
    sharing other: Services? = nil
  ) {
    let directories = directories ?? Directories(environment: environment)
    self.environment = environment
    self.options = options
    self.directories = directories
    self.reporter = reporter
    self.added = added
    self.now = now
    transportOfCaller = transport
    isShared = other != nil
    store = StoreAccess(path: directories.storeFile)
    accounts = other?.accounts ?? Locked([:])
    allowance = options.maximumRequests.map(RequestAllowance.init)
    live =
      other?.live
      ?? Once { () throws(SearchError) in LiveTransport(try NetworkSettings(environment: environment)) }
    let every = Once { () throws(Never) in
      InstalledProviders(environment: environment, directories: directories, onlyOwn: false)
    }
    everyInstalled = every
    ownInstalled = Once { () throws(Never) in
      every.made ?? InstalledProviders(environment: environment, directories: directories, onlyOwn: true)
    }
    let named = Once { () throws(Never) in
      var ids = InstalledIDs()
      for path in options.pluginPaths { ids.add(at: path) }
      return ids
    }
    namedIDs = named
    let settings = Once { () throws(any Error) in
      try Settings.read(directories.configFile, types: Self.types) { every.get().ids.adding(named.get()) }
    }
    readSettings = settings
    let credentials =
      other?.credentials
      ?? Once { () throws(Never) in
        // What needs settings that cannot be read reports that itself.
        let settings = (try? settings.get()) ?? Settings()
        let instances = GitHubInstance.all(settings, environment: environment)
        return Credentials(
          instances: instances,
          finder: TokenFinder(
            environment: environment, child: .live { reporter.trace?($0) },
            owners: GitHubInstance.tokenOwners(instances, settings)))
      }
    self.credentials = credentials
    let problems = Locked<[String]>([])
    cacheProblems = problems
    cache = HTTPCache(
      folder: directories.answersFolder, report: { problem in problems.withLock { $0.append(problem) } },
      onCached: { request, age in
        reporter.trace?(
          "\(request.method) \(request.url.text) from cache, \(HumanFormat.duration(age)) old")
      })
    budgets = other?.budgets ?? RateBudgets()
    breaker = other?.breaker ?? CircuitBreaker()
    host = Once { () throws(Never) in
      PluginHost(
        version: Self.version, environment: environment, log: { reporter.trace?($0) },
        heldSecrets: { await Self.heldSecrets(environment, try? settings.get(), credentials) })
    }
  }

  /// The same services, with another taker of what they report.
  package func reporting(to reporter: Reporter) -> Services {
    var copy = self
    copy.reporter = reporter
    return copy
  }

  /// The same services for one task of a longer run: settings and installed providers are read again; connections, tokens and what is
  /// known of servers are shared.
  package func renewed(reportingTo reporter: Reporter) -> Services {
    Services(
      environment: environment, directories: directories, options: options, reporter: reporter, adding: added,
      now: now, transport: transportOfCaller, sharing: self)
  }

  /// A line that only a run that traces its requests shows.
  package func trace(_ line: String) { reporter.trace?(line) }

  /// The cache, limits and circuits for the requests of one provider: its waits for limits are reported with its id.
  func httpServices(of provider: String, _ requestOptions: RequestOptions) -> HTTPServices {
    HTTPServices(
      cache: cache, mode: requestOptions.cache, budgets: budgets, breaker: breaker,
      onWait: { [reporter] wait in
        reporter.trace?(
          "\(provider): waiting \(HumanFormat.wait(wait.duration)) for the limit (\(wait.resource) of \(wait.host))"
        )
        reporter.waiting(provider, wait.duration)
      })
  }

  /// Reports a problem once, however often it occurs in a run.
  package func warnOnce(_ message: String, hint: String) {
    if reported.withLock({ $0.insert(message).inserted }) { reporter.warning(message, hint) }
  }

  /// Prints a message once, however often it occurs in a run.
  package func messageOnce(_ line: String) {
    if reported.withLock({ $0.insert(line).inserted }) { reporter.message(line) }
  }

  /// Reports what is wrong with the cache; not while something is drawn on the terminal.
  package func reportCacheProblems() {
    let problems = cacheProblems.withLock { problems in
      defer { problems = [] }
      return problems
    }
    for problem in problems {
      reporter.warning(
        problem,
        "the command works without it; check the permissions and the free space of \(directories.cacheFolder), or delete it"
      )
    }
  }

  /// The types of providers in the settings; each has a built-in provider, in order of precedence.
  package static let types = BuiltInProvider.all.map(\.type)

  /// The user's settings, read once.
  ///
  /// - Throws: `ForageError` with file and line for anything that is not understood.
  package func settings() throws -> Settings { try readSettings.get() }

  /// The plugins and manifests of this machine, which are found once.
  ///
  /// - Parameter onlyOwn: Whether only the user's own are needed; others may be among them.
  package func installed(onlyOwn: Bool = false) -> InstalledProviders {
    onlyOwn ? everyInstalled.made ?? ownInstalled.get() : everyInstalled.get()
  }

  /// The ids of the plugins and manifests of this machine and of those that the user named by a path.
  package var knownIDs: InstalledIDs { installed().ids.adding(namedIDs.get()) }

  /// Runs plugins; a plugin is started when it is first asked.
  package var pluginHost: PluginHost { host.get() }

  /// Every provider, enabled or not, in order of precedence: the built-in ones, then further instances in the order of the settings, then plugins
  /// and manifests; those that the user named by a path come before others of their ids.
  package func registry(_ settings: Settings, _ requestOptions: RequestOptions = RequestOptions()) throws
    -> ProviderRegistry
  {
    let named = requestOptions.named
    let made = BuiltInProvider.all.map { $0.make(self, settings, requestOptions) }
    let builtIn = made.compactMap(\.first) + made.flatMap { $0.dropFirst() }
    let known = Set(builtIn.map(\.descriptor.id))
    let extra = try options.pluginPaths.flatMap {
      try self.named($0, settings, requestOptions, keepsLimits: true)
    }
    for id in extra.map(\.descriptor.id) where known.contains(id) {
      throw ForageError(
        "\"\(id)\" is the id of a built-in provider", hint: "give the plugin an id of its own")
    }
    let own = known.union(added.map(\.descriptor.id))
    let isOwn = !named.isEmpty && named.allSatisfy(own.contains)
    return ProviderRegistry(
      builtIn + extra + (isOwn ? [] : externalProviders(settings, requestOptions)) + added,
      preferences: settings.preferences(of:))
  }

  package var codeIndex: CodeIndex { CodeIndex(path: directories.cacheFolder + "/code.db") }

  /// The transport that every provider of this run shares.
  package func transport() throws(SearchError) -> HTTPTransport {
    let shared = if let transportOfCaller { transportOfCaller } else { try live.get().transport }
    let limited =
      allowance.map { allowance in
        HTTPTransport { request in
          try allowance.take()
          return try await shared.send(request)
        }
      } ?? shared
    guard let trace = reporter.trace else { return limited }
    let redaction = SecretRedaction(Self.boundSecrets(environment, try? settings()))
    return limited.reporting(exchanges) { [tracesHeaders = reporter.tracesHeaders] exchange in
      for line in [exchange.line] + (tracesHeaders ? exchange.headers : []) {
        trace(redaction.redacted(line))
      }
    }
  }

  /// The environment for programs that need no token: a pager, a browser, git.
  package var environmentWithoutTokens: [String: String] {
    let owners = credentials.get().finder.owners
    let others = secretVariables
    return environment.filter { name, _ in
      !TokenFinder.tokenVariables.contains(name) && owners[name] == nil && !others.contains(name)
    }
  }

  /// The variables that hold secrets of plugins and manifests.
  private var secretVariables: Set<String> { (try? settings().secretVariables) ?? [] }

  /// The secrets that the program holds now.
  package func heldSecrets() async -> [String] {
    await Self.heldSecrets(environment, try? settings(), credentials)
  }

  private static func heldSecrets(
    _ environment: [String: String], _ settings: Settings?, _ credentials: Once<Credentials, Never>
  ) async -> [String] {
    let found = await credentials.made?.finder.secrets ?? []
    return (boundSecrets(environment, settings) + found).filter { !$0.isEmpty }
  }

  private static func boundSecrets(_ environment: [String: String], _ settings: Settings?) -> [String] {
    (settings?.secretVariables ?? []).union(TokenFinder.tokenVariables).compactMap { environment[$0] }
  }

  /// Says why the time of providers was over: the settings allow one less than the command, or the clones waited for a
  /// database that another process has locked.
  func explainTimeouts(
    _ outcomes: inout [ProviderOutcome], of registry: ProviderRegistry, within timeout: Duration
  ) {
    for index in outcomes.indices {
      guard let error = outcomes[index].error, error.code == .timeout else { continue }
      let id = outcomes[index].id
      if let own = registry[id]?.preferences.timeout, own < timeout {
        outcomes[index].error = SearchError(
          .timeout, error.message,
          hint: "the settings allow it \(HumanFormat.duration(own)); increase its timeout there")
      } else if id == LocalProvider.id,
        let lock = StoreError.lock(onStore: store.path) ?? StoreError.lock(onCache: codeIndex.path)
      {
        outcomes[index].error = SearchError(.timeout, lock.message, hint: lock.hint)
      }
    }
  }

  /// Ends the plugins, and the child processes that look for a token.
  package func endChildren() async {
    reportCacheProblems()
    await host.made?.close()
    if !isShared { await credentials.made?.finder.cancel() }
    // What the deadline ended has not told it yet.
    exchanges.giveUp()
  }

  /// Ends child processes and closes files and connections. The services cannot be used afterwards.
  package func close() async {
    await endChildren()
    store.close()
    if !isShared { await live.made?.shutdown() }
  }
}

extension HTTPExchange {
  /// The exchange as `--verbose` shows it.
  fileprivate var line: String {
    let outcome = status.map(String.init) ?? "failed (\(failure ?? "no answer"))"
    return "\(method) \(url) \(outcome), \(HumanFormat.duration(elapsed)), \(HumanFormat.bytes(bytes))"
  }
}
