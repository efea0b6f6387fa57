import Synchronization

/// Collects a text from several places.
final class CollectedText: Sendable {
  private let parts = Mutex("")

  /// Adds a piece.
  func add(_ part: String) { parts.withLock { $0 += part } }

  /// All pieces so far.
  var text: String { parts.withLock { $0 } }
}
