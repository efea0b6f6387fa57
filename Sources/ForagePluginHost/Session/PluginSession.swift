import ForageCore
import ForagePlatform
import ForagePluginProtocol
import Synchronization

/// The lifetime of a plugin within the program: starts it on demand, and restarts it a few times.
final class PluginSession: Sendable {
  private typealias Start = Task<Result<PluginConnection, SearchError>, Never>

  private struct State {
    var connection: PluginConnection?
    /// The processes that were started and may not have ended.
    var processes: [PluginProcess] = []
    var starting: Start?
    var isClosed = false
  }

  /// What all plugins of a host have in common.
  struct Context: Sendable {
    /// The name and version of this program, for `initialize`.
    var program: ProgramInfo
    /// The environment of this program, of which plugins receive a part.
    var environment: [String: String]
    var trust: PluginTrust
    var restarts: PluginRestarts
    /// The time from the start of a plugin to its response to `initialize`.
    var handshake: Duration
    /// Returns the secrets of this program, which are masked in what plugins say.
    var knownSecrets: @Sendable () async -> [String]
    /// Sends the requests of plugins.
    var http: PluginHTTP
    /// Receives each line of plugins' standard error and each protocol violation, prefixed by the plugin's
    /// name. The text is untrusted; secrets are masked.
    var log: @Sendable (String) -> Void
  }

  let plugin: FoundPlugin
  /// What its restarts are counted by.
  private var key: PluginRestarts.Key {
    PluginRestarts.Key(folder: plugin.folder, manifest: plugin.manifestBytes, config: config)
  }
  private let context: Context
  /// The values of its settings, by name.
  private let config: [String: JSONTree]
  /// Returns the values of its secrets, by name.
  private let secrets: @Sendable () async -> [String: String]
  /// Receives a line, without the plugin's name.
  private let log: @Sendable (String) -> Void
  private let state = Mutex(State())
  /// Receives the protocol violations and the faults of items, each for use after the plugin's name.
  let warnings: FirstReports

  /// Creates a session; the plugin is not started.
  init(
    _ plugin: FoundPlugin, _ context: Context, config: [String: JSONTree],
    secrets: @escaping @Sendable () async -> [String: String]
  ) {
    self.plugin = plugin
    self.context = context
    self.config = config
    self.secrets = secrets
    let log: @Sendable (String) -> Void = { [name = plugin.manifest.name] in context.log("\(name): " + $0) }
    self.log = log
    warnings = FirstReports { log("warning: " + $0) }
  }

  deinit { state.withLock { $0.connection }?.close(PluginProcess.exitTimeout) }

  /// The process of the plugin if it runs, has answered `initialize` and is not being stopped.
  var runningProcess: PluginProcess? {
    state.withLock(\.connection).flatMap { $0.isUsable && !$0.process.hasEnded ? $0.process : nil }
  }

  /// Whether it is one of a plugin with the same files and settings, and is not closed.
  func serves(_ plugin: FoundPlugin, _ config: [String: JSONTree]) -> Bool {
    self.plugin.folder == plugin.folder && self.plugin.manifestBytes == plugin.manifestBytes
      && self.config == config && !state.withLock(\.isClosed)
  }

  // MARK: Asking

  /// The connection to the running plugin, which is started if necessary and has answered `initialize`.
  ///
  /// - Throws: `SearchError` if it is not trusted, cannot be started, refuses its settings, was started too
  ///   often, or the deadline passes.
  @discardableResult
  func start(by deadline: ContinuousClock.Instant) async throws(SearchError) -> PluginConnection {
    let name = plugin.manifest.name
    let (running, starting) = try state.withLock { state throws(SearchError) -> (PluginConnection?, Start?) in
      if state.isClosed { throw PluginFault.closed(name) }
      if let connection = state.connection, connection.isUsable { return (connection, nil) }
      // Reading the files of a plugin blocks.
      let starting = state.starting ?? OwnThreadExecutor.task { await self.started() }
      state.starting = starting
      return (nil, starting)
    }
    if let running { return running }
    guard let starting, let result = try? await Deadline.run(until: deadline, { await starting.value }) else {
      throw Task.isCancelled ? PluginFault.cancelled(name) : PluginFault.unanswered(name)
    }
    return try result.get()
  }

  /// Sends a request, after a start if necessary.
  ///
  /// The end of the plugin costs the request that ended it: one that was not sent is sent after a restart. If
  /// several were sent, or the plugin had answered others, each is sent once more, one after the other, so
  /// that only those fail that end it alone.
  func ask(_ call: PluginCall) async -> PluginAnswer {
    let start = ContinuousClock.now
    var answer = PluginAnswer()
    var isAlone = false
    while true {
      do throws(SearchError) {
        answer = await (try self.start(by: call.deadline)).ask(call, isAlone: isAlone)
      } catch {
        // What has come before stays, with the reason for its end.
        if answer.failure == nil || answer.items.isEmpty { answer.failure = error }
        break
      }
      guard let interruption = answer.interruption, !isAlone || interruption == .unsent else { break }
      isAlone = isAlone || interruption == .besideOthers
    }
    answer.failure = answer.failure.map(PluginFault.withReset)
    let outcome = answer.failure.map { " failed (\($0.code.rawValue))" } ?? ""
    log(
      "\(call.method)\(outcome), \(answer.items.count) items, \((ContinuousClock.now - start).milliseconds) ms"
    )
    return answer
  }

