import ForageCore

extension ComplianceCheck {
  /// The number of concurrent searches: more than the cores of a small machine, and few enough for a live
  /// server.
  private static let atOnce = 8
  /// The number of feed pages that are read concurrently with them.
  private static let feedsAtOnce = 2

  static let concurrencyChecks = [
    ComplianceCheck(
      "concurrency", "\(atOnce) concurrent searches give the same results as sequential ones",
      callsProvider: true
    ) {
      trial in
      let places = trial.walks.flatMap { walk in
        walk.steps.prefix(2).enumerated().map { (walk: walk, number: $0.offset, step: $0.element) }
      }
      let feeds = places.filter(\.walk.isFeed)
      let lists = places.filter { !$0.walk.isFeed }
      let pages = lists.isEmpty ? feeds : lists
      guard !pages.isEmpty else { return .notApplicable("no page was delivered") }
      // Different searches run concurrently, so that a swapped answer is noticed. Pages repeat only if there
      // are fewer than needed.
      let stride = max(1, pages.count / atOnce)
      let chosen = (0..<atOnce).map { pages[$0 * stride % pages.count] } + feeds.prefix(feedsAtOnce)
      let faults = await withTaskGroup(of: (Int, [Observation]).self) { group in
        for (index, place) in chosen.enumerated() {
          group.addTask {
            let subject = place.walk.subject(page: place.number) + " requested concurrently"
            return (index, await trial.comparing(subject, place.walk, place.step))
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      return .evaluated(faults.sorted { $0.0 < $1.0 }.flatMap(\.1))
    }
  ]
}
