package import ForageCore
import ForagePluginProtocol
import Synchronization

/// Runs plugins: finds them, knows which are trusted, starts them when they are asked, and ends them.
package final class PluginHost: Sendable {
  /// Where plugins are looked for.
  package let places: PluginPlaces
  /// Which plugins may run.
  package let trust: PluginTrust

  private let program: ProgramInfo
  private let environment: [String: String]
  private let times: PluginTimes
  private let log: @Sendable (String) -> Void
  private let sessions = Mutex<[PluginSession]>([])

  /// Creates a host; nothing is looked for and nothing is started.
  ///
  /// - Parameters:
  ///   - version: The version of this program, as plugins are told.
  ///   - environment: The environment of this program; plugins see a small part of it.
  ///   - places: Where plugins are looked for, `nil` for the usual places.
  ///   - times: How long plugins get for what is no search.
  ///   - log: Told what plugins write to their standard error and what they do wrong, a line at a time on any
  ///     thread; untrusted text, secrets left out.
  package init(
    version: String, environment: [String: String], places: PluginPlaces? = nil,
    times: PluginTimes = PluginTimes(),
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    program = ProgramInfo(name: "forage", version: version)
    self.environment = environment
    self.places = places ?? PluginPlaces(environment: environment)
    trust = PluginTrust(path: self.places.trustFile)
    self.times = times
    self.log = log
  }

  /// Looks for plugins; nothing of them runs.
  package func discover() -> PluginDiscovery { PluginDiscovery(places) }

  /// Makes the providers of a plugin, which share one process. It is started when the first of them is asked.
  ///
  /// - Parameters:
  ///   - plugin: The plugin; whether it is trusted is looked at when it is started.
  ///   - weight: The weight of a provider, by its id.
  ///   - timeout: The time limit of a provider, by its id; `nil` for 4 seconds.
  ///   - config: The values of its settings, by name; one that it does not have is an error of its searches.
  ///   - secrets: Gives the values of its secrets, by name, when it is started; those that it does not
  ///     declare are not passed on.
  package func providers(
    of plugin: FoundPlugin, weight: (_ id: String) -> Double = { _ in 1 },
    timeout: (_ id: String) -> Duration? = { _ in nil }, config: [String: JSONTree] = [:],
    secrets: @escaping @Sendable () async -> [String: String] = { [:] }
  ) -> [any SearchProvider] {
    PluginProvider.all(
      session(of: plugin, config: config, secrets: secrets), weight: weight, timeout: timeout)
  }

  /// Makes a session of a plugin.
  func session(
    of plugin: FoundPlugin, config: [String: JSONTree] = [:],
    secrets: @escaping @Sendable () async -> [String: String] = { [:] }
  ) -> PluginSession {
    let session = PluginSession(
      plugin, program: program, environment: environment, trust: trust, times: times,
      binding: PluginSession.Binding(config: config, secrets: secrets), log: log)
    sessions.withLock { $0.append(session) }
    return session
  }

  /// What a plugin has done wrong without failing by it, each to stand behind its name; untrusted text.
  package func warnings(of id: String) -> [String] {
    sessions.withLock { $0 }.filter { $0.plugin.id == id }.flatMap(\.warnings)
  }

  /// Ends every plugin for good: their input ends, and whatever has not gone then is killed.
  ///
  /// - Parameter isHurried: Whether they have 200 milliseconds, as when the program ends, or two seconds.
  /// - Returns: When nothing of them is left.
  package func close(isHurried: Bool = true) async {
    let all = sessions.withLock { $0 }
    await withTaskGroup(of: Void.self) { group in
      for session in all { group.addTask { await session.close(isHurried ? .hurried : .gentle) } }
    }
  }
}
