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
  /// Makes what the requests of a run share.
  ///
  /// - Parameters:
  ///   - folder: Where the files are.
  ///   - report: Told once when a file cannot be used; requests go on without it.
  static func make(
    folder: String, mode: HTTPCachePolicy.Mode, report: @escaping @Sendable (String) -> Void,
    onWait: (@Sendable (Duration, String) -> Void)?,
    onCached: @escaping @Sendable (HTTPRequest, HTTPResponse) -> Void
  ) -> HTTPServices {
    let failures = StorageFailureReport(report)
    let limits = CacheStore(path: folder + "/limits.db")
    return HTTPServices(
      cache: HTTPCache(answers(CacheStore(path: folder + "/answers.db")), failures: failures),
      mode: mode, budgets: RateBudgets(budgets(limits), failures: failures),
      breaker: CircuitBreaker(circuits(limits), failures: failures), onWait: onWait, onCached: onCached)
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
      load: { scope in
        try store.budget(scope: scope).map { kept in
          ForageHTTP.RateBudget(
            limit: kept.limit, remaining: kept.remaining, resetAt: kept.resetAt,
            blockedUntil: kept.blockedUntil)
        }
      },
      record: { scope, budget in
        try store.record(
          scope: scope,
          ForageStore.RateBudget(
            limit: budget.limit, remaining: budget.remaining, resetAt: budget.resetAt,
            blockedUntil: budget.blockedUntil))
      })
  }

  private static func circuits(_ store: CacheStore) -> CircuitStorage {
    @Sendable func live(_ kept: ForageStore.Circuit) -> ForageHTTP.Circuit {
      ForageHTTP.Circuit(
        failures: kept.failures, openUntil: kept.openUntil, probeUntil: kept.probeUntil, reason: kept.reason)
    }
    return CircuitStorage(
      load: { scope in try store.circuit(scope).map(live) },
      change: { scope, change in
        try store.change(scope) { kept in
          change(kept.map(live)).map { circuit in
            ForageStore.Circuit(
              failures: circuit.failures, openUntil: circuit.openUntil, probeUntil: circuit.probeUntil,
              credential: nil, reason: circuit.reason)
          }
        }.map(live)
      })
  }
}
