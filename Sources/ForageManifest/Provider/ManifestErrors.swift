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
    "$.message", "$.message.error", "$.error.message", "$.error_message", "$.error_description", "$.error",
    "$.detail", "$.errors[0].message", "$.errors[0].detail", "$.errors[0]", "$.Error",
  ].compactMap { try? JSONPath($0) }

  private static let scope = try? JSONPath("$.scope")

  let manifest: Manifest
  /// Whether the request had a secret.
  var hasSecret = false
  /// The variable that the settings name for the secret; `nil` if they name none.
  var variable: String?

  private var name: String { manifest.name }
  private var check: String { "check the url of \(manifest.id) in the configuration and in its manifest" }

  /// The error for a response; one with status 200 has an error code of the API.
  ///
  /// - Parameter body: The body, if it is JSON.
  func error(_ response: HTTPResponse, body: JSONTree?) -> SearchError {
    let message = body.flatMap(message)
    if let code = body.flatMap(code) { return refused(code, message) }
    var error = SearchError(
      refusal: response, of: name, said: message, check: check,
      words: [
        .unauthorized: hasSecret
          ? RefusalWords("refused the secret", hint: "renew it, or remove it from the configuration")
          : RefusalWords("requires a secret", hint: secretAdvice ?? "its manifest names none: add auth"),
        .forbidden: RefusalWords("denied access", hint: hint(for: .forbidden)),
        .notFound: RefusalWords("has no such API address"),
      ])
    if !hasSecret, error.code == .invalidQuery, message?.lowercased().contains("authenticated") == true {
      error.hint = secretAdvice ?? error.hint
    }
    return error
  }

  /// The error for a repository or an account to search in that the forge does not show.
  func missing(_ place: String) -> SearchError {
    SearchError(
      .notFound, "\(name) has no \(place) to search in, or does not show it to you",
      hint: "check the name" + (manifest.auth == nil ? "" : ", and whether it is visible with your token"),
      subject: place)
  }

  /// Whether an answer refuses the request in one of some words, which are in lower case.
  func refuses(_ response: HTTPResponse, _ body: JSONTree?, in words: [String]) -> Bool {
    guard (400..<500).contains(response.status), let said = body.flatMap(message)?.lowercased() else {
      return false
    }
    return words.contains { said.contains($0) }
  }

  /// The API's own message, on one line.
  private func message(_ body: JSONTree) -> String? {
    let said =
      manifest.errors.message?.value(in: body, base: "")?.text
      ?? Self.usualPlaces.lazy.compactMap { $0.value(in: body)?.string }.first {
        !$0.trimmingWhitespace().isEmpty
      }
    // What a token lacks.
    let scope = Self.scope?.value(in: body)?.string.map { " (scope: \($0))" } ?? ""
    return said.map { SafeText.line(($0 + scope).prefix(Self.messageLimit)) }
  }

  /// The error code that the API's words are mapped to.
  func code(_ body: JSONTree) -> SearchError.Code? {
    let text = manifest.errors.code?.value(in: body, base: "")?.text
    return text.flatMap { Self.codes.contains($0) ? SearchError.Code(rawValue: $0) : nil }
  }

  private func hint(for code: SearchError.Code) -> String {
    switch code {
    case .unauthorized, .forbidden:
      hasSecret
        ? "check the secret, and what it is allowed to do"
        : secretAdvice ?? "try again later, or check the request in the manifest of \(manifest.id)"
    case .invalidQuery, .unsupportedQuery: "simplify the query"
    default: "try again in a moment"
    }
  }

  private var secretAdvice: String? {
    manifest.auth.map { auth in
      variable.map { "set \($0)" }
        ?? "set it in config.yaml: providers: {\(manifest.id): {secrets: {\(auth.secret): {env: NAME}}}}"
    }
  }

  /// The error for a missing secret; no request is sent.
  var needsSecret: SearchError {
    SearchError(
      .unauthorized, "\(name) requires a secret, and has none",
      hint: (secretAdvice ?? check) + (variable == nil ? "; the variable NAME must be set" : ""))
  }

  /// The error for what git's credential helpers know and the API does not take.
  func refusedHelper(_ host: String, _ error: SearchError) -> SearchError {
    SearchError(
      error.code, "\(name) refused what git's credential helpers have for \(host), and needs a token",
      hint: secretAdvice ?? check)
  }

  private func limited(_ refusal: LimitRefusal, _ message: String?) -> SearchError {
    SearchError(limited: refusal, at: Date(), limit: "the rate limit of \(name)", said: message)
  }

  /// The error for a limit, with the API's own message; where the API has another code for the refusal, that
  /// counts.
  func limited(_ refusal: LimitRefusal) -> SearchError {
    let body = try? JSONTree(parsing: refusal.body)
    let message = body.flatMap(message)
    if let code = body.flatMap(code), code != .rateLimited { return refused(code, message) }
    return limited(refusal, message)
  }

  /// The error for a refusal with a code of the API.
  private func refused(_ code: SearchError.Code, _ message: String?) -> SearchError {
    SearchError(
      code, "\(name) refused the request" + (message.map { ": " + $0 } ?? ""), hint: hint(for: code))
  }

  func error(_ error: HTTPError) -> SearchError {
    if let limit = error.limit { return limited(limit) }
    return SearchError(error, of: name, network: "check the network connection", check: check)
  }

  /// The note of a list whose next page cannot be requested.
  ///
  /// - Parameter what: The reason, as a clause.
  func invalidNext(_ what: String) -> Note {
    Note(
      .outOfReach, "\(name) names a next page, but \(what)",
      hint: "check the url of \(manifest.id); an API behind a proxy may report a wrong address")
  }

  /// The note of an answer that says itself that results are missing.
  func partial(_ reasons: [String]) -> Note {
    Note(
      .incompleteSearch,
      SafeText.line(
        "\(name) answered only in part: " + reasons.joined(separator: "; ").prefix(Self.messageLimit)),
      hint: "make the query more specific, or try again later")
  }

  func unreadable(_ response: HTTPResponse) -> SearchError {
    SearchError(unreadable: response, of: name, check: "check the url of \(manifest.id)")
  }

  func withoutRows(_ path: JSONPath, _ body: JSONTree) -> SearchError {
    let said = message(body).map { ": " + $0 } ?? ""
    return SearchError(
      .invalidResponse, "the answer of \(name) has no list at \(path)" + said,
      hint: said.isEmpty
        ? "check items in the manifest of \(manifest.id)" : "simplify the query, or try again later")
  }
}
