/// Divides a query into the part that a provider receives and the part that the search evaluates.
package struct QueryPlan: Hashable, Sendable {
  /// The part for the provider; `nil` if it receives nothing.
  package var pushed: QueryExpression?
  /// The part that is evaluated on the returned items; `nil` if there is none.
  package var residual: QueryExpression?

  /// The names of the qualifiers in the residual, sorted; `text` stands for words and phrases.
  package var residualNames: [String] {
    guard let residual else { return [] }
    let names = residual.leaves.map { leaf in
      if case .qualifier(let qualifier) = leaf.expression { qualifier.name } else { "text" }
    }
    return Set(names).sorted()
  }

  /// The reason for which a provider does not support a query.
  package struct NotApplicable: Error, Hashable, Sendable {
    /// What is not supported, for example `stars:`.
    package var what: String
    /// The qualifier that is not supported; `nil` where another ability is missing.
    package var qualifier: Qualifier?
  }

  /// Sends and checks nothing.
  init() {}

  /// Plans a query for a provider.
  ///
  /// A condition is sent if every part of it is supported. Inexact parts are also evaluated here, unsupported
  /// ones only here. The negation of an inexact qualifier is never sent: the complement of a superset can
  /// lack matching items.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - abilities: The provider's abilities for the kind.
  ///   - vocabulary: The meaning of qualifiers for the kind.
  /// - Throws: `NotApplicable` for a positive qualifier on a field that the provider's items never contain,
  ///   for `OR` if the provider does not support it, and if nothing can be sent to a provider that needs
  ///   text.
  package init(
    _ query: QueryExpression, abilities: Abilities, vocabulary: QualifierVocabulary
  ) throws(NotApplicable) {
    var sent: [QueryExpression] = []
    var checked: [QueryExpression] = []
    for condition in query.negationNormalForm.conjuncts {
      if condition.hasDisjunction, !abilities.booleans {
        throw NotApplicable(what: "OR")
      }
      if condition.hasExpression, !abilities.expressions {
        throw NotApplicable(what: "a regular expression")
      }
      if let impossible = Self.impossibleQualifier(condition, abilities: abilities, vocabulary: vocabulary) {
        throw impossible
      }
      let pushes = condition.leaves.map {
        Self.push($0.expression, isNegated: $0.isNegated, abilities: abilities, vocabulary: vocabulary)
      }
      if !pushes.contains(.unsupported) { sent.append(condition) }
      if pushes.contains(where: { $0 != .exact }) { checked.append(condition) }
    }
    pushed = QueryExpression.all(sent)
    residual = QueryExpression.all(checked)
    if pushed == nil, abilities.needsText {
      let words = abilities.text == .unsupported ? "words" : "excluded words"
      let names = residualNames.map { $0 == "text" ? words : $0 + ":" }
      throw NotApplicable(
        what: names.isEmpty ? "this query" : "a query with only " + names.joined(separator: ", "))
    }
  }

  private static func push(
    _ leaf: QueryExpression, isNegated: Bool, abilities: Abilities,
    vocabulary: QualifierVocabulary
  ) -> Pushdown {
    guard case .qualifier(let qualifier) = leaf else {
      return abilities.text == .inexact && isNegated ? .unsupported : abilities.text
    }
    let push = abilities.push(qualifier.name)
    // A value without meaning for the kind is false for every item; the provider may not support it.
    if push != .unsupported, !vocabulary.takes(qualifier) { return .unsupported }
    return push == .inexact && isNegated ? .unsupported : push
  }

  /// The unsatisfiable qualifier to report to the user; of alternatives, only if every branch has one.
  private static func impossibleQualifier(
    _ condition: QueryExpression, abilities: Abilities, vocabulary: QualifierVocabulary
  ) -> NotApplicable? {
    switch condition {
    case .qualifier(let qualifier):
      let name = qualifier.name + ":"
      guard vocabulary.takes(qualifier) else {
        return NotApplicable(what: name + qualifier.value.description, qualifier: qualifier)
      }
      guard abilities.push(qualifier.name) == .unsupported else { return nil }
      let isPresent = vocabulary[qualifier.name]?.field.map(abilities.fields.contains) ?? false
      return isPresent ? nil : NotApplicable(what: name, qualifier: qualifier)
    case .term, .not: return nil
    case .and(let children):
      return children.lazy.compactMap {
        impossibleQualifier($0, abilities: abilities, vocabulary: vocabulary)
      }.first
    case .or(let children):
      let found = children.map { impossibleQualifier($0, abilities: abilities, vocabulary: vocabulary) }
      return found.contains(nil) ? nil : found.first ?? nil
    }
  }

  /// Moves qualifiers that a provider did not apply to the residual; `text` stands for excluded words and
  /// phrases.
  mutating func demote(_ names: Set<String>) {
    guard !names.isEmpty, let pushed else { return }
    let demoted = pushed.conjuncts.filter { condition in
      condition.leaves.contains { leaf in
        switch leaf.expression {
        case .qualifier(let qualifier): names.contains(qualifier.name)
        default: leaf.isNegated && names.contains("text")
        }
      }
    }
    let known = residual?.conjuncts ?? []
    residual = QueryExpression.all(known + demoted.filter { !known.contains($0) })
  }
}