  /// Stops the plugin permanently. Returns when its process group has ended.
  ///
  /// - Parameter exitTimeout: How long it may take to exit.
  func close(_ exitTimeout: Duration) async {
    let (connection, starting, processes) = state.withLock { state in
      state.isClosed = true
      return (state.connection, state.starting, state.processes)
    }
    starting?.cancel()
    connection?.close(exitTimeout)
    for process in processes { await process.waitForEnd() }
  }

  // MARK: Starting

  private func started() async -> Result<PluginConnection, SearchError> {
    let result: Result<PluginConnection, SearchError>
    do throws(SearchError) { result = .success(try await opened()) } catch { result = .failure(error) }
    state.withLock { $0.starting = nil }
    return result
  }

  private func opened() async throws(SearchError) -> PluginConnection {
    let name = plugin.manifest.name
    if let problem = try context.trust.state(of: plugin).problem(of: plugin) { throw problem }
    let launch = try plugin.launch(environment: context.environment)
    let manifest = plugin.manifest
    let secrets = await secrets().filter { manifest.secrets.contains($0.key) }
    let greeting = InitializeParams(
      host: context.program, config: try wholeConfig(),
      secrets: secrets.filter { manifest.ownSecrets.contains($0.key) })
    let secret = manifest.auth.flatMap { auth in secrets[auth.secret].map { (auth: auth, value: $0) } }
    guard let params = try? JSONTree(encoding: greeting), params.encoded().count <= PluginProtocol.Limits.line
    else {
      throw SearchError(
        .configuration, "the settings of the plugin \(name) are too large",
        hint: "keep them below \(PluginProtocol.Limits.line >> 10) KiB")
    }
    let concurrency = plugin.manifest.providers.map { ($0.info.id, $0.concurrency) }
    let connection = PluginConnection(
      name: name, concurrency: Dictionary(uniqueKeysWithValues: concurrency), handshake: context.handshake,
      redaction: SecretRedaction(await Array(secrets.values) + context.knownSecrets()), warn: warnings.report,
      restarts: context.restarts, key: key
    ) { [http = context.http] params, deadline in
      try await http(
        PluginHTTPRequest(
          params, plugin: manifest.id, hosts: manifest.hosts, secret: secret, deadline: deadline))
    }
    guard await context.restarts.start(key) else {
      // A session that is being closed starts nothing.
      if Task.isCancelled { throw PluginFault.closed(name) }
      throw SearchError(
        .unavailable,
        "the plugin \(name) exited or was stopped \(PluginProtocol.Limits.restarts + 1) times within "
          + "\(PluginProtocol.Limits.restartWindow.components.seconds / 60) minutes and is not started again"
      )
    }
    let isClosed = state.withLock { state in
      if state.isClosed { return true }
      state.processes.removeAll(where: \.hasEnded)
      state.processes.append(connection.process)
      state.connection = connection
      return false
    }
    if isClosed {
      connection.close(.zero)
      throw PluginFault.closed(name)
    }
    log("starting " + ([launch.program] + launch.arguments).joined(separator: " "))
    let start = ContinuousClock.now
    do {
      let version = try await connection.open(launch, greeting: params, log: log).version.unicodeScalars
        .prefix(Self.shownLength)
      log(
        "initialize\(version.isEmpty ? "" : ", version \(String(version))"), \((ContinuousClock.now - start).milliseconds) ms"
      )
    } catch {
      log("initialize failed (\(error.code.rawValue)), \((ContinuousClock.now - start).milliseconds) ms")
      throw error
    }
    return connection
  }

  /// The number of characters shown of a version.
  private static let shownLength = 80

  /// The values of its settings, with the defaults of its `plugin.json`.
  private func wholeConfig() throws(SearchError) -> [String: JSONTree] {
    let known = plugin.manifest.config
    if let unknown = config.keys.sorted().first(where: { known[$0] == nil }) {
      throw SearchError(
        .configuration, "the plugin \(plugin.manifest.name) has no setting \(unknown)",
        hint: NearestName.hint(for: unknown, among: known.keys)
          ?? (known.isEmpty
            ? "it has none; remove it" : "its settings: " + known.keys.sorted().joined(separator: ", ")))
    }
    return known.compactMapValues(\.standard).merging(config) { $1 }
  }
}
