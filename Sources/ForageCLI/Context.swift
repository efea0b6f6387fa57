import ForageCore
import ForageGitHub
import ForageHTTP
import ForageHTTPLive
import ForageInspector
import ForageLocal
import ForagePluginHost
import ForageStore
import Synchronization

/// The services of a command: the composition root, and the only place that knows every provider.
package final class Context: Sendable {
  package static let version = "0.1.0"

  let environment: [String: String]
  let outputState: Mutex<Output>
  let directories: Directories
  let store: StoreAccess
  private let isVerbose = Mutex(false)
  private let live = Mutex<LiveTransport?>(nil)
  let finder = Mutex<TokenFinder?>(nil)
  private let cacheMode = Mutex(HTTPCachePolicy.Mode.normal)
  private let services = Mutex<HTTPServices?>(nil)
  private let cacheProblems = Mutex<[String]>([])
  private let reported = Mutex<Set<String>>([])
  private let pagingState = Mutex(false)
  private let removingState = Mutex(false)
  /// Whether connections and tokens belong to another context, which closes them.
  private let isShared: Bool
  /// Starts pagers and browsers.
  let terminalPrograms: TerminalProgram
  /// The variables that hold secrets of plugins and manifests, once the settings are read.
  let secretVariables = Mutex<Set<String>>([])
  let installedProviders = Mutex<(own: InstalledProviders?, whole: InstalledProviders?)>((nil, nil))
  /// The ids of the plugins and manifests that the user named by a path.
  let namedForRun = Mutex<Set<String>>([])
  private let yesState = Mutex(false)
  /// What the user has agreed to in this run.
  let agreements = Mutex<Set<String>>([])
  private let host = Mutex<PluginHost?>(nil)
  /// Standard input, for answers to questions.
  let input: Input
  private let argumentState = Mutex<[String]>([])
  /// Every GitHub of the settings, once they were needed.
  let instances = Mutex<[GitHubInstance]?>(nil)
  /// The fingerprint of the token that this run uses for each host, an empty text for none.
  let accounts = Mutex<[String: String]>([:])
  private let waitObserver = Mutex<(@Sendable (String, Duration) -> Void)?>(nil)
  private let waitLine = Mutex<WaitLine?>(nil)
  /// How many requests may still be sent, and how many could be; `nil` for any number.
  private let requestLimit = Mutex<(left: Int, maximum: Int)?>(nil)

  /// Creates a context.
  ///
  /// - Parameters:
  ///   - environment: The process's variables.
  ///   - output: Where results and messages go.
  package convenience init(environment: [String: String], output: Output) {
    self.init(environment: environment, output: output, terminalPrograms: .live)
  }

  init(
    environment: [String: String], output: Output, terminalPrograms: TerminalProgram,
    input: Input = .standard,
    isShared: Bool = false
  ) {
    self.isShared = isShared
    self.terminalPrograms = terminalPrograms
    self.input = input
    self.environment = environment
    outputState = Mutex(output)
    directories = Directories(environment: environment)
    store = StoreAccess(path: directories.storeFile)
  }

  /// Creates a context for a command inside another one, with the connections and tokens of that.
  ///
  /// - Parameter output: Where its results and messages go.
  convenience init(sharing context: Context, output: Output) {
    self.init(
      environment: context.environment, output: output, terminalPrograms: context.terminalPrograms,
      input: Input(isTerminal: false) { nil }, isShared: true)
    if (try? context.transport()) != nil { live.withLock { $0 = context.live.withLock { $0 } } }
    if let settings = try? context.settings() {
      let shared = context.tokenFinder(settings).finder
      finder.withLock { $0 = shared }
    }
  }

  /// Whether a pager has the terminal, which then gets Ctrl-C.
  package internal(set) var isPaging: Bool {
    get { pagingState.withLock { $0 } }
    set { pagingState.withLock { $0 = newValue } }
  }

  /// Whether the command still has files to remove after Ctrl-C: the program then waits for it, or for a second Ctrl-C.
  package internal(set) var removesFilesAfterInterrupt: Bool {
    get { removingState.withLock { $0 } }
    set { removingState.withLock { $0 = newValue } }
  }

  /// Whether `--yes` answers the questions of this run.
  var assumesYes: Bool {
    get { yesState.withLock { $0 } }
    set { yesState.withLock { $0 = newValue } }
  }

  /// The arguments of the program, the name of the command first.
  var arguments: [String] {
    get { argumentState.withLock { $0 } }
    set { argumentState.withLock { $0 = newValue } }
  }

  /// Where results and messages go.
  var output: Output { outputState.withLock { $0 } }

  /// Applies the options of every command; called once, before the command runs.
  ///
  /// - Throws: `CommandError` for an unknown value of `--color`.
  func configure(_ options: CommonOptions) throws {
    isVerbose.withLock { $0 = options.verbose }
    setColor(try options.color.map { try OptionValue.choice(ColorChoice.self, $0, of: "--color") })
    outputState.withLock { output in
      output.isQuiet = options.quiet
      if options.quiet { output.isMessageTerminal = false }
    }
  }

  /// Applies `--color`, which wins over the environment; `nil` and `auto` leave the choice to the environment and the terminal.
  func setColor(_ choice: ColorChoice?) {
    guard let choice, choice != .auto else { return }
    outputState.withLock { output in
      output.hasColor = choice == .always
      output.hasMessageColor = choice == .always
    }
  }

  /// Sets the fields that `--json` asks for.
  func setSelection(_ selection: FieldSelection) { outputState.withLock { $0.selection = selection } }

  /// Runs a body whose results are collected in place of written.
  func collectingResults<Result>(in text: CollectedText, _ body: () async throws -> Result) async rethrows
    -> Result
  {
    let original = output
    outputState.withLock { output in
      output.writeResult = { text.add($0) }
      output.isCollected = true
    }
    defer { outputState.withLock { $0 = original } }
    return try await body()
  }

  /// Whether `FORAGE_DEBUG` asks for more than `--verbose`, header fields for example.
  private var isDebugging: Bool { environment["FORAGE_DEBUG"].map { !$0.isEmpty && $0 != "0" } ?? false }

  /// A line that only `--verbose` shows.
  func trace(_ line: String) {
    if isTracing { output.message(line) }
  }

  /// Whether lines of `--verbose` are shown.
  var isTracing: Bool { isDebugging || isVerbose.withLock { $0 } }

  /// Sets how cached answers are used; to be called before the first request.
  func setCacheMode(_ mode: HTTPCachePolicy.Mode) { cacheMode.withLock { $0 = mode } }

  /// The cache, limits and circuits that the requests of this run share.
  var httpServices: HTTPServices {
    services.withLock { services in
      if let services { return services }
      let made = NetworkServices.make(
        folder: directories.cacheFolder, mode: cacheMode.withLock { $0 },
        report: { [weak self] problem in
          self?.cacheProblems.withLock { $0.append(problem) }
        },
        onCached: { [weak self] request, response in
          guard let age = response.cache.age else { return }
          self?.trace("\(request.method) \(request.url.text) from cache, \(HumanFormat.duration(age)) old")
        })
      services = made
      return made
    }
  }

  /// The same for one provider: its waits for limits are reported with its id.
  func httpServices(of provider: String) -> HTTPServices {
    var services = httpServices
    // The providers of one run may use the cache in different ways.
    services.mode = cacheMode.withLock { $0 }
    services.onWait = { [weak self] wait in
      self?.trace(
        "\(provider): waiting \(HumanFormat.wait(wait.duration)) for the limit (\(wait.resource) of \(wait.host))"
      )
      guard let self else { return }
      if let observer = waitObserver.withLock({ $0 }) {
        observer(provider, wait.duration)
      } else {
        waits.wait(provider, for: wait.duration)
      }
    }
    return services
  }

  /// The line of the terminal that shows what this command waits for.
  var waits: WaitLine {
    waitLine.withLock { line in
      if let line { return line }
      let made = WaitLine(output)
      line = made
      return made
    }
  }

  /// Chooses who shows waits for limits: which provider waits, and how long. Without a choice it is `waits`.
  func observeWaits(_ observer: @escaping @Sendable (String, Duration) -> Void) {
    waitObserver.withLock { $0 = observer }
  }

  /// Reports a problem once, however often it occurs in a run.
  func warnOnce(_ message: String, hint: String) {
    if reported.withLock({ $0.insert(message).inserted }) { output.warning(message, hint: hint) }
  }

  /// Reports what is wrong with the cache; not while something is drawn on the terminal.
  func reportCacheProblems() {
    let problems = cacheProblems.withLock { pending in
      defer { pending = [] }
      return pending
    }
    for problem in problems {
      output.warning(
        problem,
        hint:
          "the command works without it; check the permissions and the free space of \(directories.cacheFolder), or delete it"
      )
    }
  }

  /// The types of providers in the settings; each has a built-in provider, in order of precedence.
  static let types = [
    ProviderType(name: GitHubInstance.mainID) { address throws(SearchError) in
      guard let address else { return GitHubHost.dotCom }
      return try GitHubHost(base: address, setting: "url").credentialHost
    }, ProviderType(name: "local"),
  ]

  /// Reads the user's settings.
  ///
  /// - Parameter paths: Plugins and manifests that the user named for this run; settings can be for them, too.
  func settings(naming paths: [String] = []) throws -> Settings {
    let settings = try Settings.read(directories.configFile, types: Self.types) {
      var ids = installed().ids
      for path in paths { addIDs(at: path, to: &ids) }
      return ids
    }
    if !settings.providers.isEmpty { secretVariables.withLock { $0 = settings.secretVariables } }
    return settings
  }

  /// Runs plugins; a plugin is started when it is first asked.
  var pluginHost: PluginHost {
    host.withLock { host in
      if let host { return host }
      let made = PluginHost(version: Self.version, environment: environment) { [weak self] in self?.trace($0)
      }
      host = made
      return made
    }
  }

  /// Every provider, enabled or not, in order of precedence: the built-in ones, then further instances in the order of the settings, then plugins
  /// and manifests.
  ///
  /// - Parameters:
  ///   - named: The ids that the user named; where all are built in, plugins and manifests are not searched for.
  ///   - everything: Whether plugins and manifests that are not enabled are needed, too.
  ///   - paths: Plugins and manifests that the user named for this run; they come before others of their ids.
  ///   - reach: How far a search may go beyond the results that one query returns, by the provider's id.
  func registry(
    _ settings: Settings, named: [String] = [], everything: Bool = false, paths: [String] = [],
    reach: (String) -> SearchReach = { _ in SearchReach() }
  ) throws -> ProviderRegistry {
    let github = GitHubInstance.all(settings, environment: environment).map { instance in
      provider(instance, settings, isNamed: named.contains(instance.id), reach: reach(instance.id))
    }
    let store = store
    let code = CodeSettings(index: codeIndex, maximumFileSize: settings.maximumFileSize)
    let clones = LocalProvider(code: code) { try store.existing() }
    let builtIn = github.prefix(1) + [clones] + github.dropFirst()
    let known = Set(builtIn.map(\.descriptor.id))
    let extra = try paths.flatMap { try self.named($0, settings, keepsLimits: true) }
    for id in extra.map(\.descriptor.id) where known.contains(id) {
      throw CommandError(
        "\"\(id)\" is the id of a built-in provider", hint: "give the plugin an id of its own")
    }
    let isBuiltIn = !named.isEmpty && named.allSatisfy(known.contains)
    namedForRun.withLock { $0.formUnion(extra.map(\.descriptor.id)) }
    return ProviderRegistry(
      builtIn + extra
        + (isBuiltIn ? [] : externalProviders(settings, named: named, everything: everything)),
      preferences: settings.preferences(of:))
  }

  /// The index of the code in clones.
  var codeIndex: CodeIndex { CodeIndex(path: directories.cacheFolder + "/code.db") }

  /// The transport that every provider of this run shares.
  func transport() throws(SearchError) -> HTTPTransport {
    let shared = try live.withLock { live throws(SearchError) in
      if let live { return live }
      let made = LiveTransport(try NetworkSettings(environment: environment))
      live = made
      return made
    }
    let limited = HTTPTransport { [weak self] request in
      try self?.takeRequest()
      return try await shared.transport.send(request)
    }
    return limited.reporting { [weak self] exchange in
      self?.trace(exchange.line)
      if self?.isDebugging == true {
        for header in exchange.headers { self?.trace(header) }
      }
    }
  }

  /// Limits the requests of this run.
  func limitRequests(to maximum: Int) { requestLimit.withLock { $0 = (maximum, maximum) } }

  /// Counts a request that is about to be sent.
  ///
  /// - Throws: `SearchError` when the limit of this run is reached.
  private func takeRequest() throws(SearchError) {
    try requestLimit.withLock { limit throws(SearchError) in
      guard let (left, maximum) = limit else { return }
      guard left > 0 else {
        throw SearchError(
          "request_limit", "the limit of \(HumanFormat.plural(maximum, "request")) is reached",
          hint: "start again with a larger --max-requests")
      }
      limit = (left - 1, maximum)
    }
  }

  /// Ends the plugins, and the child processes that look for a token.
  func endChildren() async {
    output.progress.erase()
    reportCacheProblems()
    await host.withLock { $0 }?.close()
    if !isShared { await finder.withLock { $0 }?.cancel() }
  }

  /// Closes every open resource; the program itself leaves that to its exit.
  package func close() async {
    await endChildren()
    await live.withLock { live in
      defer { live = nil }
      return live
    }?.shutdown()
  }
}

extension HTTPExchange {
  /// The exchange as `--verbose` shows it.
  fileprivate var line: String {
    let outcome = status.map(String.init) ?? "failed (\(failure ?? "no answer"))"
    return "\(method) \(url) \(outcome), \(HumanFormat.duration(elapsed)), \(HumanFormat.bytes(bytes))"
  }
}
