import ForageFoundation

/// The plan for a provider and kind; `run` is `nil` if the provider takes no part.
struct PlannedPart {
  var descriptor: ProviderDescriptor
  /// The weight of the provider's ranks.
  var weight: Double
  var outcome: ProviderOutcome
  var run: ProviderRun?
}

extension Federation {
  /// Plans the part of each provider.
  func plans(for search: FederatedSearch, start: ContinuousClock.Instant) -> [PlannedPart] {
    let now = Date()
    var result: [PlannedPart] = []
    let everything = registry.vocabulary
    for entry in registry.entries {
      let descriptor = entry.descriptor
      let kinds = search.kinds.filter { descriptor.supports(in: search, for: $0) }
      if kinds.isEmpty, let kind = search.kinds.first {
        result.append(Self.without(entry, declared: descriptor, kind: kind, search: search))
      }
      for kind in kinds {
        result.append(
          part(
            entry, declared: descriptor, among: everything, kind: kind, search: search, start: start,
            now: now,
            index: result.count))
      }
    }
    return result
  }

  /// Plans the part of a provider for a kind.
  ///
  /// - Parameters:
  ///   - descriptor: The provider. If it is provisional, the part is planned again once the provider has
  ///     declared its abilities.
  ///   - everything: The qualifiers of all providers.
  private func part(
    _ entry: ProviderRegistry.Entry, declared descriptor: ProviderDescriptor,
    among everything: QualifierVocabulary, kind: ResultKind, search: FederatedSearch,
    start: ContinuousClock.Instant, now: Date, index: Int
  ) -> PlannedPart {
    let outcome = ProviderOutcome(id: descriptor.id, name: descriptor.name, kind: kind, state: .ok)
    var planned = PlannedPart(
      descriptor: descriptor, weight: entry.preferences.weight, outcome: outcome)
    guard let abilities = descriptor.kinds[kind], descriptor.supports(in: search, for: kind) else {
      return Self.without(entry, declared: descriptor, kind: kind, search: search)
    }
    let vocabulary = vocabulary(of: descriptor, among: everything).of(kind)
    if descriptor.isProvisional {
      var run = run(
        entry, kind: kind, plan: QueryPlan(everything: search.isFeed ? nil : search.query?.root),
        abilities: abilities,
        vocabulary: vocabulary, search: search, start: start, now: now, index: index)
      run.planning = { declared in
        var declared = declared
        declared.isProvisional = false
        return part(
          entry, declared: declared, among: everything, kind: kind, search: search, start: start, now: now,
          index: index)
      }
      planned.run = run
      return planned
    }
    do throws(QueryPlan.NotApplicable) {
      let plan = try Self.plan(search, abilities: abilities, vocabulary: vocabulary)
      let names = search.filter?.ids.flatMap { ids in
        search.isFeed || kind != .repo
          ? nil
          : RepositoryNames(
            ids: ids, of: descriptor, abilities: abilities, query: plan.pushed, sort: search.sort)
      }
      if let names, names.names.isEmpty {
        planned.outcome.state = .skipped
        planned.outcome.error = SearchError(
          .nothingToAsk,
          "no \(search.filter?.name ?? "results") on \(descriptor.hosts.joined(separator: ", "))")
        return planned
      }
      var run = run(
        entry, kind: kind, plan: plan, abilities: abilities, vocabulary: vocabulary, search: search,
        start: start, now: now, index: index)
      run.names = names
      planned.run = run
      planned.outcome.isSortApproximate =
        search.sort.map { key in
          // A complete list can be sorted here.
          abilities.sort(for: search) == nil
            && (names == nil || !abilities.fields.contains(SortedMerge.field(of: key)))
        } ?? false
    } catch {
      let others = Self.otherKinds(
        error.what, in: search, than: kind, descriptor: descriptor, vocabulary: vocabulary)
      planned.outcome.state = .unsupported
      planned.outcome.otherKinds = others
      planned.outcome.error = SearchError(
        .unsupportedQuery,
        "\(error.what) is not supported" + (search.kinds.count > 1 ? " for kind \(kind.rawValue)" : ""))
    }
    return planned
  }

  /// The vocabulary for a provider, in which its own definitions take precedence over those of others.
  private func vocabulary(of descriptor: ProviderDescriptor, among everything: QualifierVocabulary)
    -> QualifierVocabulary
  {
    descriptor.vocabulary.isEmpty
      ? everything
      : QualifierVocabulary.common.adding(descriptor.vocabulary).adding(
        registry.entries.filter { $0.descriptor.id != descriptor.id }.flatMap(\.descriptor.vocabulary))
  }

