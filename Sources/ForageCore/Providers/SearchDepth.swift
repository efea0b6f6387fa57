/// How far a search may go beyond the results of one query.
package struct SearchDepth: Sendable {
  /// The default maximum of requests: five times what a single query can need.
  package static let defaultMaximumRequests = 50

  /// The number of results wanted, counted from the beginning of the list.
  package var wanted: Int
  /// The maximum number of requests per kind in one search.
  package var maximumRequestsPerProvider: Int
  /// Called after the first page if results beyond one query are wanted, with the number of results and the
  /// estimated number of requests.
  package var onPlan: @Sendable (_ results: Int, _ requests: Int) -> Void

  package init(
    wanted: Int = 0, maximumRequestsPerProvider: Int = SearchDepth.defaultMaximumRequests,
    onPlan: @escaping @Sendable (_ results: Int, _ requests: Int) -> Void = { _, _ in }
  ) {
    self.wanted = wanted
    self.maximumRequestsPerProvider = maximumRequestsPerProvider
    self.onPlan = onPlan
  }
}
