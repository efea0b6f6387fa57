import ForageCore
import ForageHTTP

/// The account of a token, as the server reports it.
package struct GitHubAccount: Sendable, Hashable {
  /// The name of the account; `nil` for the token of an app, which has none.
  package var login: String?
  /// The scopes of the token; `nil` where the server names none, as for fine-grained tokens, which have permissions instead.
  package var scopes: [String]?

  package init(login: String? = nil, scopes: [String]? = nil) {
    self.login = login
    self.scopes = scopes
  }
}

extension GitHubClient {
  /// The most scopes that are read: GitHub has about 50.
  private static let mostScopes = 100

  /// Tests the token with one request, which is never answered from the cache.
  ///
  /// A token that the server refused before is only sent again by a client of a named provider.
  ///
  /// - Returns: The account; the server accepts the token.
  /// - Throws: `SearchError` with code `unauthorized` where the server refuses the token; any other one leaves it untested.
  package func account(deadline: ContinuousClock.Instant) async throws -> GitHubAccount {
    do {
      let (user, response) = try await get(url(["user"]), deadline: deadline, isCacheable: false, \.object)
      let scopes = response.header("x-oauth-scopes").map { text in
        text.split(separator: ",").prefix(Self.mostScopes).map { $0.trimmingWhitespace() }.filter {
          !$0.isEmpty
        }
      }
      return GitHubAccount(login: user["login"]?.string, scopes: scopes)
    } catch let error as SearchError where error.code == .forbidden && error.message.contains(Self.noUser) {
      return GitHubAccount()
    }
  }

  /// What GitHub answers to a valid token that may not ask for its account, for example that of an app.
  private static let noUser = "Resource not accessible"
}
