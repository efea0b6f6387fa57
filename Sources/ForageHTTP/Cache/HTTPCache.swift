#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The cache of a run: one value for all providers, so that equal requests meet.
package final class HTTPCache: Sendable {
  private let storage: HTTPCacheStorage
  private let now: @Sendable () -> Date
  private let failures: StorageFailureReport
  private let flights = RequestCoalescer()

  /// Creates a cache; nothing is read yet.
  ///
  /// - Parameters:
  ///   - now: The time of day, in which ages are counted.
  ///   - failures: Told when the storage fails; requests go on without it.
  package init(
    _ storage: HTTPCacheStorage, failures: StorageFailureReport,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.storage = storage
    self.failures = failures
    self.now = now
  }

  /// Requests that wait for an answer at the moment, those included that another one is sent for.
  package var waiting: Int { flights.waiting }

  /// Forgets what is kept of a scope, after something was changed that its answers tell of.
  package func forget(scope: String) {
    failures.attempt { try storage.removeAll(HTTPCacheRules.beginning(ofScope: scope)) }
  }

  /// Answers from the cache, or sends and keeps what comes.
  func send(
    _ request: HTTPRequest, over transport: HTTPTransport, policy: HTTPCachePolicy, scope: String
  ) async throws -> HTTPResponse {
    let key = HTTPCacheRules.key(request, scope: scope)
    let isCacheable = HTTPCacheRules.isCacheable(request)
    if policy.mode == .offline {
      guard isCacheable, let kept = stale(key, request, policy) else {
        throw HTTPError(
          .offline, "\(request.url.authority) is not asked while offline, and no recent answer is kept")
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
      guard HTTPCacheRules.failureStatuses.contains(response.status) else { return response }
      return stale(key, request, policy) ?? response
    } catch let error as HTTPError where HTTPCacheRules.failureCodes.contains(error.code) {
      if let kept = stale(key, request, policy) { return kept }
      throw error
    }
  }

  /// One exchange for everybody who waits for it: a fresh entry, or the server's answer.
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
      // The server speaks of another version than the one that is kept (RFC 9111, section 4.3.4).
      remove(key)
      response = try await transport.send(request)
    }
    keep(&response, key: key, hadEntry: entry != nil, policy: policy)
    return response
  }

  private func revalidated(_ entry: HTTPCacheEntry, by response: HTTPResponse, key: String) -> HTTPResponse {
    var current = entry
    current.headers = HTTPCacheRules.merged(entry.headers, with: response.headers)
    if HTTPCacheRules.mustForget(response) {
      remove(key)
    } else {
      let kept = HTTPCacheRules.storable(current.headers)
      failures.attempt { try storage.validated(key, now(), kept) }
    }
    return answer(current, key: key, .validated)
  }

  private func keep(_ response: inout HTTPResponse, key: String, hadEntry: Bool, policy: HTTPCachePolicy) {
    guard response.status == 200, !HTTPCacheRules.mustForget(response) else {
      if hadEntry, HTTPCacheRules.mustForget(response) { remove(key) }
      return
    }
    guard policy.isComplete(response) else { return }
    let time = now()
    let entry = HTTPCacheEntry(
      status: response.status, headers: HTTPCacheRules.storable(response.headers), body: response.body,
      storedAt: time, validatedAt: time)
    guard failures.attempt({ try storage.store(key, entry) }) != nil else { return }
    response.discardStored = { [self] in remove(key) }
  }

  /// What stands in for an answer that cannot be had.
  private func stale(_ key: String, _ request: HTTPRequest, _ policy: HTTPCachePolicy) -> HTTPResponse? {
    guard let entry = load(key, request), let age = age(of: entry), age <= policy.staleFor else { return nil }
    return answer(entry, key: key, age < policy.freshFor ? .fresh(age: age) : .stale(age: age))
  }

  private func answer(_ entry: HTTPCacheEntry, key: String, _ state: HTTPCacheState) -> HTTPResponse {
    var response = HTTPResponse(status: entry.status, headers: entry.headers, body: entry.body)
    response.cache = state
    response.discardStored = { [self] in remove(key) }
    return response
  }

  /// The entry of a key, when it is one that this module would store and the request would take.
  private func load(_ key: String, _ request: HTTPRequest) -> HTTPCacheEntry? {
    guard let entry = failures.attempt({ try storage.load(key) }) ?? nil, entry.status == 200,
      entry.body.count <= request.maximumBodyBytes
    else { return nil }
    return entry
  }

  private func remove(_ key: String) { failures.attempt { try storage.remove(key) } }

  /// The time since the server last stood by an entry; `nil` when that is in the future, after a clock was set back.
  private func age(of entry: HTTPCacheEntry) -> Duration? {
    let seconds = now().timeIntervalSince(entry.validatedAt)
    guard seconds >= -HTTPCacheRules.clockSlack else { return nil }
    return .seconds(max(0, seconds))
  }
}

extension HTTPTransport {
  /// The transport that answers from a cache where it may.
  ///
  /// It belongs outside redirects and retries: a renamed repository is then found offline too, and an old answer is
  /// served only after the retries have failed. Equal requests at the same time are sent once.
  ///
  /// - Parameter scope: Provider id and version and the credential's fingerprint, on one line: what must not be shared
  ///   is told apart by it. Never a secret.
  package func caching(_ cache: HTTPCache, policy: HTTPCachePolicy, scope: String) -> HTTPTransport {
    HTTPTransport { try await cache.send($0, over: self, policy: policy, scope: scope) }
  }
}
