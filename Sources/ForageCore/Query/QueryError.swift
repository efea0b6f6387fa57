/// An error in a query, with its position.
public struct QueryError: Error, Hashable, Sendable {
  /// What is wrong, without a full stop.
  public var message: String
  /// How to fix it.
  public var hint: String
  /// The query as given.
  public var query: String
  /// The position of the error as Unicode scalar offsets into `query`.
  public var range: Range<Int>

  package init(message: String, hint: String, query: String, range: Range<Int>) {
    self.message = message
    self.hint = hint
    self.query = query
    self.range = range
  }
}

/// A problem in a query that does not prevent the search.
public struct QueryWarning: Hashable, Sendable {
  /// What was noticed.
  public var message: String
  /// How to fix it, if there is a fix.
  public var hint: String?
}

package struct ExpressionProblem: Error, Hashable, Sendable {
  /// What is wrong, without a full stop.
  package var message: String
  /// The position as a Unicode scalar offset into the expression.
  package var offset: Int

  package init(message: String, offset: Int) {
    self.message = message
    self.offset = offset
  }
}
