import Synchronization

extension PluginHost {
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
