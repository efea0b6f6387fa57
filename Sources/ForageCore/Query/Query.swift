/// A parsed query: its tree, its source text, its order and warnings.
public struct Query: Hashable, Sendable {
  /// The root of the tree.
  public var root: QueryExpression
  /// The source text.
  public var text: String
  /// Warnings for the user.
  public var warnings: [QueryWarning]
  /// The order that the query asks for; `nil` for none.
  public var sort: QuerySort?

  /// Creates a query.
  public init(
    root: QueryExpression, text: String? = nil, warnings: [QueryWarning] = [], sort: QuerySort? = nil
  ) {
    self.sort = sort
    self.root = root
    self.text = text ?? root.description
    self.warnings = warnings
  }
}

/// A problem in a query that does not prevent the search.
public struct QueryWarning: Hashable, Sendable {
  /// A phrase that says what is odd.
  public var message: String
  /// How to fix it, if there is a fix.
  public var hint: String?
}

package struct ExpressionProblem: Error, Hashable, Sendable {
  /// A sentence without a full stop that says what is wrong.
  package var message: String
  /// The position as a Unicode scalar offset into the expression.
  package var offset: Int

  package init(message: String, offset: Int) {
    self.message = message
    self.offset = offset
  }
}
