/// The merged details of an entity.
public struct FederatedDetails: Sendable {
  /// The entity; `nil` if no provider knows it.
  public var item: SearchResult?
  /// The outcome for each provider that was asked.
  public var outcomes: [ProviderOutcome]
  /// The parts that the provider of the item could not deliver, with its id.
  public var missing: [(provider: String, part: MissingPart)]

  package init(
    item: SearchResult? = nil, outcomes: [ProviderOutcome] = [],
    missing: [(provider: String, part: MissingPart)] = []
  ) {
    self.item = item
    self.outcomes = outcomes
    self.missing = missing
  }
}

extension ProviderRegistry {
  /// Requests everything about an entity from all providers that are authoritative for its host.
  ///
  /// - Parameters:
  ///   - reference: The entity.
  ///   - timeout: The time limit.
  /// - Returns: The details of the first provider that knows the entity, and the outcome of each, by the
  ///   deadline. A provider with a missing part is `partial`, unless it never provides that part.
  public func details(of reference: EntityReference, timeout: Duration) async -> FederatedDetails {
    let start = ContinuousClock.now
    let asked = entries.filter { $0.descriptor.hasDetails && $0.descriptor.hosts.contains(reference.host) }
    let answers = await withTaskGroup(of: (Int, ProviderOutcome, EntityDetails?).self) { group in
      for (index, entry) in asked.enumerated() {
        group.addTask {
          let (outcome, details) = await Self.ask(
            entry, reference, start: start, deadline: start + min(timeout, entry.timeout ?? timeout))
          return (index, outcome, details)
        }
      }
      return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }
    }
    let first = answers.first { $0.2 != nil }
    return FederatedDetails(
      item: first?.2?.item, outcomes: answers.map(\.1),
      missing: first.map { answer in answer.2?.missing.map { (answer.1.id, $0) } ?? [] } ?? [])
  }

  private static func ask(
    _ entry: Entry, _ reference: EntityReference, start: ContinuousClock.Instant,
    deadline: ContinuousClock.Instant
  ) async -> (ProviderOutcome, EntityDetails?) {
    let (provider, requests) = (entry.provider, RequestCounter())
    var outcome = ProviderOutcome(id: entry.descriptor.id, name: entry.descriptor.name, kind: reference.kind)
    var details: EntityDetails?
    do {
      let answer = try await Deadline.run(until: deadline) {
        try await provider.details(of: reference, deadline: deadline, requests: requests)
      }
      guard let answer else {
        throw SearchError(.timeout, "\(outcome.name) did not answer in time")
      }
      details = answer
      outcome.returned = answer == nil ? 0 : 1
      outcome.cache = answer?.cache ?? .none
      outcome.notes = Note.stale(outcome.cache, of: outcome.name).map { [$0] } ?? []
      if let failed = answer?.missing.first(where: \.isFailure) {
        (outcome.state, outcome.error) = (.partial, failed.error)
      }
    } catch {
      let error = SearchError(error, of: outcome.name)
      (outcome.state, outcome.error) = (error.state, error)
    }
    outcome.requests = requests.count
    outcome.elapsed = ContinuousClock.now - start
    return (outcome, details)
  }
}
