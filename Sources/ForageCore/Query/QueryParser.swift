/// Parses the query language: words, phrases, regular expressions, qualifiers, `NOT`, `AND`, `OR` and
/// parentheses.
///
/// Grammar, from lowest to highest precedence: `or := and ("OR" and)*`, `and := not ("AND"? not)*`, `not :=
/// ("NOT" | "-")* primary`, `primary := word | phrase | /expression/ | name:value | "(" or ")"`. Operators
/// are upper case; in lower case they are words. A regular expression begins with a slash at the start of a
/// word and ends with one at the end of a word; `\/` at the start of a word stands for a slash that begins none.
public struct QueryParser: Sendable {
  /// The maximum nesting of parentheses and negations, which bounds the recursion.
  static let maximumDepth = 64

  /// Checks a regular expression; returns `nil` if it is valid.
  package typealias ExpressionCheck = @Sendable (String) -> ExpressionProblem?

  private let vocabulary: QualifierVocabulary
  private let checkExpression: ExpressionCheck

  /// Creates a parser for a vocabulary of qualifiers.
  ///
  /// - Parameter vocabulary: The qualifiers. Regular expressions are checked by the provider that evaluates them.
  public init(vocabulary: QualifierVocabulary = .common) {
    self.init(vocabulary: vocabulary, checkExpression: { _ in nil })
  }

  /// Creates a parser that also checks regular expressions.
  ///
  /// - Parameters:
  ///   - vocabulary: The qualifiers.
  ///   - checkExpression: Checks one regular expression.
  package init(
    vocabulary: QualifierVocabulary = .common, checkExpression: @escaping ExpressionCheck
  ) {
    self.vocabulary = vocabulary
    self.checkExpression = checkExpression
  }

  /// Parses a query.
  ///
  /// - Parameters:
  ///   - text: The query as the user wrote it.
  ///   - conditions: Further conditions, all of which must match; with any, the text may be empty.
  /// - Returns: The tree, the order and warnings.
  /// - Throws: `QueryError` with the position of the first error. No input traps.
  public func parse(_ text: String, and conditions: [QueryExpression] = []) throws(QueryError) -> Query {
    var lexer = QueryLexer(text)
    var tokens = try lexer.tokens()
    let sort = try Self.takeSort(from: &tokens, vocabulary, source: text)
    var state = QueryParserState(
      source: text, tokens: tokens, vocabulary: vocabulary, checkExpression: checkExpression)
    var parts: [QueryExpression] = []
    if !tokens.isEmpty {
      parts = [try state.disjunction(depth: 0)]
      try state.expectEnd()
    }
    guard let root = QueryExpression.all(parts + conditions) else {
      throw QueryError(
        message: sort == nil ? "the query is empty" : "the query has an order and no condition",
        hint: "add what to search for, for example: http client language:swift",
        query: text, range: 0..<(sort == nil ? 0 : text.unicodeScalars.count))
    }
    return Query(
      root: root, text: conditions.isEmpty ? text : nil, warnings: state.warnings, sort: sort)
  }
}

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

/// A recursive-descent parser over the tokens of one query.
struct QueryParserState {
  let source: String
  let tokens: [QueryToken]
  let vocabulary: QualifierVocabulary
  let checkExpression: QueryParser.ExpressionCheck
  var warnings: [QueryWarning] = []
  var position = 0

  private var current: QueryToken? { position < tokens.count ? tokens[position] : nil }

  func failure(_ message: String, hint: String, at range: Range<Int>) -> QueryError {
    QueryError(message: message, hint: hint, query: source, range: range)
  }

  mutating func disjunction(depth: Int) throws(QueryError) -> QueryExpression {
    var parts = [try conjunction(depth: depth)]
    while current?.kind == .or {
      position += 1
      parts.append(try conjunction(depth: depth))
    }
    return QueryExpression.any(parts) ?? parts[0]
  }

  private mutating func conjunction(depth: Int) throws(QueryError) -> QueryExpression {
    var parts = [try negation(depth: depth)]
    while let token = current, token.kind != .or, token.kind != .close {
      if token.kind == .and { position += 1 }
      parts.append(try negation(depth: depth))
    }
    return QueryExpression.all(parts) ?? parts[0]
  }

