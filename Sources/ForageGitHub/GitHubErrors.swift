import ForageCore
import ForageHTTP

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Makes an error of an answer that is not the expected one: a code, a sentence and a hint.
struct GitHubErrors {
  /// Characters of a server's message that are shown.
  private static let messageLimit = 300

  /// The host as the user knows it.
  var host: String
  /// Where the token came from, `nil` when none was sent.
  var tokenSource: String?
  /// How the user can provide a token, `nil` for the usual advice.
  var tokenHint: (@Sendable () -> String)? = nil
  /// What status 422 rejects.
  var rejected = "the query"

  /// How to provide a token.
  var tokenAdvice: String {
    tokenHint?()
      ?? "set \(host == GitHubHost.dotCom ? "GH_TOKEN" : "GH_ENTERPRISE_TOKEN") or run: gh auth login"
  }

  /// The server in a sentence.
  var name: String { host == GitHubHost.dotCom ? "GitHub" : "GitHub at \(host)" }

  /// The error for an answer's status; every row of the API's error table has one.
  ///
  /// - Parameter time: When the answer arrived, from which the end of a limit is counted.
  func error(_ response: HTTPResponse, at time: Date = Date()) -> SearchError {
    let body = try? JSONDecoder().decode(ErrorResponse.self, from: Data(response.body))
    // The message of a server can be of any length.
    let message = (body?.message ?? body?.error).map { String($0.prefix(Self.messageLimit)) }
    switch response.status {
    case 401: return unauthorized(response, message)
    case 403, 429: return limit(response, at: time) ?? forbidden(message)
    case 404:
      return SearchError(
        .notFound, "\(name) has nothing of this name, or it is private",
        hint: tokenSource == nil
          ? "check the name; for a private repository set a token (see: forage auth status)"
          : "check the name, and the permissions of the token from \(tokenSource ?? "")")
    case 422: return invalid(body, message)
    case 400:
      return SearchError(
        .invalidQuery, "\(name) rejected the request: \(message ?? "bad request")", hint: "simplify the query"
      )
    case 409, 410, 451:
      return SearchError(
        .unavailable,
        "\(name) does not provide it (status \(response.status)): \(message ?? "deleted, or blocked for legal reasons")",
        hint: "open its page in a browser")
    case 300..<400:
      return SearchError(
        .redirect, "\(name) redirects without saying where to",
        hint: "check the address of the API with: forage doctor")
    case 500...:
      return SearchError(
        .serverError, "\(name) failed (status \(response.status)\(message.map { ": " + $0 } ?? ""))",
        hint: host == GitHubHost.dotCom
          ? "try again in a moment; for outages see https://www.githubstatus.com" : "try again in a moment")
    default:
      return SearchError(
        .invalidResponse, "\(name) answered with status \(response.status)\(message.map { ": " + $0 } ?? "")",
        hint: "check the address of the API with: forage doctor")
    }
  }

  private func unauthorized(_ response: HTTPResponse, _ message: String?) -> SearchError {
    if response.header(NotSent.header) == NotSent.unauthorized {
      return SearchError(
        .unauthorized, "\(name) refused this token before; it was not sent again",
        hint: "set another token, or test this one with: forage auth status")
    }
    if response.header("x-github-otp")?.hasPrefix("required") == true {
      return SearchError(
        .unauthorized, "\(name) requires a second factor, so a password cannot be used",
        hint: "use a personal access token")
    }
    guard let tokenSource else {
      return SearchError(
        .unauthorized, "\(name) answers only requests with a token", hint: tokenAdvice)
    }
    return SearchError(
      .unauthorized, "\(name) refused the token from \(tokenSource)\(message.map { ": " + $0 } ?? "")",
      hint: "renew it, or unset it: public data needs none")
  }

  /// The primary limit, or a secondary one, with the time at which it ends.
  private func limit(_ response: HTTPResponse, at time: Date) -> SearchError? {
    guard let refusal = LimitRefusal(response, at: time) else { return nil }
    let seconds = (refusal.end ?? time.addingTimeInterval(RateBudget.unspecifiedWait)).wholeSeconds(
      after: time)
    let end = Timestamp.timeOfDay(time.addingTimeInterval(Double(seconds)))
    let message =
      refusal.isSecondary
      ? "the secondary rate limit of \(name) is exceeded until \(end)"
      : "the rate limit of \(name) is exceeded until \(end)"
    let advice = LimitAdvice(seconds: seconds)
    let hint =
      tokenSource == nil
      ? "wait \(advice.wait)\(advice.choice), or set a token for a higher limit (see: forage auth status)"
      : "wait \(advice.wait) and try again\(advice.choice)"
    return SearchError(.rateLimited, message, hint: hint, retryAfterMilliseconds: seconds * 1000)
  }

  private func forbidden(_ message: String?) -> SearchError {
    SearchError(
      .forbidden, "\(name) refused the request\(message.map { ": " + $0 } ?? "")",
      hint: tokenSource == nil
        ? "a token may be needed (see: forage auth status)"
        : "check the permissions of the token from \(tokenSource ?? "")")
  }

  private func invalid(_ body: ErrorResponse?, _ message: String?) -> SearchError {
    let details = (body?.errors ?? []).prefix(5).compactMap { $0.value?.text.prefix(Self.messageLimit) }
      .filter { !$0.isEmpty }
      .map(String.init)
    let text = ([message].compactMap(\.self) + details).joined(separator: ": ")
    return SearchError(
      .invalidQuery, "\(name) rejected \(rejected)\(text.isEmpty ? "" : ": " + text)",
      hint: "check that its users and repositories exist, or simplify it")
  }

  /// The error for an answer that did not arrive.
  func error(_ error: HTTPError) -> SearchError {
    SearchError(
      error, of: name, network: "check the network connection, or search only clones with: -p local",
      check: "check the address of the API with: forage doctor")
  }

  /// The error for a body that does not match the API's schema.
  func unreadable(_ response: HTTPResponse) -> SearchError {
    SearchError(unreadable: response, of: name, check: "check the address of the API")
  }
}
