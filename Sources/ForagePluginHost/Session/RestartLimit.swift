import ForagePluginProtocol

/// Limits how often a plugin is started.
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
