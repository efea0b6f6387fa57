/// The order that a query asks for with `sort:`, for example `sort:stars` or `sort:updated-asc`.
public struct QuerySort: Hashable, Sendable {
  /// The sort key.
  public var key: String
  /// The direction; `nil` if the query does not name one.
  public var order: SortOrder?

  /// Reads the value of `sort:`: a key, or a key and a direction such as `updated-asc`.
  init(_ value: String) {
    for order in [SortOrder.ascending, .descending] where value.lowercased().hasSuffix("-" + order.rawValue) {
      (key, self.order) = (String(value.dropLast(order.rawValue.count + 1)), order)
      return
    }
    (key, order) = (value, nil)
  }
}

extension QueryParser {
  /// Removes `sort:` from the tokens of a query: it is an order, and no condition.
  ///
  /// - Returns: `nil` if the query has none, or if a provider declares a qualifier of this name.
  /// - Throws: `QueryError` for an empty or second `sort:`, and for one in parentheses or beside `OR` or `NOT`.
  static func takeSort(from tokens: inout [QueryToken], _ vocabulary: QualifierVocabulary, source: String)
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
