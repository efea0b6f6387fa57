extension [ProviderRun] {
  /// Plans which part of a search each provider gets, in the order of the providers and kinds.
  ///
  /// A provider that takes no part has a run, too, whose outcome gives the reason.
  init(_ search: FederatedSearch, _ registry: ProviderRegistry) {
    let everything = registry.vocabulary
    self = registry.entries.flatMap { entry in
      let kinds = search.kinds.filter { entry.descriptor.hasResults(for: search, of: $0) }
      guard !kinds.isEmpty else {
        return search.kinds.first.map { [ProviderRun(without: $0, entry, search)] } ?? []
      }
      let own = entry.descriptor.vocabulary
      let others = registry.entries.filter { $0.descriptor.id != entry.descriptor.id }
      // Its own definitions take precedence over those of others.
      let vocabulary =
        own.isEmpty
        ? everything : QualifierVocabulary.common.adding(own).adding(others.flatMap(\.descriptor.vocabulary))
      return kinds.map { ProviderRun(planning: search, entry, $0, vocabulary) }
    }
    let wanted = isSingle ? search.pageLimit : RankFusion.windows(search.pageLimit) * RankFusion.window
    for index in indices where self[index].isAsked {
      let isFiltered = self[index].plan.residual != nil || search.filter != nil
      let maximum = self[index].descriptor.kinds[self[index].outcome.kind]?.maximumPageSize ?? 1
      self[index].setPageSize(wanted: wanted, maximum: maximum, isFiltered: isFiltered)
      let cap = search.isFeed ? ProviderRun.wholeScanCap : ProviderRun.scanCap
      self[index].pageCap =
        search.partCount * Swift.max(cap, RankFusion.windows(RankFusion.window, of: self[index].pageSize))
      self[index].sizeCap = search.partCount * ProviderRun.sizeLimit
    }
  }

  /// Whether a single provider is asked for a single kind, so that there is nothing to merge.
  var isSingle: Bool { count(where: \.isAsked) == 1 }
}

extension ProviderRun {
  /// The part of a provider with results of the kind.
  fileprivate init(
    planning search: FederatedSearch, _ entry: ProviderRegistry.Entry, _ kind: ResultKind,
    _ everything: QualifierVocabulary
  ) {
    let vocabulary = everything.of(kind)
    self.init(entry, kind, plan: QueryPlan(), vocabulary: vocabulary)
    guard let abilities = entry.descriptor.kinds[kind] else { return }
    do throws(QueryPlan.NotApplicable) {
      plan = try QueryPlan(search, abilities: abilities, vocabulary: vocabulary)
    } catch {
      outcome.state = .unsupported
      outcome.otherKinds =
        error.qualifier.map { otherKinds(with: $0, in: search, vocabulary: everything) } ?? []
      outcome.error = SearchError(
        .unsupportedQuery,
        "\(error.what) is not supported" + (search.kinds.count > 1 ? " for kind \(kind.rawValue)" : ""))
      return
    }
    isAsked = true
    reach = search.isFeed ? nil : abilities.reachable
    let sorts = search.isFeed ? abilities.feed?.sorts ?? [] : abilities.sorts
    let onlyOrders = search.isFeed ? abilities.feed?.onlyOrders ?? [:] : abilities.onlyOrders
    sort = search.sort.flatMap { key in
      sorts.contains(key) && onlyOrders[key] ?? search.order == search.order ? key : nil
    }
    isSortedHere = search.sort != nil && sort == nil
  }

  /// The part of a provider without results of the kind.
  fileprivate init(without kind: ResultKind, _ entry: ProviderRegistry.Entry, _ search: FederatedSearch) {
    self.init(entry, kind, plan: QueryPlan(), vocabulary: .common)
    let offered = descriptor.kinds.filter { !search.isFeed || $0.value.feed != nil }
    let kinds = offered.keys.map(\.rawValue).sorted().joined(separator: ", ")
    let reason =
      search.isFeed
      ? offered.isEmpty ? "no feed" : "no feed of this kind"
      : "it has no \(search.kinds.map(\.rawValue).joined(separator: " or ")) results"
    (outcome.state, outcome.lacksKind) = (.unsupported, true)
    outcome.error = SearchError(
      .unsupportedQuery, reason, hint: kinds.isEmpty ? "" : "supported kinds: \(kinds)")
  }

  /// The other kinds that support a qualifier that this kind does not, with its value, sorted by name; of these those
  /// that support the whole query, if there are any.
  private func otherKinds(
    with qualifier: Qualifier, in search: FederatedSearch, vocabulary: QualifierVocabulary
  ) -> [ResultKind] {
    let able = descriptor.kinds.filter { $0.value.push(qualifier.name) != .unsupported }.keys
    let others = (vocabulary.kinds(of: qualifier.name) + able).filter { vocabulary.of($0).takes(qualifier) }
    let kinds = Set(others).subtracting([outcome.kind]).sorted { $0.rawValue < $1.rawValue }
    let fit = kinds.filter { other in
      guard let abilities = descriptor.kinds[other] else { return false }
      return (try? QueryPlan(search, abilities: abilities, vocabulary: vocabulary.of(other))) != nil
    }
    return fit.isEmpty ? kinds : fit
  }
}

extension QueryPlan {
  /// Plans a search for a provider; in a feed all of the query is checked here.
  fileprivate init(
    _ search: FederatedSearch, abilities: ProviderDescriptor.KindAbilities, vocabulary: QualifierVocabulary
  ) throws(NotApplicable) {
    if !search.isFeed, let root = search.query?.root {
      try self.init(root, abilities: abilities, vocabulary: vocabulary)
    } else {
      try self.init(checking: search.query?.root, abilities: abilities, vocabulary: vocabulary)
    }
  }
}

extension ProviderDescriptor {
  /// Whether the provider has results of a kind for a search.
  fileprivate func hasResults(for search: FederatedSearch, of kind: ResultKind) -> Bool {
    kinds[kind].map { !search.isFeed || $0.feed != nil } ?? false
  }
}
