/// Parses the query language: words, phrases, regular expressions, qualifiers, `NOT`, `AND`, `OR` and
/// parentheses.
///
/// Grammar, from lowest to highest precedence: `or := and ("OR" and)*`, `and := not ("AND"? not)*`, `not :=
/// ("NOT" | "-")* primary`, `primary := word | phrase | /expression/ | name:value | "(" or ")"`. Operators
/// are upper case; in lower case they are words. A regular expression begins with a slash at the start of a
/// word and ends with one at the end of a word; `\/` at the start of a word stands for a slash that begins
/// none.
public struct QueryParser: Sendable {
  /// The maximum nesting of parentheses and negations, which bounds the recursion.
  fileprivate static let maximumDepth = 64

  /// Checks a regular expression; returns `nil` if it is valid.
  package typealias ExpressionCheck = @Sendable (String) -> ExpressionProblem?

  private let vocabulary: QualifierVocabulary
  private let checkExpression: ExpressionCheck

  /// Creates a parser for a vocabulary of qualifiers.
  ///
  /// - Parameter vocabulary: The qualifiers. Regular expressions are checked by the provider that evaluates
  ///   them.
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
    let sort = try QuerySort.take(from: &tokens, vocabulary, source: text)
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

extension QueryParser {
  /// A query as it can stand before further conditions: in parentheses where it has alternatives.
  package static func grouped(_ text: String) -> String {
    var lexer = QueryLexer(text)
    let tokens = try? lexer.tokens()
    return tokens?.contains { $0.kind == .or } == true ? "(\(text))" : text
  }
}

/// A recursive-descent parser over the tokens of one query.
private struct QueryParserState {
  let source: String
  let tokens: [QueryToken]
  let vocabulary: QualifierVocabulary
  let checkExpression: QueryParser.ExpressionCheck
  var warnings: [QueryWarning] = []
  var position = 0

  private var current: QueryToken? { position < tokens.count ? tokens[position] : nil }

  private func failure(_ message: String, hint: String, at range: Range<Int>) -> QueryError {
    QueryError(message: message, hint: hint, query: source, range: range)
  }

  mutating func disjunction(depth: Int) throws(QueryError) -> QueryExpression {
    var start = position
    var parts = [try conjunction(depth: depth)]
    var areGroups = [isGroup(from: start)]
    while current?.kind == .or {
      position += 1
      start = position
      parts.append(try conjunction(depth: depth))
      areGroups.append(isGroup(from: start))
    }
    warnOfScope(parts, areGroups)
    return QueryExpression.any(parts) ?? parts[0]
  }

  /// Whether the tokens from a place up to the position are written in parentheses.
  private func isGroup(from start: Int) -> Bool {
    tokens[start].kind == .open && tokens[position - 1].kind == .close
  }

