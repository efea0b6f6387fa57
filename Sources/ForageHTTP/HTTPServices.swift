package import ForageCore

/// What the requests of one command share besides the transport: cache, rate limits and circuit breaker.
package struct HTTPServices: Sendable {
  package var cache: HTTPCache
  package var mode: CacheMode
  package var budgets: RateBudgets
  package var breaker: CircuitBreaker
  /// Called at the start of each wait for a rate limit; `nil` if requests must not wait.
  package var onWait: (@Sendable (LimitWait) -> Void)?

  package init(
    cache: HTTPCache, mode: CacheMode = .normal, budgets: RateBudgets = RateBudgets(),
    breaker: CircuitBreaker = CircuitBreaker(), onWait: (@Sendable (LimitWait) -> Void)? = nil
  ) {
    self.cache = cache
    self.mode = mode
    self.budgets = budgets
    self.breaker = breaker
    self.onWait = onWait
  }
}

extension HTTPTransport {
  /// The transport for reads from a server, with everything that is around a request.
  ///
  /// A request passes, from the outside to the inside:
  ///
  /// 1. the cache (`HTTPCache`), which also answers where the server fails;
  /// 2. redirects within the server;
  /// 3. the rate limits (`RateBudgets`), which wait, or send nothing to a server whose limit is exceeded;
  /// 4. the circuit breaker (`CircuitBreaker`), which sends nothing to a server that cannot be reached;
  /// 5. retries;
  /// 6. this transport.
  ///
  /// - Parameters:
  ///   - services: The shared services; without them, there are only redirects and retries.
  ///   - credential: The credential's fingerprint; `nil` for none. Never a secret.
  ///   - scope: The cache scope.
  ///   - freshFor: The age below which a cached answer is used without validation.
  ///   - resource: The limit that a request counts against.
  package func reading(
    _ services: HTTPServices?, host: String, credential: String?, scope: String,
    freshFor: Duration, resource: @escaping @Sendable (HTTPRequest) -> String
  ) -> HTTPTransport {
    let retrying = retryingReads()
    guard let services else { return retrying.followingRedirects() }
    let freshFor = services.mode == .continuing ? max(freshFor, HTTPCachePolicy.freshForContinuing) : freshFor
    return
      retrying
      .breaking(services.breaker, host: host)
      .budgeted(
        by: services.budgets, host: host, credential: credential, onWait: services.onWait, resource: resource
      )
      .followingRedirects()
      .caching(
        services.cache, policy: HTTPCachePolicy(mode: services.mode, freshFor: freshFor), scope: scope)
  }
}
