/// Why a provider could not deliver, as data.
public struct SearchError: Error, Hashable, Sendable {
  /// What went wrong, for programs; open, so that providers can add their own.
  public struct Code: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The code in `snake_case`.
    public let rawValue: String

    /// Creates a code.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a code from a literal.
    public init(stringLiteral value: String) { rawValue = value }

    /// The server could not be reached: no route, no name, refused.
    public static let unreachable: Code = "unreachable"
    /// The connection ended before the answer did.
    public static let connectionLost: Code = "connection_lost"
    /// The server's certificate cannot be trusted, or TLS failed.
    public static let tls: Code = "tls"
    /// The deadline passed.
    public static let timeout: Code = "timeout"
    /// The caller gave up.
    public static let cancelled: Code = "cancelled"
    /// The credential is missing or was refused.
    public static let unauthorized: Code = "unauthorized"
    /// The credential is good but does not allow this.
    public static let forbidden: Code = "forbidden"
    /// A rate limit is exceeded.
    public static let rateLimited: Code = "rate_limited"
    /// There is no such thing, or it is not visible.
    public static let notFound: Code = "not_found"
    /// It is gone or blocked, and was there once.
    public static let unavailable: Code = "unavailable"
    /// The network is not to be used, and the cache has no answer.
    public static let offline: Code = "offline"
    /// The server has failed too often lately and is left alone for a while.
    public static let circuitOpen: Code = "circuit_open"
    /// A cursor cannot be continued.
    public static let invalidCursor: Code = "invalid_cursor"
    /// The server rejected the query.
    public static let invalidQuery: Code = "invalid_query"
    /// The provider cannot answer such a query at all, so it takes no part in the search.
    public static let unsupportedQuery: Code = "unsupported_query"
    /// The provider has nothing to search, for example an empty catalogue, so it takes no part in the search.
    public static let nothingToAsk: Code = "nothing_to_ask"
    /// The server failed.
    public static let serverError: Code = "server_error"
    /// The answer is not what the API promises.
    public static let invalidResponse: Code = "invalid_response"
    /// The answer is larger than a sane one can be.
    public static let responseTooLarge: Code = "response_too_large"
    /// A redirect leads elsewhere or in circles.
    public static let redirect: Code = "redirect_refused"
    /// A setting is wrong.
    public static let configuration: Code = "configuration"
    /// Something on this machine failed: a file, the store.
    public static let local: Code = "local_failure"
    /// Anything else.
    public static let other: Code = "other"
  }

  /// What went wrong, for programs.
  public var code: Code
  /// What happened, a sentence without a full stop; may hold text from outside.
  public var message: String
  /// What to do about it.
  public var hint: String
  /// When to try again, in milliseconds from now, where the server said so.
  public var retryAfterMilliseconds: Int?

  /// Creates an error.
  public init(_ code: Code, _ message: String, hint: String, retryAfterMilliseconds: Int? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
    self.retryAfterMilliseconds = retryAfterMilliseconds
  }
}
