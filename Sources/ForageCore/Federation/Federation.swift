/// Asks several providers at once and merges their answers into one list.
///
/// Every provider gets the part of the query that it can take; the rest is checked here. A provider that is late, fails or delivers nonsense never
/// delays or changes what the others deliver, beyond its absence; how each fared is part of the answer.
public struct Federation: Sendable {
  let registry: ProviderRegistry

  /// Creates a federation of providers.
  ///
  /// - Parameter registry: The providers to ask, in order of precedence.
  public init(_ registry: ProviderRegistry) { self.registry = registry }

  /// Runs a search.
  ///
  /// - Parameter search: What to look for.
  /// - Returns: The merged list and the outcome of each provider. It is there by the deadline, whatever the providers do; when the calling
  ///   task is cancelled, it is there at once, with what has arrived.
  public func search(_ search: FederatedSearch) async -> FederatedResult {
    let start = ContinuousClock.now
    let planned = plans(for: search, start: start)
    let collector = RunCollector(planned.map(\.outcome), start: start)
    await collector.gather(planned.map { $0.run?.deadline }) { index in
      if let run = planned[index].run { await run.execute(collector) }
    }
    return merge(collector.runs, planned: planned, search: search)
  }

  /// A provider and kind with what is planned for it; `run` is absent where it cannot take part.
  private struct Planned {
    var descriptor: ProviderDescriptor
    var outcome: ProviderOutcome
    var run: ProviderRun?
  }

  private func plans(for search: FederatedSearch, start: ContinuousClock.Instant) -> [Planned] {
    var result: [Planned] = []
    let candidates = registry.providers.map { provider in
      (provider, search.kinds.filter { provider.descriptor.kinds[$0] != nil })
    }
    let voters = candidates.reduce(0) { $0 + $1.1.count }
    for (provider, kinds) in candidates {
      let descriptor = provider.descriptor
      if kinds.isEmpty, let kind = search.kinds.first {
        result.append(Self.without(descriptor, kind: kind, kinds: search.kinds))
      }
      for kind in kinds {
        guard let abilities = descriptor.kinds[kind] else { continue }
        let outcome = ProviderOutcome(id: descriptor.id, name: descriptor.name, kind: kind, state: .ok)
        var planned = Planned(descriptor: descriptor, outcome: outcome)
        do throws(QueryPlan.NotApplicable) {
          let plan = try QueryPlan(search.query.root, abilities: abilities, vocabulary: registry.vocabulary)
          planned.run = run(
            provider, kind: kind, plan: plan, abilities: abilities, search: search, isAlone: voters == 1,
            start: start,
            index: result.count)
          planned.outcome.isSortApproximate = search.sort.map { !abilities.sorts.contains($0) } ?? false
        } catch {
          planned.outcome.state = .unsupported
          planned.outcome.error = SearchError(
            .unsupportedQuery,
            "\(descriptor.name) cannot answer \(error.what)",
            hint: "leave it out of the query, or choose other providers with --provider")
        }
        result.append(planned)
      }
    }
    return result
  }

  private static func without(_ descriptor: ProviderDescriptor, kind: ResultKind, kinds: [ResultKind])
    -> Planned
  {
    var outcome = ProviderOutcome(id: descriptor.id, name: descriptor.name, kind: kind, state: .unsupported)
    let wanted = kinds.map(\.rawValue).joined(separator: ", ")
    let offered = descriptor.kinds.keys.map(\.rawValue).sorted().joined(separator: ", ")
    outcome.error = SearchError(
      .unsupportedQuery, "\(descriptor.name) has no results of kind \(wanted)", hint: "it has: \(offered)")
    return Planned(descriptor: descriptor, outcome: outcome)
  }

  private func run(
    _ provider: any SearchProvider, kind: ResultKind, plan: QueryPlan,
    abilities: ProviderDescriptor.KindAbilities,
    search: FederatedSearch, isAlone: Bool, start: ContinuousClock.Instant, index: Int
  ) -> ProviderRun {
    // Several lists are fused window by window, so whole windows are wanted; one list alone is read just as far as asked.
    let windows = (search.limit + RankFusion.window - 1) / RankFusion.window
    let wanted = isAlone || search.sort != nil ? search.limit : windows * RankFusion.window
    let pageSize = plan.residual == nil ? min(wanted, abilities.maximumPageSize) : abilities.maximumPageSize
    let limit = min(search.timeout, provider.descriptor.timeout ?? search.timeout)
    return ProviderRun(
      provider: provider, kind: kind, plan: plan, vocabulary: registry.vocabulary, wanted: wanted,
      pageSize: pageSize,
      sort: search.sort.flatMap { abilities.sorts.contains($0) ? $0 : nil }, order: search.order,
      deadline: start + limit,
      index: index)
  }

  private func merge(_ runs: [RunCollector.Run], planned: [Planned], search: FederatedSearch)
    -> FederatedResult
  {
    let lists = zip(runs, planned).map { run, plan in
      RankedList(
        provider: plan.descriptor.id, group: plan.descriptor.group, weight: plan.descriptor.weight,
        hosts: plan.descriptor.hosts, items: run.items)
    }
    var merger = EntityMerger(lists)
    guard let key = search.sort else {
      return FederatedResult(items: merger.ranked(limit: search.limit), outcomes: runs.map(\.outcome))
    }
    let all = merger.ranked(limit: .max)
    let sorted = SortedMerge.sorted(all, by: key, order: search.order, result: \.result).prefix(search.limit)
    return FederatedResult(items: Array(sorted), outcomes: runs.map(\.outcome))
  }
}
