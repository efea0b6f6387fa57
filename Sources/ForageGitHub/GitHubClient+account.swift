import ForageCore
package import ForageFoundation
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

package struct GitHubLimit: Sendable, Hashable {
  /// The name of the limit, for example `search`.
  package var resource: String
  /// Requests allowed per period.
  package var limit: Int
  /// Requests remaining in this period.
  package var remaining: Int
  /// When the period ends, by the local clock; `nil` if the server does not report it.
  package var resetAt: Date?
}

extension GitHubClient {
  /// The resources that searches and details use.
  private static let shown = ["core", "search", "code_search"]
  /// 9999-12-31T23:59:59Z; later times are ignored.
  private static let latestReset = 253_402_300_799

  /// Requests the rate limits; this request does not count against any of them.
  ///
  /// - Returns: The limits for `core`, `search` and `code_search` that the server reports; empty for a server without rate limits, which
  ///   answers with status 404.
  /// - Throws: `SearchError`.
  package func limits(deadline: ContinuousClock.Instant) async throws -> [GitHubLimit] {
    do {
      let (resources, response) = try await get(url(["rate_limit"]), deadline: deadline, isCacheable: false) {
        $0["resources"]?.object
      }
      let clock = ServerClock(response, at: Date())
      return Self.shown.compactMap { name in
        guard let found = resources[name], let limit = found.number("limit"),
          let remaining = found.number("remaining")
        else { return nil }
        let reset = found.number("reset").flatMap { (1...Self.latestReset).contains($0) ? $0 : nil }
        return GitHubLimit(
          resource: name, limit: limit, remaining: remaining,
          resetAt: reset.map { clock.local(Date(timeIntervalSince1970: Double($0))) })
      }
    } catch let error as SearchError where error.code == .notFound {
      // Distinguishes a server without rate limits from an address that is not a GitHub API.
      let search = url(["search", "repositories"], parameters: [("q", "stars:>0"), ("per_page", "1")])
      do {
        _ = try await get(search, deadline: deadline, isCacheable: false, \.object)
      } catch let other as SearchError where other.code == .notFound {
        throw SearchError(
          .notFound, "\(errors(nil).name) answers, but not as a GitHub API",
          hint: GitHubErrors.checkAddress)
      }
      return []
    }
  }
}