  /// The other kinds that support what a kind does not, with its value, sorted by name; of these those that support the whole query, if
  /// there are any.
  ///
  /// - Parameter what: A qualifier of the query as `QueryPlan.NotApplicable` names it.
  private static func otherKinds(
    _ what: String, in search: FederatedSearch, than kind: ResultKind, descriptor: ProviderDescriptor,
    vocabulary: QualifierVocabulary
  ) -> [ResultKind] {
    let meant = (search.query?.root.leaves ?? []).compactMap { leaf -> Qualifier? in
      guard case .qualifier(let qualifier) = leaf.expression else { return nil }
      let name = qualifier.name + ":"
      return [name, name + qualifier.value.description].contains(what) ? qualifier : nil
    }
    let others = meant.flatMap { qualifier in
      let able = descriptor.kinds.filter { $0.value.push(qualifier.name) != .unsupported }.keys
      return (vocabulary.kinds(of: qualifier.name) + able).filter { vocabulary.of($0).takes(qualifier) }
    }
    let kinds = Set(others).subtracting([kind]).sorted { $0.rawValue < $1.rawValue }
    // Those that support the rest of the query, too, if there are any.
    let fit = kinds.filter { other in
      guard let abilities = descriptor.kinds[other] else { return false }
      return (try? plan(search, abilities: abilities, vocabulary: vocabulary.of(other))) != nil
    }
    return fit.isEmpty ? kinds : fit
  }

  private static func plan(
    _ search: FederatedSearch, abilities: ProviderDescriptor.KindAbilities, vocabulary: QualifierVocabulary
  )
    throws(QueryPlan.NotApplicable) -> QueryPlan
  {
    if !search.isFeed, let root = search.query?.root {
      return try QueryPlan(root, abilities: abilities, vocabulary: vocabulary)
    }
    return try QueryPlan(checking: search.query?.root, abilities: abilities, vocabulary: vocabulary)
  }

  private static func without(
    _ entry: ProviderRegistry.Entry, declared descriptor: ProviderDescriptor, kind: ResultKind,
    search: FederatedSearch
  ) -> PlannedPart {
    var outcome = ProviderOutcome(id: descriptor.id, name: descriptor.name, kind: kind, state: .unsupported)
    outcome.lacksKind = true
    let offered = descriptor.kinds.filter { !search.isFeed || $0.value.feed != nil }
    let kinds = offered.keys.map(\.rawValue).sorted().joined(separator: ", ")
    let reason =
      search.isFeed
      ? offered.isEmpty ? "no feed" : "no feed of this kind"
      : "it has no \(search.kinds.map(\.rawValue).joined(separator: " or ")) results"
    outcome.error = SearchError(
      .unsupportedQuery, reason, hint: kinds.isEmpty ? "" : "supported kinds: \(kinds)")
    return PlannedPart(descriptor: descriptor, weight: entry.preferences.weight, outcome: outcome)
  }

  private func run(
    _ entry: ProviderRegistry.Entry, kind: ResultKind, plan: QueryPlan,
    abilities: ProviderDescriptor.KindAbilities, vocabulary: QualifierVocabulary,
    search: FederatedSearch, start: ContinuousClock.Instant, now: Date, index: Int
  ) -> ProviderRun {
    let limit = min(search.timeout, entry.timeout ?? search.timeout)
    return ProviderRun(
      provider: entry.provider, isFeed: search.isFeed, kind: kind, plan: plan, vocabulary: vocabulary,
      filter: search.filter,
      maximumPageSize: abilities.maximumPageSize,
      sort: abilities.sort(for: search), order: search.order,
      matches: search.matches, reachable: abilities.reachable, deadline: start + limit, index: index,
      now: now,
      observer: search.observer)
  }

  /// Identifies a search for continuation: query, kinds, order, and providers with their weights.
  func fingerprint(of search: FederatedSearch) -> String {
    let voters = registry.entries.map { entry in
      let (descriptor, weight) = (entry.descriptor, entry.preferences.weight)
      return "\(descriptor.id) \(descriptor.group) \(weight) \(descriptor.hosts.joined(separator: ","))"
    }
    let parts =
      [
        (search.isFeed ? "feed " : "") + (search.query?.root.description ?? ""),
        search.kinds.map(\.rawValue).joined(separator: ","),
        search.sort ?? "", search.order.rawValue, search.filter?.name ?? "",
      ] + voters
    return parts.joined(separator: "\n")
  }
}

extension ProviderDescriptor {
  /// Whether the provider supports a kind for this search.
  fileprivate func supports(in search: FederatedSearch, for kind: ResultKind) -> Bool {
    search.isFeed ? kinds[kind].map { isProvisional || $0.feed != nil } ?? false : kinds[kind] != nil
  }
}

extension ProviderDescriptor.KindAbilities {
  /// The sort key of a search; `nil` if the provider does not support it, or not in this order.
  fileprivate func sort(for search: FederatedSearch) -> String? {
    let (keys, only) =
      search.isFeed ? (feed?.sorts ?? [], feed?.onlyOrders ?? [:]) : (sorts, onlyOrders)
    return search.sort.flatMap { keys.contains($0) && only[$0] ?? search.order == search.order ? $0 : nil }
  }
}
