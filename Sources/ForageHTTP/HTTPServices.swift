package import ForageCore

/// What the requests of one command share besides the transport: cache, rate limits and circuit breaker.
package struct HTTPServices: Sendable {
  package var cache: HTTPCache
  package var mode: CacheMode
  package var budgets: RateBudgets
  package var breaker: CircuitBreaker
  /// Called at the start of each wait for a rate limit; `nil` if requests must not wait.
  package var onWait: (@Sendable (LimitWait) -> Void)?
  package var onCached: @Sendable (HTTPRequest, HTTPResponse) -> Void

  package init(
    cache: HTTPCache, mode: CacheMode = .normal, budgets: RateBudgets, breaker: CircuitBreaker,
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

extension HTTPTransport {
  /// Adds the rate limits and the circuit breaker of a host and credential, if there are services.
  ///
  /// - Parameters:
  ///   - isForced: Whether an open circuit allows one attempt, because the user named the server.
  ///   - resource: The limit that a request counts against.
  package func limited(
    _ services: HTTPServices?, host: String, credential: String?, isForced: Bool,
    resource: @escaping @Sendable (HTTPRequest) -> String
  ) -> HTTPTransport {
    guard let services else { return self }
    return breaking(services.breaker, host: host, credential: credential, forced: isForced)
      .budgeted(
        by: services.budgets, host: host, credential: credential, onWait: services.onWait, resource: resource)
  }

  /// Adds the cache, if there are services.
  ///
  /// - Parameter rules: The scope of a request and the age below which an answer is used without validation.
  package func cached(
    _ services: HTTPServices?,
    rules: @escaping @Sendable (HTTPRequest) -> (scope: String, freshFor: Duration)
  ) -> HTTPTransport {
    guard let services else { return self }
    return HTTPTransport { request in
      let (scope, freshFor) = rules(request)
      let policy = HTTPCachePolicy(mode: services.mode, freshFor: freshFor)
      let response = try await self.caching(services.cache, policy: policy, scope: scope).send(request)
      if response.cache != .none { services.onCached(request, response) }
      return response
    }
  }
}

/// Distinguishes credentials without revealing them.
package enum CredentialFingerprint {
  /// Eight hexadecimal digits derived from a secret, too few to recover it.
  package static func of(_ secret: String) -> String { secret.utf8.fingerprint }
}
