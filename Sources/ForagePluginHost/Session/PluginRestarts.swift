import ForageCore
import ForagePluginProtocol
import Synchronization

/// Limits the starts of plugins that end by themselves or are stopped for a fault, in all searches of a
/// program.
///
/// A plugin is started while the processes that have ended in this way within
/// `PluginProtocol.Limits.restartWindow`, together with the starts that are counted, are no more than
/// `PluginProtocol.Limits.restarts`. A start is counted from its beginning, so that the limit holds however
/// many are made at once. It is given back when the process has answered all that it was asked, or is no
/// longer wanted. A start for which there is no room waits: a plugin that answers is not refused.
package final class PluginRestarts: Sendable {
  /// A plugin with its settings; another version or setting may end its faults.
  struct Key: Hashable, Sendable {
    var folder: String
    var manifest: [UInt8]
    var config: [String: JSONTree]
  }

  private struct Counts {
    /// When processes have ended, the first time first.
    var ends: [ContinuousClock.Instant] = []
    /// The number of starts that were not given back.
    var starts = 0
    var waiting: [AsyncStream<Void>.Continuation] = []
  }

  private let counts = Mutex<[Key: Counts]>([:])

  /// Creates a limit of which nothing is used.
  package init() {}

  /// Counts a start, and waits for it while there is no room.
  ///
  /// - Returns: Whether the plugin may be started; `false` after too many ends, and if the task is cancelled.
  func start(_ plugin: Key, at now: ContinuousClock.Instant = .now) async -> Bool {
    while !Task.isCancelled {
      let room = AsyncStream<Void>.makeStream()
      let isAllowed = counts.withLock { counts -> Bool? in
        var own = counts[plugin] ?? Counts()
        defer { counts[plugin] = own }
        own.ends.removeAll { $0 + PluginProtocol.Limits.restartWindow <= now }
        if own.ends.count > PluginProtocol.Limits.restarts { return false }
        if own.ends.count + own.starts <= PluginProtocol.Limits.restarts {
          own.starts += 1
          return true
        }
        own.waiting.append(room.continuation)
        return nil
      }
      if let isAllowed { return isAllowed }
      for await _ in room.stream {}
    }
    return false
  }

  /// Gives a start back, once for each.
  func giveBack(_ plugin: Key) {
    let waiting = counts.withLock { counts in
      counts[plugin]?.starts -= 1
      defer { counts[plugin]?.waiting = [] }
      return counts[plugin]?.waiting ?? []
    }
    for room in waiting { room.finish() }
  }

  /// Records that a process has ended unexpectedly, before its start is given back.
  func recordEnd(of plugin: Key, at now: ContinuousClock.Instant = .now) {
    counts.withLock { $0[plugin, default: Counts()].ends.append(now) }
  }
}
