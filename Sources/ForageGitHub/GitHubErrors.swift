import ForageCore
import ForageFoundation
import ForageHTTP

/// Translates error responses into a code, a message and a hint.
struct GitHubErrors {
  /// The maximum length of a server's own message, in characters.
  private static let messageLimit = 300

  /// What GitHub writes where the token is that of an app, which cannot search issues and pull requests at
  /// once.
  static let missingType = "Query must include 'is:issue' or 'is:pull-request'"
  /// What GitHub writes where it does not have a repository or an account of a query, or does not show it.
  static let unknownScope = "cannot be searched either because"

  /// The host as shown to the user.
  var host: String
  /// The hosts of the server's web pages.
  var webHosts: [String]
  /// The source of the token; `nil` if none was sent.
  var tokenSource: String?
  /// Where the token is; `nil` for the default hint for setting it.
  var tokens: (any TokenSource)?
  /// The hint for a token without the permissions of the request; `nil` for the default one.
  var permissionHint: String?
  /// What the request says of a redirect and of a rejection in place of the usual words.
  var words: [SearchError.Code: RefusalWords] = [:]

  /// The server as it appears in messages.
  var name: String { host == ForgeAddress.gitHub ? "GitHub" : "GitHub at \(host)" }

  /// The hint for a request that needs a token.
  var tokenAdvice: String { tokens?.hint ?? "set \(tokenVariable) or run: gh auth login" }

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
    let message = (body.message ?? body.error).map(Self.clause)
    switch response.status {
    case 401:
      if response.header("x-github-otp")?.hasPrefix("required") == true {
        return SearchError(
          .unauthorized, "\(name) requires two-factor authentication, which does not work with a password",
          hint: "use a personal access token instead")
      }
    case 403, 429:
      if let refusal = LimitRefusal(response, at: time) { return limited(refusal, at: time) }
      if let error = forbidden(response, message) { return error }
    default: break
    }
    let details = body.details.prefix(5).filter { !$0.isEmpty }.map(Self.clause)
    let said = ([message].compactMap(\.self) + details).joined(separator: ": ")
    // "Not Found" and "Requires authentication" say less than our own words.
    let isKnown = said.isEmpty || response.status == 404 || response.status == 401 && tokenSource == nil
    return SearchError(
      refusal: response, of: name, said: isKnown ? nil : said, check: Self.checkAddress,
      words: words(response))
  }

  /// What is said of GitHub in place of the usual words.
  private func words(_ response: HTTPResponse) -> [SearchError.Code: RefusalWords] {
    var words: [SearchError.Code: RefusalWords] = [
      .unauthorized: tokenSource.map {
        RefusalWords(
          "refused the token from \($0)", hint: "renew it, or unset it (public data needs no token)")
      } ?? RefusalWords("requires a token", hint: tokenAdvice),
      .forbidden: RefusalWords("denied access", hint: permissionAdvice(response)),
      .notFound: RefusalWords(
        "found nothing under this name, or it is private and not visible to you",
        hint: tokenSource == nil
          ? "check the name; if it is private, \(tokenAdvice)"
          : "check the name, and which repositories the token can access"),
      .serverError: RefusalWords(
        "failed (status \(response.status))",
        hint: host == ForgeAddress.gitHub && HTTPLimits.mayRecover(response.status)
          ? "try again in a moment; for outages see https://www.githubstatus.com" : nil),
    ]
    // Other statuses of this code reject the address.
    if [400, 414, 422].contains(response.status) {
      words[.invalidQuery] =
        self.words[.invalidQuery]
        ?? RefusalWords(
          "rejected the query", hint: "check that the users and repositories in it exist, or simplify it")
    }
    words[.redirect] = self.words[.redirect]
    return words
  }

  /// A bounded text of the server, without a full stop.
  private static func clause(_ text: String) -> String {
    let text = text.prefix(messageLimit)
    return String(text.hasSuffix(".") ? text.dropLast() : text)
  }

  /// The error for a server that does not know the addresses of a GitHub API.
  var noAPI: SearchError {
    SearchError(.notFound, "\(name) answers, but not as a GitHub API", hint: Self.checkAddress)
  }

  /// The error for an exceeded primary or secondary rate limit.
  func limited(_ refusal: LimitRefusal, at time: Date = Date()) -> SearchError {
    SearchError(
      limited: refusal, at: time,
      limit: "the \(refusal.isSecondary ? "secondary " : "")rate limit of \(name)",
      advice: refusal.isSecondary || tokenSource != nil ? "" : ", or set \(tokenVariable) for a higher limit")
  }

  /// The error for a request that is refused for another reason than limits and the permissions of the token;
  /// `nil` for these.
  private func forbidden(_ response: HTTPResponse, _ message: String?) -> SearchError? {
    let said = message.map { ": " + $0 } ?? ""
    if let header = response.header("x-github-sso"), header.hasPrefix("required") {
      // Its address holds a request that can be used once, so only the page that it is on is told.
      let parts = header.firstRange(of: "url=").flatMap { HTTPURL(String(header[$0.upperBound...])) }.flatMap
      {
        webHosts.contains($0.authority) ? $0.path.split(separator: "/") : nil
      }
      let place = parts.flatMap { $0.count == 3 && ["orgs", "enterprises"].contains($0[0]) ? $0 : nil }
      return SearchError(
        .forbidden,
        "\(name) requires that the token is authorized for single sign-on to "
          + (place.map { "\($0[1])" } ?? "an organization") + said,
        hint: (place.map { "sign in at https://\(webHosts[0])/\($0[0])/\($0[1])/sso, then " } ?? "")
          + singleSignOnAdvice)
    }
    return Self.causes.first { message?.contains($0.words) == true }.map { cause in
      SearchError(cause.code, "\(name) denied access" + said, hint: cause.hint)
    }
  }

  /// The hint for a token that organizations accept only when it is authorized for their single sign-on.
  var singleSignOnAdvice: String {
    // The token of gh is not in the list of personal tokens.
    tokenSource?.hasPrefix("gh ") == true
      ? "run: gh auth refresh --hostname \(host)"
      : "authorize the token for single sign-on at https://\(webHosts.first ?? host)/settings/tokens"
  }

  /// Refusals for another reason than the permissions of the token, by words of GitHub's message.
  private static let causes: [(words: String, code: SearchError.Code, hint: String)] = [
    ("IP allow list", .forbidden, "send the request from a network that the organization allows"),
    (
      "OAuth App access restrictions", .forbidden,
      "ask an owner of the organization to approve the application, or use a personal access token"
    ),
    ("forbids access via", .forbidden, "use a kind of token that the organization accepts"),
    ("account was suspended", .forbidden, "use a token of another account"),
    ("access blocked", .unavailable, "open it in a browser"),
  ]

  /// The hint for a request that the token has no permission for.
  private func permissionAdvice(_ response: HTTPResponse) -> String {
    if let permissionHint { return permissionHint }
    guard let tokenSource else { return "a token may be required: \(tokenAdvice)" }
    // GitHub names the permissions that a fine-grained token needs, such as `contents=read`.
    let needed = response.header("x-accepted-github-permissions") ?? ""
    let isList = needed.utf8.count <= 200 && needed.consists(of: "a"..."z", and: "_=,; ")
    return needed.isEmpty || !isList
      ? "check the permissions of the token from \(tokenSource)"
      : "the token from \(tokenSource) needs the permission \(needed)"
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
      guard detail.isObject else { return detail.string }
      return detail.text("message")
        ?? ["resource", "field", "code"].compactMap { detail.text($0) }.joined(separator: " ")
    }
  }
}
