import ForageCore
import ForageFoundation
import ForageHTTP

/// A server does not have a list.
struct ListRefusal: Error {}

/// Sends the requests of a manifest and decodes the responses.
struct ManifestClient: Sendable {
  /// The maximum size of a response in bytes; a page typically has some hundred kilobytes.
  static let maximumBodyBytes = 5 << 20
  /// The maximum number of JSON values in a response; a page typically has some thousands.
  static let maximumValues = 100_000
  /// The freshness of searches, which change by the minute.
  private static let isFresh: Duration = .seconds(60)
  /// The limit that all requests count against.
  private static let resource = "search"
  /// The longest wait in seconds that a body may ask for: a day, as a header field may.
  private static let longestPause = 86_400.0

  let manifest: Manifest
  /// The base address; `nil` if no address uses it.
  let base: HTTPURL?
  let transport: HTTPTransport
  let services: HTTPServices?
  let userAgent: String
  /// The variable that the settings name for the secret; `nil` if they name none.
  let variable: String?
  let secret: @Sendable (String) async -> String?
  /// Where the user has set no secret; `nil` where git's credential helpers are not asked.
  let helper: HelperCredential?
  /// Returns the secrets of this program, which are masked in answers.
  let knownSecrets: @Sendable () async -> [String]
  var pace: RequestPace?
  /// Takes in the answers, for a validation.
  var coverage: MapCoverage?

  /// The address of a request, without its parameters.
  ///
  /// - Parameter path: What follows the origin; `nil` for that of the request.
  func url(_ request: ManifestRequest, path: Template? = nil, _ values: [String: String])
    throws(SearchError) -> HTTPURL
  {
    guard let path = (path ?? request.path).text(values),
      let url = HTTPURL(baseText(of: origin(request)) + path)
    else {
      throw SearchError(
        .unsupportedQuery,
        "\(manifest.name) cannot search for this text, because it is not a valid part of an address",
        hint: "change the words of the query")
    }
    return url
  }

  /// The address of a request without a query, with its parameters.
  func address(_ request: ManifestRequest, _ values: [String: String]) throws(SearchError) -> HTTPURL {
    var url = try url(request, values)
    let pairs = request.parameters.compactMap { name, text in
      text.text(values).map { PercentEncoding.encode(name) + "=" + PercentEncoding.encode($0) }
    }
    url.query = pairs.isEmpty ? nil : pairs.joined(separator: "&")
    return url
  }

  /// Scheme, host and port of a request, with the path of the base address.
  func origin(_ request: ManifestRequest) -> HTTPURL? {
    switch request.origin {
    case .base: base
    case .fixed(let text): HTTPURL(text)
    }
  }

  /// The base address for templates of results, without a trailing slash.
  func baseText(_ request: ManifestRequest) -> String { baseText(of: base ?? origin(request)) }

  private func baseText(of url: HTTPURL?) -> String {
    var text = url?.text ?? ""
    while text.hasSuffix("/") { text.removeLast() }
    return text
  }

  /// Requests a JSON document.
  ///
  /// - Parameter refusals: Words, in lower case, by which the server says that it does not have what is at
  ///   the address; for a day it is then not asked again.
  /// - Throws: `ListRefusal` after an answer in these words, `SearchError` for anything else but status 200
  ///   with JSON.
  func get(
    _ url: HTTPURL, _ request: ManifestRequest, body: [UInt8], needsToken: Bool,
    deadline: ContinuousClock.Instant, isCacheable: Bool = true, isOfStars: Bool = false,
    refusals: [String] = []
  ) async throws -> (JSONTree, HTTPResponse) {
    let key = try await signature(for: url, isRequired: needsToken)
    do {
      return try await get(
        url, request, body: body, key, deadline: deadline, isCacheable: isCacheable, isOfStars: isOfStars,
        refusals: refusals)
    } catch let error as SearchError where key?.isOfHelper == true && Self.isRefusal(error) {
      // It can be a password, or a token for cloning only. What is public needs none; another request may
      // have the right.
      if error.code == .unauthorized { await helper?.refuse() }
      if needsToken { throw errors.refusedHelper(url.host, error) }
      return try await get(
        url, request, body: body, nil, deadline: deadline, isCacheable: isCacheable, isOfStars: isOfStars,
        refusals: refusals)
    }
  }

