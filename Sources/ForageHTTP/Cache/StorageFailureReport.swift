import Synchronization

/// Reports the first storage failure of the process and ignores later ones.
///
/// One value serves the cache, the rate budgets and the circuit breaker. After a slow failure, for example
/// when another process holds a lock on the file, storage is not used again, so that it cannot delay a search
/// twice.
package final class StorageFailureReport: Sendable {
  /// A failure that takes longer than this disables storage.
  private static let patience: Duration = .milliseconds(200)

  private struct State {
    var hasReported = false
    var isGivenUp = false
  }

  private let state = Mutex(State())
  private let report: @Sendable (any Error) -> Void

  /// - Parameter report: Receives the failure; called at most once.
  package init(_ report: @escaping @Sendable (any Error) -> Void) { self.report = report }

  /// The result of `body`; `nil` if it throws or storage is disabled.
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
      if isFirst { report(error) }
      return nil
    }
  }
}
