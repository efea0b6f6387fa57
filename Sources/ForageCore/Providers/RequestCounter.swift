import Synchronization

/// Counts the requests of a provider in a search, including failed ones.
public final class RequestCounter: Sendable {
  private let value = Atomic(0)

  /// Creates a counter at 0.
  public init() {}

  /// Counts one request.
  public func add() { value.add(1, ordering: .relaxed) }

  /// The number of requests.
  public var count: Int { value.load(ordering: .relaxed) }
}
