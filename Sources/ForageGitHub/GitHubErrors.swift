import ForageCore
import ForageFoundation
import ForageHTTP

/// Translates error responses into a code, a message and a hint.
struct GitHubErrors {
  /// The maximum length of a server's own message, in characters.
  private static let messageLimit = 300

  /// What GitHub writes where the token is that of an app, which cannot search issues and pull requests at once.
  private static let missingType = "Query must include 'is:issue' or 'is:pull-request'"

  /// The host as shown to the user.
  var host: String
  /// The source of the token; `nil` if none was sent.
  var tokenSource: String?
  /// The hint for setting a token; `nil` for the default one.
  var tokenHint: (@Sendable () -> String)? = nil
  /// What status 422 rejects, as it appears in the message.
  var rejected = "the query"

  /// The server as it appears in messages.
  var name: String { host == ForgeAddress.gitHub ? "GitHub" : "GitHub at \(host)" }

  /// The hint for a request that needs a token.
  var tokenAdvice: String { tokenHint?() ?? "set \(tokenVariable) or run: gh auth login" }

  private var tokenVariable: String { host == ForgeAddress.gitHub ? "GH_TOKEN" : "GH_ENTERPRISE_TOKEN" }

  /// The hint for responses that do not look like those of a GitHub API.
  static let checkAddress = "check the API address in FORAGE_GITHUB_URL, GH_HOST or the configuration"

  /// The error for a response. It covers every row of the API's error table.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - time: When it arrived, from which the wait for a rate limit is computed.
  func error(_ response: HTTPResponse, at time: Date = Date()) -> SearchError {
    let body = ErrorResponse(response.body)
    // Bounds the server's text.
    let message = (body.message ?? body.error).map { String($0.prefix(Self.messageLimit)) }
    switch response.status {
    case 401: return unauthorized(response, message)
    case 403, 429: return LimitRefusal(response, at: time).map { limited($0, at: time) } ?? forbidden(message)
    case 404:
      return SearchError(
        .notFound, "\(name) found nothing under this name, or it is private and not visible to you",
        hint: tokenSource == nil
          ? "check the name; if it is private, \(tokenAdvice)"
          : "check the name, and which repositories the token can access")
    case 422: return invalid(body, message)
    case 400:
      return SearchError(
        .invalidQuery, "\(name) rejected the request: \(message ?? "bad request")", hint: "simplify the query"
      )
    case 409, 410, 451:
      return SearchError(
        .unavailable,
        "\(name) does not provide it (status \(response.status)): \(message ?? "gone, or blocked for legal reasons")",
        hint: "open it in a browser")
    case 300..<400:
      return SearchError(
        .redirect, "\(name) redirects without a target address",
        hint: Self.checkAddress)
    case 500...:
      return SearchError(
        .serverError, "\(name) failed (status \(response.status)\(message.map { ": " + $0 } ?? ""))",
        hint: host == ForgeAddress.gitHub
          ? "try again in a moment; for outages see https://www.githubstatus.com" : "try again in a moment")
    default:
      return SearchError(
        .invalidResponse, "\(name) answered with status \(response.status)\(message.map { ": " + $0 } ?? "")",
        hint: Self.checkAddress)
    }
  }

  private func unauthorized(_ response: HTTPResponse, _ message: String?) -> SearchError {
    if response.header("x-github-otp")?.hasPrefix("required") == true {
      return SearchError(
        .unauthorized, "\(name) requires two-factor authentication, which does not work with a password",
        hint: "use a personal access token instead")
    }
    guard let tokenSource else {
      return SearchError(
        .unauthorized, "\(name) requires a token",
        hint: tokenAdvice)
    }
    return SearchError(
      .unauthorized, "\(name) refused the token from \(tokenSource)\(message.map { ": " + $0 } ?? "")",
      hint: "renew it, or unset it (public data needs no token)")
  }

  /// The error for an exceeded primary or secondary rate limit.
  func limited(_ refusal: LimitRefusal, at time: Date = Date()) -> SearchError {
    SearchError(
      limited: refusal, at: time,
      limit: "the \(refusal.isSecondary ? "secondary " : "")rate limit of \(name)",
      advice: refusal.isSecondary || tokenSource != nil ? "" : ", or set \(tokenVariable) for a higher limit")
  }

  private func forbidden(_ message: String?) -> SearchError {
    SearchError(
      .forbidden, "\(name) denied access\(message.map { ": " + $0 } ?? "")",
      hint: tokenSource == nil
        ? "a token may be required: \(tokenAdvice)"
        : "check the permissions of the token from \(tokenSource ?? "")")
  }

  private func invalid(_ body: ErrorResponse, _ message: String?) -> SearchError {
    let details = body.details.prefix(5).filter { !$0.isEmpty }
      .map { String($0.prefix(Self.messageLimit)) }
    let text = ([message].compactMap(\.self) + details).joined(separator: ": ")
    return SearchError(
      .invalidQuery, "\(name) rejected \(rejected)\(text.isEmpty ? "" : ": " + text)",
      hint: text.contains(Self.missingType)
        ? "add is:issue for issues, or is:pr for pull requests"
        : "check that the users and repositories in it exist, or simplify it")
  }

  /// The error for a request without a response.
  func error(_ error: HTTPError) -> SearchError {
    if let limit = error.limit { return limited(limit) }
    return SearchError(
      error, of: name, network: "check the network connection",
      check: Self.checkAddress)
  }

  /// The error for a body that is not the expected JSON.
  func unreadable(_ response: HTTPResponse) -> SearchError {
    SearchError(unreadable: response, of: name, check: Self.checkAddress)
  }
}

private struct ErrorResponse {
  var message: String?
  var error: String?
  /// The reasons: `{"message": …}`, `{"resource", "field", "code"}` or plain strings.
  var details: [String] = []

  /// The maximum number of details to read.
  private static let maximumDetails = 20

  init(_ body: [UInt8]) {
    guard let tree = try? JSONTree(parsing: body) else { return }
    message = tree.text("message")
    error = tree.text("error")
    details = (tree["errors"]?.array ?? []).prefix(Self.maximumDetails).compactMap { detail in
      guard detail.object != nil else { return detail.string }
      return detail.text("message")
        ?? ["resource", "field", "code"].compactMap { detail.text($0) }.joined(separator: " ")
    }
  }
}
