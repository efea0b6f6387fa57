import ForageCore
import ForagePluginProtocol
import Synchronization

/// Limits the restarts of plugins that end by themselves or are stopped for a fault, in all searches of a
/// program.
package final class PluginRestarts: Sendable {
  /// A plugin with its settings; another version or setting may end its faults.
  struct Key: Hashable, Sendable {
    var folder: String
    var manifest: [UInt8]
    var config: [String: JSONTree]
  }

  /// When each plugin has ended, the first time first.
  private let ends = Mutex<[Key: [ContinuousClock.Instant]]>([:])

  /// Creates a limit of which nothing is used.
  package init() {}

  /// Records that a plugin has ended unexpectedly.
  func recordEnd(of plugin: Key, at now: ContinuousClock.Instant = .now) {
    ends.withLock { $0[plugin, default: []].append(now) }
  }

  /// Whether a plugin may be started.
  func allows(_ plugin: Key, at now: ContinuousClock.Instant = .now) -> Bool {
    ends.withLock { ends in
      ends[plugin]?.removeAll { $0 + PluginProtocol.Limits.restartWindow <= now }
      return ends[plugin]?.count ?? 0 <= PluginProtocol.Limits.restarts
    }
  }
}
