import ForagePluginProtocol

/// How often a plugin may be started.
struct RestartLimit {
  private var starts: [ContinuousClock.Instant] = []

  /// Counts a start.
  ///
  /// - Returns: Whether it may be made.
  mutating func allows(_ now: ContinuousClock.Instant) -> Bool {
    starts.removeAll { $0 + PluginProtocol.Limits.restartWindow <= now }
    guard starts.count <= PluginProtocol.Limits.restarts else { return false }
    starts.append(now)
    return true
  }
}
