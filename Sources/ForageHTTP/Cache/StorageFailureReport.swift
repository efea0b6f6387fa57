import Synchronization

/// Tells of the first failure of storage in a run, and only of that.
///
/// A cache that cannot be written makes every request fail to be kept; one sentence is enough. One value serves
/// the cache, the rate budgets and the circuit breaker of a run. What takes long to fail, as when another program
/// keeps the file to itself, is not tried again in the run: a search has no time for that.
package final class StorageFailureReport: Sendable {
  /// A failure that takes longer is one of waiting in vain.
  private static let patience: Duration = .seconds(1)

  private struct State {
    var hasReported = false
    var isGivenUp = false
  }

  private let state = Mutex(State())
  private let report: @Sendable (String) -> Void

  /// - Parameter report: Gets a description of the failure; called once at most.
  package init(_ report: @escaping @Sendable (String) -> Void) { self.report = report }

  /// What the body returns, `nil` when it throws or is no longer tried.
  func attempt<Value>(_ body: () throws -> Value) -> Value? {
    if state.withLock(\.isGivenUp) { return nil }
    let start = ContinuousClock.now
    do {
      return try body()
    } catch {
      let wasSlow = ContinuousClock.now - start > Self.patience
      let isFirst = state.withLock { state in
        defer { state.hasReported = true }
        if wasSlow { state.isGivenUp = true }
        return !state.hasReported
      }
      if isFirst { report(String(describing: error)) }
      return nil
    }
  }
}
