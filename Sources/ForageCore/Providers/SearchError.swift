/// The error of a provider.
public struct SearchError: Error, Hashable, Sendable {
  /// An error code. Providers can add their own.
  public struct Code: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The code in `snake_case`.
    public let rawValue: String

    /// Creates a code.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a code from a literal.
    public init(stringLiteral value: String) { rawValue = value }

    /// The server could not be reached: name resolution, routing or the connection attempt failed.
    public static let unreachable: Code = "unreachable"
    /// The connection was closed before the answer was complete.
    public static let connectionLost: Code = "connection_lost"
    /// The TLS handshake failed or the certificate is not trusted.
    public static let tls: Code = "tls"
    /// The deadline passed.
    public static let timeout: Code = "timeout"
    /// The caller cancelled the request.
    public static let cancelled: Code = "cancelled"
    /// A credential is missing or was refused.
    public static let unauthorized: Code = "unauthorized"
    /// The credential does not permit the request.
    public static let forbidden: Code = "forbidden"
    /// A rate limit is exceeded.
    public static let rateLimited: Code = "rate_limited"
    /// The entity does not exist or is not visible.
    public static let notFound: Code = "not_found"
    /// The entity is gone or blocked.
    public static let unavailable: Code = "unavailable"
    /// Requests are disabled and the cache has no answer.
    public static let offline: Code = "offline"
    /// Too many recent failures: the circuit breaker blocks requests to the server.
    public static let circuitOpen: Code = "circuit_open"
    /// The cursor is invalid.
    public static let invalidCursor: Code = "invalid_cursor"
    /// The server rejected the query.
    public static let invalidQuery: Code = "invalid_query"
    /// The provider does not support the query, so it takes no part in the search.
    public static let unsupportedQuery: Code = "unsupported_query"
    /// The provider searches only within what a qualifier of the query names, so it takes no part in any
    /// other search.
    public static let needsQualifier: Code = "needs_qualifier"
    /// The query names a branch, tag or commit that does not exist.
    public static let unknownRef: Code = "unknown_ref"
    /// The provider failed on several pages and is not asked again.
    public static let dropped: Code = "dropped"
    /// The provider has nothing to search, for example an empty catalogue, so it takes no part in the search.
    public static let nothingToAsk: Code = "nothing_to_ask"
    /// The server failed.
    public static let serverError: Code = "server_error"
    /// The answer does not conform to the API.
    public static let invalidResponse: Code = "invalid_response"
    /// The answer exceeds the size limit.
    public static let responseTooLarge: Code = "response_too_large"
    /// A redirect to another origin, or too many redirects.
    public static let redirect: Code = "redirect_refused"
    /// A setting is invalid.
    public static let configuration: Code = "configuration"
    /// A failure on this machine, for example of a file or the store.
    public static let local: Code = "local_failure"
    /// Any other error.
    public static let other: Code = "other"
  }

  /// The error code.
  public var code: Code
  /// A phrase without a full stop that says what happened. It may contain untrusted text.
  public var message: String
  /// The action that helps, whatever program shows the error; empty if that follows from the code.
  public var hint: String
  /// The id of what the error is about, where a program needs it to say what to do: a plugin to trust, a
  /// repository to check, the name of one that is not there.
  public var subject: String?
  /// When to retry, in milliseconds from now, if known.
  public var retryAfterMilliseconds: Int?

  /// Creates an error.
  public init(
    _ code: Code, _ message: String, hint: String = "", subject: String? = nil,
    retryAfterMilliseconds: Int? = nil
  ) {
    self.code = code
    self.message = message
    self.hint = hint
    self.subject = subject
    self.retryAfterMilliseconds = retryAfterMilliseconds
  }
}

/// Something that is missing from a list or odd about it.
///
/// A provider adds notes to its pages, and a search adds those about what it does itself. Each is printed
/// once.
public struct Note: Hashable, Sendable {
  /// The topic: one of the error codes, or one of those below.
  public var code: SearchError.Code
  /// A phrase without a full stop that says what is missing or odd. It may contain untrusted text.
  public var message: String
  /// The action that helps, whatever program shows it; empty if that follows from the code.
  public var hint: String
  /// Whether results are missing, so that the list is incomplete.
  public var isMissing: Bool

  /// Creates a note.
  public init(_ code: SearchError.Code, _ message: String, hint: String = "", isMissing: Bool = true) {
    self.code = code
    self.message = message
    self.hint = hint
    self.isMissing = isMissing
  }
}

extension SearchError.Code {
  /// The service reports that its list is incomplete, for example because a search took it too long.
  public static let incompleteResults: SearchError.Code = "incomplete_results"
  /// A part was not searched, for example files that are too long or cannot be read, or organizations that
  /// the token is not authorized for. The provider is `partial`.
  public static let incompleteSearch: SearchError.Code = "incomplete_search"
  /// Clones could not be read. The provider is `partial`.
  public static let unreadableClones: SearchError.Code = "unreadable_clones"
  /// Repositories or accounts in which the query searches do not exist, or are not visible. The provider is
  /// `partial`.
  public static let missingScopes: SearchError.Code = "missing_scopes"
  /// Items have only some of their matches.
  public static let fragmentsOnly: SearchError.Code = "fragments_only"
  /// Results are out of reach: the service returns only some of those that it counts.
  public static let outOfReach: SearchError.Code = "out_of_reach"
  /// More requests are needed than the search may send.
  public static let requestsExceeded: SearchError.Code = "requests_exceeded"
  /// Reading ended before enough results passed the conditions that are checked here.
  public static let scanLimited: SearchError.Code = "scan_limited"
  /// Reading ended because the results take too much memory.
  public static let sizeLimited: SearchError.Code = "size_limited"
  /// The provider cannot sort by the key, so that only its first results are sorted.
  public static let sortApproximate: SearchError.Code = "sort_approximate"
  /// The answer is an old one from the cache.
  public static let stale: SearchError.Code = "stale"

  /// Whether a note with this code says that the provider's own answer lacks a part, which makes it
  /// `partial`.
  var makesPartial: Bool { [.incompleteSearch, .missingScopes, .unreadableClones].contains(self) }
}

extension Note {
  /// A service reports that its list is incomplete.
  ///
  /// - Parameter name: The provider's display name.
  public static func incompleteResults(of name: String) -> Note {
    Note(
      .incompleteResults, "\(name) reports that its list is incomplete", hint: "make the query more specific")
  }

  /// Creates the note for an error that lost a part of a list.
  public init(_ error: SearchError) { self.init(error.code, error.message, hint: error.hint) }
}
