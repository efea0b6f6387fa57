public import ForageCore
import ForageFoundation
import ForageHTTP

extension GitHubProvider {
  /// The most scopes that are read: GitHub has about 50.
  private static let mostScopes = 100

  /// Tests the token with one request, which is never answered from the cache.
  ///
  /// - Returns: The account; the server accepts the token. The token of an app has no name, and fine-grained
  ///   tokens have no scopes but permissions, which the server does not name.
  /// - Throws: `SearchError` with code `unauthorized` where the server refuses the token; any other one
  ///   leaves it untested.
  public func account(deadline: ContinuousClock.Instant) async throws -> ForgeAccount {
    do {
      let (user, response) = try await client.get(
        client.url(["user"]), deadline: deadline, isCacheable: false, \.object)
      let scopes = response.header("x-oauth-scopes").map { text in
        text.split(separator: ",").prefix(Self.mostScopes).map { $0.trimmingWhitespace() }.filter {
          !$0.isEmpty
        }
      }
      return Self.account(login: user["login"]?.string, scopes: scopes)
    } catch let error as SearchError where error.code == .forbidden && error.message.contains(Self.noUser) {
      return Self.account()
    }
  }

  private static func account(login: String? = nil, scopes: [String]? = nil) -> ForgeAccount {
    var account = ForgeAccount(login: login, scopes: scopes)
    if scopes == nil { account.unknownScopes = "not reported (a fine-grained token has permissions instead)" }
    return account
  }

  /// What GitHub answers to a valid token that may not ask for its account, for example that of an app.
  private static let noUser = "Resource not accessible"
}

extension GitHubProvider {
  /// The resources that searches and details use.
  private static let shown = ["core", "search", "code_search"]
  /// 9999-12-31T23:59:59Z; later times are ignored.
  private static let latestReset = 253_402_300_799

  /// Requests the rate limits; this request does not count against any of them.
  ///
  /// - Returns: The limits for `core`, `search` and `code_search` that the server reports; empty for a server
  ///   without rate limits, which answers with status 404.
  /// - Throws: `SearchError`.
  public func limits(deadline: ContinuousClock.Instant) async throws -> [RequestLimit] {
    do {
      let (resources, response) = try await client.get(
        client.url(["rate_limit"]), for: .limits, deadline: deadline, isCacheable: false
      ) { $0["resources"]?.object }
      let clock = ServerClock(response, at: Date())
      return Self.shown.compactMap { name in
        guard let found = resources[name], let limit = found.number("limit"),
          let remaining = found.number("remaining")
        else { return nil }
        let reset = found.number("reset").flatMap { (1...Self.latestReset).contains($0) ? $0 : nil }
        return RequestLimit(
          resource: name, limit: limit, remaining: remaining,
          resetAt: reset.map { clock.local(Date(timeIntervalSince1970: Double($0))) })
      }
    } catch let error as SearchError where error.code == .notFound {
      // Distinguishes a server without rate limits from an address that is not a GitHub API.
      let search = client.url(
        ["search", "repositories"], parameters: [("q", "stars:>0"), ("per_page", "1")])
      _ = try await client.get(search, for: .search(.repo), deadline: deadline, isCacheable: false, \.object)
      return []
    }
  }

  /// The requests that are left for a kind of results, as earlier answers to the same token have told; `nil`
  /// if that is unknown.
  ///
  /// Nothing is sent.
  public func requestsRemaining(for kind: ResultKind?) async -> Int? {
    guard let services = client.services else { return nil }
    return services.budgets.remaining(
      host: client.address.host, credential: await client.token()?.fingerprint,
      resource: (kind.map(Purpose.search) ?? .details).resource)
  }
}