  private static func isRefusal(_ error: SearchError) -> Bool {
    [.unauthorized, .forbidden].contains(error.code)
  }

  private func get(
    _ url: HTTPURL, _ request: ManifestRequest, body: [UInt8], _ key: Signature?,
    deadline: ContinuousClock.Instant, isCacheable: Bool, isOfStars: Bool, refusals: [String]
  ) async throws -> (JSONTree, HTTPResponse) {
    try Task.checkCancellation()
    var errors = errors
    errors.hasSecret = key != nil
    var message = HTTPRequest(
      method: request.method.rawValue, url: url, headers: headers(request, hasBody: !body.isEmpty),
      deadline: deadline, maximumBodyBytes: Self.maximumBodyBytes)
    message.body = body
    (message.onlyAsks, message.isCacheable) = (true, isCacheable)
    do {
      let masked = transport.masking(await knownSecrets() + [key?.value].compactMap(\.self))
      let (host, credential) = (url.authority, key?.fingerprint)
      let part = scope(host, credential, isOfStars: isOfStars)
      let notes = refusals.isEmpty || services?.mode == .bypass ? nil : services?.cache
      if notes?.knowsRefusal(at: url, scope: part) == true { throw ListRefusal() }
      let response = try await sending(masked, key: key)
        .reading(
          services, host: host, credential: credential, scope: part,
          freshFor: Self.isFresh, resource: Self.resource
        )
        .send(message)
      let tree = try tree(of: response)
      if errors.refuses(response, tree, in: refusals) {
        notes?.noteRefusal(at: url, scope: part)
        throw ListRefusal()
      }
      guard response.status == 200 else {
        if let tree { coverage?.add(error: tree, manifest.errors) }
        throw errors.error(response, body: tree)
      }
      guard let tree else {
        response.discardStored?()
        throw errors.unreadable(response)
      }
      if errors.code(tree) != nil {
        response.discardStored?()
        throw errors.error(response, body: tree)
      }
      return (tree, response)
    } catch let error as HTTPError {
      throw errors.error(error)
    }
  }

  /// The part of the cache for a host and a secret; lists of stars have one of their own, which a change
  /// empties.
  private func scope(_ host: String, _ credential: String?, isOfStars: Bool) -> String {
    "manifest \(Manifest.version) \(manifest.id) \(host) \(credential ?? "anonymous")"
      + (isOfStars ? " stars" : "")
  }

  /// Whether the user has set the secret.
  func hasSecret() async throws(SearchError) -> Bool {
    guard let auth = manifest.auth else { return false }
    if await secret(auth.secret)?.isEmpty == false { return true }
    return await helper?.account() != nil
  }

  /// Changes something, with one request that is not repeated.
  ///
  /// - Throws: `SearchError` for anything but a success; 304 says that there was nothing to change.
  func change(_ url: HTTPURL, _ method: String, deadline: ContinuousClock.Instant) async throws {
    let key = try await signature(for: url, isRequired: true)
    try Task.checkCancellation()
    var errors = errors
    errors.hasSecret = true
    var message = HTTPRequest(
      method: method, url: url,
      headers: [
        ("User-Agent", userAgent), ("Accept", "application/json"), ("Content-Length", "0"),
      ], deadline: deadline, maximumBodyBytes: Self.maximumBodyBytes)
    message.isCacheable = false
    // The change may have been made whatever the response is.
    defer {
      services?.cache.forget(scope: scope(url.authority, key?.fingerprint, isOfStars: true))
    }
    do {
      var writing = sending(
        transport.masking(await knownSecrets() + [key?.value].compactMap(\.self)), key: key)
      if let services {
        writing = writing.breaking(services.breaker, host: url.authority).budgeted(
          by: services.budgets, host: url.authority, credential: key?.fingerprint,
          onWait: services.onWait, resource: Self.resource)
      }
      let response = try await writing.followingRedirects(HTTPTransport.redirectsOfWrites).send(message)
      let body = try tree(of: response)
      guard (200..<300).contains(response.status) || response.status == 304 else {
        let error = errors.error(response, body: body)
        guard key?.isOfHelper == true, Self.isRefusal(error) else { throw error }
        throw errors.refusedHelper(url.host, error)
      }
      // A page for a login, for example.
      if !response.body.isEmpty, body == nil { throw errors.unreadable(response) }
    } catch let error as HTTPError {
      throw errors.error(error)
    }
  }

