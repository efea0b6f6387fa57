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
  /// Its source as the user knows it, for example `GH_TOKEN`.
  package var source: String

  package init(secret: String, source: String) {
    self.secret = secret
    self.source = source
  }
}

/// Sends requests to one GitHub and reads the answers.
package struct GitHubClient: Sendable {
  let host: GitHubHost
  private let transport: HTTPTransport
  private let token: @Sendable () async -> GitHubToken?
  private let userAgent: String
  private let services: HTTPServices?
  /// Whether the user named the provider: then a server that is left alone is asked once all the same.
  private let isNamed: Bool
  private let tokenHint: (@Sendable () -> String)?

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - transport: Sends one request; redirects and retries are added here.
  ///   - services: What requests share, `nil` for nothing.
  ///   - isNamed: Whether the user named the provider.
  ///   - tokenHint: How the user can give the host a token, `nil` for the usual advice.
  ///   - token: Finds the token for the host, `nil` for none; called at most once a request.
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

  /// The media type of an ordinary answer.
  static let json = "application/vnd.github+json"
  /// The media type of an answer that also tells where the words of the query stand.
  static let textMatches = "application/vnd.github.text-match+json"

  /// Reads one JSON document.
  ///
  /// - Parameter accept: The media type asked for.
  /// - Parameter onlyWithToken: What cannot be asked without a token, as a noun; `nil` where none is needed. Nothing is sent then.
  /// - Parameter requests: Told of each request, those after redirects and lost connections too.
  /// - Returns: The document and the answer's header fields.
  /// - Throws: `SearchError` for everything that is not status 200 with the expected JSON.
  func get<Body: Decodable>(
    _ url: HTTPURL, as type: Body.Type, accept: String = Self.json, onlyWithToken: String? = nil,
    deadline: ContinuousClock.Instant, requests: RequestCounter = RequestCounter(), isCacheable: Bool = true
  ) async throws -> (Body, HTTPResponse) {
    let token = await token()
    try Task.checkCancellation()
    let errors = GitHubErrors(host: host.credentialHost, tokenSource: token?.source, tokenHint: tokenHint)
    if let onlyWithToken, token == nil { throw errors.needsToken(for: onlyWithToken) }
    var headers = [
      (name: "User-Agent", value: userAgent), (name: "Accept", value: accept),
      (name: "X-GitHub-Api-Version", value: "2022-11-28"),
    ]
    if let token { headers.append((name: "Authorization", value: "Bearer " + token.secret)) }
    do {
      let counted = HTTPTransport { [transport] request in
        requests.add()
        return try await transport.send(request)
      }
      var request = HTTPRequest(url: url, headers: headers, deadline: deadline)
      request.isCacheable = isCacheable
      let response = try await serving(counted.retryingReads(), token: token).send(request)
      if response.cache != .none { services?.onCached(request, response) }
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

  /// The transport with what requests share: limits and circuits by host and credential, the cache outermost.
  private func serving(_ transport: HTTPTransport, token: GitHubToken?) -> HTTPTransport {
    guard let services else { return transport.followingRedirects() }
    let name = host.credentialHost
    let credential = token.map { CredentialFingerprint.of($0.secret) }
    let limited =
      transport
      .breaking(services.breaker, host: name, credential: credential, forced: isNamed)
      .budgeted(by: services.budgets, host: name, credential: credential, onWait: services.onWait) {
        Self.resource(of: $0)
      }
      .followingRedirects()
    return HTTPTransport { request in
      let policy = HTTPCachePolicy(
        mode: services.mode,
        freshFor: Self.resource(of: request) == "core" ? Self.detailsAreFresh : Self.searchIsFresh)
      return try await limited.caching(
        services.cache, policy: policy, scope: "github 1 \(name) \(credential ?? "anonymous")"
      ).send(request)
    }
  }

  /// Searches change by the minute, and people repeat them within one.
  private static let searchIsFresh: Duration = .seconds(60)
  /// What is told of one repository changes more slowly.
  private static let detailsAreFresh: Duration = .seconds(300)

  /// The limit that a request counts against; source: GitHub's documentation "Rate limits for the REST API".
  private static func resource(of request: HTTPRequest) -> String {
    let path = request.url.path
    // It counts against none, so that it can be asked when all are spent; only a refusal of its own stops it.
    if path.hasSuffix("/rate_limit") { return "rate_limit" }
    return path.hasSuffix("/search/code")
      ? "code_search" : path.utf8Range(of: "/search/") != nil ? "search" : "core"
  }

  /// The address of a path of the API.
  func url(_ segments: [String], parameters: [(name: String, value: String)] = []) -> HTTPURL {
    host.api.appending(segments, parameters: parameters)
  }
}
