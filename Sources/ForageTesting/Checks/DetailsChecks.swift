import ForageCore

extension ComplianceCheck {
  /// The checks of details.
  static let detailsChecks = [
    ComplianceCheck("details-entity", "the details of an id are those of that entity", asks: true) { trial in
      guard trial.descriptor.hasDetails else { return .notApplicable("it has no details") }
      let known = trial.references
      guard !known.isEmpty else { return .notApplicable("no item is on one of its hosts") }
      var faults: [Observation] = []
      for reference in known {
        let subject = "details of \(Legible.short(reference.id))"
        let expected = "that entity"
        switch await trial.details(subject, reference) {
        case .value(let item?) where item.id == reference.id: continue
        case .value(let item?):
          faults.append(Observation(subject, expected, "it is \(Legible.short(item.id))"))
        case .value(nil): faults.append(Observation(subject, expected, "there is none"))
        case .failed(let error):
          faults.append(Observation(subject, expected, "it threw \(Legible.error(error))"))
        case .late: faults.append(Observation(subject, expected, "it never came"))
        }
      }
      return .evaluated(faults)
    },
    ComplianceCheck("details-unknown", "the details of an unknown entity are none", asks: true) { trial in
      guard trial.descriptor.hasDetails else { return .notApplicable("it has no details") }
      guard let reference = trial.unknownReference else { return .notApplicable("it has no hosts") }
      let subject = "details of \(Legible.short(reference.id))"
      let expected = "nothing"
      return switch await trial.details(subject, reference) {
      case .value(nil): .evaluated([])
      case .value(let item?): .evaluated([Observation(subject, expected, "it is \(Legible.short(item.id))")])
      case .failed(let error):
        .evaluated([Observation(subject, expected, "it threw \(Legible.error(error))")])
      case .late: .evaluated([Observation(subject, expected, "it never came")])
      }
    },
  ]
}

extension Trial {
  /// How many entities are asked for: the first alone might be right by chance.
  private static let detailed = 3
  /// A repository that nobody has.
  private static let unknownPath = "forage-compliance-7c1d/no-such-repository-7c1d"

  /// Delivered entities on the provider's own hosts, different ones.
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

  /// An entity that the provider cannot know.
  fileprivate var unknownReference: EntityReference? {
    if let given = samples.unknownEntity { return given }
    guard let host = descriptor.hosts.first else { return nil }
    return EntityReference(host + "/" + Self.unknownPath, defaultHost: host)
  }

  fileprivate func details(_ subject: String, _ reference: EntityReference) async
    -> BoundedResult<SearchResult?>
  {
    await probe.call(subject, limit: patience) { [provider, samples] in
      try await provider.details(
        of: reference, deadline: .now + samples.deadline, requests: RequestCounter())
    }
  }
}
