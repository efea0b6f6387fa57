import ForageCore

/// Converts queries to GitHub's search syntax.
enum GitHubQuery {
  /// GitHub's maximum length of a query in characters, not counting operators and qualifiers.
  static let maximumTextLength = 256
  /// GitHub's maximum number of `AND`, `OR` and `NOT` in a query.
  static let maximumOperators = 5

  /// The query in GitHub's syntax.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - standIns: Qualifiers of which one must be present if there is no word; `nil` if no word is required.
  /// - Throws: `SearchError` with code `unsupportedQuery` if GitHub would reject the query for its size or
  ///   for lack of words.
  static func text(_ query: QueryExpression, wordsOr standIns: [String]? = nil) throws -> String {
    if let standIns, !hasSubject(query, standIns) {
      throw SearchError(
        .unsupportedQuery,
        "GitHub's code search needs a word or one of \(standIns.map { $0 + ":" }.joined(separator: ", "))",
        hint: "add a word to the query")
    }
    let length = query.leaves.reduce(0) { sum, leaf in
      if case .term(let term) = leaf.expression { sum + term.text.count } else { sum }
    }
    guard length <= maximumTextLength else {
      throw SearchError(
        .unsupportedQuery,
        "GitHub accepts at most \(maximumTextLength) characters of text in a query; this one has \(length)",
        hint: "use fewer words")
    }
    let operators = operatorCount(query)
    guard operators <= maximumOperators else {
      throw SearchError(
        .unsupportedQuery,
        "GitHub accepts at most \(maximumOperators) AND, OR and NOT in a query; this one has \(operators)",
        hint: "use fewer operators, or run several searches")
    }
    return query.text(notation)
  }

  /// Whether the query has a required word or a qualifier that replaces one.
  private static func hasSubject(_ query: QueryExpression, _ standIns: [String]) -> Bool {
    query.leaves.contains { leaf in
      switch leaf.expression {
      case .term: !leaf.isNegated
      case .qualifier(let qualifier): !leaf.isNegated && standIns.contains(qualifier.name)
      default: false
      }
    }
  }

  /// GitHub's notation, in which `owner` is `user`.
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
