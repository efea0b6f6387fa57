/// The merged details of an entity.
public struct FederatedDetails: Sendable {
  /// The entity; `nil` if no provider knows it.
  public var item: SearchResult?
  /// The outcome for each provider that was asked.
  public var outcomes: [ProviderOutcome]
  /// The parts that the provider of the item could not deliver, with its id.
  public var missing: [(provider: String, part: MissingPart)]

  /// Creates details.
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
  /// Requests an entity from all providers that are authoritative for its host.
  ///
  /// - Parameters:
  ///   - reference: The entity.
  ///   - timeout: The time limit.
  ///   - isFull: Whether to request full details, which may take several requests, or only what one request
  ///     returns.
  /// - Returns: The details of the first provider that knows the entity, and the outcome of each, by the
  ///   deadline. A provider with a missing part is `partial`, unless it never provides that part.
  public func details(of reference: EntityReference, timeout: Duration, isFull: Bool = false) async
    -> FederatedDetails
  {
    let start = ContinuousClock.now
    let asked = registry.providers.filter {
      ($0.descriptor.hasDetails || $0.descriptor.isProvisional)
        && $0.descriptor.hosts.contains(reference.host)
    }
    let outcomes = asked.map {
      ProviderOutcome(id: $0.descriptor.id, name: $0.descriptor.name, kind: reference.kind, state: .ok)
    }
    let deadlines = asked.map { start + min(timeout, $0.descriptor.timeout ?? timeout) }
    let collector = RunCollector(outcomes.map { RunCollector.Run(outcome: $0) }, start: start)
    await collector.gather(deadlines) { index in
      await Self.ask(
        asked[index], reference, deadline: deadlines[index], isFull: isFull, index: index, collector)
    }
    let runs = collector.runs
    let answer = runs.first { !$0.items.isEmpty }
    return FederatedDetails(
      item: answer?.items.first, outcomes: runs.map(\.outcome),
      missing: answer.map { run in run.missing.map { (run.outcome.id, $0) } } ?? [])
  }

  private static func ask(
    _ provider: any SearchProvider, _ reference: EntityReference, deadline: ContinuousClock.Instant,
    isFull: Bool, index: Int, _ collector: RunCollector
  ) async {
    await ProviderRun.reporting(to: collector, index: index, name: provider.descriptor.name) {
      let requests = collector.requests(index)
      if provider.descriptor.isProvisional, try await !provider.declaration(deadline: deadline).hasDetails {
        throw SearchError(
          .unsupportedQuery, "details are not supported",
          hint: "exclude \(provider.descriptor.id) with --provider")
      }
      let answer =
        if isFull {
          try await provider.fullDetails(of: reference, deadline: deadline, requests: requests)
        } else {
          try await provider.details(of: reference, deadline: deadline, requests: requests).map {
            FullDetails(item: $0)
          }
        }
      collector.update(index) { run in
        run.items = answer.map { [$0.item] } ?? []
        run.missing = answer?.missing ?? []
        run.outcome.returned = run.items.count
        run.outcome.cacheAge = answer?.cacheAge
        run.outcome.isStale = answer?.isStale ?? false
        if let failed = run.missing.first(where: \.isFailure) {
          run.outcome.state = .partial
          run.outcome.error = failed.error
        }
        run.isClosed = true
      }
    }
  }
}
