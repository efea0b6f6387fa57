import Synchronization

/// Collects the ids that a search announces.
final class Announced: Sendable {
  private let ids = Mutex<[[String]]>([])

  /// Adds the ids of one event.
  func add(_ new: [String]) { ids.withLock { $0.append(new) } }

  /// The ids of every event.
  var all: [[String]] { ids.withLock { $0 } }
}
