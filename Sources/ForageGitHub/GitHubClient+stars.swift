import ForageCore
import ForageHTTP

extension GitHubClient {
  /// The media type that adds the time of each star.
  static let starsJSON = "application/vnd.github.star+json"

  /// Whether a request lists stars.
  static func isOfStars(_ request: HTTPRequest) -> Bool { isOfStars(path: request.url.path) }

  /// Whether a path lists stars.
  static func isOfStars(path: String) -> Bool { path.hasSuffix("/starred") }

  /// The cache scope of lists of stars. It is separate, so that they can be removed from the cache when a
  /// star changes.
  func scopeOfStars(_ token: GitHubToken?) -> String { scope(token) + " stars" }

  /// Removes a credential's lists of stars from the cache.
  func forgetStars(_ token: GitHubToken?) { services?.cache.forget(scope: scopeOfStars(token)) }

  /// Returns the token, for requests that GitHub rejects without one.
  ///
  /// - Parameter what: What needs the token, for example `the list of your stars`.
  /// - Throws: `SearchError` with code `unauthorized` if there is no token.
  @discardableResult
  func requiredToken(for what: String) async throws -> GitHubToken {
    if let token = await token() { return token }
    try Task.checkCancellation()
    throw SearchError(
      .unauthorized, "\(what) on \(host.credentialHost) requires a token, and none was found",
      hint: errors(nil).tokenAdvice)
  }
}
