import ForageCore
import ForagePlatform
import ForagePluginProtocol
import Synchronization

/// The lifetime of a plugin within the program: starts it on demand, and restarts it a few times.
final class PluginSession: Sendable {
  private struct State {
    var connection: PluginConnection?
    /// Processes that were stopped, until they have ended.
    var former: [PluginProcess] = []
    var starting: Task<Result<PluginConnection, SearchError>, Never>?
    var limit = RestartLimit()
    var isClosed = false
  }

  let plugin: FoundPlugin
  private let program: ProgramInfo
  private let environment: [String: String]
  private let trust: PluginTrust
  private let times: PluginTimes
  /// The values of its settings, by name.
  private let config: [String: JSONTree]
  /// Returns the values of its secrets, by name.
  private let secrets: @Sendable () async -> [String: String]
  /// Returns the secrets that are not for it, but that it must not repeat either.
  private let heldSecrets: @Sendable () async -> [String]
  private let log: @Sendable (String) -> Void
  /// The requests that have not ended.
  private let pending = PendingReports()
  private let state = Mutex(State())
  /// Receives the protocol violations and the faults of items, each for use after the plugin's name.
  let warnings: FirstReports

  /// Creates a session; the plugin is not started.
  ///
  /// - Parameters:
  ///   - plugin: The plugin.
  ///   - program: The name and version of this program, for `initialize`.
  ///   - environment: The environment of this program, of which the plugin receives a part.
  ///   - log: Receives each line of the plugin's standard error and each protocol violation, prefixed by its
  ///     name. The text is untrusted; secrets are masked.
  init(
    _ plugin: FoundPlugin, program: ProgramInfo, environment: [String: String], trust: PluginTrust,
    times: PluginTimes, config: [String: JSONTree], secrets: @escaping @Sendable () async -> [String: String],
    heldSecrets: @escaping @Sendable () async -> [String], log: @escaping @Sendable (String) -> Void
  ) {
    self.plugin = plugin
    self.program = program
    self.environment = environment
    self.trust = trust
    self.times = times
    self.config = config
    self.secrets = secrets
    self.heldSecrets = heldSecrets
    self.log = log
    let name = plugin.manifest.name
    warnings = FirstReports { log("\(name): warning: " + $0) }
  }

  deinit { state.withLock { $0.connection }?.process.terminate(.gentle) }

  /// The process group of the plugin while it runs.
  var group: Int32? {
    let process = state.withLock { $0.connection?.process }
    return process.flatMap { $0.isGone ? nil : $0.group }
  }

  /// Whether the plugin has ended by itself before its child processes.
  var leavesChildren: Bool { state.withLock { $0.connection?.process.leavesChildren ?? false } }

  /// Whether it is one of a plugin with the same files and settings, and is not closed.
  func serves(_ plugin: FoundPlugin, _ config: [String: JSONTree]) -> Bool {
    self.plugin.folder == plugin.folder && self.plugin.manifestDigest == plugin.manifestDigest
      && self.config == config && !state.withLock(\.isClosed)
  }

  /// The connection to the running plugin, which is started if necessary.
  ///
  /// - Throws: `SearchError` if it is not trusted, cannot be started, was started too often, or the deadline
  ///   passes.
  func connection(by deadline: ContinuousClock.Instant) async throws(SearchError) -> PluginConnection {
    let name = plugin.manifest.name
    let found = state.withLock {
      state -> Result<Task<Result<PluginConnection, SearchError>, Never>, SearchError>? in
      if state.isClosed { return .failure(PluginFault.closed(name)) }
      if let connection = state.connection, connection.isUsable { return nil }
      if let starting = state.starting { return .success(starting) }
      // Reading the files of a plugin blocks.
      let task = OwnThreadExecutor.task { await self.start() }
      state.starting = task
      return .success(task)
    }
    guard let found else {
      if let connection = state.withLock({ $0.connection }) { return connection }
      throw PluginFault.closed(name)
    }
    let task = try found.get()
    guard let result = try? await Deadline.run(until: deadline, { await task.value }) else {
      throw Task.isCancelled
        ? PluginFault.cancelled(name) : PluginFault.late(name, "could not be started in time")
    }
    return try result.get()
  }

  func ask(_ call: PluginCall) async -> PluginAnswer {
    let start = ContinuousClock.now
    let report: @Sendable (PluginAnswer) -> Void = { [log, name = plugin.manifest.name] answer in
      let time = Int((ContinuousClock.now - start) / .milliseconds(1))
      let outcome = answer.failure.map { " failed (\($0.code.rawValue))" } ?? ""
      log("\(name): \(call.method ?? "initialize")\(outcome), \(answer.items.count) items, \(time) ms")
    }
    let number = pending.begin { [name = plugin.manifest.name] in
      report(PluginAnswer(failure: PluginFault.cancelled(name)))
    }
    let answer: PluginAnswer
    do throws(SearchError) { answer = await (try connection(by: call.deadline)).ask(call) } catch {
      answer = PluginAnswer(failure: error)
    }
    if pending.end(number) { report(answer) }
    return answer
  }

