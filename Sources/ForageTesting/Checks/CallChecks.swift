import ForageCore

extension ComplianceCheck {
  /// The delay before a running search is cancelled; short enough to interrupt a request to a server.
  private static let cancellationDelay = Duration.milliseconds(20)
  /// The number of entities whose details are requested; the first alone may be right by chance.
  private static let detailed = 3

  static let cancellation = ComplianceCheck(
    "cancellation", "a cancelled search ends soon", callsProvider: true
  ) {
    trial in
    guard let request = trial.walks.first(where: { $0.purpose == .word })?.request else {
      return .notApplicable("no search is possible")
    }
    var findings: [ComplianceFinding] = []
    for (when, delay) in [("before it begins", nil), ("while it runs", cancellationDelay)] {
      guard await trial.isRunning(request, cancelledAfter: delay) else { continue }
      let grace = ReportText.seconds(trial.samples.grace)
      findings.append(ComplianceFinding("a search cancelled \(when)", "it is still running \(grace) later"))
    }
    return .evaluated(findings)
  }

  static let details = ComplianceCheck(
    "details", "details are about the requested entity", callsProvider: true
  ) {
    trial in
    guard let provider = trial.provider as? any DetailsProvider, !trial.detailedKinds.isEmpty else {
      return .notApplicable("it has no details")
    }
    let known = trial.references.prefix(detailed)
    guard !known.isEmpty else { return .notApplicable("no item is on one of its hosts") }
    var findings: [ComplianceFinding] = []
    for reference in known {
      let deadline = ContinuousClock.now + trial.samples.deadline
      let result = await trial.call { try await provider.details(of: reference, deadline: deadline)?.item.id }
      let problem: String? =
        switch result {
        case .success(let id?)?: id == reference.id ? nil : "they are about \(ReportText.short(id))"
        case .success(nil)?: "there are none, although a search found it"
        case .failure(let error)?: "they failed with \(ReportText.error(error))"
        case nil: "the call did not end"
        }
      if let problem {
        findings.append(ComplianceFinding("details of \(ReportText.short(reference.id))", problem))
      }
    }
    return .evaluated(findings)
  }
}

extension Trial {
  /// Whether a search that is cancelled goes on after the grace.
  ///
  /// - Parameter delay: When it is cancelled; `nil` for before it begins.
  fileprivate func isRunning(_ request: SearchRequest, cancelledAfter delay: Duration?) async -> Bool {
    var request = request
    request.deadline = .now + samples.deadline
    return await Self.bounded(by: samples.grace + (delay ?? .zero)) { [provider, request] in
      let work = Task {
        if delay == nil { withUnsafeCurrentTask { $0?.cancel() } }
        return try await provider.search(request)
      }
      if let delay {
        try? await Task.sleep(for: delay)
        work.cancel()
      }
      return try await work.value
    } == nil
  }

  /// Different entities from the results, of kinds with details, that are on the provider's own hosts.
  fileprivate var references: [EntityReference] {
    guard let host = info.hosts.first else { return [] }
    var known: [EntityReference] = []
    for seen in walks.flatMap(\.sightings) {
      guard let reference = EntityReference(seen.item.id, defaultHost: host),
        info.hosts.contains(reference.host),
        detailedKinds.contains(reference.kind), !known.contains(reference)
      else { continue }
      known.append(reference)
    }
    return known
  }
}
