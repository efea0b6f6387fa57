import ForageCore
import ForageHTTP

extension GitHubClient {
  /// The media type that tells for each star when it was given.
  static let starsJSON = "application/vnd.github.star+json"

  /// Whether a request is about stars: a list of them, by whatever address the server gives its pages.
  static func isOfStars(_ request: HTTPRequest) -> Bool { isOfStars(path: request.url.path) }

  /// Whether a path leads to a list of stars.
  static func isOfStars(path: String) -> Bool { path.hasSuffix("/starred") }

  /// Lists of stars are kept by themselves, so that they can be forgotten when one is given or taken back.
  func scopeOfStars(_ token: GitHubToken?) -> String { scope(token) + " stars" }

  /// Forgets the kept lists of stars that a credential was given.
  func forgetStars(_ token: GitHubToken?) { services?.cache.forget(scope: scopeOfStars(token)) }

  /// The token, where nothing can be had without one; decided before anything is sent.
  ///
  /// - Parameter what: What needs it, for example `the list of your stars`.
  /// - Throws: `SearchError` with code `unauthorized` that says how to provide a token.
  @discardableResult
  func requiredToken(for what: String) async throws -> GitHubToken {
    if let token = await token() { return token }
    try Task.checkCancellation()
    throw SearchError(
      .unauthorized, "\(what) on \(host.credentialHost) needs a token, and there is none",
      hint: errors(nil).tokenAdvice)
  }
}
