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

extension Federation {
  /// Requests everything about an entity from all providers that are authoritative for its host.
  ///
  /// - Parameters:
  ///   - reference: The entity.
  ///   - timeout: The time limit.
  /// - Returns: The details of the first provider that knows the entity, and the outcome of each, by the
  ///   deadline. A provider with a missing part is `partial`, unless it never provides that part.
  public func details(of reference: EntityReference, timeout: Duration) async -> FederatedDetails {
    let start = ContinuousClock.now
    let asked = registry.entries.filter {
      $0.descriptor.hasDetails && $0.descriptor.hosts.contains(reference.host)
    }
    let outcomes = asked.map {
      ProviderOutcome(id: $0.descriptor.id, name: $0.descriptor.name, kind: reference.kind, state: .ok)
    }
    let deadlines = asked.map { start + min(timeout, $0.timeout ?? timeout) }
    let progress = ProviderProgress(outcomes.map { ProviderProgress.State(outcome: $0) }, start: start)
    await progress.runUntilDeadlines(deadlines) { index in
      await Self.ask(
        asked[index].provider, reference, deadline: deadlines[index], index: index, progress)
    }
    let states = progress.states
    let answer = states.first { !$0.items.isEmpty }
    return FederatedDetails(
      item: answer?.items.first, outcomes: states.map(\.outcome),
      missing: answer.map { state in state.missing.map { (state.outcome.id, $0) } } ?? [])
  }

  private static func ask(
    _ provider: any SearchProvider, _ reference: EntityReference, deadline: ContinuousClock.Instant,
    index: Int, _ progress: ProviderProgress
  ) async {
    await ProviderReader.reporting(to: progress, index: index, name: provider.descriptor.name) {
      let answer = try await provider.details(
        of: reference, deadline: deadline, requests: progress.requests(index))
      progress.update(index) { state in
        state.part.pending = answer.map { [$0.item] } ?? []
        state.missing = answer?.missing ?? []
        state.outcome.returned = state.items.count
        state.outcome.cache = answer?.cache ?? .none
        if let failed = state.missing.first(where: \.isFailure) {
          state.outcome.state = .partial
          state.outcome.error = failed.error
        }
        state.isClosed = true
      }
    }
  }
}
