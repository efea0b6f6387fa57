import ForageCore
import ForageGitHub
import ForageHTTP
import ForageHTTPLive
import ForageInspector
import ForageLocal
import ForageStore
import Synchronization

/// What a command works with: the composition root, and the only place that knows every provider.
package final class Context: Sendable {
  package static let version = "0.1.0"

  let environment: [String: String]
  let output: Output
  let directories: Directories
  let store: StoreAccess
  private let isVerbose = Mutex(false)
  private let live = Mutex<LiveTransport?>(nil)
  private let finder = Mutex<TokenFinder?>(nil)
  private let cacheMode = Mutex(HTTPCachePolicy.Mode.normal)
  private let services = Mutex<HTTPServices?>(nil)
  private let troubles = Mutex<[String]>([])
  private let pagingState = Mutex(false)
  /// Starts pagers and browsers.
  let terminalPrograms: TerminalProgram

  /// Creates a context.
  ///
  /// - Parameters:
  ///   - environment: The process's variables.
  ///   - output: Where results and messages go.
  package convenience init(environment: [String: String], output: Output) {
    self.init(environment: environment, output: output, terminalPrograms: .live)
  }

  init(environment: [String: String], output: Output, terminalPrograms: TerminalProgram) {
    self.terminalPrograms = terminalPrograms
    self.environment = environment
    self.output = output
    directories = Directories(environment: environment)
    store = StoreAccess(path: directories.storeFile)
  }

  /// Whether a pager has the terminal: then Ctrl-C is for it.
  package internal(set) var isPaging: Bool {
    get { pagingState.withLock { $0 } }
    set { pagingState.withLock { $0 = newValue } }
  }

  /// Turns on a line for each request and child process.
  func setVerbose(_ isOn: Bool) { isVerbose.withLock { $0 = isOn } }

  /// Whether `FORAGE_DEBUG` asks for more than `--verbose`, header fields for example.
  private var isDebugging: Bool { environment["FORAGE_DEBUG"].map { !$0.isEmpty && $0 != "0" } ?? false }

  /// A line that only `--verbose` shows.
  func trace(_ line: String) {
    if isTracing { output.message(line) }
  }

  /// Whether lines of `--verbose` are shown.
  var isTracing: Bool { isDebugging || isVerbose.withLock { $0 } }

  /// Says how the cache of answers is used; to be called before the first request.
  func setCacheMode(_ mode: HTTPCachePolicy.Mode) { cacheMode.withLock { $0 = mode } }

  /// What the requests of this run share.
  private var httpServices: HTTPServices {
    services.withLock { services in
      if let services { return services }
      let made = NetworkServices.make(
        folder: directories.cacheFolder, mode: cacheMode.withLock { $0 },
        report: { [weak self] problem in
          self?.troubles.withLock { $0.append(problem) }
        }, onWait: nil,
        onCached: { [weak self] request, response in
          guard let age = response.cache.age else { return }
          self?.trace("\(request.method) \(request.url.text) from cache, \(Humane.duration(age)) old")
        })
      services = made
      return made
    }
  }

  /// Tells what went wrong beside the work itself; not while something is drawn on the terminal.
  func tellTroubles() {
    let told = troubles.withLock { troubles in
      defer { troubles = [] }
      return troubles
    }
    for trouble in told {
      output.problem(
        trouble,
        hint:
          "nothing else is lost; check the permissions and the space of \(directories.cacheFolder), or delete it"
      )
    }
  }

  /// The ids of the built-in providers, in order of precedence.
  static let builtIn = ["github", "local"]

  /// The settings of the user.
  func settings() throws -> Settings {
    try Settings.read(directories.configFile, knownProviders: Self.builtIn)
  }

  /// Every provider, enabled or not, in order of precedence.
  ///
  /// - Throws: `CommandError` or `SearchError` for a setting that is wrong.
  ///
  /// - Parameter named: The ids that the user named.
  func registry(_ settings: Settings, named: [String] = []) throws -> ProviderRegistry {
    let github = settings.providers["github"]
    let local = settings.providers["local"]
    let store = store
    return ProviderRegistry([
      GitHubProvider(
        client: try githubClient(isNamed: named.contains("github")), weight: github?.weight ?? 1,
        timeout: github?.timeout),
      LocalProvider(weight: local?.weight ?? 1, timeout: local?.timeout) { try store.existing() },
    ])
  }

  /// The GitHub that is asked: `FORAGE_GITHUB_URL`, else the API of `GH_HOST`, else github.com.
  func githubHost() throws -> GitHubHost {
    if let base = environment["FORAGE_GITHUB_URL"], !base.isEmpty { return try GitHubHost(base: base) }
    if let host = environment["GH_HOST"], !host.isEmpty { return try GitHubHost(host: host) }
    return try GitHubHost(host: GitHubHost.dotCom)
  }

  func githubClient(isNamed: Bool = false) throws -> GitHubClient {
    let host = try githubHost()
    let finder = tokenFinder
    return GitHubClient(
      host: host, transport: try transport(), userAgent: "forage/" + Self.version, services: httpServices,
      isNamed: isNamed
    ) {
      await finder.find(host).token
    }
  }

  /// Finds tokens; asked only when a request is about to be sent.
  var tokenFinder: TokenFinder {
    finder.withLock { finder in
      if let finder { return finder }
      let made = TokenFinder(environment: environment, child: .live { [weak self] in self?.trace($0) })
      finder = made
      return made
    }
  }

  /// The transport that every provider of this run shares.
  func transport() throws -> HTTPTransport {
    let shared = try live.withLock { live in
      if let live { return live }
      let made = LiveTransport(try NetworkSettings(environment: environment))
      live = made
      return made
    }
    return shared.transport.reporting { [weak self] exchange in
      self?.trace(exchange.line)
      if self?.isDebugging == true {
        for header in exchange.headers { self?.trace(header) }
      }
    }
  }

  /// Ends the children that are still looking for a token.
  func endChildren() async {
    tellTroubles()
    await finder.withLock { $0 }?.cancel()
  }

  /// Closes what is open; the program itself leaves that to its end.
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
    return "\(method) \(url) \(outcome), \(Humane.duration(elapsed)), \(Humane.bytes(bytes))"
  }
}
