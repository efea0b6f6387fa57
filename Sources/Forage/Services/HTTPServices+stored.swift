package import ForageHTTP
package import ForageStore

/// Services that store responses, limits and circuits in files of the cache folder.
///
/// Limits and circuits have a file of their own: it is created when the first limit or failure is stored, so that a run
/// without either opens no database for them.
extension HTTPServices {
  package static func answersFile(_ folder: String) -> String { folder + "/answers.db" }
  package static func limitsFile(_ folder: String) -> String { folder + "/limits.db" }

  /// Creates what the requests of a run share; limits are not waited for until `onWait` is set.
  ///
  /// - Parameters:
  ///   - folder: Where the files are.
  ///   - report: Called once when a file cannot be used; requests go on without it.
  package static func stored(
    in folder: String, report: @escaping @Sendable (any Error) -> Void,
    onCached: @escaping @Sendable (HTTPRequest, _ age: Duration) -> Void
  ) -> HTTPServices {
    let failures = StorageFailureReport(report)
    let limits = CacheStore(path: limitsFile(folder))
    return HTTPServices(
      cache: HTTPCache(CacheStore(path: answersFile(folder)), failures: failures, onCached: onCached),
      budgets: RateBudgets(limits, failures: failures),
      breaker: CircuitBreaker(limits, failures: failures))
  }

  /// The stored limits, by the bytes of their scopes; some may be over.
  package static func storedBudgets(_ folder: String) throws(StoreError) -> [(
    scope: String, budget: RateBudget
  )] {
    try CacheStore(path: limitsFile(folder)).budgets()
  }

  /// The stored circuits, by the bytes of their scopes.
  package static func storedCircuits(_ folder: String) throws(StoreError) -> [(
    scope: String, circuit: Circuit
  )] {
    try CacheStore(path: limitsFile(folder)).circuits()
  }
}
