/// One entity as the providers know it.
public struct FederatedDetails: Sendable {
  /// The entity with the fields that are shown, `nil` when no provider knows it.
  public var item: SearchResult?
  /// One outcome for each provider that was asked.
  public var outcomes: [ProviderOutcome]

  /// Creates details.
  public init(item: SearchResult? = nil, outcomes: [ProviderOutcome] = []) {
    self.item = item
    self.outcomes = outcomes
  }
}

extension Federation {
  /// Asks every provider that knows the entity's forge first-hand for everything about it.
  ///
  /// - Parameters:
  ///   - reference: The entity.
  ///   - timeout: How long it may take.
  /// - Returns: What the first of them tells, and how each fared; it is there by the deadline.
  public func details(of reference: EntityReference, timeout: Duration) async -> FederatedDetails {
    let start = ContinuousClock.now
    let asked = registry.providers.filter {
      $0.descriptor.hasDetails && $0.descriptor.hosts.contains(reference.host)
    }
    let outcomes = asked.map {
      ProviderOutcome(id: $0.descriptor.id, name: $0.descriptor.name, kind: .repo, state: .ok)
    }
    let deadlines = asked.map { start + min(timeout, $0.descriptor.timeout ?? timeout) }
    let collector = RunCollector(outcomes.map { RunCollector.Run(outcome: $0) }, start: start)
    await collector.gather(deadlines) { index in
      await Self.ask(asked[index], reference, deadline: deadlines[index], index: index, collector)
    }
    let runs = collector.runs
    return FederatedDetails(item: runs.lazy.compactMap(\.items.first).first, outcomes: runs.map(\.outcome))
  }

  private static func ask(
    _ provider: any SearchProvider, _ reference: EntityReference, deadline: ContinuousClock.Instant,
    index: Int,
    _ collector: RunCollector
  ) async {
    await ProviderRun.reporting(to: collector, index: index, name: provider.descriptor.name) {
      let item = try await provider.details(
        of: reference, deadline: deadline, requests: collector.requests(index))
      collector.update(index) { run in
        run.items = item.map { [$0] } ?? []
        run.outcome.returned = run.items.count
        run.isClosed = true
      }
    }
  }
}
