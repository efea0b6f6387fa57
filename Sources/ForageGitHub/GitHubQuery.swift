import ForageCore

/// Writes queries the way GitHub reads them.
enum GitHubQuery {
  /// The most characters of text that GitHub takes, not counting operators and qualifiers.
  static let maximumTextLength = 256
  /// The most `AND`, `OR` and `NOT` that GitHub takes.
  static let maximumOperators = 5

  /// The query as text.
  ///
  /// - Parameters:
  ///   - standIns: Qualifiers one of which must be there when there is no word, `nil` where words are not needed.
  ///   - isAdvanced: Whether it is for the advanced search of issues.
  /// - Throws: `SearchError` for what GitHub refuses, which saves the request: with code `unsupportedQuery` for a lack of words, with
  ///   `invalidQuery` for a query that is too large.
  static func text(
    _ query: QueryExpression, wordsOr standIns: [String]? = nil, isAdvanced: Bool = false
  ) throws -> String {
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
        .invalidQuery,
        "GitHub takes at most \(maximumTextLength) characters of text in a query, this one has \(length)",
        hint: "leave words out")
    }
    // The advanced search of issues reads conditions side by side as AND.
    let (rest, names) = isAdvanced ? (query, []) : separated(query)
    let operators = rest.map(operatorCount) ?? 0
    guard operators <= maximumOperators else {
      throw SearchError(
        .invalidQuery,
        "GitHub takes at most \(maximumOperators) AND, OR and NOT in a query, this one has \(operators)",
        hint: "leave some out, or split the search")
    }
    return ([rest] + names).compactMap { $0?.text(notation) }.joined(separator: " ")
  }

  /// Separates the names from a query that asks for any of several repositories.
  ///
  /// GitHub takes the union of `repo:` qualifiers that stand side by side, so these alternatives need no operators.
  ///
  /// - Returns: The rest of the query, and the qualifiers; none where the query names repositories or accounts in another way as well.
  private static func separated(_ query: QueryExpression) -> (
    rest: QueryExpression?, names: [QueryExpression]
  ) {
    let conditions = query.conjuncts
    guard let place = conditions.firstIndex(where: isChoiceOfRepositories),
      case .or(let names) = conditions[place]
    else { return (query, []) }
    let others = conditions.indices.filter { $0 != place }.map { conditions[$0] }
    let rest = QueryExpression.all(others)
    return rest.map { $0.leaves.contains { isScope($0.expression) } } == true ? (query, []) : (rest, names)
  }

  private static func isChoiceOfRepositories(_ condition: QueryExpression) -> Bool {
    guard case .or(let choices) = condition else { return false }
    return choices.allSatisfy { if case .qualifier(let choice) = $0 { choice.name == "repo" } else { false } }
  }

  /// Whether a condition names repositories or accounts, of which GitHub takes the union.
  private static func isScope(_ leaf: QueryExpression) -> Bool {
    guard case .qualifier(let qualifier) = leaf else { return false }
    return ["repo", "user", "org", "owner"].contains(qualifier.name)
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
