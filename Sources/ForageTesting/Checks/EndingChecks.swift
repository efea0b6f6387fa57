import ForageCore

extension ComplianceCheck {
  /// The delay before a running search is cancelled; short enough to interrupt a request to a server.
  private static let cancellationDelay = Duration.milliseconds(20)
  /// The time between the deadline of a late search and its start.
  private static let lateness = Duration.seconds(1)

  static let endingChecks = [
    ComplianceCheck("cancellation", "a cancelled search ends soon", callsProvider: true) { trial in
      guard let request = trial.plainRequest else { return .notApplicable("no search is possible") }
      var faults: [Observation] = []
      for (when, cancellation) in [
        ("cancelled before it begins", Cancellation.before),
        ("cancelled while it runs", .after(cancellationDelay)),
      ] {
        let subject = "a search \(when)"
        let answer = await trial.ask(subject, request, purpose: .abandoned, cancellation: cancellation)
        if case .late = answer.result { faults.append(trial.stillRunning(subject)) }
      }
      return .evaluated(faults)
    },
    ComplianceCheck("deadline-past", "a search whose deadline has passed ends soon", callsProvider: true) {
      trial in
      guard var request = trial.plainRequest else { return .notApplicable("no search is possible") }
      request.deadline = .now - lateness
      let subject = "a search after its deadline"
      let result = await trial.probe.call(
        subject, purpose: .abandoned, limit: trial.samples.grace,
        { [request] in try await trial.provider.search(request) })
      if case .late = result { return .evaluated([trial.stillRunning(subject)]) }
      return .evaluated([])
    },
  ]
}

extension Trial {
  /// The request for the first page of a list that was read.
  var plainRequest: SearchRequest? { wordWalks.first?.request }

  fileprivate func stillRunning(_ subject: String) -> Observation {
    let grace = ReportText.seconds(samples.grace)
    return Observation(subject, "an end within \(grace)", "it was still running then")
  }
}
