import ForagePluginProtocol

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
