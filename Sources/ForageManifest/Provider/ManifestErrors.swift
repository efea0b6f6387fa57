import ForageCore
import ForageFoundation
import ForageHTTP

/// Translates error responses into a code, a message and a hint.
struct ManifestErrors: Sendable {
  /// The maximum length of an API's own message, in characters.
  private static let messageLimit = 300
  /// The codes that a manifest may map an API's words to.
  static let codes: Set<String> = [
    "unauthorized", "forbidden", "rate_limited", "not_found", "unavailable", "invalid_query",
    "unsupported_query", "server_error", "timeout", "other",
  ]
  /// Common places of error messages.
  private static let usualPlaces = [
    ["message"], ["error", "message"], ["error_message"], ["error_description"], ["error"], ["detail"],
    ["errors", "0", "message"], ["errors", "0", "detail"], ["errors", "0"], ["Error"],
  ]

  var name: String
  var id: String
  var rules: Manifest.ErrorRules
  /// The secret's name in the configuration; `nil` if the API has none.
  var secretName: String?
  var hasSecret: Bool

  /// The error for a response; `nil` for status 200 without an error code of the API.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - body: The body, if it is JSON.
  ///   - time: When the response arrived, from which the wait for a rate limit is computed.
  func error(_ response: HTTPResponse, body: JSONTree?, at time: Date = Date()) -> SearchError {
    let message = body.flatMap(message)
    let said = message.map { ": " + $0 } ?? ""
    if let code = body.flatMap(code) {
      if code == .rateLimited {
        return limited(LimitRefusal(response, at: time), at: time, message: message)
      }
      return refused(code, message)
    }
    switch response.status {
    case 401: return unauthorized(said)
    case 403, 429:
      if let refusal = LimitRefusal(response, at: time) {
        return limited(refusal, at: time, message: message)
      }
      return SearchError(.forbidden, "\(name) denied access" + said, hint: hint(for: .forbidden))
    case 404:
      return SearchError(
        .notFound, "\(name) has no such API address" + said,
        hint: "check the url of \(id) in the configuration and in its manifest")
    case 400, 405, 406, 414, 415, 422:
      return SearchError(
        .invalidQuery, "\(name) rejected the query (status \(response.status))" + said,
        hint: "simplify the query")
    case 410, 451:
      return SearchError(
        .unavailable, "\(name) does not provide it (status \(response.status))" + said,
        hint: "open it in a browser")
    case 300..<400:
      return SearchError(
        .redirect, "\(name) redirects without a target address",
        hint: "check the url of \(id) in the configuration and in its manifest")
    case 500...:
      return SearchError(
        .serverError, "\(name) failed (status \(response.status))" + said, hint: "try again in a moment")
    default:
      return SearchError(
        .invalidResponse, "\(name) answered with status \(response.status)" + said,
        hint: "check the url of \(id) in the configuration and in its manifest")
    }
  }

  /// The API's own message, on one line.
  private func message(_ body: JSONTree) -> String? {
    if let rule = rules.message, let text = rule.value(in: body, base: "")?.text { return shortened(text) }
    for place in Self.usualPlaces {
      var current: JSONTree? = body
      for step in place { current = step == "0" ? current?.array?.first : current?[step] }
      if let text = current?.string, !text.trimmingWhitespace().isEmpty { return shortened(text) }
    }
    return nil
  }

  private func shortened(_ text: String) -> String {
    // Text that is not shown is not processed either.
    let plain = text.unicodeScalars.prefix(Self.messageLimit * 4).map { scalar -> Character in
      scalar.properties.generalCategory == .control ? " " : Character(scalar)
    }
    return String(String(plain).split(separator: " ").joined(separator: " ").prefix(Self.messageLimit))
  }

  /// The error code that the API's words are mapped to.
  func code(_ body: JSONTree) -> SearchError.Code? {
    guard let text = rules.code?.value(in: body, base: "")?.text, Self.codes.contains(text) else {
      return nil
    }
    return SearchError.Code(rawValue: text)
  }

  private func hint(for code: SearchError.Code) -> String {
    switch code {
    case .unauthorized, .forbidden:
      secretName == nil ? "try again later" : "check the secret: " + secretAdvice
    case .invalidQuery, .unsupportedQuery: "simplify the query"
    default: "try again in a moment"
    }
  }

  private var secretAdvice: String {
    guard let secretName else { return "it has none" }
    return "set it in config.yaml: providers: {\(id): {secrets: {\(secretName): {env: NAME}}}}"
  }

  /// The error for a missing secret; no request is sent.
  var needsSecret: SearchError {
    SearchError(.unauthorized, "\(name) requires a secret, and none is configured", hint: secretAdvice)
  }

  private func unauthorized(_ said: String) -> SearchError {
    if hasSecret {
      return SearchError(
        .unauthorized, "\(name) refused the secret" + said,
        hint: "renew it, or remove it from the configuration")
    }
    return SearchError(.unauthorized, "\(name) requires a secret" + said, hint: secretAdvice)
  }

  private func limited(_ refusal: LimitRefusal?, at time: Date, message: String?) -> SearchError {
    SearchError(limited: refusal, at: time, limit: "the rate limit of \(name)", said: message)
  }

  /// The error for a limit, with the API's own message; where the API has another code for the refusal, that counts.
  func limited(_ refusal: LimitRefusal, at time: Date = Date()) -> SearchError {
    let body = try? JSONTree(parsing: refusal.body)
    let message = body.flatMap(message)
    if let code = body.flatMap(code), code != .rateLimited { return refused(code, message) }
    return limited(refusal, at: time, message: message)
  }

  /// The error for a refusal with a code of the API.
  private func refused(_ code: SearchError.Code, _ message: String?) -> SearchError {
    SearchError(
      code, "\(name) refused the request" + (message.map { ": " + $0 } ?? ""), hint: hint(for: code))
  }

  func error(_ error: HTTPError) -> SearchError {
    if let limit = error.limit { return limited(limit) }
    return SearchError(
      error, of: name, network: "check the network connection",
      check: "check the url of \(id) in the configuration and in its manifest")
  }

  /// The note of a list whose next page cannot be requested.
  ///
  /// - Parameter what: The reason, as a clause.
  func invalidNext(_ what: String) -> Note {
    Note(
      .outOfReach, "\(name) names a next page, but \(what)",
      hint: "check the url of \(id); an API behind a proxy may report a wrong address")
  }

  func unreadable(_ response: HTTPResponse) -> SearchError {
    SearchError(unreadable: response, of: name, check: "check the url of \(id)")
  }

  func withoutRows(_ path: JSONPath, _ body: JSONTree) -> SearchError {
    let said = message(body).map { ": " + $0 } ?? ""
    return SearchError(
      .invalidResponse, "the answer of \(name) has no list at \(path)" + said,
      hint: said.isEmpty ? "check items in the manifest of \(id)" : "simplify the query, or try again later")
  }
}
