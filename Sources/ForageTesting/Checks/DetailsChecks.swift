import ForageCore

extension ComplianceCheck {
  static let detailsChecks = [
    ComplianceCheck("details-entity", "details of an id are about that entity", callsProvider: true) {
      trial in
      guard trial.descriptor.hasDetails else { return .notApplicable("it has no details") }
      let known = trial.references
      guard !known.isEmpty else { return .notApplicable("no item is on one of its hosts") }
      var faults: [Observation] = []
      for reference in known {
        let subject = "details of \(ReportText.short(reference.id))"
        faults += await trial.details(subject, reference).fault(subject, "that entity") { item in
          guard let item else { return "there is none" }
          return item.id == reference.id ? nil : "it is \(ReportText.short(item.id))"
        }
      }
      return .evaluated(faults)
    },
    ComplianceCheck("details-unknown", "an unknown entity has no details", callsProvider: true) { trial in
      guard trial.descriptor.hasDetails else { return .notApplicable("it has no details") }
      guard let reference = trial.unknownReference else { return .notApplicable("it has no hosts") }
      let subject = "details of \(ReportText.short(reference.id))"
      return .evaluated(
        await trial.details(subject, reference).fault(subject, "nothing") { item in
          item.map { "it is \(ReportText.short($0.id))" }
        })
    },
  ]
}

extension Trial {
  /// The number of entities that are requested; the first alone may be right by chance.
  private static let detailed = 3
  private static let unknownPath = "forage-compliance-7c1d/no-such-repository-7c1d"

  /// Different entities from the results that are on the provider's own hosts.
  fileprivate var references: [EntityReference] {
    guard let host = descriptor.hosts.first else { return [] }
    var known: [EntityReference] = []
    for seen in sightings where known.count < Self.detailed {
      guard let reference = EntityReference(seen.item.id, defaultHost: host),
        descriptor.hosts.contains(reference.host), !known.contains(reference)
      else { continue }
      known.append(reference)
    }
    return known
  }

  fileprivate var unknownReference: EntityReference? {
    guard let host = descriptor.hosts.first else { return nil }
    return EntityReference(host + "/" + Self.unknownPath, defaultHost: host)
  }

  fileprivate func details(_ subject: String, _ reference: EntityReference) async
    -> BoundedResult<SearchResult?>
  {
    await probe.call(subject, limit: patience) { [provider, samples] in
      try await provider.details(
        of: reference, deadline: .now + samples.deadline, requests: RequestCounter())?.item
    }
  }
}
