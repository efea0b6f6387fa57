import ForageHTTP
import ForageStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Keeps answers, limits and circuits in files of the cache folder.
///
/// Limits and circuits have a file of their own: it comes into being only when something is amiss, and where it is not there, looking costs nothing.
enum NetworkServices {
  /// The file of the answers.
  static func answersFile(_ folder: String) -> String { folder + "/answers.db" }
  /// The file of limits and circuits.
  static func limitsFile(_ folder: String) -> String { folder + "/limits.db" }

  /// Makes what the requests of a run share; nobody waits for limits until `onWait` is set.
  ///
  /// - Parameters:
  ///   - folder: Where the files are.
  ///   - report: Told once when a file cannot be used; requests go on without it.
  static func make(
    folder: String, mode: HTTPCachePolicy.Mode, report: @escaping @Sendable (String) -> Void,
    onCached: @escaping @Sendable (HTTPRequest, HTTPResponse) -> Void
  ) -> HTTPServices {
    let failures = StorageFailureReport(report)
    let limits = CacheStore(path: limitsFile(folder))
    return HTTPServices(
      cache: HTTPCache(answers(CacheStore(path: answersFile(folder))), failures: failures),
      mode: mode, budgets: RateBudgets(budgets(limits), failures: failures),
      breaker: CircuitBreaker(circuits(limits), failures: failures), onCached: onCached)
  }

  private static func answers(_ store: CacheStore) -> HTTPCacheStorage {
    HTTPCacheStorage(
      load: { key in
        try store.response(key).map { kept in
          HTTPCacheEntry(
            status: kept.status, headers: kept.headers, body: kept.body, storedAt: kept.storedAt,
            validatedAt: kept.validatedAt)
        }
      },
      store: { key, entry in
        _ = try store.store(
          CachedResponse(
            key: key, status: entry.status, headers: entry.headers, body: entry.body,
            storedAt: entry.storedAt, validatedAt: entry.validatedAt))
      },
      validated: { key, time, headers in try store.touchValidated(key, at: time, headers: headers) },
      remove: { key in try store.removeResponse(key) },
      removeAll: { beginning in try store.removeResponses(beginningWith: beginning) })
  }

  private static func budgets(_ store: CacheStore) -> RateBudgetStorage {
    RateBudgetStorage(
      load: { scope in try store.budget(scope: scope).map(live) },
      record: { scope, budget in
        try store.record(
          scope: scope,
          ForageStore.RateBudget(
            limit: budget.limit, remaining: budget.remaining, resetAt: budget.resetAt,
            blockedUntil: budget.blockedUntil, strikes: budget.strikes))
      })
  }

  private static func circuits(_ store: CacheStore) -> CircuitStorage {
    CircuitStorage(
      load: { scope in try store.circuit(scope).map(live) },
      change: { scope, change in
        try store.change(scope) { kept in
          change(kept.map(live)).map { circuit in
            ForageStore.Circuit(
              failures: circuit.failures, openUntil: circuit.openUntil, probeUntil: circuit.probeUntil,
              reason: circuit.reason)
          }
        }.map(live)
      })
  }

  private static func live(_ kept: ForageStore.RateBudget) -> ForageHTTP.RateBudget {
    ForageHTTP.RateBudget(
      limit: kept.limit, remaining: kept.remaining, resetAt: kept.resetAt, blockedUntil: kept.blockedUntil,
      strikes: kept.strikes)
  }

  private static func live(_ kept: ForageStore.Circuit) -> ForageHTTP.Circuit {
    ForageHTTP.Circuit(
      failures: kept.failures, openUntil: kept.openUntil, probeUntil: kept.probeUntil, reason: kept.reason)
  }

  /// What is kept of limits, by the bytes of their scopes; some may be over.
  static func keptBudgets(_ folder: String) throws(StoreError) -> [(
    scope: String, budget: ForageHTTP.RateBudget
  )] {
    try CacheStore(path: limitsFile(folder)).budgets().map { ($0.scope, live($0.budget)) }
  }

  /// What is kept of circuits, by the bytes of their scopes.
  static func keptCircuits(_ folder: String) throws(StoreError) -> [(
    scope: String, circuit: ForageHTTP.Circuit
  )] {
    try CacheStore(path: limitsFile(folder)).circuits().map { ($0.scope, live($0.circuit)) }
  }
}
