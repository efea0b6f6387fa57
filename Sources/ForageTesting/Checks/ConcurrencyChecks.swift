import ForageCore

extension ComplianceCheck {
  /// How many searches run at once: more than a small machine has cores, few enough for a live server.
  private static let atOnce = 8
  /// Pages of feeds beside them.
  private static let feedsAtOnce = 2

  /// The check of searches at the same time.
  static let concurrencyChecks = [
    ComplianceCheck(
      "concurrency", "\(atOnce) searches at once give the same as one after the other", asks: true
    ) {
      trial in
      let places = trial.walks.flatMap { walk in
        walk.steps.prefix(2).enumerated().map { (walk: walk, number: $0.offset, step: $0.element) }
      }
      let feeds = places.filter(\.walk.isFeed)
      let lists = places.filter { !$0.walk.isFeed }
      let pages = lists.isEmpty ? feeds : lists
      guard !pages.isEmpty else { return .notApplicable("no page was delivered") }
      // Different searches side by side, so that one that gets the answer of another is noticed; a page is asked again only when there
      // are fewer than wanted.
      let stride = max(1, pages.count / atOnce)
      let chosen = (0..<atOnce).map { pages[$0 * stride % pages.count] } + feeds.prefix(feedsAtOnce)
      let faults = await withTaskGroup(of: (Int, [Observation]).self) { group in
        for (index, place) in chosen.enumerated() {
          group.addTask {
            let subject = place.walk.subject(page: place.number) + " beside others"
            return (index, await trial.comparing(subject, place.walk, place.step))
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      return .evaluated(faults.sorted { $0.0 < $1.0 }.flatMap(\.1))
    }
  ]
}
