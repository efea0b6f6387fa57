import Synchronization

/// Tells of the first failure of storage in a run, and only of that.
///
/// A cache that cannot be written makes every request fail to be kept; one sentence is enough. One value serves
/// the cache, the rate budgets and the circuit breaker of a run.
package final class StorageFailureReport: Sendable {
  private let hasReported = Mutex(false)
  private let report: @Sendable (String) -> Void

  /// - Parameter report: Gets a description of the failure; called once at most.
  package init(_ report: @escaping @Sendable (String) -> Void) { self.report = report }

  /// What the body returns, `nil` when it throws.
  func attempt<Value>(_ body: () throws -> Value) -> Value? {
    do {
      return try body()
    } catch {
      let isFirst = hasReported.withLock { reported in
        defer { reported = true }
        return !reported
      }
      if isFirst { report(String(describing: error)) }
      return nil
    }
  }
}
