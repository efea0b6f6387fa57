package import ForageFoundation
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
  @discardableResult
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

package struct HTTPCacheEntry: Sendable {
  /// The status code; this module stores only 200.
  package var status: Int
  /// Header fields in order, without those that describe a single exchange (rate limits, cookies).
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]
  /// When the body was received.
  package var storedAt: Date
  /// When the server last confirmed that the body is current; not before `storedAt`.
  package var validatedAt: Date

  package init(
    status: Int, headers: [(name: String, value: String)], body: [UInt8], storedAt: Date, validatedAt: Date
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.storedAt = storedAt
    self.validatedAt = validatedAt
  }

  /// The first value of a header field; names ignore case.
  func header(_ name: String) -> String? { headers.first(name) }
}

/// Storage for cached responses, so that this module does not depend on a database.
///
/// Keys are texts of any length without secrets. What it throws never fails a request.
package protocol HTTPCacheStorage: Sendable {
  /// The response stored under a key; `nil` if there is none.
  func response(_ key: String, now: Date) throws -> HTTPCacheEntry?
  /// Stores a response, replacing an older one of the key.
  ///
  /// - Returns: False if it is too large.
  @discardableResult
  func store(_ key: String, _ response: HTTPCacheEntry, now: Date) throws -> Bool
  /// Records that the server validated a response, and replaces its headers; the body is kept.
  ///
  /// - Returns: False if there is no such response.
  @discardableResult
  func touchValidated(_ key: String, at time: Date, headers: [(name: String, value: String)]) throws -> Bool
  func removeResponse(_ key: String) throws
  /// Removes the responses whose keys have a non-empty prefix.
  func removeResponses(beginningWith beginning: String) throws
}

/// Stores rate limits for other processes.
package protocol RateBudgetStorage: Sendable {
  func budget(scope: String) throws -> RateBudget?
  /// Merges a budget into what is stored, as `RateBudget.merged(with:at:)` says.
  func record(scope: String, _ budget: RateBudget, now: Date) throws
}

/// Stores circuits for other processes.
package protocol CircuitStorage: Sendable {
  func circuit(_ scope: String) throws -> Circuit?
  /// Replaces the stored circuit by the result of the closure, `nil` for none, and returns it.
  ///
  /// No other process reads or writes in between; the closure is called again if the storage has to start over.
  @discardableResult
  func change(_ scope: String, now: Date, _ change: (Circuit?) -> Circuit?) throws -> Circuit?
}
