/// How one provider takes a query: what it is sent and what is checked here.
public struct QueryPlan: Hashable, Sendable {
  /// What the provider is sent, `nil` when nothing can be.
  public var pushed: QueryExpression?
  /// What is checked on the returned items, `nil` when nothing must be.
  public var residual: QueryExpression?

  /// The names of the qualifiers in the residual, sorted; `text` stands for words and phrases.
  public var residualNames: [String] {
    guard let residual else { return [] }
    let names = residual.leaves.map { leaf in
      if case .qualifier(let qualifier) = leaf.expression { qualifier.name } else { "text" }
    }
    return Set(names).sorted()
  }

  /// Why a provider cannot take part in a query at all.
  public struct NotApplicable: Error, Hashable, Sendable {
    /// What it lacks, for example `stars:`.
    public var what: String
    /// Whether its results never carry the field, as opposed to an ability that is missing.
    public var isMissingField: Bool
  }

  /// Stands for the plan of a provider that has not told yet what it can do.
  init(everything query: QueryExpression?) { pushed = query }

  /// Plans a query for a provider.
  ///
  /// A condition goes to the provider when every part of it can; an inexact part is checked again, an unsupported one only here.
  /// The negation of an inexact qualifier is never sent: the complement of a superset could lack wanted items.
  ///
  /// - Parameter vocabulary: What qualifiers mean for the kind that is searched.
  /// - Throws: `NotApplicable` for a positive qualifier on a field that the provider's items never carry, for `OR` where the
  ///   provider cannot evaluate it, and when nothing of the query is left to send to a provider that needs text.
  public init(
    _ query: QueryExpression, abilities: ProviderDescriptor.KindAbilities, vocabulary: QualifierVocabulary
  ) throws(NotApplicable) {
    var sent: [QueryExpression] = []
    var checked: [QueryExpression] = []
    for condition in query.negationNormalForm.conjuncts {
      if condition.hasDisjunction, !abilities.booleans {
        throw NotApplicable(what: "OR", isMissingField: false)
      }
      if let impossible = Self.impossibleQualifier(condition, abilities: abilities, vocabulary: vocabulary) {
        throw NotApplicable(what: impossible, isMissingField: true)
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
      throw NotApplicable(what: "this query", isMissingField: false)
    }
  }

  private static func push(
    _ leaf: QueryExpression, isNegated: Bool, abilities: ProviderDescriptor.KindAbilities,
    vocabulary: QualifierVocabulary
  ) -> ProviderDescriptor.Push {
    guard case .qualifier(let qualifier) = leaf else {
      return abilities.text == .inexact && isNegated ? .unsupported : abilities.text
    }
    let push = abilities.push(qualifier.name)
    // What has no meaning for the kind is false of every item, which a provider need not know.
    if push != .unsupported, !vocabulary.takes(qualifier) { return .unsupported }
    return push == .inexact && isNegated ? .unsupported : push
  }

  /// What no item can ever fulfil, as it is told to the user: in an alternative, only when every branch has one.
  static func impossibleQualifier(
    _ condition: QueryExpression, abilities: ProviderDescriptor.KindAbilities, vocabulary: QualifierVocabulary
  ) -> String? {
    switch condition {
    case .qualifier(let qualifier):
      guard vocabulary.takes(qualifier) else { return qualifier.name + ":" + qualifier.value.description }
      guard abilities.push(qualifier.name) == .unsupported else { return nil }
      guard let field = vocabulary[qualifier.name]?.field else { return qualifier.name + ":" }
      return abilities.fields.contains(field) ? nil : qualifier.name + ":"
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

  /// Moves what a provider turned out not to apply to the residual; `text` stands for the words and phrases that must not occur.
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
  /// How the provider takes a qualifier; custom properties go by the entry `props.*`.
  public func push(_ name: String) -> ProviderDescriptor.Push {
    qualifiers[name] ?? (name.hasPrefix("props.") ? qualifiers["props.*"] : nil) ?? .unsupported
  }
}
