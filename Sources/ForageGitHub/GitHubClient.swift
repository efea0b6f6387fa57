import ForageCore
package import ForageHTTP

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A token and where it came from.
package struct GitHubToken: Sendable {
  /// The secret.
  package var secret: String
  /// Its source, for example `GH_TOKEN`.
  package var source: String

  package init(secret: String, source: String) {
    self.secret = secret
    self.source = source
  }
}

/// A successful answer without a document: 204 for no content, 202 while GitHub computes it.
struct NoDocument: Error {
  var status: Int
}

/// Sends requests to one GitHub and reads the answers.
package struct GitHubClient: Sendable {
  let host: GitHubHost
  let transport: HTTPTransport
  let token: @Sendable () async -> GitHubToken?
  private let userAgent: String
  let services: HTTPServices?
  /// Whether the user named the provider: a token that the server refused before is then sent again.
  private let isNamed: Bool
  private let tokenHint: (@Sendable () -> String)?

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - transport: Sends one request; redirects and retries are added here.
  ///   - services: Cache, limits and circuits; `nil` for none.
  ///   - isNamed: Whether the user named the provider.
  ///   - tokenHint: How the user can provide a token, `nil` for the usual advice.
  ///   - token: Finds the token for the host, `nil` for none; called before each request, at most twice, so it remembers.
  package init(
    host: GitHubHost, transport: HTTPTransport, userAgent: String, services: HTTPServices? = nil,
    isNamed: Bool = false, tokenHint: (@Sendable () -> String)? = nil,
    token: @escaping @Sendable () async -> GitHubToken?
  ) {
    self.services = services
    self.isNamed = isNamed
    self.tokenHint = tokenHint
    self.host = host
    self.transport = transport
    self.userAgent = userAgent
    self.token = token
  }

  /// Reads one JSON document.
  ///
  /// - Parameters:
  ///   - accept: The media type that is asked for.
  ///   - allowsNothing: Whether an answer without a document is one; it is thrown as `NoDocument`.
  ///   - requests: Told of each request, those after redirects and lost connections too.
  /// - Returns: The document and the answer's header fields.
  /// - Throws: `SearchError` for everything that is not status 200 with the expected JSON.
  func get<Body: Decodable>(
    _ url: HTTPURL, as type: Body.Type, deadline: ContinuousClock.Instant,
    requests: RequestCounter = RequestCounter(), isCacheable: Bool = true,
    accept: String = GitHubClient.json, allowsNothing: Bool = false
  ) async throws -> (Body, HTTPResponse) {
    let token = await token()
    try Task.checkCancellation()
    let errors = errors(token)
    let headers = headers(token, accept: accept)
    do {
      let counted = HTTPTransport { [transport] request in
        requests.add()
        return try await transport.send(request)
      }
      var request = HTTPRequest(url: url, headers: headers, deadline: deadline)
      request.isCacheable = isCacheable
      let response = try await serving(counted.retryingReads(), token: token).send(request)
      if response.cache != .none { services?.onCached(request, response) }
      if allowsNothing, [202, 204].contains(response.status) { throw NoDocument(status: response.status) }
      guard response.status == 200 else { throw errors.error(response) }
      guard String(validating: response.body, as: UTF8.self) != nil,
        let body = try? JSONDecoder().decode(type, from: Data(response.body))
      else {
        response.discardStored?()
        throw errors.unreadable(response)
      }
      return (body, response)
    } catch let error as HTTPError {
      throw errors.error(error)
    }
  }

  /// The usual media type of answers.
  static let json = "application/vnd.github+json"
  /// The media type of answers that also tell where the words of the query stand.
  static let textMatches = "application/vnd.github.text-match+json"

  /// The header fields of every request.
  func headers(_ token: GitHubToken?, accept: String) -> [(name: String, value: String)] {
    var headers = [
      (name: "User-Agent", value: userAgent), (name: "Accept", value: accept),
      (name: "X-GitHub-Api-Version", value: "2022-11-28"),
    ]
    if let token { headers.append((name: "Authorization", value: "Bearer " + token.secret)) }
    return headers
  }

  /// Makes the errors of requests with a token, or without one.
  func errors(_ token: GitHubToken?) -> GitHubErrors {
    GitHubErrors(host: host.credentialHost, tokenSource: token?.source, tokenHint: tokenHint)
  }

  /// The transport with limits and circuits by host and credential, and the cache outermost.
  private func serving(_ transport: HTTPTransport, token: GitHubToken?) -> HTTPTransport {
    guard let services else { return transport.followingRedirects() }
    let limited = limited(transport, services, token: token, isForced: isNamed).followingRedirects()
    return HTTPTransport { request in
      let isOfStars = Self.isOfStars(request)
      let isDetail = Self.resource(of: request) == "core" && !isOfStars
      let policy = HTTPCachePolicy(
        mode: services.mode, freshFor: isDetail ? Self.detailsAreFresh : Self.searchIsFresh)
      let scope = isOfStars ? scopeOfStars(token) : scope(token)
      return try await limited.caching(services.cache, policy: policy, scope: scope).send(request)
    }
  }

  /// The transport with limits and circuits by host and credential.
  ///
  /// - Parameter isForced: Whether a token that the server refused before is sent again.
  func limited(_ transport: HTTPTransport, _ services: HTTPServices, token: GitHubToken?, isForced: Bool)
    -> HTTPTransport
  {
    let name = host.credentialHost
    let credential = token.map { CredentialFingerprint.of($0.secret) }
    return
      transport
      .breaking(services.breaker, host: name, credential: credential, forced: isForced)
      .budgeted(by: services.budgets, host: name, credential: credential, onWait: services.onWait) {
        Self.resource(of: $0)
      }
  }

  /// The scope of cached answers: host and credential.
  func scope(_ token: GitHubToken?) -> String {
    let credential = token.map { CredentialFingerprint.of($0.secret) }
    return "github 1 \(host.credentialHost) \(credential ?? "anonymous")"
  }

  /// How long a cached search or list of stars is fresh: they change by the minute.
  private static let searchIsFresh: Duration = .seconds(60)
  /// How long cached details are fresh: they change more slowly.
  private static let detailsAreFresh: Duration = .seconds(300)

  /// The limit that a request counts against; source: GitHub's documentation "Rate limits for the REST API".
  private static func resource(of request: HTTPRequest) -> String {
    let path = request.url.path
    // It counts against no limit, so that it can be sent when all others are exceeded.
    if path.hasSuffix("/rate_limit") { return "rate_limit" }
    return path.hasSuffix("/search/code")
      ? "code_search" : path.utf8Range(of: "/search/") != nil ? "search" : "core"
  }

  /// The address of a path of the API.
  func url(_ segments: [String], parameters: [(name: String, value: String)] = []) -> HTTPURL {
    host.api.appending(segments, parameters: parameters)
  }
}
