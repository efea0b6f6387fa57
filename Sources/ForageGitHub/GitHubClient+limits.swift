import ForageCore
import ForageHTTP

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The state of one rate limit.
package struct GitHubLimit: Sendable, Hashable {
  /// What the limit is on, for example `search`.
  package var resource: String
  /// Requests allowed in a period.
  package var limit: Int
  /// Requests left in it.
  package var remaining: Int
  /// When the period ends, by this machine's clock; `nil` when the server does not report it.
  package var resetAt: Date?
}

extension GitHubClient {
  private struct Answer: Decodable {
    struct Limit: Decodable {
      var limit: Int
      var remaining: Int
      var reset: Lenient<Int>?
    }

    var resources: [String: Lenient<Limit>]
  }

  /// Any JSON object.
  private struct Object: Decodable {
    init(from decoder: any Decoder) throws { _ = try AnswerObject(from: decoder) }
  }

  /// The resources that searching and showing draw on.
  private static let shown = ["core", "search", "code_search"]
  /// The last second of the year 9999; a later time is an error.
  private static let latestReset = 253_402_300_799

  /// Asks for the rate limits; the request itself counts against none.
  ///
  /// - Returns: The limits for `core`, `search` and `code_search`, as far as the server reports them; none for a server without
  ///   limits, which answers with status 404.
  /// - Throws: `SearchError`.
  package func limits(deadline: ContinuousClock.Instant) async throws -> [GitHubLimit] {
    do {
      let (answer, response) = try await get(
        url(["rate_limit"]), as: Answer.self, deadline: deadline, isCacheable: false)
      let clock = ServerClock(response, at: Date())
      return Self.shown.compactMap { name in
        answer.resources[name]?.value.map { limit in
          let reset = limit.reset?.value.flatMap { (1...Self.latestReset).contains($0) ? $0 : nil }
          return GitHubLimit(
            resource: name, limit: limit.limit, remaining: limit.remaining,
            resetAt: reset.map { clock.local(Date(timeIntervalSince1970: Double($0))) })
        }
      }
    } catch let error as SearchError where error.code == .notFound {
      // An address that is not that of an API answers with 404 as well; there, a search fails too.
      let search = url(["search", "repositories"], parameters: [("q", "stars:>0"), ("per_page", "1")])
      do {
        _ = try await get(search, as: Object.self, deadline: deadline, isCacheable: false)
      } catch let other as SearchError where other.code == .notFound {
        throw SearchError(
          .notFound, "\(errors(nil).name) answers, but not as a GitHub API",
          hint: "check the address: FORAGE_GITHUB_URL, GH_HOST, or url in the settings")
      }
      return []
    }
  }
}
