import ForageCore
package import ForageFoundation

/// The HTTP cache, shared by all providers so that equal requests are coalesced.
package final class HTTPCache: Sendable {
  private let storage: HTTPCacheStorage
  private let now: @Sendable () -> Date
  private let failures: StorageFailureReport
  let flights = RequestCoalescer()

  /// Creates a cache; storage is accessed on first use.
  ///
  /// - Parameters:
  ///   - now: The current time, from which the age of entries is computed.
  ///   - failures: Receives storage failures. Requests continue without the cache.
  package init(
    _ storage: HTTPCacheStorage, failures: StorageFailureReport,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.storage = storage
    self.failures = failures
    self.now = now
  }

  /// Removes all entries of a scope. Call this after a change that its responses reflect.
  package func forget(scope: String) {
    failures.attempt { try storage.removeAll(HTTPCacheRules.beginning(ofScope: scope)) }
  }

  /// Returns a cached response, or sends the request and stores the response.
  func send(
    _ request: HTTPRequest, over transport: HTTPTransport, policy: HTTPCachePolicy, scope: String
  ) async throws -> HTTPResponse {
    let key = HTTPCacheRules.key(request, scope: scope)
    let isCacheable = HTTPCacheRules.isCacheable(request)
    if policy.mode == .offline {
      guard isCacheable, let kept = stale(key, request, policy) else {
        throw HTTPError(
          .offline, "\(request.url.authority) was not contacted (offline), and no recent response is cached")
      }
      return kept
    }
    guard policy.mode == .normal, isCacheable else { return try await transport.send(request) }
    var early = request
    early.deadline = HTTPCacheRules.deadlineBeforeFallback(request.deadline)
    do {
      let response = try await flights.send(early, key: key) {
        try await self.exchange($0, key: key, over: transport, policy: policy)
      }
      guard HTTPCacheRules.failureStatuses.contains(response.status) else {
        guard LimitRefusal(response, at: now()) != nil, var kept = stale(key, request, policy) else {
          return response
        }
        kept.refusals = [response]
        return kept
      }
      return stale(key, request, policy) ?? response
    } catch let error as HTTPError where HTTPCacheRules.failureCodes.contains(error.code) {
      if let kept = stale(key, request, policy) { return kept }
      throw error
    }
  }

  /// Performs one exchange for all coalesced requests: returns a fresh entry or the server's response.
  private func exchange(
    _ request: HTTPRequest, key: String, over transport: HTTPTransport, policy: HTTPCachePolicy
  ) async throws -> HTTPResponse {
    let entry = load(key, request)
    if let entry, let age = age(of: entry), age < policy.freshFor {
      return answer(entry, key: key, .fresh(age: age))
    }
    let conditional = entry.flatMap { HTTPCacheRules.conditional(request, on: $0) }
    var response = try await transport.send(conditional ?? request)
    if response.status == 304, conditional != nil, let entry {
      if HTTPCacheRules.isSame(entry, response) { return revalidated(entry, by: response, key: key) }
      // The 304 refers to another version than the stored one (RFC 9111, section 4.3.4).
      remove(key)
      response = try await transport.send(request)
    }
    keep(&response, key: key, hadEntry: entry != nil)
    return response
  }

  private func revalidated(_ entry: HTTPCacheEntry, by response: HTTPResponse, key: String) -> HTTPResponse {
    var current = entry
    current.headers = HTTPCacheRules.merged(entry.headers, with: response.headers)
    if HTTPCacheRules.mustNotStore(response) {
      remove(key)
    } else {
      let kept = HTTPCacheRules.storable(current.headers)
      failures.attempt { try storage.validated(key, now(), kept) }
    }
    return answer(current, key: key, .validated)
  }

  private func keep(_ response: inout HTTPResponse, key: String, hadEntry: Bool) {
    guard response.status == 200, !HTTPCacheRules.mustNotStore(response) else {
      if hadEntry, HTTPCacheRules.mustNotStore(response) { remove(key) }
      return
    }
    let time = now()
    let entry = HTTPCacheEntry(
      status: response.status, headers: HTTPCacheRules.storable(response.headers), body: response.body,
      storedAt: time, validatedAt: time)
    guard failures.attempt({ try storage.store(key, entry) }) != nil else { return }
    response.discardStored = { [self] in remove(key) }
  }

  /// A stale response to use when the server cannot be reached, if the policy allows one.
  private func stale(_ key: String, _ request: HTTPRequest, _ policy: HTTPCachePolicy) -> HTTPResponse? {
    guard let entry = load(key, request), let age = age(of: entry), age <= HTTPCachePolicy.staleFor else {
      return nil
    }
    return answer(entry, key: key, age < policy.freshFor ? .fresh(age: age) : .stale(age: age))
  }

  private func answer(_ entry: HTTPCacheEntry, key: String, _ state: HTTPCacheState) -> HTTPResponse {
    var response = HTTPResponse(status: entry.status, headers: entry.headers, body: entry.body)
    response.cache = state
    response.discardStored = { [self] in remove(key) }
    return response
  }

  /// The stored entry of a key, if it is valid for the request.
  private func load(_ key: String, _ request: HTTPRequest) -> HTTPCacheEntry? {
    guard let entry = failures.attempt({ try storage.load(key) }) ?? nil, entry.status == 200,
      entry.body.count <= request.maximumBodyBytes
    else { return nil }
    return entry
  }

  private func remove(_ key: String) { failures.attempt { try storage.remove(key) } }

  /// The time since the entry was stored or last validated; `nil` if that lies in the future after a clock
  /// was set back.
  private func age(of entry: HTTPCacheEntry) -> Duration? {
    let seconds = now().timeIntervalSince(entry.validatedAt)
    guard seconds >= -HTTPCacheRules.clockSlack else { return nil }
    return .seconds(max(0, seconds))
  }
}

extension HTTPTransport {
  /// Adds the cache to a transport.
  ///
  /// Apply this outside redirects and retries: then a renamed repository is found offline too, and a stale
  /// response is used only after all retries failed. Equal concurrent requests are sent once.
  ///
  /// - Parameters:
  ///   - cache: The cache.
  ///   - policy: How requests use it.
  ///   - scope: Provider id, version and the credential's fingerprint, on one line. Entries are not shared
  ///     between scopes. It must not contain a secret.
  package func caching(_ cache: HTTPCache, policy: HTTPCachePolicy, scope: String) -> HTTPTransport {
    HTTPTransport { try await cache.send($0, over: self, policy: policy, scope: scope) }
  }
}
