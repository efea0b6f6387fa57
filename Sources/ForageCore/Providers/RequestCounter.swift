import Synchronization

/// Counts the requests of one provider in one search, also of those that fail or are cut off.
public final class RequestCounter: Sendable {
  private let value = Atomic(0)

  /// Creates a counter at 0.
  public init() {}

  /// Counts one request.
  public func add() { value.add(1, ordering: .relaxed) }

  /// How many were counted.
  public var count: Int { value.load(ordering: .relaxed) }
}
