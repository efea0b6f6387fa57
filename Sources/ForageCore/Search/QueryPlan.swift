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
    /// The part of the query that is not supported, for example `stars:`.
    package var what: String
    /// The qualifier that is not supported; `nil` where another ability is missing.
    package var qualifier: Qualifier?
    /// Whether no part of the query alone is the reason.
    package var isWholeQuery = false
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
  ///   for `OR` if the provider does not support it, and if nothing can be sent, or no word to a provider
  ///   that needs one.
  package init(
    _ query: QueryExpression, abilities: Abilities, vocabulary: QualifierVocabulary
  ) throws(NotApplicable) {
    var sent: [QueryExpression] = []
    var checked: [QueryExpression] = []
    func push(_ condition: QueryExpression) -> [Pushdown] {
      condition.leaves.map {
        Self.push($0.expression, isNegated: $0.isNegated, abilities: abilities, vocabulary: vocabulary)
      }
    }
    func impossible(_ condition: QueryExpression) -> NotApplicable? {
      Self.impossibleQualifier(condition, abilities: abilities, vocabulary: vocabulary)
    }
    let conditions = Self.conditions(of: query, abilities)
    // Several scopes are alternatives: what has none of the one can have the other, and they are sent and
    // checked together.
    let scopes = conditions.filter { $0.isScope && impossible($0) == nil }
    let scopePushes = scopes.flatMap(push)
    for condition in conditions {
      if condition.hasDisjunction, !abilities.booleans {
        throw NotApplicable(what: "OR")
      }
      if condition.hasExpression, !abilities.expressions {
        throw NotApplicable(what: "a regular expression")
      }
      if let impossible = impossible(condition) {
        if condition.isScope, !scopes.isEmpty { continue }
        throw impossible
      }
      let pushes = condition.isScope ? scopePushes : push(condition)
      if !pushes.contains(.unsupported) { sent.append(condition) }
      if pushes.contains(where: { $0 != .exact }) { checked.append(condition) }
    }
    pushed = QueryExpression.all(sent)
    residual = QueryExpression.all(checked)
    if abilities.needsText == true, abilities.text != .unsupported, let pushed, pushed.positiveTerms.isEmpty {
      throw NotApplicable(what: "a query without words", isWholeQuery: true)
    }
    if pushed == nil, abilities.needsText != false {
      let words = abilities.text == .unsupported ? "words" : "excluded words"
      let names = residualNames.map { $0 == "text" ? words : $0 + ":" }
      throw NotApplicable(
        what: names.isEmpty ? "this query" : "a query with only " + names.joined(separator: ", "),
        isWholeQuery: true)
    }
  }

  /// The conditions of a query. Where a provider knows no `OR`, scopes with it are written without.
  private static func conditions(of query: QueryExpression, _ abilities: Abilities) -> [QueryExpression] {
    let conditions = query.negationNormalForm.conjuncts
    guard !abilities.booleans, !conditions.contains(where: \.isScope) else { return conditions }
    func scopes(_ condition: QueryExpression) -> [QueryExpression]? {
      if case .or(let choices) = condition, choices.allSatisfy(\.isScope) { choices } else { nil }
    }
    guard conditions.compactMap(scopes).count == 1 else { return conditions }
    return conditions.flatMap { scopes($0) ?? [$0] }
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
      let push = abilities.push(qualifier.name)
      // What is checked here, too, needs the field.
      if push == .inexact, qualifier.name == "is",
        !abilities.fields.isSuperset(of: qualifier.fields(for: .repo))
      {
        return NotApplicable(what: name + qualifier.value.description, qualifier: qualifier)
      }
      guard push == .unsupported else { return nil }
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

  /// Flags that a forge can leave out of its answers, for example without a token.
  private static let flags: Set<ResultField> = [.fork, .archived, .isPrivate, .template]

  /// The conditions on flags that a repository leaves undecided, because it lacks them; empty where it fails
  /// another condition.
  func undecided(by item: SearchResult, abilities: Abilities, vocabulary: QualifierVocabulary) -> Set<String>
  {
    guard item.kind == .repo, let residual else { return [] }
    var names: Set<String> = []
    for condition in QueryExpression.unitingScopes(residual.conjuncts)
    where !condition.matches(item, vocabulary: vocabulary) {
      guard case .qualifier(let qualifier) = condition else { return [] }
      let fields = Self.flags.intersection(qualifier.fields(for: .repo, vocabulary: vocabulary))
      guard !fields.isEmpty, fields.isSubset(of: abilities.fields), fields.allSatisfy({ item[$0] == nil })
      else {
        return []
      }
      names.insert(qualifier.name)
    }
    return names
  }

  /// Whether `@me` stands for the account that the provider asks with.
  var namesAccount: Bool {
    [pushed, residual].contains { $0?.qualifiers.contains { $0.value.namesAccount } ?? false }
  }

  /// Writes the name of an account in place of `@me`.
  mutating func name(account: String) {
    func named(_ query: QueryExpression?) -> QueryExpression? {
      query?.replacingQualifiers { qualifier in
        var qualifier = qualifier
        qualifier.value = qualifier.value.naming(account: account)
        return .qualifier(qualifier)
      }
    }
    (pushed, residual) = (named(pushed), named(residual))
  }

  /// Moves qualifiers that a provider did not apply to the residual; `text` stands for excluded words and
  /// phrases.
  mutating func demote(_ names: Set<String>) {
    guard !names.isEmpty, let pushed else { return }
    let demoted = pushed.conjuncts { condition in
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
    for condition in QueryExpression.unitingScopes(residual?.conjuncts ?? []) {
      if let impossible = Self.impossibleQualifier(condition, abilities: abilities, vocabulary: vocabulary) {
        throw impossible
      }
    }
  }
}

extension QualifierValue {
  /// Whether it is, or contains, the word for one's own account.
  fileprivate var namesAccount: Bool { naming(account: "") != self }

  /// The value with the name of an account in place of `@me`.
  fileprivate func naming(account: String) -> QualifierValue {
    func named(_ text: String) -> String { text.lowercased() == "@me" ? account : text }
    return switch self {
    case .text(let text): .text(named(text))
    case .list(let texts): .list(texts.map(named))
    case .number, .date, .boolean: self
    }
  }
}

extension QueryExpression {
  /// Whether the expression contains a regular expression.
  package var hasExpression: Bool {
    leaves.contains { if case .term(let term) = $0.expression { term.isExpression } else { false } }
  }
}

/// What one provider is asked for one kind of results.
struct ProviderPlan: Sendable {
  /// Why a provider takes no part.
  struct Exclusion: Sendable {
    var error: SearchError
    /// The kinds of results that support what is not supported for this kind.
    var otherKinds: [ResultKind] = []
    /// Whether the provider has no results of this kind, whatever the query.
    var lacksKind = false
    /// Whether clones have what the provider lacks: the code of the repositories of a forge.
    var isInClones = false
  }

  let entry: ProviderRegistry.Entry
  let kind: ResultKind
  /// The parts of the query that are sent and checked here.
  var query = QueryPlan()
  /// The meaning of qualifiers for the kind.
  private(set) var vocabulary = QualifierVocabulary.common
  /// The most results of a query that the provider returns; `nil` for all, and for a feed.
  private(set) var reach: Int?
  /// The sort key for the provider; `nil` if none is wanted or it does not support the key in this order.
  private(set) var sort: String?
  /// Whether the items are sorted here, because the provider cannot: then only the first window takes part.
  private(set) var isSortedHere = false
  /// The number of items of each page.
  private(set) var pageSize = 1
  /// The maximum number of consecutive pages that do not fill a window with items that pass.
  private(set) var pageCap = ProviderRun.scanCap
  /// The maximum number of bytes in memory of the items for a part of the list.
  private(set) var sizeCap = ProviderRun.sizeLimit
  /// Why the provider takes no part; `nil` if it does.
  private(set) var exclusion: Exclusion?

  /// Asks for nothing.
  init(_ entry: ProviderRegistry.Entry, _ kind: ResultKind) { (self.entry, self.kind) = (entry, kind) }
}

extension ProviderPlan {
  /// Plans which part of a search each provider gets, in the order of the providers and kinds.
  ///
  /// A provider that takes no part has a plan, too, which gives the reason.
  static func all(_ search: FederatedSearch, _ registry: ProviderRegistry) -> [ProviderPlan] {
    let everything = registry.vocabulary
    var plans: [ProviderPlan] = registry.entries.flatMap { entry in
      let kinds = search.kinds.filter { entry.hasResults(for: search, of: $0) }
      guard !kinds.isEmpty else {
        return search.kinds.first.map { [ProviderPlan(without: $0, entry, search)] } ?? []
      }
      let own = entry.info.vocabulary
      let others = registry.entries.filter { $0.info.id != entry.info.id }
      // Its own definitions take precedence over those of others.
      let vocabulary =
        own.isEmpty
        ? everything : QualifierVocabulary.common.adding(own).adding(others.flatMap(\.info.vocabulary))
      return kinds.map { ProviderPlan(search, entry, $0, vocabulary) }
    }
    let isSingle = plans.count { $0.exclusion == nil } == 1
    for index in plans.indices { plans[index].setLimits(search, isSingle: isSingle) }
    return plans
  }

  /// Smaller pages save nothing, and later pages of the search would need more requests.
  private static let smallestPage = 30

  /// The part of a provider with results of the kind.
  private init(
    _ search: FederatedSearch, _ entry: ProviderRegistry.Entry, _ kind: ResultKind,
    _ everything: QualifierVocabulary
  ) {
    self.init(entry, kind)
    vocabulary = everything.of(kind)
    guard let abilities = entry.kinds[kind] else { return }
    do throws(QueryPlan.NotApplicable) {
      query = try QueryPlan(search, abilities: abilities, vocabulary: vocabulary)
    } catch {
      exclusion = Exclusion(
        error: SearchError(
          .unsupportedQuery,
          "\(error.what) is not supported" + (search.kinds.count > 1 ? " for kind \(kind.rawValue)" : "")),
        otherKinds: otherKinds(than: error, in: search, vocabulary: everything))
      return
    }
    reach = search.isFeed ? nil : abilities.reachable
    let sorts = search.isFeed ? abilities.feed?.sorts ?? [] : abilities.sorts
    let onlyOrders = search.isFeed ? abilities.feed?.onlyOrders ?? [:] : abilities.onlyOrders
    sort = search.sort.flatMap { key in
      sorts.contains(key) && onlyOrders[key] ?? search.order == search.order ? key : nil
    }
    isSortedHere = search.sort != nil && sort == nil
  }

  /// The part of a provider without results of the kind.
  private init(without kind: ResultKind, _ entry: ProviderRegistry.Entry, _ search: FederatedSearch) {
    self.init(entry, kind)
    let offered = entry.kinds.filter { !search.isFeed || $0.value.feed != nil }
    let names = offered.keys.map(\.rawValue).sorted().joined(separator: ", ")
    let reason =
      search.isFeed
      ? offered.isEmpty ? "no feed" : "no feed of this kind"
      : "it has no \(search.kinds.map(\.rawValue).joined(separator: " or ")) results"
    let isInClones = kind == .code && !search.isFeed && entry.provider is any ForgeProvider
    let hint =
      isInClones
      ? "clone its repositories, and search the clones" : names.isEmpty ? "" : "supported kinds: \(names)"
    exclusion = Exclusion(
      error: SearchError(.unsupportedQuery, reason, hint: hint), lacksKind: true, isInClones: isInClones)
  }

  /// Sets the size and number of pages: pages are no larger than a page of the search needs, unless some
  /// results will not pass the residual filter.
  private mutating func setLimits(_ search: FederatedSearch, isSingle: Bool) {
    let wanted = isSingle ? search.pageLimit : RankFusion.windows(search.pageLimit) * RankFusion.window
    let isFiltered = query.residual != nil || search.filter != nil
    let maximum = entry.kinds[kind]?.maximumPageSize ?? 1
    let smallest = entry.kinds[kind]?.looksItemsUp == true ? 1 : Self.smallestPage
    pageSize = isFiltered ? maximum : min(max(wanted, smallest), maximum)
    let cap = search.isFeed ? ProviderRun.wholeScanCap : ProviderRun.scanCap
    pageCap = search.partCount * max(cap, RankFusion.windows(RankFusion.window, of: pageSize))
    sizeCap = search.partCount * ProviderRun.sizeLimit
  }

  /// The other kinds that support what this kind does not, sorted by name: those that support the whole query
  /// or, if there are none, the qualifier with its value.
  private func otherKinds(
    than lack: QueryPlan.NotApplicable, in search: FederatedSearch, vocabulary: QualifierVocabulary
  ) -> [ResultKind] {
    guard !lack.isWholeQuery else { return [] }
    let kinds = entry.kinds
    var others = Array(kinds.keys)
    if let qualifier = lack.qualifier {
      let able = kinds.filter { $0.value.push(qualifier.name) != .unsupported }.keys
      others = (vocabulary.kinds(of: qualifier.name) + able).filter { vocabulary.of($0).takes(qualifier) }
    }
    let sorted = Set(others).subtracting([kind]).sorted { $0.rawValue < $1.rawValue }
    let fit = sorted.filter { other in
      guard let abilities = kinds[other] else { return false }
      return (try? QueryPlan(search, abilities: abilities, vocabulary: vocabulary.of(other))) != nil
    }
    return fit.isEmpty && lack.qualifier != nil ? sorted : fit
  }
}

extension ProviderRegistry.Entry {
  /// Whether the provider has results of a kind for a search.
  fileprivate func hasResults(for search: FederatedSearch, of kind: ResultKind) -> Bool {
    kinds[kind].map { !search.isFeed || $0.feed != nil } ?? false
  }
}
