/// What the requests of one run share beside the transport: the cache, the limits and the circuits.
package struct HTTPServices: Sendable {
  package var cache: HTTPCache
  /// How the cache is used.
  package var mode: HTTPCachePolicy.Mode
  package var budgets: RateBudgets
  package var breaker: CircuitBreaker
  /// Called when a wait for a limit begins; `nil` where limits are not waited for.
  package var onWait: (@Sendable (LimitWait) -> Void)?
  /// Called for each answer from the cache.
  package var onCached: @Sendable (HTTPRequest, HTTPResponse) -> Void

  package init(
    cache: HTTPCache, mode: HTTPCachePolicy.Mode, budgets: RateBudgets, breaker: CircuitBreaker,
    onWait: (@Sendable (LimitWait) -> Void)? = nil,
    onCached: @escaping @Sendable (HTTPRequest, HTTPResponse) -> Void = { _, _ in }
  ) {
    self.cache = cache
    self.mode = mode
    self.budgets = budgets
    self.breaker = breaker
    self.onWait = onWait
    self.onCached = onCached
  }
}

/// Identifies a credential without revealing it.
package enum CredentialFingerprint {
  /// Eight hexadecimal digits made of a secret, too few to find it.
  ///
  /// Formula: FNV-1a with 64 bits (Fowler, Noll, Vo), folded to 32.
  package static func of(_ secret: String) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in secret.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let digits = String(UInt32(truncatingIfNeeded: hash ^ hash >> 32), radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
