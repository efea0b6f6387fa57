import ForageCore

/// Evaluates a pushed query according to the abilities of a provider.
struct InMemoryFilter {
  let abilities: Abilities
  let vocabulary: QualifierVocabulary

  /// Whether an item passes a query.
  ///
  /// - Parameter query: A query in negation normal form.
  func accepts(_ item: SearchResult, _ query: QueryExpression) -> Bool {
    switch query {
    case .and(let children): children.allSatisfy { accepts(item, $0) }
    case .or(let children): children.contains { accepts(item, $0) }
    case .term, .not(.term): query.matches(item, vocabulary: vocabulary)
    case .qualifier(let qualifier):
      switch abilities.push(qualifier.name) {
      case .exact: query.matches(item, vocabulary: vocabulary)
      case .inexact: query.matches(item, vocabulary: vocabulary) || loosely(item, qualifier)
      case .unsupported: true
      }
    case .not(.qualifier(let qualifier)):
      // The complement of a superset may lack matching items, so only an exact qualifier can be negated.
      abilities.push(qualifier.name) != .exact || query.matches(item, vocabulary: vocabulary)
    // Negation normal form has no other negations.
    case .not: query.matches(item, vocabulary: vocabulary)
    }
  }

  func unapplied(_ query: QueryExpression?) -> Set<String> {
    let leaves = query?.leaves ?? []
    return Set(
      leaves.compactMap { leaf in
        guard case .qualifier(let qualifier) = leaf.expression else { return nil }
        return switch abilities.push(qualifier.name) {
        case .exact: nil
        case .inexact: leaf.isNegated ? qualifier.name : nil
        case .unsupported: qualifier.name
        }
      })
  }

  private func loosely(_ item: SearchResult, _ qualifier: Qualifier) -> Bool {
    guard let field = vocabulary.of(item.kind)[qualifier.name]?.field, let found = item[field] else {
      return false
    }
    guard case .text(let wanted) = qualifier.value else { return true }
    return found.texts.contains { $0.lowercased().contains(wanted.lowercased()) }
  }
}