  private mutating func negation(depth: Int) throws(QueryError) -> QueryExpression {
    guard let token = current, token.kind == .not || token.kind == .minus else {
      return try primary(depth: depth)
    }
    try checkDepth(depth, at: token.range)
    position += 1
    return QueryExpression.negation(of: try negation(depth: depth + 1))
  }

  private func checkDepth(_ depth: Int, at range: Range<Int>) throws(QueryError) {
    if depth >= QueryParser.maximumDepth {
      throw failure(
        "the query is nested deeper than \(QueryParser.maximumDepth) levels",
        hint: "use fewer parentheses", at: range)
    }
  }

  private mutating func primary(depth: Int) throws(QueryError) -> QueryExpression {
    guard let token = current else {
      let last = tokens[tokens.count - 1]
      throw failure(
        "a word is missing after \(Self.name(of: last))",
        hint: "add a word, or put \(Self.name(of: last)) in quotes to search for it",
        at: last.range)
    }
    position += 1
    switch token.kind {
    case .word(let text): return .term(QueryTerm(text))
    case .phrase(let text): return .term(QueryTerm(text, isPhrase: true))
    case .expression(let text): return .term(try expression(text, at: token.valueStart))
    case .pair(let name, let value, let isQuoted):
      return try pair(token, name: name, value: value, isQuoted: isQuoted)
    case .list(let name, let values): return try list(token, name: name, values: values)
    case .open:
      try checkDepth(depth, at: token.range)
      warnOfGroup(token)
      if current?.kind == .close {
        throw failure(
          "the parentheses are empty", hint: "remove them, or put them in quotes to search for them",
          at: token.range)
      }
      guard current != nil else { throw unclosed(token) }
      let inner = try disjunction(depth: depth + 1)
      guard current?.kind == .close else { throw unclosed(token) }
      position += 1
      return inner
    case .close where depth > 0:
      throw failure(
        "a word is missing before )", hint: "add a word before it, or remove the operator",
        at: token.range)
    case .close:
      throw failure(
        "this closing parenthesis has no opening one",
        hint: "remove it, or put it in quotes to search for it",
        at: token.range)
    case .and, .or, .not, .minus:
      throw failure(
        "a word is missing before \(Self.name(of: token))",
        hint: "add a word on both sides, or put \(Self.name(of: token)) in quotes to search for it",
        at: token.range)
    }
  }

  /// Warns of `name(`, which may be meant as text.
  private mutating func warnOfGroup(_ open: QueryToken) {
    guard position >= 2, case .word(let word) = tokens[position - 2].kind,
      tokens[position - 2].range.upperBound == open.range.lowerBound
    else { return }
    warnings.append(
      QueryWarning(
        message: "the parentheses after \"\(word)\" group words, and are not searched for",
        hint: "put the text in quotes to search for it as it is"))
  }

  /// The term of a regular expression that begins at a place of the query.
  func expression(_ text: String, at start: Int) throws(QueryError) -> QueryTerm {
    if let problem = checkExpression(text) {
      let place = start + min(max(0, problem.offset), text.unicodeScalars.count)
      throw failure(
        "the regular expression is not valid: \(problem.message)",
        hint: "write \\ before a character that stands for itself, or put the text in quotes",
        at: place..<place + 1)
    }
    return QueryTerm(text, isExpression: true)
  }

  private func unclosed(_ token: QueryToken) -> QueryError {
    failure(
      "this parenthesis is not closed", hint: "close it, or put it in quotes to search for it",
      at: token.range)
  }

  func expectEnd() throws(QueryError) {
    guard let token = current else { return }
    throw failure(
      "this closing parenthesis has no opening one", hint: "remove it, or put it in quotes to search for it",
      at: token.range)
  }

  private static func name(of token: QueryToken) -> String {
    switch token.kind {
    case .and: "AND"
    case .or: "OR"
    case .not: "NOT"
    case .minus: "-"
    case .open: "("
    case .close: ")"
    case .word(let text), .phrase(let text): text
    case .expression(let text): "/" + text + "/"
    case .pair(let name, _, _), .list(let name, _): name + ":"
    }
  }
}

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
