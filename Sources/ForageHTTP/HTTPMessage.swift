/// A request as a provider describes it.
package struct HTTPRequest: Sendable {
  /// The method in upper case.
  package var method: String
  /// Where it goes.
  package var url: HTTPURL
  /// Header fields in order; names in any letter case.
  package var headers: [(name: String, value: String)]
  /// When the answer is no longer wanted.
  package var deadline: ContinuousClock.Instant
  /// The most bytes of body, after decompression, that are taken.
  package var maximumBodyBytes: Int
  /// Whether the answer may come from the cache and be kept there.
  package var isCacheable = true
  /// The bytes that are sent behind the header fields; it holds no secret, since answers are kept under it.
  package var body: [UInt8] = []
  /// Whether a request of another method than `GET` only asks, as a search by `POST` does.
  package var onlyAsks = false
  /// Whether a safe request may be sent again after a failure; false for the one attempt at a server that has failed often.
  package var allowsRetries = true
  /// Header fields and parameters, by their names in lower case, whose values are shown nowhere.
  package var secretNames: Set<String> = []

  /// Whether the request changes nothing (RFC 9110, section 9.2.1), so that it may be sent again and its answer be kept.
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

/// An answer with its whole body.
package struct HTTPResponse: Sendable {
  /// The status code.
  package var status: Int
  /// Header fields in order.
  package var headers: [(name: String, value: String)]
  /// The decompressed body.
  package var body: [UInt8]
  /// What the cache had to do with the answer.
  package var cache: HTTPCacheState = .none
  /// Takes the answer out of the cache again, for one that turns out not to be complete; `nil` when it is not there.
  package var discardStored: (@Sendable () -> Void)?

  package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The first value of a header field, whatever the letter case of its name.
  package func header(_ name: String) -> String? {
    let wanted = name.lowercased()
    return headers.first { $0.name.lowercased() == wanted }?.value
  }
}

/// The bounds on what is taken from a server.
package enum HTTPLimits {
  /// A page of 100 repositories is about 0.6 MB; 16 MiB leaves room for long texts and still bounds memory.
  package static let maximumBodyBytes = 16 << 20
  /// Room that is made at once for an announced body; a lie costs no more than this.
  package static let reservedBytes = 1 << 20
  /// GitHub answers a renamed repository with one redirect; a chain longer than this is a loop.
  package static let maximumRedirects = 5
  /// Reads are tried again this often at most.
  package static let maximumRetries = 2
  /// A retry is worth starting when at least this is left of the time.
  package static let retryMargin: Duration = .seconds(1)
  /// Opening a connection takes a round trip or three; longer means that nobody is there.
  package static let connectTimeout: Duration = .seconds(5)
}

/// Why no answer arrived.
package struct HTTPError: Error, Sendable {
  package enum Code: Sendable {
    /// No connection: no name, no route, refused.
    case unreachable
    /// The connection ended before the answer did.
    case connectionLost
    /// TLS failed or the certificate is not trusted.
    case tls
    /// The deadline passed.
    case timeout
    /// The body is larger than the caller takes.
    case tooLarge
    /// What arrived is not HTTP.
    case malformed
    /// A redirect to another origin, or too many of them.
    case redirect
    /// Nothing may be sent, and the cache has no answer.
    case offline
    /// The server has failed too often lately and is left alone for a while.
    case circuitOpen
  }

  package var code: Code
  /// What happened, without the URL.
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
