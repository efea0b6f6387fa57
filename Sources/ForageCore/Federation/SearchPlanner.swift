import ForageFoundation

/// The plan for a provider and kind; `reader` is `nil` if the provider takes no part.
struct PlannedPart {
  var descriptor: ProviderDescriptor
  var weight: Double
  var outcome: ProviderOutcome
  var reader: ProviderReader?
}

extension [PlannedPart] {
  /// Whether a single provider is asked for a single kind.
  var isAlone: Bool { count { $0.reader != nil } == 1 }
}

/// Plans which part of a search each provider gets.
struct SearchPlanner: Sendable {
  private let registry: ProviderRegistry
  private let search: FederatedSearch
  private let start: ContinuousClock.Instant
  private let now = Date()
  /// The qualifiers of all providers.
  private let everything: QualifierVocabulary

  init(_ search: FederatedSearch, registry: ProviderRegistry, start: ContinuousClock.Instant) {
    self.registry = registry
    self.search = search
    self.start = start
    everything = registry.vocabulary
  }

  var parts: [PlannedPart] {
    var result: [PlannedPart] = []
    for entry in registry.entries {
      let descriptor = entry.descriptor
      let kinds = search.kinds.filter { descriptor.supports(in: search, for: $0) }
      if kinds.isEmpty, let kind = search.kinds.first {
        result.append(without(entry, declared: descriptor, kind: kind))
      }
      for kind in kinds {
        result.append(part(entry, declared: descriptor, kind: kind, index: result.count))
      }
    }
    return result
  }

  /// Plans the part of a provider for a kind.
  ///
  /// - Parameter descriptor: The provider.
  private func part(
    _ entry: ProviderRegistry.Entry, declared descriptor: ProviderDescriptor, kind: ResultKind, index: Int
  ) -> PlannedPart {
    guard let abilities = descriptor.kinds[kind], descriptor.supports(in: search, for: kind) else {
      return without(entry, declared: descriptor, kind: kind)
    }
    var planned = PlannedPart(
      descriptor: descriptor, weight: entry.preferences.weight,
      outcome: ProviderOutcome(id: descriptor.id, name: descriptor.name, kind: kind, state: .ok))
    let vocabulary = vocabulary(of: descriptor).of(kind)
    var reader = ProviderReader(
      provider: entry.provider, search: search, kind: kind,
      plan: QueryPlan(everything: search.isFeed ? nil : search.query?.root), vocabulary: vocabulary,
      abilities: abilities, deadline: start + min(search.timeout, entry.timeout ?? search.timeout),
      index: index, now: now)
    do throws(QueryPlan.NotApplicable) {
      reader.plan = try plan(abilities, vocabulary)
      let names = search.filter?.ids.flatMap { ids in
        search.isFeed || kind != .repo
          ? nil
          : RepositoryNames(
            ids: ids, of: descriptor, abilities: abilities, query: reader.plan.pushed, sort: search.sort)
      }
      if let names, names.names.isEmpty {
        planned.outcome.state = .skipped
        planned.outcome.error = SearchError(
          .nothingToAsk,
          "no \(search.filter?.name ?? "results") on \(descriptor.hosts.joined(separator: ", "))")
        return planned
      }
      reader.names = names
      planned.reader = reader
      planned.outcome.isSortApproximate =
        search.sort.map { key in
          // A complete list can be sorted here.
          reader.sort == nil && (names == nil || !abilities.fields.contains(ResultOrder.field(of: key)))
        } ?? false
    } catch {
      planned.outcome.state = .unsupported
      planned.outcome.otherKinds =
        error.qualifier.map {
          otherKinds(with: $0, than: kind, descriptor: descriptor, vocabulary: vocabulary)
        }
        ?? []
      planned.outcome.error = SearchError(
        .unsupportedQuery,
        "\(error.what) is not supported" + (search.kinds.count > 1 ? " for kind \(kind.rawValue)" : ""))
    }
    return planned
  }

  /// The vocabulary for a provider, in which its own definitions take precedence over those of others.
  private func vocabulary(of descriptor: ProviderDescriptor) -> QualifierVocabulary {
    descriptor.vocabulary.isEmpty
      ? everything
      : QualifierVocabulary.common.adding(descriptor.vocabulary).adding(
        registry.entries.filter { $0.descriptor.id != descriptor.id }.flatMap(\.descriptor.vocabulary))
  }

  /// The other kinds that support a qualifier that a kind does not, with its value, sorted by name; of these those that support the whole
  /// query, if there are any.
  private func otherKinds(
    with qualifier: Qualifier, than kind: ResultKind, descriptor: ProviderDescriptor,
    vocabulary: QualifierVocabulary
  ) -> [ResultKind] {
    let able = descriptor.kinds.filter { $0.value.push(qualifier.name) != .unsupported }.keys
    let others = (vocabulary.kinds(of: qualifier.name) + able).filter { vocabulary.of($0).takes(qualifier) }
    let kinds = Set(others).subtracting([kind]).sorted { $0.rawValue < $1.rawValue }
    // Those that support the rest of the query, too, if there are any.
    let fit = kinds.filter { other in
      guard let abilities = descriptor.kinds[other] else { return false }
      return (try? plan(abilities, vocabulary.of(other))) != nil
    }
    return fit.isEmpty ? kinds : fit
  }

  private func plan(_ abilities: ProviderDescriptor.KindAbilities, _ vocabulary: QualifierVocabulary)
    throws(QueryPlan.NotApplicable) -> QueryPlan
  {
    if !search.isFeed, let root = search.query?.root {
      return try QueryPlan(root, abilities: abilities, vocabulary: vocabulary)
    }
    return try QueryPlan(checking: search.query?.root, abilities: abilities, vocabulary: vocabulary)
  }

  /// The part of a provider without results of the kind.
  private func without(
    _ entry: ProviderRegistry.Entry, declared descriptor: ProviderDescriptor, kind: ResultKind
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
}

extension ProviderDescriptor {
  /// Whether the provider supports a kind for this search.
  fileprivate func supports(in search: FederatedSearch, for kind: ResultKind) -> Bool {
    search.isFeed ? kinds[kind].map { $0.feed != nil } ?? false : kinds[kind] != nil
  }
}
