import ForageCore

/// Writes queries the way GitHub reads them.
enum GitHubQuery {
  /// The most characters of text that GitHub takes, not counting operators and qualifiers.
  static let maximumTextLength = 256
  /// The most `AND`, `OR` and `NOT` that GitHub takes.
  static let maximumOperators = 5

  /// The query as text.
  ///
  /// - Parameter standIns: Qualifiers one of which must be there when there is no word, `nil` where words are not needed.
  /// - Throws: `SearchError` with code `unsupportedQuery` when GitHub would reject it for its size or for its lack of words, which saves the
  ///   request.
  static func text(_ query: QueryExpression, wordsOr standIns: [String]? = nil) throws -> String {
    if let standIns, !hasSubject(query, standIns) {
      throw SearchError(
        .unsupportedQuery,
        "GitHub searches code only for words or for \(standIns.map { $0 + ":" }.joined(separator: ", "))",
        hint: "add a word to the query")
    }
    let length = query.leaves.reduce(0) { sum, leaf in
      if case .term(let term) = leaf.expression { sum + term.text.count } else { sum }
    }
    guard length <= maximumTextLength else {
      throw SearchError(
        .unsupportedQuery,
        "GitHub takes at most \(maximumTextLength) characters of text in a query, this one has \(length)",
        hint: "leave words out")
    }
    let operators = operatorCount(query)
    guard operators <= maximumOperators else {
      throw SearchError(
        .unsupportedQuery,
        "GitHub takes at most \(maximumOperators) AND, OR and NOT in a query, this one has \(operators)",
        hint: "leave some out, or split the search")
    }
    return spread(query).text(notation)
  }

  /// Whether there is a word, or a qualifier that stands in for one, that must be there.
  private static func hasSubject(_ query: QueryExpression, _ standIns: [String]) -> Bool {
    query.leaves.contains { leaf in
      switch leaf.expression {
      case .term: !leaf.isNegated
      case .qualifier(let qualifier): !leaf.isNegated && standIns.contains(qualifier.name)
      default: false
      }
    }
  }

  /// The qualifier that the search for repositories does not have, although it sorts by that time.
  static let updated = "updated"
  /// A condition that every repository fulfils: GitHub refuses an empty query.
  static let everyRepository = QueryExpression.qualifier(
    Qualifier("stars", .number(Bounds(lower: Bounds.End(0, isInclusive: true), upper: nil))))

  /// The query without the conditions on `updated`, which are checked on the results; `nil` if nothing else is left.
  ///
  /// What is left is met by every result that meets the query: a condition goes as a whole if it can be met by `updated` alone.
  static func withoutUpdated(_ query: QueryExpression) -> QueryExpression? {
    let kept = query.negationNormalForm.conjuncts.filter { condition in
      !condition.leaves.contains { leaf in
        if case .qualifier(let qualifier) = leaf.expression { qualifier.name == updated } else { false }
      }
    }
    return QueryExpression.all(kept)
  }

  /// The direction in which a list sorted by `updated` begins with what the query asks for.
  static func orderByUpdated(_ query: QueryExpression) -> SortOrder {
    for leaf in query.leaves {
      guard case .qualifier(let qualifier) = leaf.expression, qualifier.name == updated,
        case .date(let dates) = qualifier.value
      else { continue }
      return dates.lower == nil ? .ascending : .descending
    }
    return .descending
  }

  /// The query with several values of one name written as GitHub reads alternatives: the name with each value.
  private static func spread(_ query: QueryExpression) -> QueryExpression {
    switch query {
    case .qualifier(let qualifier):
      guard case .list(let texts) = qualifier.value, alternatives.contains(qualifier.name) else {
        return query
      }
      return QueryExpression.all(texts.map { .qualifier(Qualifier(qualifier.name, .text($0))) }) ?? query
    case .and(let children): return QueryExpression.all(children.map(spread)) ?? query
    case .term, .not, .or: return query
    }
  }

  /// The qualifiers that GitHub takes as alternatives where they stand side by side.
  private static let alternatives: Set<String> = ["repo", "user", "org", "owner"]

  /// The notation of GitHub: `owner` is its `user`.
  static let notation = QueryExpression.Notation(qualifierName: { $0 == "owner" ? "user" : $0 })

  private static func operatorCount(_ query: QueryExpression) -> Int {
    switch query {
    case .term, .qualifier: 0
    case .not(.qualifier): 0
    case .not(let child): 1 + operatorCount(child)
    case .and(let children): children.reduce(0) { $0 + operatorCount($1) }
    case .or(let children): children.reduce(children.count - 1) { $0 + operatorCount($1) }
    }
  }
}
