import ForagePluginProtocol

/// How long plugins get for what is no search.
package struct PluginTimes: Sendable {
  /// From the start of a plugin to its answer to the greeting.
  package var handshake: Duration
  /// From the wish to stop a request to its answer.
  package var cancelGrace: Duration

  /// Creates times; those of the protocol unless a test needs others.
  package init(
    handshake: Duration = PluginProtocol.Limits.handshake,
    cancelGrace: Duration = PluginProtocol.Limits.cancelGrace
  ) {
    self.handshake = handshake
    self.cancelGrace = cancelGrace
  }
}
