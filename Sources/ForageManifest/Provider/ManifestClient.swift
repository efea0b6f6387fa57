import ForageCore
import ForageFoundation
import ForageHTTP

/// Sends the requests of a manifest and decodes the responses.
struct ManifestClient: Sendable {
  /// The maximum size of a response in bytes; a page typically has some hundred kilobytes.
  static let maximumBodyBytes = 5 << 20
  /// The maximum number of JSON values in a response; a page typically has some thousands.
  static let maximumValues = 100_000
  /// The freshness of searches, which change by the minute.
  private static let isFresh: Duration = .seconds(60)

  let manifest: Manifest
  /// The base address; `nil` if no address uses it.
  let base: HTTPURL?
  let transport: HTTPTransport
  let services: HTTPServices?
  let userAgent: String
  let secret: @Sendable (String) async -> String?
  /// Returns the secrets of this program, which are masked in answers.
  let heldSecrets: @Sendable () async -> [String]
  let pace: RequestPace?

  /// The address of a request, without its parameters.
  func url(_ request: ManifestRequest, _ values: RequestText.Values) throws(SearchError) -> HTTPURL {
    guard let origin = origin(request) else {
      throw SearchError(.configuration, "\(manifest.name) has no address", hint: "check its manifest")
    }
    var segments: [String] = []
    for segment in request.segments {
      let text = segment.filled(values)
      guard segment.places.isEmpty || text.flatMap(PathSegment.encoded) != nil else {
        throw SearchError(
          .unsupportedQuery,
          "\(manifest.name) cannot search for this text, because it is not a valid part of an address",
          hint: "change the words of the query")
      }
      segments.append(text ?? "")
    }
    if segments.isEmpty { return origin }
    return origin.appending(segments)
  }

  /// Scheme, host and port of a request, with the path of the base address.
  func origin(_ request: ManifestRequest) -> HTTPURL? {
    switch request.origin {
    case .base: base
    case .fixed(let text): HTTPURL(text)
    }
  }

  /// Requests a JSON document.
  ///
  /// - Throws: `SearchError` for anything but status 200 with JSON.
  func get(
    _ url: HTTPURL, _ request: ManifestRequest, body: [UInt8], deadline: ContinuousClock.Instant
  ) async throws -> (JSONTree, HTTPResponse) {
    let key = try await signature(for: url)
    try Task.checkCancellation()
    var errors = errors
    errors.hasSecret = key != nil
    var message = HTTPRequest(
      method: request.method.rawValue, url: url, headers: headers(request, hasBody: !body.isEmpty),
      deadline: deadline, maximumBodyBytes: Self.maximumBodyBytes)
    message.body = body
    message.onlyAsks = true
    do {
      let masked = transport.masking(await heldSecrets() + [key].compactMap(\.self))
      let (host, credential) = (url.authority, key?.utf8.fingerprint)
      let response = try await sending(masked, key: key)
        .reading(
          services, host: host, credential: credential,
          scope: "manifest \(Manifest.version) \(manifest.id) \(host) \(credential ?? "anonymous")",
          freshFor: Self.isFresh, resource: "search"
        )
        .send(message)
      let tree = try tree(of: response)
      guard response.status == 200 else { throw errors.error(response, body: tree) }
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

  var errors: ManifestErrors {
    ManifestErrors(
      name: manifest.name, id: manifest.id, rules: manifest.errors, secretName: manifest.auth?.secret,
      hasSecret: false)
  }

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
  private func sending(_ masked: HTTPTransport, key: String?) -> HTTPTransport {
    HTTPTransport { [pace, manifest] request in
      try await pace?.wait(until: request.deadline, host: request.url.authority)
      var request = request
      if let key, let auth = manifest.auth {
        auth.sign(&request, key)
        guard self.mayHaveSecret(request.url) else {
          throw HTTPError(.redirect, "the server redirects a request with a secret to another host")
        }
      }
      return Self.understood(try await masked.send(request), manifest)
    }
  }

  // MARK: Limits

  /// The response with its rate limit headers converted to the common form.
  private static func understood(_ response: HTTPResponse, _ manifest: Manifest) -> HTTPResponse {
    var response = response
    for name in ["limit", "remaining", "reset"] where response.header("x-ratelimit-\(name)") == nil {
      if let value = response.header("ratelimit-\(name)") {
        response.headers.append((name: "x-ratelimit-\(name)", value: value))
      }
    }
    guard manifest.retryAfter != nil || manifest.errors.code != nil,
      let tree = try? JSONTree(parsing: response.body, maximumValues: maximumValues)
    else { return response }
    let code = manifest.errors.code?.value(in: tree, base: "")?.text
    if code == SearchError.Code.rateLimited.rawValue, response.status != 429 { response.status = 429 }
    if let rule = manifest.retryAfter, let pause = rule.seconds(in: tree) {
      let time = Date()
      response.headers.remove(
        "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "retry-after")
      if response.status == 429 {
        response.headers.append((name: "retry-after", value: String(pause)))
      } else {
        // A Retry-After window means that no requests remain until its end.
        let offset = time.timeIntervalSince(ServerClock(response, at: time).local(time))
        let end = Int((time.timeIntervalSince1970 + offset).rounded(.up)) + pause
        response.headers += [
          (name: "x-ratelimit-remaining", value: "0"), (name: "x-ratelimit-reset", value: String(end)),
        ]
      }
    }
    return response
  }
}

extension Manifest.RetryAfter {
  /// The maximum pause in seconds: one day.
  private static let longest = 86_400

  /// The wait in whole seconds, rounded up; `nil` for none.
  func seconds(in tree: JSONTree) -> Int? {
    let number: Double? =
      switch path.value(in: tree) {
      case .integer(let number): Double(number)
      case .double(let number): number
      default: nil
      }
    guard let number, number > 0, number.isFinite else { return nil }
    return Int(min((number * Double(unit) / 1000).rounded(.up), Double(Self.longest)))
  }
}