extension QueryPlan {
  /// Plans a search for a provider; in a feed all of the query is checked here.
  fileprivate init(
    _ search: FederatedSearch, abilities: Abilities, vocabulary: QualifierVocabulary
  ) throws(NotApplicable) {
    if !search.isFeed, let root = search.query?.root {
      try self.init(root, abilities: abilities, vocabulary: vocabulary)
    } else {
      try self.init(checking: search.query?.root, abilities: abilities, vocabulary: vocabulary)
    }
  }

  /// Plans a filter on a feed. Providers apply none of it, so the search evaluates all of it.
  ///
  /// - Parameters:
  ///   - query: The filter; `nil` for none.
  ///   - abilities: The provider's abilities for the kind.
  ///   - vocabulary: The meaning of qualifiers for the kind.
  /// - Throws: `NotApplicable` for a positive qualifier on a field that the provider's items never contain.
  init(
    checking query: QueryExpression?, abilities: Abilities,
    vocabulary: QualifierVocabulary
  ) throws(NotApplicable) {
    pushed = nil
    residual = query?.negationNormalForm
    var abilities = abilities
    // These read no single field: `is:` reads several, and `in:` excludes nothing by itself.
    abilities.qualifiers = ["is": .inexact, "in": .inexact]
    for condition in residual?.conjuncts ?? [] {
      if let impossible = Self.impossibleQualifier(condition, abilities: abilities, vocabulary: vocabulary) {
        throw impossible
      }
    }
  }
}

extension QueryExpression {
  /// Whether the expression contains a regular expression.
  package var hasExpression: Bool {
    leaves.contains { if case .term(let term) = $0.expression { term.isExpression } else { false } }
  }
}

extension [ProviderRun] {
  /// Plans which part of a search each provider gets, in the order of the providers and kinds.
  ///
  /// A provider that takes no part has a run, too, whose outcome gives the reason.
  init(_ search: FederatedSearch, _ registry: ProviderRegistry) {
    let everything = registry.vocabulary
    self = registry.entries.flatMap { entry in
      let kinds = search.kinds.filter { entry.hasResults(for: search, of: $0) }
      guard !kinds.isEmpty else {
        return search.kinds.first.map { [ProviderRun(without: $0, entry, search)] } ?? []
      }
      let own = entry.info.vocabulary
      let others = registry.entries.filter { $0.info.id != entry.info.id }
      // Its own definitions take precedence over those of others.
      let vocabulary =
        own.isEmpty
        ? everything : QualifierVocabulary.common.adding(own).adding(others.flatMap(\.info.vocabulary))
      return kinds.map { ProviderRun(planning: search, entry, $0, vocabulary) }
    }
    let wanted = isSingle ? search.pageLimit : RankFusion.windows(search.pageLimit) * RankFusion.window
    for index in indices where self[index].isAsked {
      let isFiltered = self[index].plan.residual != nil || search.filter != nil
      let maximum = self[index].kinds[self[index].outcome.kind]?.maximumPageSize ?? 1
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
  /// Smaller pages save nothing, and later pages of the search would need more requests.
  private static let smallestPage = 30

  /// The part of a provider with results of the kind.
  fileprivate init(
    planning search: FederatedSearch, _ entry: ProviderRegistry.Entry, _ kind: ResultKind,
    _ everything: QualifierVocabulary
  ) {
    let vocabulary = everything.of(kind)
    self.init(entry, kind, plan: QueryPlan(), vocabulary: vocabulary)
    guard let abilities = entry.kinds[kind] else { return }
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
    let offered = kinds.filter { !search.isFeed || $0.value.feed != nil }
    let names = offered.keys.map(\.rawValue).sorted().joined(separator: ", ")
    let reason =
      search.isFeed
      ? offered.isEmpty ? "no feed" : "no feed of this kind"
      : "it has no \(search.kinds.map(\.rawValue).joined(separator: " or ")) results"
    (outcome.state, outcome.lacksKind) = (.unsupported, true)
    outcome.error = SearchError(
      .unsupportedQuery, reason, hint: names.isEmpty ? "" : "supported kinds: \(names)")
  }

  /// Sets the page size for the results of a page of the search: not more than wanted, unless some will not pass the
  /// residual filter.
  fileprivate mutating func setPageSize(wanted: Int, maximum: Int, isFiltered: Bool) {
    pageSize = isFiltered ? maximum : min(max(wanted, Self.smallestPage), maximum)
  }

  /// The other kinds that support a qualifier that this kind does not, with its value, sorted by name; of these those
  /// that support the whole query, if there are any.
  private func otherKinds(
    with qualifier: Qualifier, in search: FederatedSearch, vocabulary: QualifierVocabulary
  ) -> [ResultKind] {
    let able = kinds.filter { $0.value.push(qualifier.name) != .unsupported }.keys
    let others = (vocabulary.kinds(of: qualifier.name) + able).filter { vocabulary.of($0).takes(qualifier) }
    let sorted = Set(others).subtracting([outcome.kind]).sorted { $0.rawValue < $1.rawValue }
    let fit = sorted.filter { other in
      guard let abilities = kinds[other] else { return false }
      return (try? QueryPlan(search, abilities: abilities, vocabulary: vocabulary.of(other))) != nil
    }
    return fit.isEmpty ? sorted : fit
  }
}

extension ProviderRegistry.Entry {
  /// Whether the provider has results of a kind for a search.
  fileprivate func hasResults(for search: FederatedSearch, of kind: ResultKind) -> Bool {
    kinds[kind].map { !search.isFeed || $0.feed != nil } ?? false
  }
}
