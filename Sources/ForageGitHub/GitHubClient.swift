import ForageCore
package import ForageHTTP
import ForagePlatform

/// A successful response without a document: 204 (no content) or 202 (GitHub is still computing it).
struct NoDocument: Error {
  var status: Int
}

/// What a request asks for: it decides which limit it counts against, and how long its answer is fresh.
enum Purpose: Hashable {
  case search(ResultKind)
  case details
  /// Lists of the token's owner, which are forgotten when something in them is changed.
  case ownLists
  /// The limits themselves.
  case limits

  /// The rate limit that the request counts against. Source: GitHub's documentation "Rate limits for the REST
  /// API".
  var resource: String {
    switch self {
    case .search(.code): "code_search"
    case .search: "search"
    case .details, .ownLists: "core"
    // It counts against no limit and must work when all are exceeded.
    case .limits: "rate_limit"
    }
  }

  /// Searches and such lists change by the minute.
  var freshFor: Duration { self == .details ? .seconds(300) : .seconds(60) }
}

/// Sends requests to one GitHub server and decodes the responses.
package struct GitHubClient: Sendable {
  let address: ForgeAddress
  let transport: HTTPTransport
  private let tokens: any TokenSource
  private let userAgent: String
  let services: HTTPServices?
  /// Receives what is wrong with answers, for use after the provider's name.
  let warnings: FirstReports

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - address: The server.
  ///   - transport: Sends one request; redirects and retries are added here.
  ///   - userAgent: The `User-Agent` header.
  ///   - services: Cache, rate limits and circuit breaker; `nil` for none.
  ///   - tokens: Has the token for the host.
  ///   - report: Receives what is wrong with answers, each fault once, for use after the provider's name.
  package init(
    at address: ForgeAddress, transport: HTTPTransport, userAgent: String, services: HTTPServices? = nil,
    tokens: any TokenSource, report: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.services = services
    self.tokens = tokens
    warnings = FirstReports(report)
    self.address = address
    self.transport = transport
    self.userAgent = userAgent
  }

  /// The token for the host, if there is one.
  func token() async -> ForgeToken? { await tokens.token() }

  /// Requests a JSON document.
  ///
  /// - Parameters:
  ///   - url: The address.
  ///   - purpose: What is asked for.
  ///   - accept: The media type to request.
  ///   - allowsNothing: Whether a response without a document is allowed; it is thrown as `NoDocument`.
  /// - Returns: The document, and the response.
  /// - Throws: `SearchError` for anything but status 200 with JSON.
  func document(
    _ url: HTTPURL, for purpose: Purpose = .details, deadline: ContinuousClock.Instant,
    isCacheable: Bool = true, accept: String = GitHubClient.json, allowsNothing: Bool = false
  ) async throws -> (JSONTree, HTTPResponse) {
    let token = await token()
    try Task.checkCancellation()
    var request = HTTPRequest(url: url, headers: headers(token, accept: accept), deadline: deadline)
    request.isCacheable = isCacheable
    do {
      let response = try await masked(token)
        .reading(
          services, host: address.host, credential: token?.fingerprint,
          scope: purpose == .ownLists ? scopeOfOwnLists(token) : scope(token), freshFor: purpose.freshFor,
          resource: purpose.resource
        ).send(request)
      if allowsNothing, [202, 204].contains(response.status) { throw NoDocument(status: response.status) }
      guard response.status == 200 else {
        // A search that finds nothing is an empty list.
        if response.status == 404, case .search = purpose { throw errors(token).noAPI }
        throw errors(token).error(response)
      }
      guard let tree = try? JSONTree(parsing: response.body) else { throw await unreadable(response) }
      return (tree, response)
    } catch let error as HTTPError {
      throw errors(token).error(error)
    }
  }

  /// The error for a response that is not the expected document, which the cache does not keep.
  func unreadable(_ response: HTTPResponse) async -> SearchError {
    response.discardStored?()
    return errors(await token()).unreadable(response)
  }

  /// Requests a JSON document and reads it.
  ///
  /// - Parameter read: Reads the document; `nil` if it is not the expected one.
  /// - Returns: What was read, and the response.
  /// - Throws: `SearchError` for anything but status 200 with the expected JSON; what `read` throws.
  func get<Body>(
    _ url: HTTPURL, for purpose: Purpose = .details, deadline: ContinuousClock.Instant,
    isCacheable: Bool = true,
    accept: String = GitHubClient.json, allowsNothing: Bool = false, _ read: (JSONTree) throws -> Body?
  ) async throws -> (Body, HTTPResponse) {
    let (tree, response) = try await document(
      url, for: purpose, deadline: deadline, isCacheable: isCacheable, accept: accept,
      allowsNothing: allowsNothing)
    guard let body = try read(tree) else { throw await unreadable(response) }
    return (body, response)
  }

  /// Returns the token, for requests that GitHub rejects without one.
  ///
  /// - Parameter what: What needs the token, for example `the list of your stars`.
  /// - Throws: `SearchError` with code `unauthorized` if there is no token.
  @discardableResult
  func requiredToken(for what: String) async throws -> ForgeToken {
    if let token = await token() { return token }
    try Task.checkCancellation()
    throw SearchError(
      .unauthorized,
      "\(what) on \(address.host) requires a token, and "
        + (tokens.wrongVariable.map { "\($0) is not a token" } ?? "none was found"),
      hint: errors(nil).tokenAdvice)
  }

  /// The limit because of which a response is an older one from the cache; `nil` for any other response.
  func limit(of response: HTTPResponse) async -> SearchError? {
    guard let limit = response.limit else { return nil }
    return errors(await token()).limited(limit)
  }

  /// What a response leaves out because organizations require that the token is authorized for them.
  ///
  /// Source: GitHub's documentation "Troubleshooting the REST API", `X-GitHub-SSO: partial-results;
  /// organizations=1,2`.
  func omissions(of response: HTTPResponse) async -> [Note] {
    guard let header = response.header("x-github-sso")?.lowercased(), header.hasPrefix("partial-results")
    else { return [] }
    let list = header.firstRange(of: "organizations=").map { header[$0.upperBound...].prefix { $0 != ";" } }
    let ids = list.map { Set($0.split(separator: ",")).count }.flatMap { $0 > 0 ? $0 : nil }
    let count = ids.map { HumanFormat.plural($0, "organization") } ?? "results of organizations"
    let (verb, pronoun) = ids == 1 ? ("is", "it") : ("are", "them")
    return [
      Note(
        .incompleteSearch, "\(count) \(verb) missing until the token is authorized for \(pronoun)",
        hint: errors(await token()).singleSignOnAdvice)
    ]
  }

  /// The transport with the token masked in responses.
  func masked(_ token: ForgeToken?) -> HTTPTransport { transport.masking(token.map { [$0.secret] } ?? []) }

  static let json = "application/vnd.github+json"
  /// The media type that adds the positions of the query's words.
  static let textMatches = "application/vnd.github.text-match+json"
  /// The media type that adds the time of each star.
  static let starsJSON = "application/vnd.github.star+json"

  func headers(_ token: ForgeToken?, accept: String) -> [(name: String, value: String)] {
    var headers = [
      (name: "User-Agent", value: userAgent), (name: "Accept", value: accept),
      (name: "X-GitHub-Api-Version", value: "2022-11-28"),
    ]
    if let token { headers.append((name: "Authorization", value: "Bearer " + token.secret)) }
    return headers
  }

  func errors(_ token: ForgeToken?) -> GitHubErrors {
    GitHubErrors(
      host: address.host, webHosts: address.entityHosts, tokenSource: token?.source, tokens: tokens)
  }

  /// The cache scope of a host and credential.
  private func scope(_ token: ForgeToken?) -> String {
    "github 1 \(address.host) \(token?.fingerprint ?? "anonymous")"
  }

  /// The cache scope of lists of the token's owner. It is separate, so that they can be removed from the
  /// cache when something in them is changed.
  private func scopeOfOwnLists(_ token: ForgeToken?) -> String { scope(token) + " stars" }

  /// Removes the lists of a credential's owner from the cache.
  func forgetOwnLists(_ token: ForgeToken?) { services?.cache.forget(scope: scopeOfOwnLists(token)) }

  func url(_ segments: [String], parameters: [(name: String, value: String)] = []) -> HTTPURL {
    address.api.appending(segments, parameters: parameters)
  }

  /// The address of a server's link to another page of a list. If the link names another host, because of a
  /// proxy, only its query is used.
  func ownURL(_ target: HTTPURL, at list: HTTPURL) -> HTTPURL {
    if target.hasSameOrigin(as: address.api) { return target }
    var url = list
    url.query = target.query
    return url
  }
}

extension HTTPURL {
  /// A parameter that is a count.
  func count(_ parameter: String) -> Count? { rawParameter(parameter).flatMap { Count($0) } }

  /// The number and the size of the page of a list.
  func page(size: Int) -> (page: Count, size: Int) { (count("page") ?? 1, count("per_page")?.value ?? size) }
}
