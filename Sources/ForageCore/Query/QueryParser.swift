/// Reads the query language: words, phrases, qualifiers, `NOT`, `AND`, `OR` and parentheses.
///
/// Grammar, from loose to tight: `or := and ("OR" and)*`, `and := not ("AND"? not)*`, `not := ("NOT" | "-")* primary`,
/// `primary := word | phrase | name:value | "(" or ")"`. The operators are upper case; lower-case ones are words.
public struct QueryParser: Sendable {
  /// How deep parentheses and negations may nest: far beyond any use, and the stack stays small.
  static let maximumDepth = 64

  private let vocabulary: QualifierVocabulary

  /// Creates a parser for a vocabulary of qualifiers.
  public init(vocabulary: QualifierVocabulary = .common) { self.vocabulary = vocabulary }

  /// Parses a query.
  ///
  /// - Parameter text: The query as the user wrote it.
  /// - Returns: The tree and what the user should know about it.
  /// - Throws: `QueryError` with the place of the first problem. Every input is accepted or rejected, none traps.
  public func parse(_ text: String) throws(QueryError) -> Query {
    var lexer = QueryLexer(text)
    let tokens = try lexer.tokens()
    guard !tokens.isEmpty else {
      throw QueryError(
        message: "the query is empty",
        hint: "say what to look for, for example: forage search \"http client language:swift\"",
        query: text, range: 0..<0)
    }
    var state = QueryParserState(source: text, tokens: tokens, vocabulary: vocabulary)
    let root = try state.disjunction(depth: 0)
    try state.expectEnd()
    return Query(root: root, text: text, warnings: state.warnings)
  }
}

/// A query: its tree, the text that it was read from, and warnings.
public struct Query: Hashable, Sendable {
  /// The condition.
  public var root: QueryExpression
  /// The text as the user wrote it.
  public var text: String
  /// What the user should know.
  public var warnings: [QueryWarning]

  /// Creates a query.
  public init(root: QueryExpression, text: String? = nil, warnings: [QueryWarning] = []) {
    self.root = root
    self.text = text ?? root.description
    self.warnings = warnings
  }
}

/// Recursive descent over the tokens of one query.
struct QueryParserState {
  let source: String
  let tokens: [QueryToken]
  let vocabulary: QualifierVocabulary
  var warnings: [QueryWarning] = []
  private var position = 0

  init(source: String, tokens: [QueryToken], vocabulary: QualifierVocabulary) {
    self.source = source
    self.tokens = tokens
    self.vocabulary = vocabulary
  }

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
        "the query nests deeper than \(QueryParser.maximumDepth) levels",
        hint: "write it with fewer parentheses", at: range)
    }
  }

  private mutating func primary(depth: Int) throws(QueryError) -> QueryExpression {
    guard let token = current else {
      let last = tokens[tokens.count - 1]
      throw failure(
        "something is missing after \(Self.name(of: last))",
        hint: "write a word, or put \(Self.name(of: last)) in quotes to search for it",
        at: last.range)
    }
    position += 1
    switch token.kind {
    case .word(let text): return .term(QueryTerm(text))
    case .phrase(let text): return .term(QueryTerm(text, isPhrase: true))
    case .pair(let name, let value, let isQuoted):
      return try pair(token, name: name, value: value, isQuoted: isQuoted)
    case .list(let name, let values): return try list(token, name: name, values: values)
    case .open:
      try checkDepth(depth, at: token.range)
      if current?.kind == .close {
        throw failure(
          "the parentheses are empty", hint: "remove them, or put them in quotes", at: token.range)
      }
      guard current != nil else { throw unclosed(token) }
      let inner = try disjunction(depth: depth + 1)
      guard current?.kind == .close else { throw unclosed(token) }
      position += 1
      return inner
    case .close where depth > 0:
      throw failure(
        "something is missing before )", hint: "write a word there, or remove what asks for one",
        at: token.range)
    case .close:
      throw failure(
        "this parenthesis closes nothing", hint: "remove it, or put it in quotes to search for it",
        at: token.range)
    case .and, .or, .not, .minus:
      throw failure(
        "something is missing before \(Self.name(of: token))",
        hint: "write a word on both sides, or put \(Self.name(of: token)) in quotes to search for it",
        at: token.range)
    }
  }

  private func unclosed(_ token: QueryToken) -> QueryError {
    failure(
      "this parenthesis is never closed", hint: "close it, or put it in quotes to search for it",
      at: token.range)
  }

  func expectEnd() throws(QueryError) {
    guard let token = current else { return }
    throw failure(
      "this parenthesis closes nothing", hint: "remove it, or put it in quotes to search for it",
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
    case .pair(let name, _, _), .list(let name, _): name + ":"
    }
  }
}
