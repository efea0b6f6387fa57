import ForageCore
package import ForageFoundation
import ForageHTTP

/// The state of one rate limit.
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
