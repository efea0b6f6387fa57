/// What is left of one rate limit.
package struct GitHubLimit: Sendable, Hashable {
  /// What the limit is on, for example `search`.
  package var resource: String
  /// Requests allowed in a period.
  package var limit: Int
  /// Requests left in it.
  package var remaining: Int
}

extension GitHubClient {
  private struct Answer: Decodable {
    struct Limit: Decodable {
      var limit: Int
      var remaining: Int
    }

    var resources: [String: Lenient<Limit>]
  }

  /// The resources that searching and showing draw on.
  private static let shown = ["core", "search"]

  /// Asks for the rate limits; the request itself counts against none.
  ///
  /// - Returns: The limits for `core` and `search`; none where the server has limits switched off.
  /// - Throws: `SearchError`.
  package func limits(deadline: ContinuousClock.Instant) async throws -> [GitHubLimit] {
    let (answer, _) = try await get(
      url(["rate_limit"]), as: Answer.self, deadline: deadline, isCacheable: false)
    return Self.shown.compactMap { name in
      answer.resources[name]?.value.map {
        GitHubLimit(resource: name, limit: $0.limit, remaining: $0.remaining)
      }
    }
  }
}
