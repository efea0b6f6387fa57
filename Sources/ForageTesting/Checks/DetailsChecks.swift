import ForageCore

extension ComplianceCheck {
  static let detailsChecks = [
    ComplianceCheck("details-entity", "details of an id are about that entity", callsProvider: true) {
      trial in
      guard !trial.declaration.detailedKinds.isEmpty else { return .notApplicable("it has no details") }
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
      guard !trial.declaration.detailedKinds.isEmpty else { return .notApplicable("it has no details") }
      guard let reference = trial.unknownReference else {
        return .notApplicable("it knows no entity of a forge")
      }
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
  /// Names that no forge knows, of a repository, an account and so on.
  private static let unknownPaths = [
    "forage-compliance-7c1d/no-such-repository-7c1d", "forage-compliance-7c1d/no-such-repository-7c1d#71",
    "forage-compliance-7c1d/no-such-repository-7c1d@7c1d7c1d7c1d",
    "forage-compliance-7c1d/no-such-repository-7c1d/blob/main/7c1d", "@forage-compliance-7c1d",
    "topics/forage-compliance-7c1d",
  ]

  /// Different entities from the results, of kinds with details, that are on the provider's own hosts.
  fileprivate var references: [EntityReference] {
    let (hosts, kinds) = (declaration.info.hosts, declaration.detailedKinds)
    guard let host = hosts.first else { return [] }
    var known: [EntityReference] = []
    for seen in sightings where known.count < Self.detailed {
      guard let reference = EntityReference(seen.item.id, defaultHost: host),
        hosts.contains(reference.host), kinds.contains(reference.kind), !known.contains(reference)
      else { continue }
      known.append(reference)
    }
    return known
  }

  fileprivate var unknownReference: EntityReference? {
    guard let host = declaration.info.hosts.first else { return nil }
    return Self.unknownPaths.lazy.compactMap { EntityReference(host + "/" + $0, defaultHost: host) }
      .first { declaration.detailedKinds.contains($0.kind) }
  }

  fileprivate func details(_ subject: String, _ reference: EntityReference) async
    -> BoundedResult<SearchResult?>
  {
    await probe.call(subject, limit: patience) { [provider, samples] in
      try await (provider as? any DetailsProvider)?
        .details(of: reference, deadline: .now + samples.deadline)?.item
    }
  }
}
