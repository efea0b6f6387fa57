import ForageCore

/// Asks one server, with all that is around a request: cache, conditional requests, limits, retries,
/// redirects and masking.
///
/// ```swift
/// let client = HTTPClient(host: "api.acme.example", transport: transport, userAgent: "acme/1.0")
/// let response = try await client.get(url, freshFor: .seconds(60), deadline: request.deadline)
/// ```
///
/// A client is made once and used for all requests, because it knows the limits that the server has told, and
/// whether the server can be reached.
public struct HTTPClient: Sendable {
  /// A secret, and how it is sent.
  public struct Credential: Sendable {
    /// The name of the header field.
    public var header: String
    /// The text before the secret.
    public var prefix: String
    /// The secret. It is sent to the host of the client only, and masked in what the server says.
    public var secret: String

    /// Creates a credential, by default a bearer token.
    public init(_ secret: String, header: String = "Authorization", prefix: String = "Bearer ") {
      (self.secret, self.header, self.prefix) = (secret, header, prefix)
    }
  }

  /// The limit that all requests count against.
  private static let resource = "search"

  /// The host, with a port that is not the default.
  public let host: String
  private let transport: HTTPTransport
  private let services: HTTPServices
  private let userAgent: String
  private let credential: Credential?

  /// Creates a client; nothing is sent yet.
  ///
  /// - Parameters:
  ///   - host: The host that is asked, with a port that is not the default.
  ///   - transport: Sends one request, for example that of `ForageHTTPLive`.
  ///   - userAgent: The `User-Agent` header.
  ///   - credential: The secret; `nil` for none.
  ///   - cacheFolder: The folder for answers; `nil` to keep none.
  public init(
    host: String, transport: HTTPTransport, userAgent: String, credential: Credential? = nil,
    cacheFolder: String? = nil
  ) {
    (self.host, self.transport) = (host, transport)
    (self.userAgent, self.credential) = (userAgent, credential)
    services = HTTPServices(
      cache: HTTPCache(folder: cacheFolder ?? ""), mode: cacheFolder == nil ? .bypass : .normal)
  }

  /// Reads an address.
  ///
  /// - Parameters:
  ///   - url: An address on the host, over https, or http on this machine.
  ///   - headers: Header fields in order.
  ///   - freshFor: How long an answer is used again without asking the server.
  ///   - deadline: When the request times out.
  ///   - maximumBodyBytes: The maximum size of the body in bytes.
  /// - Returns: The answer, whatever its status.
  /// - Throws: `HTTPError`; `CancellationError`.
  public func get(
    _ url: HTTPURL, headers: [(name: String, value: String)] = [], freshFor: Duration = .zero,
    deadline: ContinuousClock.Instant, maximumBodyBytes: Int = HTTPLimits.maximumBodyBytes
  ) async throws -> HTTPResponse {
    try await send(
      HTTPRequest(url: url, headers: headers, deadline: deadline, maximumBodyBytes: maximumBodyBytes),
      freshFor: freshFor)
  }

  /// Sends a request.
  ///
  /// - Parameters:
  ///   - request: The request. One that is neither `GET` nor `HEAD` is sent once and not cached.
  ///   - freshFor: As for ``get(_:headers:freshFor:deadline:maximumBodyBytes:)``.
  /// - Returns: The answer, whatever its status.
  /// - Throws: As ``get(_:headers:freshFor:deadline:maximumBodyBytes:)``.
  public func send(_ request: HTTPRequest, freshFor: Duration = .zero) async throws -> HTTPResponse {
    guard request.url.authority == host, request.url.scheme == "https" || request.url.isLoopback else {
      throw HTTPError(.redirect, "the client of \(host) sends nothing to \(request.url.authority)")
    }
    var request = request
    if request.headers.first("user-agent") == nil {
      request.headers.insert((name: "User-Agent", value: userAgent), at: 0)
    }
    request.isCacheable = request.isCacheable && request.isSafe
    let fingerprint = credential?.secret.utf8.fingerprint
    let masked = transport.masking([credential?.secret].compactMap(\.self))
    let signing = HTTPTransport { [credential] request in
      var request = request
      if let credential {
        request.headers.remove(credential.header)
        request.headers.append((name: credential.header, value: credential.prefix + credential.secret))
        request.secretNames.insert(credential.header.lowercased())
      }
      return try await masked.send(request)
    }
    return
      try await signing
      .reading(
        services, host: host, credential: fingerprint, scope: "client \(host) \(fingerprint ?? "anonymous")",
        freshFor: freshFor, resource: Self.resource
      )
      .send(request)
  }
}
