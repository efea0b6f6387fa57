package import ForageCore
import ForagePluginProtocol
import Synchronization

/// Checks the trust of plugins, starts them on demand and stops them.
package final class PluginHost: Sendable {
  package let trust: PluginTrust
  private let context: PluginSession.Context
  private let state = Mutex(State())

  private struct State {
    var sessions: [PluginSession] = []
    /// The sessions before this index are not shared with further providers.
    var firstShared = 0
  }

  /// Creates a host; no plugin is searched or started.
  ///
  /// - Parameters:
  ///   - version: The version of this program, as sent to plugins.
  ///   - environment: The environment of this program, of which plugins receive a part.
  ///   - restarts: Limits the restarts of plugins, also those of other hosts with the same limit.
  ///   - handshake: The time from the start of a plugin to its response to `initialize`.
  ///   - http: Sends the requests of plugins.
  ///   - log: Receives each line of plugins' standard error and each protocol violation, on any thread. The
  ///     text is untrusted; secrets are masked.
  ///   - knownSecrets: Returns the secrets of this program, which are masked in what plugins say.
  package init(
    version: String, environment: [String: String], restarts: PluginRestarts = PluginRestarts(),
    handshake: Duration = PluginProtocol.Limits.handshake,
    http: @escaping PluginHTTP = { _ in throw SearchError(.unavailable, "there is no network here") },
    log: @escaping @Sendable (String) -> Void = { _ in },
    knownSecrets: @escaping @Sendable () async -> [String] = { [] }
  ) {
    trust = PluginTrust(path: PluginSearchPath(environment: environment).trustFile)
    context = PluginSession.Context(
      program: ProgramInfo(name: "forage", version: version), environment: environment, trust: trust,
      restarts: restarts, handshake: handshake, knownSecrets: knownSecrets, http: http,
      log: log)
  }

  /// The providers of a plugin, which share one process, also with those of an earlier call with the same
  /// settings. It is started at the first request.
  ///
  /// - Parameters:
  ///   - plugin: The plugin. Its trust is checked when it is started.
  ///   - handshake: The time from its start to its response to `initialize`, with which the time limit of a
  ///     search grows; `nil` for that of the host.
  ///   - config: The values of its settings by name. An unknown setting makes its searches fail.
  ///   - secrets: Returns the values of its secrets by name when it is started; not called where it runs
  ///     already. Undeclared ones are not passed on.
  package func providers(
    of plugin: FoundPlugin, handshake: Duration? = nil, config: [String: JSONTree] = [:],
    secrets: @escaping @Sendable () async -> [String: String] = { [:] }
  ) -> [PluginProvider] {
    let session = state.withLock { state in
      let shared = state.sessions.dropFirst(state.firstShared)
      if let running = shared.last(where: { $0.serves(plugin, config) }) { return running }
      var context = context
      context.handshake = handshake ?? context.handshake
      let session = PluginSession(plugin, context, config: config, secrets: secrets)
      state.sessions.append(session)
      return session
    }
    // What a start may take longer, a search may.
    let added = max(.zero, (handshake ?? context.handshake) - context.handshake)
    return plugin.manifest.providers.map { declared in
      var declared = declared
      declared.info.timeLimit = declared.info.timeLimit.map { $0 + added }
      return PluginProvider(session: session, declared: declared)
    }
  }

  /// Gives providers that are made from now on a process of their own, as after a restart of the program.
  package func startAnew() { state.withLock { $0.firstShared = $0.sessions.count } }

  /// The protocol violations of a plugin that did not stop it, and the faults of its items, each once and for
  /// use after its name. The text is untrusted.
  package func warnings(of id: String) -> [String] {
    state.withLock(\.sessions).filter { $0.plugin.id == id }.flatMap(\.warnings.messages)
  }

  /// Whether a warning is only about a field of an item that is kept.
  package static func isNote(_ warning: String) -> Bool { warning.hasSuffix(ItemReader.fieldNote) }

  /// Stops all plugins permanently: closes their input and kills those that do not exit within 200
  /// milliseconds. Returns when all processes have ended.
  package func close() async {
    let sessions = state.withLock(\.sessions)
    await withTaskGroup(of: Void.self) { group in
      for session in sessions { group.addTask { await session.close(PluginProcess.shutdownTimeout) } }
    }
  }

  /// Ends a plugin as the protocol says, and returns what it did wrong.
  ///
  /// - Returns: The faults, each for use after the plugin's name; `nil` if it does not run or is being
  ///   stopped.
  package func endingFaults(of id: String) async -> [String]? {
    var faults: [String]?
    for session in state.withLock(\.sessions) where session.plugin.id == id {
      guard let process = session.runningProcess else { continue }
      await session.close(PluginProcess.exitTimeout)
      faults = faults ?? []
      if process.wasSignalled {
        let limit = PluginProcess.exitTimeout.components.seconds
        faults?.append("did not exit within \(limit) s of the end of its input, and was terminated")
      }
      if process.leavesChildren { faults?.append("exited while child processes of it were running") }
    }
    return faults
  }
}