  /// Starts the plugin if necessary, and waits until it has answered `initialize`.
  ///
  /// - Throws: `SearchError`, as `connection(by:)`, and if the response to `initialize` is invalid.
  func start(by deadline: ContinuousClock.Instant) async throws(SearchError) {
    let connection = try await connection(by: deadline)
    guard !connection.isInitialized else { return }
    if let failure = await connection.ask(.readiness(until: deadline)).failure { throw failure }
  }

  /// Stops the plugin permanently. Returns when its process group has ended.
  func close(_ urgency: PluginProcess.Urgency) async {
    let (connection, starting, former) = state.withLock { state in
      state.isClosed = true
      return (state.connection, state.starting, state.former)
    }
    starting?.cancel()
    connection?.close(urgency)
    for process in former + [connection?.process].compactMap(\.self) {
      await withCheckedContinuation { continuation in process.onExit { continuation.resume() } }
    }
    pending.giveUp()
  }

  // MARK: Starting

  private func start() async -> Result<PluginConnection, SearchError> {
    let result: Result<PluginConnection, SearchError>
    do throws(SearchError) { result = .success(try await opened()) } catch { result = .failure(error) }
    state.withLock { $0.starting = nil }
    return result
  }

  private func opened() async throws(SearchError) -> PluginConnection {
    let name = plugin.manifest.name
    if let problem = try trust.state(of: plugin).problem(of: plugin) { throw problem }
    let launch = try plugin.launch(environment: environment)
    let secrets = await secrets().filter { plugin.manifest.secrets.contains($0.key) }
    let greeting = InitializeParams(host: program, config: try wholeConfig(), secrets: secrets)
    guard let params = try? JSONTree(encoding: greeting), params.encoded().count <= PluginProtocol.Limits.line
    else {
      throw SearchError(
        .configuration, "the settings of the plugin \(name) are too large",
        hint: "keep them below \(PluginProtocol.Limits.line >> 10) KiB")
    }
    let isAllowed = state.withLock { $0.limit.allows(.now) }
    guard isAllowed else {
      throw SearchError(
        .unavailable,
        "the plugin \(name) exited \(PluginProtocol.Limits.restarts + 1) times within "
          + "\(PluginProtocol.Limits.restartWindow.components.seconds / 60) minutes and is not started again")
    }
    let redaction = SecretRedaction(await Array(secrets.values) + heldSecrets())
    let log = log
    let show: @Sendable (String) -> Void = { line in log("\(name): " + line) }
    let concurrency = Dictionary(
      uniqueKeysWithValues: plugin.manifest.providers.map { ($0.info.id, $0.concurrency) })
    let connection = PluginConnection(
      name: name, concurrency: concurrency, times: times, redaction: redaction, log: show
    ) { [warnings] in
      warnings.report($0)
    }
    // A session that is being closed starts nothing.
    try state.withLock { state throws(SearchError) in
      if state.isClosed { throw PluginFault.closed(name) }
      state.former.removeAll(where: \.isGone)
      if let former = state.connection?.process { state.former.append(former) }
      state.connection = connection
    }
    show("starting " + launch.arguments.joined(separator: " "))
    connection.open(launch, greeting: params)
    return connection
  }

  /// The values of its settings, with the defaults of its `plugin.json`.
  private func wholeConfig() throws(SearchError) -> [String: JSONTree] {
    let known = plugin.manifest.config
    if let unknown = config.keys.sorted().first(where: { known[$0] == nil }) {
      throw SearchError(
        .configuration, "the plugin \(plugin.manifest.name) has no setting \(unknown)",
        hint: NearestName.hint(for: unknown, among: known.keys)
          ?? (known.isEmpty ? "it has none" : "its settings: " + known.keys.sorted().joined(separator: ", ")))
    }
    return known.compactMapValues(\.standard).merging(config) { $1 }
  }
}

struct RestartLimit {
  private var starts: [ContinuousClock.Instant] = []

  /// Records a start.
  ///
  /// - Returns: Whether it is allowed.
  mutating func allows(_ now: ContinuousClock.Instant) -> Bool {
    starts.removeAll { $0 + PluginProtocol.Limits.restartWindow <= now }
    guard starts.count <= PluginProtocol.Limits.restarts else { return false }
    starts.append(now)
    return true
  }
}
