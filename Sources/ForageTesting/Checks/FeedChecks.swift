import ForageCore

extension ComplianceCheck {
  /// The checks of feeds; their pages and items are also evaluated with those of all other lists.
  static let feedChecks = [
    ComplianceCheck(
      "feed-undeclared", "a kind without a feed refuses one with a SearchError", callsProvider: true
    ) {
      trial in
      guard trial.declaration.canHaveFeeds else { return .notApplicable("it has no feed") }
      let kinds = trial.kinds.filter { trial.abilities[$0].map { $0.feed == nil } ?? false }
      guard !kinds.isEmpty else { return .notApplicable("every kind has a feed") }
      var faults: [Observation] = []
      for kind in kinds {
        guard let abilities = trial.abilities[kind] else { continue }
        let subject = "the feed of \(kind.rawValue)"
        let answer = await trial.ask(
          subject, trial.request(kind, nil, abilities), isFeed: true, purpose: .odd)
        guard !answer.result.isRefusal else { continue }
        faults += answer.result.fault(subject, "a SearchError, or a feed in the abilities") { _ in
          "there is one"
        }
      }
      return .evaluated(faults)
    }
  ]
}
