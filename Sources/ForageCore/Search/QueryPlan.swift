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
    _ query: QueryExpression, abilities: ProviderDescriptor.KindAbilities, vocabulary: QualifierVocabulary
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
      throw NotApplicable(what: "this query")
    }
  }

  private static func push(
    _ leaf: QueryExpression, isNegated: Bool, abilities: ProviderDescriptor.KindAbilities,
    vocabulary: QualifierVocabulary
  ) -> ProviderDescriptor.Pushdown {
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
    _ condition: QueryExpression, abilities: ProviderDescriptor.KindAbilities, vocabulary: QualifierVocabulary
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

extension ProviderDescriptor.KindAbilities {
  /// How the provider handles a qualifier. Custom properties use the entry `props.*`.
  package func push(_ name: String) -> ProviderDescriptor.Pushdown {
    qualifiers[name] ?? (name.hasPrefix("props.") ? qualifiers["props.*"] : nil) ?? .unsupported
  }
}

extension QueryPlan {
  /// Plans a filter on a feed. Providers apply none of it, so the search evaluates all of it.
  ///
  /// - Parameters:
  ///   - query: The filter; `nil` for none.
  ///   - abilities: The provider's abilities for the kind.
  ///   - vocabulary: The meaning of qualifiers for the kind.
  /// - Throws: `NotApplicable` for a positive qualifier on a field that the provider's items never contain.
  init(
    checking query: QueryExpression?, abilities: ProviderDescriptor.KindAbilities,
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
