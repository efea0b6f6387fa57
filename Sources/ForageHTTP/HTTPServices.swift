import ForageCore

/// What the requests of one command share besides the transport: cache, rate limits and circuit breaker.
package struct HTTPServices: Sendable {
  package var cache: HTTPCache
  /// How requests use the cache.
  package var mode: HTTPCachePolicy.Mode
  package var budgets: RateBudgets
  package var breaker: CircuitBreaker
  /// Called at the start of each wait for a rate limit; `nil` if requests must not wait.
  package var onWait: (@Sendable (LimitWait) -> Void)?
  /// Called for each response from the cache.
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

/// Distinguishes credentials without revealing them.
package enum CredentialFingerprint {
  /// Eight hexadecimal digits derived from a secret, too few to recover it.
  package static func of(_ secret: String) -> String { secret.utf8.fingerprint }
}
