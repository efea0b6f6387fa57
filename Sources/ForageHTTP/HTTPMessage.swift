/// An HTTP request.
package struct HTTPRequest: Sendable {
  /// The method in upper case.
  package var method: String
  /// The address.
  package var url: HTTPURL
  /// Header fields in order; names ignore case.
  package var headers: [(name: String, value: String)]
  /// When the request times out.
  package var deadline: ContinuousClock.Instant
  /// The maximum size of the body in bytes, after decompression.
  package var maximumBodyBytes: Int
  /// Whether the response may be read from and stored in the cache.
  package var isCacheable = true
  /// The request body. It must not contain a secret, because cache entries are keyed by it.
  package var body: [UInt8] = []
  /// Whether a request with another method than `GET` only reads, for example a search by `POST`.
  package var onlyAsks = false
  /// Whether a safe request may be retried; false for the single attempt at a server that has failed often.
  package var allowsRetries = true
  /// Lower-case names of header fields and query parameters whose values are never logged.
  package var secretNames: Set<String> = []

  /// Whether the request is safe (RFC 9110, section 9.2.1), so that it may be retried and its response
  /// cached.
  package var isSafe: Bool { method == "GET" || method == "HEAD" || onlyAsks }

  package init(
    method: String = "GET", url: HTTPURL, headers: [(name: String, value: String)] = [],
    deadline: ContinuousClock.Instant, maximumBodyBytes: Int = HTTPLimits.maximumBodyBytes
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.deadline = deadline
    self.maximumBodyBytes = maximumBodyBytes
  }
}

/// An HTTP response with its complete body.
package struct HTTPResponse: Sendable {
  /// The status code.
  package var status: Int
  /// Header fields in order.
  package var headers: [(name: String, value: String)]
  /// The decompressed body.
  package var body: [UInt8]
  /// How the cache contributed to the response.
  package var cache: HTTPCacheState = .none
  /// Whether an older response to the same request is cached, in whose place a limit was reported.
  package var hasOlder = false
  /// Removes the response from the cache, for responses that turn out to be incomplete; `nil` if it was not
  /// stored.
  package var discardStored: (@Sendable () -> Void)?

  package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The first value of a header field; names ignore case.
  package func header(_ name: String) -> String? {
    let wanted = name.lowercased()
    return headers.first { $0.name.lowercased() == wanted }?.value
  }
}

/// Limits on requests and responses.
package enum HTTPLimits {
  /// A page of 100 repositories is about 0.6 MB. 16 MiB leaves room for long texts and bounds memory.
  package static let maximumBodyBytes = 16 << 20
  /// The maximum capacity reserved from a `Content-Length`, so that a wrong length costs no more than this.
  package static let reservedBytes = 1 << 20
  /// GitHub answers a renamed repository with one redirect; a longer chain is treated as a loop.
  package static let maximumRedirects = 5
  /// The maximum number of retries of a safe request.
  package static let maximumRetries = 2
  /// A retry is started only if at least this much time is left.
  package static let retryMargin: Duration = .seconds(1)
  /// The timeout for opening a connection.
  package static let connectTimeout: Duration = .seconds(5)
}

/// Why there is no response.
package struct HTTPError: Error, Sendable {
  package enum Code: Sendable {
    /// No connection: name resolution, routing or the connection attempt failed.
    case unreachable
    /// The connection was closed before the response was complete.
    case connectionLost
    /// The TLS handshake failed or the certificate is not trusted.
    case tls
    /// The deadline passed.
    case timeout
    /// The body exceeds `maximumBodyBytes`.
    case tooLarge
    /// The response is not valid HTTP.
    case malformed
    /// A redirect to another origin, or too many redirects.
    case redirect
    /// Requests are disabled and the cache has no response.
    case offline
    /// Too many recent failures: the circuit breaker blocks requests to the server.
    case circuitOpen
  }

  package var code: Code
  /// The error message, without the URL.
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
