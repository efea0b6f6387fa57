import ForageCore
import ForageHTTP
import Synchronization

/// What requests share, in memory.
struct MemoryServices {
  let cache = Mutexed<[String: HTTPCacheEntry]>([:])
  let budgets = Mutexed<[String: RateBudget]>([:])
  let circuits = Mutexed<[String: Circuit]>([:])

  /// The services over what is kept here.
  func services(_ mode: CacheMode = .normal) -> HTTPServices {
    let (cache, budgets, circuits) = (cache, budgets, circuits)
    let failures = StorageFailureReport { _ in }
    return HTTPServices(
      cache: HTTPCache(
        HTTPCacheStorage(
          load: { key in cache.value.withLock { $0[key] } },
          store: { key, entry in cache.value.withLock { $0[key] = entry } },
          validated: { key, time, _ in cache.value.withLock { $0[key]?.validatedAt = time } },
          remove: { key in cache.value.withLock { $0[key] = nil } },
          removeAll: { start in cache.value.withLock { $0 = $0.filter { !$0.key.hasPrefix(start) } } }),
        failures: failures),
      mode: mode,
      budgets: RateBudgets(
        RateBudgetStorage(
          load: { scope in budgets.value.withLock { $0[scope] } },
          record: { scope, budget in budgets.value.withLock { $0[scope] = budget } }), failures: failures),
      breaker: CircuitBreaker(
        CircuitStorage(
          load: { scope in circuits.value.withLock { $0[scope] } },
          change: { scope, change in
            circuits.value.withLock { circuits in
              circuits[scope] = change(circuits[scope])
              return circuits[scope]
            }
          }), failures: failures))
  }
}

/// A value that several share.
final class Mutexed<Value: Sendable>: Sendable {
  let value: Mutex<Value>

  init(_ value: sending Value) { self.value = Mutex(value) }
}