  /// Warns of a condition that is written once for alternatives and holds for one of them only: `a OR b
  /// repo:x`. Parentheses say what is meant.
  private mutating func warnOfScope(_ parts: [QueryExpression], _ areGroups: [Bool]) {
    let scopes = parts.map(\.qualifiersBesideWords)
    guard parts.count > 1, let narrowed = scopes.firstIndex(where: { !$0.isEmpty }), !areGroups[narrowed],
      scopes.indices.allSatisfy({ $0 == narrowed || !parts[$0].leaves.contains { $0.expression.isQualifier } }
      )
    else { return }
    let conditions = scopes[narrowed].map(\.description).joined(separator: " ")
    let words = parts.enumerated().map { place, part in
      place == narrowed ? part.withoutQualifiers.map(\.description) ?? "" : part.description
    }.joined(separator: " OR ")
    warnings.append(
      QueryWarning(
        message: "\(conditions) holds for one side of OR only, as on GitHub",
        hint: "to narrow all, write: (\(words)) \(conditions)"))
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
  private func expression(_ text: String, at start: Int) throws(QueryError) -> QueryTerm {
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

extension QueryParserState {
  /// Reads `name:value`: a typed qualifier if the name is known, otherwise a word. Adds a warning if the name
  /// looks misspelled.
  private mutating func pair(_ token: QueryToken, name: String, value: String, isQuoted: Bool)
    throws(QueryError)
    -> QueryExpression
  {
    let definitions = vocabulary.definitions(of: name)
    guard let definition = definitions.first else {
      return .term(unknown(name: name, value: value, isQuoted: isQuoted))
    }
    guard !value.isEmpty else {
      throw failure(
        "\(definition.name): the value is missing",
        hint: "write the value directly after the colon, for example \(definition.example)",
        at: token.range)
    }
    let range = token.valueStart..<token.range.upperBound
    let reader = QualifierValueReader(source: source, definitions: definitions, range: range)
    let qualifier = Qualifier(definition.name, try reader.read(value))
    noteUnknownWord(qualifier, definitions)
    if let text = qualifier.expression {
      _ = try expression(text, at: token.valueStart + (isQuoted ? 2 : 1))
    }
    return .qualifier(qualifier)
  }

  /// Reads several values for one name. If the name does not accept free text, they are treated as one value,
  /// which usually fails with an error.
  private mutating func list(_ token: QueryToken, name: String, values: [String]) throws(QueryError)
    -> QueryExpression
  {
    guard let definition = vocabulary.definitions(of: name).first(where: { $0.type == .text }) else {
      return try pair(token, name: name, value: values.joined(separator: ","), isQuoted: true)
    }
    return .qualifier(Qualifier(definition.name, .list(values)))
  }

  /// Adds a warning for a word that no definition of the name lists.
  private mutating func noteUnknownWord(_ qualifier: Qualifier, _ definitions: [QualifierDefinition]) {
    guard case .text(let word) = qualifier.value,
      definitions.contains(where: { !$0.type.isChoice && !$0.type.words.isEmpty })
    else { return }
    let known = Set(definitions.flatMap(\.type.words))
    // Words for the state of a result need no provider that knows them.
    let isState = qualifier.name == "is" && !qualifier.fields(for: .repo).isEmpty
    guard !known.contains(word.lowercased()), !isState else { return }
    warnings.append(
      QueryWarning(
        message:
          "no chosen provider knows \(qualifier.name):\(word); one that supports \(qualifier.name): gets it unchanged",
        hint: NearestName.hint(for: word, among: known) { "\(qualifier.name):\($0)" }
          ?? "known values: \(known.sorted().joined(separator: ", "))"))
  }

  private mutating func unknown(name: String, value: String, isQuoted: Bool) -> QueryTerm {
    let text = name + ":" + value
    // "https://…" and "std::vector" are words that contain a colon.
    if !value.isEmpty, !value.hasPrefix("/"), !value.hasPrefix(":") {
      warnings.append(
        QueryWarning(
          message: "\"\(name):\" is not a known qualifier; \"\(text)\" is searched for as a word",
          hint: NearestName.hint(for: name, among: vocabulary.names) { "\($0):\(value)" }
            ?? "put it in quotes to search for the word"))
    }
    return QueryTerm(text, isPhrase: isQuoted)
  }
}

extension QueryExpression {
  /// The qualifiers of a conjunction that has words, too; none of any other expression.
  fileprivate var qualifiersBesideWords: [QueryExpression] {
    guard case .and(let children) = self else { return [] }
    let qualifiers = children.filter { child in
      child.isQualifier
        && !child.leaves.contains { leaf in
          if case .qualifier(let qualifier) = leaf.expression {
            Qualifier.namesOfWholeQuery.contains(qualifier.name)
          } else {
            false
          }
        }
    }
    return qualifiers.count < children.count ? qualifiers : []
  }

  /// The parts of a conjunction without its qualifiers.
  fileprivate var withoutQualifiers: QueryExpression? {
    guard case .and(let children) = self else { return self }
    return QueryExpression.all(children.filter { !$0.isQualifier })
  }

  fileprivate var isQualifier: Bool {
    switch self {
    case .qualifier: true
    case .not(let inner): inner.isQualifier
    default: false
    }
  }
}
