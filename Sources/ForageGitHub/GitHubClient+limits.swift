import ForageCore
import ForageHTTP

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// What is left of one rate limit.
package struct GitHubLimit: Sendable, Hashable {
  /// What the limit is on, for example `search`.
  package var resource: String
  /// Requests allowed in a period.
  package var limit: Int
  /// Requests left in it.
  package var remaining: Int
  /// When the period ends, by this machine's clock; `nil` when the server does not tell.
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

  /// Any JSON object: only whether it is one counts.
  private struct Object: Decodable {
    init(from decoder: any Decoder) throws { _ = try AnswerObject(from: decoder) }
  }

  /// The resources that searching and showing draw on.
  private static let shown = ["core", "search", "code_search"]
  /// Times beyond the year 9999 are nonsense.
  private static let latestReset = 253_402_300_799

  /// Asks for the rate limits; the request itself counts against none.
  ///
  /// - Returns: The limits for `core`, `search` and `code_search`, as far as the server tells; none where it has limits
  ///   switched off, which an Enterprise server tells by status 404.
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
      // An address that is none of an API's has no such page either.
      do {
        _ = try await get(url(["meta"]), as: Object.self, deadline: deadline, isCacheable: false)
      } catch let other as SearchError where other.code == .notFound {
        throw error
      }
      return []
    }
  }
}
