package import ForageCore

/// Sends HTTP requests. It is a struct of closures, so that decorators and tests can replace it.
public struct HTTPTransport: Sendable {
  /// Sends a request and returns the complete response, whatever its status.
  ///
  /// Throws `HTTPError`, at the request's deadline with code `timeout`, or `CancellationError` if the task
  /// was cancelled. A cancelled request closes its connection.
  public var send: @Sendable (HTTPRequest) async throws -> HTTPResponse

  /// Creates a transport from a function that sends a request, for example one that answers in a test.
  ///
  /// - Parameter send: Sends a request and returns the complete response, as ``send`` describes.
  public init(send: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) { self.send = send }
}

/// The services that the requests of one command share besides the transport: cache, rate limits and circuit
/// breaker.
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
  /// 2. redirects within the server (`followingRedirects`, below);
  /// 3. the rate limits (`RateBudgets`), which wait, or send nothing to a server whose limit is exceeded;
  /// 4. the circuit breaker (`CircuitBreaker`), which sends nothing to a server that cannot be reached;
  /// 5. retries (`retryingReads`, beside the circuit breaker);
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
    freshFor: Duration, resource: String
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

  /// Masks the secrets of a request in its responses, because servers repeat them in messages and links.
  ///
  /// What is cached, shown and stored comes from the masked response.
  public func masking(_ secrets: [String]) -> HTTPTransport {
    // The mask consists of characters that are allowed in addresses, so that links stay valid.
    let redaction = SecretRedaction(secrets, mask: "***")
    if redaction.isEmpty { return self }
    return HTTPTransport { request in
      var response = try await self.send(request)
      // A field that has a secret as its name says nothing else.
      response.headers = response.headers.filter { redaction.redacted($0.name) == $0.name }
        .map { (name: $0.name, value: redaction.redacted($0.value)) }
      response.body = redaction.redacted(response.body)
      return response
    }
  }

  /// Follows redirects within one origin.
  ///
  /// A redirect to another scheme, host or port fails, because the request may carry credentials for its
  /// server.
  ///
  /// - Parameter statuses: The redirect statuses to follow, by default all of RFC 9110, section 15.4. Other
  ///   responses are returned unchanged.
  public func followingRedirects(_ statuses: Set<Int> = [301, 302, 303, 307, 308]) -> HTTPTransport {
    HTTPTransport { request in
      var current = request
      for _ in 0...HTTPLimits.maximumRedirects {
        let response = try await self.send(current)
        guard statuses.contains(response.status), let location = response.header("location")
        else {
          return response
        }
        guard let target = current.url.resolving(location) else {
          throw HTTPError(.redirect, "the server redirects to an invalid address")
        }
        if target.host == current.url.host, target.scheme == "https", current.url.scheme == "http" {
          throw HTTPError(.redirect, "the server redirects to https; write its address with https://")
        }
        guard target.hasSameOrigin(as: current.url) else {
          throw HTTPError(.redirect, "the server redirects to another host, \(target.authority)")
        }
        current.url = target
        let isRead = current.method == "GET" || current.method == "HEAD"
        if !isRead, response.status == 303 {
          current.method = "GET"
          current.body = []
          current.headers.remove("content-type")
        }
      }
      throw HTTPError(
        .redirect, "the server redirects more than \(HTTPLimits.maximumRedirects) times")
    }
  }

  /// The redirect statuses that preserve method and body, which are safe to follow for a write.
  package static let redirectsOfWrites: Set<Int> = [307, 308]
}

extension HTTPTransport {
  /// Counts each request with `RequestCounter.current`, for a transport that sends requests by its own means.
  ///
  /// The transport of `ForageHTTPLive` counts by itself. Apply this inside redirects and retries, so that
  /// each of their requests counts; a transport inside this one that counts by itself is not counted again.
  public func counting() -> HTTPTransport {
    HTTPTransport { request in
      RequestCounter.current?.add()
      // What is inside may count, too.
      return try await RequestCounter.$current.withValue(nil) { try await self.send(request) }
    }
  }

  /// Reports each request.
  ///
  /// - Parameters:
  ///   - pending: The exchanges that have not ended; those that are given up are reported as cancelled.
  ///   - report: Receives each exchange after it ended.
  package func reporting(
    _ pending: PendingReports = PendingReports(), _ report: @escaping @Sendable (HTTPExchange) -> Void
  ) -> HTTPTransport {
    HTTPTransport { request in
      let start = ContinuousClock.now
      let fail: @Sendable (String) -> Void = { failure in
        report(HTTPExchange(request: request, failure: failure, elapsed: ContinuousClock.now - start))
      }
      let number = pending.begin { fail("cancelled") }
      do {
        let response = try await self.send(request)
        if pending.end(number) {
          report(
            HTTPExchange(request: request, response: response, elapsed: ContinuousClock.now - start))
        }
        return response
      } catch {
        if pending.end(number) { fail((error as? HTTPError)?.message ?? "cancelled") }
        throw error
      }
    }
  }
}

/// A request and its outcome, without secrets.
package struct HTTPExchange: Sendable {
  package var method: String
  /// The address, without the values of secret parameters.
  package var url: String
  /// The status; `nil` if there was no response.
  package var status: Int?
  package var bytes: Int
  /// The time until the response was complete.
  package var elapsed: Duration
  package var failure: String?
  /// The header fields of request and response, without values that can contain secrets.
  package var headers: [String]

  init(
    request: HTTPRequest, response: HTTPResponse? = nil, failure: String? = nil, elapsed: Duration
  ) {
    method = request.method
    url = Self.shown(request.url, request.secretNames)
    status = response?.status
    bytes = response?.body.count ?? 0
    self.failure = failure
    self.elapsed = elapsed
    let names = request.secretNames.union(["authorization", "proxy-authorization", "cookie", "set-cookie"])
    let values = request.headers.filter { names.contains($0.name.lowercased()) }.map(\.value)
    let parameters = Self.parameters(request.url).filter { names.contains($0.name) }
    // A header field may have a word such as `Bearer` before the secret.
    let words = values.compactMap { $0.split(separator: " ").last.map(String.init) }
    let redaction = SecretRedaction(
      values + words + parameters.map { PercentEncoding.decode($0.pair.drop { $0 != "=" }.dropFirst()) })
    func shown(_ field: (name: String, value: String)) -> String {
      field.name + ": "
        + (names.contains(field.name.lowercased()) ? "(not shown)" : redaction.redacted(field.value))
    }
    headers =
      request.headers.map { "> " + shown($0) }
      + (response?.headers.withoutSecretAddresses ?? []).map { "< " + shown($0) }
  }

  /// The pairs of an address's query with their decoded names in lower case.
  private static func parameters(_ url: HTTPURL) -> [(name: String, pair: Substring)] {
    (url.query ?? "").split(separator: "&", omittingEmptySubsequences: false).map { pair in
      (PercentEncoding.decode(pair.prefix { $0 != "=" }).lowercased(), pair)
    }
  }

  private static func shown(_ url: HTTPURL, _ secrets: Set<String>) -> String {
    guard !secrets.isEmpty, url.query != nil else { return url.text }
    var copy = url
    copy.query = parameters(url).map { name, pair in
      secrets.contains(name) ? pair.prefix { $0 != "=" } + "=(not-shown)" : pair
    }.joined(separator: "&")
    return copy.text
  }
}
