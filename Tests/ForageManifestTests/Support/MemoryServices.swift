import ForageCore
import ForageHTTP
import Foundation
import Synchronization

/// What requests share, in memory.
struct MemoryServices: HTTPCacheStorage, RateBudgetStorage, CircuitStorage {
  let cache = Mutexed<[String: HTTPCacheEntry]>([:])
  let budgets = Mutexed<[String: RateBudget]>([:])
  let circuits = Mutexed<[String: Circuit]>([:])

  /// The services over what is kept here.
  func services(_ mode: CacheMode = .normal) -> HTTPServices {
    let failures = StorageFailureReport { _ in }
    return HTTPServices(
      cache: HTTPCache(self, failures: failures), mode: mode, budgets: RateBudgets(self, failures: failures),
      breaker: CircuitBreaker(self, failures: failures))
  }

  func response(_ key: String, now: Date) -> HTTPCacheEntry? { cache.value.withLock { $0[key] } }

  func store(_ key: String, _ response: HTTPCacheEntry, now: Date) -> Bool {
    cache.value.withLock { $0[key] = response }
    return true
  }

  func touchValidated(_ key: String, at time: Date, headers: [(name: String, value: String)]) -> Bool {
    cache.value.withLock { cache in
      cache[key]?.validatedAt = time
      return cache[key] != nil
    }
  }

  func removeResponse(_ key: String) { cache.value.withLock { $0[key] = nil } }

  func removeResponses(beginningWith beginning: String) {
    cache.value.withLock { $0 = $0.filter { !$0.key.hasPrefix(beginning) } }
  }

  func budget(scope: String) -> RateBudget? { budgets.value.withLock { $0[scope] } }

  func record(scope: String, _ budget: RateBudget, now: Date) {
    budgets.value.withLock { $0[scope] = budget }
  }

  func circuit(_ scope: String) -> Circuit? { circuits.value.withLock { $0[scope] } }

  func change(_ scope: String, now: Date, _ change: (Circuit?) -> Circuit?) -> Circuit? {
    circuits.value.withLock { circuits in
      circuits[scope] = change(circuits[scope])
      return circuits[scope]
    }
  }
}

/// A value that several share.
final class Mutexed<Value: Sendable>: Sendable {
  let value: Mutex<Value>

  init(_ value: sending Value) { self.value = Mutex(value) }
}
