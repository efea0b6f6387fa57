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

/// Storage for cached responses, as closures, so that this module does not depend on a database.
///
/// Keys are texts of any length without secrets. Errors thrown by a closure never fail a request.
package struct HTTPCacheStorage: Sendable {
  /// Loads the entry of a key; `nil` if there is none.
  package var load: @Sendable (_ key: String) throws -> HTTPCacheEntry?
  /// Stores an entry, replacing any previous entry of the key.
  package var store: @Sendable (_ key: String, _ entry: HTTPCacheEntry) throws -> Void
  /// Records that the server validated an entry. The headers replace the entry's headers; the body is kept.
  package var validated:
    @Sendable (_ key: String, _ at: Date, _ headers: [(name: String, value: String)]) throws -> Void
  package var remove: @Sendable (_ key: String) throws -> Void
  /// Removes all entries whose keys have a given non-empty prefix.
  package var removeAll: @Sendable (_ beginning: String) throws -> Void

  package init(
    load: @escaping @Sendable (_ key: String) throws -> HTTPCacheEntry?,
    store: @escaping @Sendable (_ key: String, _ entry: HTTPCacheEntry) throws -> Void,
    validated:
      @escaping @Sendable (_ key: String, _ at: Date, _ headers: [(name: String, value: String)]) throws ->
      Void,
    remove: @escaping @Sendable (_ key: String) throws -> Void,
    removeAll: @escaping @Sendable (_ beginning: String) throws -> Void
  ) {
    self.load = load
    self.store = store
    self.validated = validated
    self.remove = remove
    self.removeAll = removeAll
  }
}

/// Stores budgets for other processes.
package struct RateBudgetStorage: Sendable {
  package var load: @Sendable (_ scope: String) throws -> RateBudget?
  /// Merges a budget into what is stored, as `RateBudget.merged(with:at:)` says.
  package var record: @Sendable (_ scope: String, _ budget: RateBudget) throws -> Void

  package init(
    load: @escaping @Sendable (_ scope: String) throws -> RateBudget?,
    record: @escaping @Sendable (_ scope: String, _ budget: RateBudget) throws -> Void
  ) {
    self.load = load
    self.record = record
  }
}

/// Stores circuits for other processes.
package struct CircuitStorage: Sendable {
  /// The stored circuit of a scope.
  package var load: @Sendable (_ scope: String) throws -> Circuit?
  /// Replaces the stored circuit by the result of the closure, `nil` for none, and returns it.
  ///
  /// No other process reads or writes in between; the closure is called again if the storage has to start over.
  package var change: @Sendable (_ scope: String, _ change: (Circuit?) -> Circuit?) throws -> Circuit?

  package init(
    load: @escaping @Sendable (_ scope: String) throws -> Circuit?,
    change: @escaping @Sendable (_ scope: String, _ change: (Circuit?) -> Circuit?) throws -> Circuit?
  ) {
    self.load = load
    self.change = change
  }
}
