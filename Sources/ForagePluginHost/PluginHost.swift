package import ForageCore
import ForagePluginProtocol
import Synchronization

/// Finds plugins, checks their trust, starts them on demand and stops them.
package final class PluginHost: Sendable {
  package let places: PluginPlaces
  package let trust: PluginTrust

  private let program: ProgramInfo
  private let environment: [String: String]
  private let times: PluginTimes
  private let heldSecrets: @Sendable () async -> [String]
  private let log: @Sendable (String) -> Void
  let sessions = Mutex<[PluginSession]>([])
  /// The sessions before this index are not shared with further providers.
  private let firstShared = Mutex(0)

  /// Creates a host; no plugin is searched or started.
  ///
  /// - Parameters:
  ///   - version: The version of this program, as sent to plugins.
  ///   - environment: The environment of this program, of which plugins receive a part.
  ///   - places: The places of plugins; `nil` for the default ones.
  ///   - times: The time limits besides those of searches.
  ///   - log: Receives each line of plugins' standard error and each protocol violation, on any thread. The
  ///     text is untrusted; secrets are masked.
  ///   - heldSecrets: Returns the secrets of this program, which are masked in what plugins say.
  package init(
    version: String, environment: [String: String], places: PluginPlaces? = nil,
    times: PluginTimes = PluginTimes(),
    log: @escaping @Sendable (String) -> Void = { _ in },
    heldSecrets: @escaping @Sendable () async -> [String] = { [] }
  ) {
    program = ProgramInfo(name: "forage", version: version)
    self.environment = environment
    self.places = places ?? PluginPlaces(environment: environment)
    trust = PluginTrust(path: self.places.trustFile)
    self.times = times
    self.heldSecrets = heldSecrets
    self.log = log
  }

  /// Searches for plugins without starting them.
  package func discover() -> PluginDiscovery { PluginDiscovery(places) }

  /// The providers of a plugin, which share one process, also with those of an earlier call with the same settings. It is started at the
  /// first request.
  ///
  /// - Parameters:
  ///   - plugin: The plugin. Its trust is checked when it is started.
  ///   - config: The values of its settings by name. An unknown setting makes its searches fail.
  ///   - secrets: Returns the values of its secrets by name when it is started; not called where it runs already.
  ///     Undeclared ones are not passed on.
  package func providers(
    of plugin: FoundPlugin, config: [String: JSONTree] = [:],
    secrets: @escaping @Sendable () async -> [String: String] = { [:] }
  ) -> [PluginProvider] {
    let first = firstShared.withLock(\.self)
    let running = sessions.withLock { $0.dropFirst(first).last { $0.serves(plugin, config) } }
    return PluginProvider.all(running ?? session(of: plugin, config: config, secrets: secrets))
  }

  /// Gives providers that are made from now on a process of their own, as after a restart of the program.
  package func startAnew() {
    let count = sessions.withLock(\.count)
    firstShared.withLock { $0 = count }
  }

  func session(
    of plugin: FoundPlugin, config: [String: JSONTree] = [:],
    secrets: @escaping @Sendable () async -> [String: String] = { [:] }
  ) -> PluginSession {
    let session = PluginSession(
      plugin, program: program, environment: environment, trust: trust, times: times, config: config,
      secrets: secrets, heldSecrets: heldSecrets, log: log)
    sessions.withLock { $0.append(session) }
    return session
  }

  /// The protocol violations of a plugin that did not stop it, and the faults of its items, each once and for
  /// use after its name. The text is untrusted.
  package func warnings(of id: String) -> [String] {
    sessions.withLock { $0 }.filter { $0.plugin.id == id }.flatMap(\.warnings.messages)
  }

  /// Whether a warning is only about a field of an item that is kept.
  package static func isNote(_ warning: String) -> Bool { warning.hasSuffix(ItemReader.fieldNote) }

  /// Stops all plugins permanently: closes their input and kills those that do not exit within 200 milliseconds.
  /// Returns when all processes have ended.
  package func close() async {
    let all = sessions.withLock { $0 }
    await withTaskGroup(of: Void.self) { group in
      for session in all { group.addTask { await session.close(.hurried) } }
    }
  }

  /// Ends a plugin as the protocol says, and returns what it did wrong.
  ///
  /// - Returns: The faults, each for use after the plugin's name; empty if it does not run.
  package func endingFaults(of id: String) async -> [String] {
    var faults: [String] = []
    for session in sessions.withLock({ $0 }) where session.plugin.id == id && session.group != nil {
      let start = ContinuousClock.now
      await session.close(.gentle)
      if ContinuousClock.now - start >= ProcessLoop.patience {
        let limit = ProcessLoop.patience.components.seconds
        faults.append("did not exit within \(limit) s of the end of its input, and was terminated")
      }
      if session.leavesChildren { faults.append("exited while child processes of it were running") }
    }
    return faults
  }
}

/// The time limits of plugins besides those of searches.
package struct PluginTimes: Sendable {
  /// From the start of a plugin to its response to `initialize`.
  package var handshake: Duration
  /// From the cancellation of a request to its answer.
  package var cancelGrace: Duration

  /// Creates time limits; the defaults are those of the protocol.
  package init(
    handshake: Duration = PluginProtocol.Limits.handshake,
    cancelGrace: Duration = PluginProtocol.Limits.cancelGrace
  ) {
    self.handshake = handshake
    self.cancelGrace = cancelGrace
  }
}