  /// The body as JSON; `nil` if it is not valid.
  ///
  /// - Throws: `SearchError` with code `response_too_large` for too many values, or too deep ones.
  private func tree(of response: HTTPResponse) throws(SearchError) -> JSONTree? {
    do throws(JSONTree.Failure) {
      return try JSONTree(parsing: response.body, maximumValues: Self.maximumValues)
    } catch {
      let excess: String
      switch error {
      case .malformed: return nil
      case .tooMany: excess = "more than \(Self.maximumValues) JSON values"
      case .tooDeep: excess = "JSON that is nested deeper than \(JSONTree.maximumDepth) levels"
      }
      response.discardStored?()
      throw SearchError(
        .responseTooLarge, "\(manifest.name) answered with \(excess)",
        hint: "check the request of \(manifest.id) in its manifest")
    }
  }

  var errors: ManifestErrors { ManifestErrors(manifest: manifest, variable: variable) }

  private func headers(_ request: ManifestRequest, hasBody: Bool) -> [(name: String, value: String)] {
    var headers = [(name: "User-Agent", value: userAgent)]
    func isGiven(_ name: String) -> Bool { request.headers.contains { $0.name.lowercased() == name } }
    if !isGiven("accept") { headers.append((name: "Accept", value: "application/json")) }
    if hasBody, !isGiven("content-type") {
      headers.append((name: "Content-Type", value: "application/json"))
    }
    return headers + request.headers
  }

  /// A transport that paces and signs each request just before it is sent.
  ///
  /// The cache outside it never sees the secret.
  private func sending(_ masked: HTTPTransport, key: Signature?) -> HTTPTransport {
    HTTPTransport { [pace] request in
      try await pace?.wait(until: request.deadline, host: request.url.authority)
      var request = request
      if let key {
        key.sign(&request)
        guard self.mayHaveSecret(request.url) else {
          throw HTTPError(.redirect, "the server redirects a request with a secret to another host")
        }
      }
      let response = try await masked.send(request)
      try self.readLimits(response, host: request.url.authority, credential: key?.fingerprint)
      return response
    }
  }

  // MARK: Limits

  /// Keeps the limit that the body of a response reports; `RateBudgets` reads those of its header fields.
  ///
  /// - Throws: `HTTPError` with code `limited` if the response is a refusal because of a limit.
  private func readLimits(_ response: HTTPResponse, host: String, credential: String?) throws(HTTPError) {
    guard manifest.retryAfter != nil || manifest.errors.code != nil,
      let tree = try? JSONTree(parsing: response.body, maximumValues: Self.maximumValues)
    else { return }
    let time = Date()
    let seconds = manifest.retryAfter?.value(in: tree)?.number ?? 0
    let pause = seconds > 0 ? min(seconds.rounded(.up), Self.longestPause) : nil
    if var refusal = LimitRefusal(response, at: time, isKnown: errors.code(tree) == .rateLimited) {
      refusal.end = pause.map(time.addingTimeInterval) ?? refusal.end
      throw HTTPError(limited: refusal)
    }
    if let pause {
      services?.budgets.pause(
        host: host, credential: credential, resource: Self.resource, for: .seconds(pause))
    }
  }
}
