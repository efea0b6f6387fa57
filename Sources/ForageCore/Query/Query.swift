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

/// The order that a query asks for with `sort:`, for example `sort:stars` or `sort:updated-asc`.
public struct QuerySort: Hashable, Sendable {
  /// The sort key.
  public var key: String
  /// The direction; `nil` if the query does not name one.
  public var order: SortOrder?

  /// Reads the value of `sort:`: a key, or a key and a direction such as `updated-asc`.
  private init(_ value: String) {
    for order in [SortOrder.ascending, .descending] where value.lowercased().hasSuffix("-" + order.rawValue) {
      (key, self.order) = (String(value.dropLast(order.rawValue.count + 1)), order)
      return
    }
    (key, order) = (value, nil)
  }
}

extension QuerySort {
  /// Removes `sort:` from the tokens of a query: it is an order, and no condition.
  ///
  /// - Returns: `nil` if the query has none, or if a provider declares a qualifier of this name.
  /// - Throws: `QueryError` for an empty or second `sort:`, and for one in parentheses or beside `OR` or
  ///   `NOT`.
  static func take(from tokens: inout [QueryToken], _ vocabulary: QualifierVocabulary, source: String)
    throws(QueryError) -> QuerySort?
  {
    guard vocabulary.definitions(of: "sort").isEmpty else { return nil }
    var (result, depth, place) = (QuerySort?.none, 0, tokens.count)
    while place > 0 {
      place -= 1
      let range = tokens[place].range
      func failure(_ message: String, _ hint: String) -> QueryError {
        QueryError(message: message, hint: hint, query: source, range: range)
      }
      switch tokens[place].kind {
      case .close: depth += 1
      case .open: depth -= 1
      case .pair(let name, let value, _) where name.lowercased() == "sort":
        let before = place > 0 ? tokens[place - 1].kind : nil
        let after = place + 1 < tokens.count ? tokens[place + 1].kind : nil
        guard depth == 0, ![.or, .not, .minus].contains(before), after != .or else {
          throw failure("sort: is an order and no condition", "write it at the end of the query, by itself")
        }
        let sort = QuerySort(value)
        guard !sort.key.isEmpty else {
          throw failure("sort: the value is missing", "write, for example, sort:stars or sort:updated-asc")
        }
        guard result == nil else { throw failure("the query has several sort:", "leave one of them") }
        result = sort
        tokens.remove(at: place)
        // The AND on one of its sides goes with it.
        if after == .and {
          tokens.remove(at: place)
        } else if before == .and {
          place -= 1
          tokens.remove(at: place)
        }
      default: break
      }
    }
    return result
  }
}

/// An error in a query, with its position.
public struct QueryError: Error, Hashable, Sendable {
  /// A phrase without a full stop that says what is wrong.
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
