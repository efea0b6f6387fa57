import ForageCore

extension ComplianceCheck {
  /// The delay before a running search is cancelled; short enough to interrupt a request to a server.
  private static let cancellationDelay = Duration.milliseconds(20)
  /// The number of entities of a kind whose details are requested; the first alone may be right by chance.
  fileprivate static let detailed = 3

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
    let known = trial.detailed
    guard !known.isEmpty else { return .notApplicable("no item is of a kind with details") }
    var findings: [ComplianceFinding] = []
    for asked in known {
      let deadline = ContinuousClock.now + trial.samples.deadline
      let result = await trial.call {
        guard let reference = asked.reference else {
          return try await provider.details(ofResult: asked.id, kind: asked.kind, deadline: deadline)?.item.id
        }
        return try await provider.details(of: reference, deadline: deadline)?.item.id
      }
      let problem: String? =
        switch result {
        case .success(let id?)?: id == asked.id ? nil : "they are about \(ReportText.short(id))"
        case .success(nil)?: "there are none, although a search found it"
        case .failure(let error)?: "they failed with \(ReportText.error(error))"
        case nil: "the call did not end"
        }
      if let problem {
        findings.append(ComplianceFinding("details of \(ReportText.short(asked.id))", problem))
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

  /// Something that details are asked of: an entity of a forge, else a result by its id.
  fileprivate struct Detailed {
    let id: String
    let kind: ResultKind
    let reference: EntityReference?
  }

  /// A few results of each kind with details: entities on the provider's own hosts, and results that are on no
  /// forge, which have an id of the provider. An entity on another host is not the provider's to describe, and
  /// the accounts and topics of a forge are asked for by their names.
  fileprivate var detailed: [Detailed] {
    var known: [Detailed] = []
    for item in walks.flatMap(\.sightings).map(\.item) {
      let reference = info.hosts.first.flatMap { EntityReference(item.id, defaultHost: $0) }
      let isOfHost =
        reference.map { info.hosts.contains($0.host) && detailedKinds.contains($0.kind) } ?? false
      let isOfOwnKind = !ResultKind.known.contains(item.kind)
      let isOfForge = !info.hosts.isEmpty && ![.package, .story, .question].contains(item.kind)
      let isNamedByID = item.id.hasPrefix(info.id + ":") && !isOfForge
      let isOnNoForge = detailedKinds.contains(item.kind) && (isOfOwnKind || isNamedByID)
      let asked =
        isOfHost
        ? reference.map { Detailed(id: $0.id, kind: $0.kind, reference: $0) }
        : isOnNoForge ? Detailed(id: item.id, kind: item.kind, reference: nil) : nil
      guard let asked, !known.contains(where: { $0.id == asked.id }),
        known.count(where: { $0.kind == asked.kind }) < ComplianceCheck.detailed
      else { continue }
      known.append(asked)
    }
    return known
  }
}
