/// A wait for a limit that has begun.
package struct LimitWait: Hashable, Sendable {
  /// The server, as users know it.
  package var host: String
  /// What the limit is on, for example `search`.
  package var resource: String
  /// How long it takes.
  package var duration: Duration

  package init(host: String, resource: String, duration: Duration) {
    self.host = host
    self.resource = resource
    self.duration = duration
  }
}
