package import ForagePlatform

/// One node of a parsed search query.
///
/// A tree that the parser returns is canonical: `and` and `or` have at least two children, `and` has no `and`
/// child, `or` has no `or` child, and `not` has no `not` child. Printing such a tree (`description`) and
/// parsing it again gives the same tree.
public indirect enum QueryExpression: Hashable, Sendable {
  /// A word, a quoted phrase or a regular expression that must occur in the item's text.
  case term(QueryTerm)
  /// A typed condition on one property of the item.
  case qualifier(Qualifier)
  /// The negation of its child.
  case not(QueryExpression)
  /// All children hold; of several that are `repo:`, `org:`, `user:` or `owner:` one.
  case and([QueryExpression])
  /// At least one child holds.
  case or([QueryExpression])
}

/// A word, a phrase or a regular expression of a query.
public struct QueryTerm: Hashable, Sendable {
  /// The text to match, without quotes; for an expression its source without the enclosing slashes. Never
  /// empty.
  public var text: String
  /// Whether the text was quoted, so that its words must be adjacent.
  public var isPhrase: Bool
  /// Whether the text is a regular expression in the syntax of PCRE2.
  public var isExpression: Bool

  /// Creates a term.
  public init(_ text: String, isPhrase: Bool = false, isExpression: Bool = false) {
    self.text = text
    self.isPhrase = isPhrase
    self.isExpression = isExpression
  }
}

/// A condition `name:value` of a query.
public struct Qualifier: Hashable, Sendable {
  /// The name in lower case, for example `stars`.
  public var name: String
  /// The value, typed by the qualifier's definition.
  public var value: QualifierValue
  /// What was written in place of the value, where that has names of repositories for it; `nil` for the value
  /// itself.
  package var written: QualifierValue?
  /// The paths of the clones in the catalogue that `repo:` means; `nil` where the catalogue was not asked.
  package var clones: Set<ExactText>?

  /// Creates a qualifier.
  public init(_ name: String, _ value: QualifierValue) {
    self.name = name
    self.value = value
  }
}

extension Qualifier {
  /// The qualifiers that hold for a whole query, wherever they stand.
  static let namesOfWholeQuery: Set = ["case", "in", "ref", "symbol-kind"]

  /// The qualifiers that name repositories, and the accounts that repositories belong to.
  package static let namesOfScopes: Set = ["repo", "user", "org", "owner"]

  /// The qualifiers of code search whose value can be a regular expression between slashes.
  static let namesOfPatterns: Set = ["symbol", "uses", "content"]

  /// The regular expression that the value is; `nil` for any other value.
  package var expression: String? {
    guard Self.namesOfPatterns.contains(name), case .text(let text) = value, text.utf8.count > 2,
      text.hasPrefix("/"), text.hasSuffix("/")
    else { return nil }
    return String(text.dropFirst().dropLast())
  }

  /// Whether it is a pattern with `*` or `?` of paths, names of files or their extensions.
  package var isPathPattern: Bool {
    ["path", "filename", "extension"].contains(name) && valueText.contains { $0 == "*" || $0 == "?" }
  }

  /// The value in the query language. A slash that begins no regular expression follows a backslash, as in a
  /// word.
  public var valueText: String {
    let text = value.description
    return Self.namesOfPatterns.contains(name) && !QueryLexer.isExpression(text)
      ? QueryLexer.escapingSlash(text) : text
  }

  /// `content:` as the word that it is in a search for code; any other qualifier as it is.
  package var asContent: QueryExpression {
    guard name == "content", case .text(let text) = value else { return .qualifier(self) }
    if let expression { return .term(QueryTerm(expression, isExpression: true)) }
    return .term(QueryTerm(text, isPhrase: text.contains(where: \.isWhitespace)))
  }
}

/// The value of a qualifier.
public enum QualifierValue: Hashable, Sendable {
  /// Free text, for example `swift` in `language:swift`.
  case text(String)
  /// Alternatives, written as `label:"a b",c`; never empty.
  ///
  /// The parser uses this case only when a value is quoted and there are several values, or one that contains
  /// a comma.
  case list([String])
  /// A whole number or a range of them.
  case number(Bounds<Int>)
  /// A date, a time, or a range of them.
  case date(Bounds<DatePoint>)
  /// `true` or `false`.
  case boolean(Bool)

  /// The text, or the alternatives; none for other values.
  package var texts: [String] {
    switch self {
    case .text(let text): [text]
    case .list(let texts): texts
    case .number, .date, .boolean: []
    }
  }
}

extension QueryExpression {
  /// A flattened conjunction of `parts`; `nil` for no parts, the part itself for one.
  public static func all(_ parts: [QueryExpression]) -> QueryExpression? {
    combine(parts, wrap: QueryExpression.and) { if case .and(let inner) = $0 { inner } else { nil } }
  }

  /// A flattened disjunction of `parts`; `nil` for no parts, the part itself for one.
  public static func any(_ parts: [QueryExpression]) -> QueryExpression? {
    combine(parts, wrap: QueryExpression.or) { if case .or(let inner) = $0 { inner } else { nil } }
  }

  /// The negation of `part`; a double negation is removed.
  public static func negation(of part: QueryExpression) -> QueryExpression {
    if case .not(let inner) = part { inner } else { .not(part) }
  }

  private static func combine(
    _ parts: [QueryExpression], wrap: ([QueryExpression]) -> QueryExpression,
    unwrap: (QueryExpression) -> [QueryExpression]?
  ) -> QueryExpression? {
    let flat = parts.flatMap { unwrap($0) ?? [$0] }
    return flat.count > 1 ? wrap(flat) : flat.first
  }

  /// The children of a conjunction, or the expression itself.
  public var conjuncts: [QueryExpression] {
    if case .and(let children) = self { children } else { [self] }
  }

  /// Whether it is a repository or an account to search in.
  package var isScope: Bool {
    guard case .qualifier(let qualifier) = self else { return false }
    return Qualifier.namesOfScopes.contains(qualifier.name)
  }

  /// The children of a conjunction; several scopes among them are alternatives, as on GitHub, and become one
  /// child.
  package static func unitingScopes(_ children: [QueryExpression]) -> [QueryExpression] {
    let scopes = children.filter(\.isScope)
    guard scopes.count > 1, let place = children.firstIndex(where: \.isScope) else { return children }
    var united = children.filter { !$0.isScope }
    united.insert(.or(scopes), at: place)
    return united
  }

  /// The expression with `OR` between the scopes of each conjunction.
  package var unitingScopes: QueryExpression {
    switch self {
    case .term, .qualifier: self
    case .not(let child): .not(child.unitingScopes)
    case .and(let children): QueryExpression.all(Self.unitingScopes(children).map(\.unitingScopes)) ?? self
    case .or(let children): QueryExpression.any(children.map(\.unitingScopes)) ?? self
    }
  }

  /// Some of the conjuncts; where one of the scopes is among them, all of these, of which one alone says
  /// nothing.
  package func conjuncts(where isChosen: (QueryExpression) -> Bool) -> [QueryExpression] {
    let choosesScopes = conjuncts.contains { $0.isScope && isChosen($0) }
    return conjuncts.filter { isChosen($0) || choosesScopes && $0.isScope }
  }

  /// An equivalent expression with `not` only before terms and qualifiers (negation normal form).
  public var negationNormalForm: QueryExpression { normalised(negated: false) }

  private func normalised(negated: Bool) -> QueryExpression {
    switch self {
    case .term, .qualifier: negated ? .not(self) : self
    case .not(let child): child.normalised(negated: !negated)
    case .and(let children), .or(let children):
      {
        var (isConjunction, children) = (negated, children)
        if case .and = self {
          isConjunction = !negated
          // None of several scopes is what is left without all of them.
          if negated { children = Self.unitingScopes(children) }
        }
        let parts = children.map { $0.normalised(negated: negated) }
        return (isConjunction ? QueryExpression.all(parts) : QueryExpression.any(parts)) ?? self
      }()
    }
  }

  /// All terms and qualifiers from left to right, with whether an odd number of `not` encloses each.
  public var leaves: [(expression: QueryExpression, isNegated: Bool)] { leaves(negated: false) }

  private func leaves(negated: Bool) -> [(expression: QueryExpression, isNegated: Bool)] {
    switch self {
    case .term, .qualifier: [(self, negated)]
    case .not(let child): child.leaves(negated: !negated)
    case .and(let children), .or(let children): children.flatMap { $0.leaves(negated: negated) }
    }
  }

  /// The expression with another one in place of each qualifier.
  public func replacingQualifiers(
    _ replacement: (Qualifier) throws -> QueryExpression
  ) rethrows -> QueryExpression {
    switch self {
    case .term: self
    case .qualifier(let qualifier): try replacement(qualifier)
    case .not(let child): .not(try child.replacingQualifiers(replacement))
    case .and(let children): .and(try children.map { try $0.replacingQualifiers(replacement) })
    case .or(let children): .or(try children.map { try $0.replacingQualifiers(replacement) })
    }
  }

  /// All qualifiers from left to right, negated ones included.
  public var qualifiers: [Qualifier] {
    leaves.compactMap { if case .qualifier(let qualifier) = $0.expression { qualifier } else { nil } }
  }

  /// The words and phrases that are not negated, from left to right.
  public var positiveTerms: [QueryTerm] {
    leaves.compactMap { leaf in
      if case .term(let term) = leaf.expression, !leaf.isNegated { term } else { nil }
    }
  }

  /// Whether the expression contains an `or`.
  public var hasDisjunction: Bool {
    switch self {
    case .term, .qualifier: false
    case .not(let child): child.hasDisjunction
    case .and(let children): children.contains(where: \.hasDisjunction)
    case .or: true
    }
  }
}

extension QueryExpression: CustomStringConvertible {
  /// The expression in the query language. Parsing it returns the same tree.
  public var description: String { text(in: .standard) }

  /// How qualifiers are spelled in the query language of one service.
  public struct Notation: Sendable {
    /// Maps a qualifier's name, for example `owner` to `user`.
    public var qualifierName: @Sendable (String) -> String
    /// The text of a qualifier's value.
    public var qualifierValue: @Sendable (Qualifier) -> String
    /// The text of a word, a phrase or a regular expression.
    public var term: @Sendable (QueryTerm) -> String

    /// Creates a notation; what is not given is as in Forage's query language.
    public init(
      qualifierName: @escaping @Sendable (String) -> String = { $0 },
      qualifierValue: @escaping @Sendable (Qualifier) -> String = { $0.valueText },
      term: @escaping @Sendable (QueryTerm) -> String = { $0.description }
    ) {
      self.qualifierName = qualifierName
      self.qualifierValue = qualifierValue
      self.term = term
    }

    /// The notation of Forage's query language.
    public static let standard = Notation()
  }

  /// The expression in a notation: `NOT` before negated text, `-` before negated qualifiers, and parentheses
  /// around alternatives inside a conjunction.
  public func text(in notation: Notation) -> String {
    switch self {
    case .term(let term): return notation.term(term)
    case .qualifier(let qualifier):
      return notation.qualifierName(qualifier.name) + ":" + notation.qualifierValue(qualifier)
    case .not(let child):
      switch child {
      case .term: return "NOT " + child.text(in: notation)
      case .qualifier: return "-" + child.text(in: notation)
      default: return "NOT (" + child.text(in: notation) + ")"
      }
    case .and(let children):
      return children.map { child in
        if case .or = child { "(" + child.text(in: notation) + ")" } else { child.text(in: notation) }
      }.joined(separator: " ")
    case .or(let children):
      return children.map { $0.text(in: notation) }.joined(separator: " OR ")
    }
  }
}

extension QueryTerm: CustomStringConvertible {
  /// The term in the query language: a phrase in quotes, a regular expression between slashes, and a word
  /// that begins with a slash after a backslash, because another slash further on would make it an
  /// expression.
  public var description: String {
    isPhrase || isExpression ? unescaped : QueryLexer.escapingSlash(text)
  }

  /// The term as a query has it, without the backslash before a first slash: a phrase keeps its quotes, a
  /// regular expression its slashes. For a service that has no such quotes send ``text``.
  public var unescaped: String {
    isExpression ? "/" + text + "/" : isPhrase ? QueryTerm.quoted(text) : text
  }

  /// The text in double quotes, with quotes and backslashes escaped.
  public static func quoted(_ text: String) -> String {
    var result = String.UnicodeScalarView("\"".unicodeScalars)
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { result.append("\\") }
      result.append(scalar)
    }
    result.append("\"")
    return String(result)
  }
}

extension QualifierValue: CustomStringConvertible {
  /// The value in the query language, quoted where necessary.
  public var description: String {
    switch self {
    case .text(let text): Self.written(text, separators: "")
    case .list(let texts): Self.written(texts)
    case .number(let bounds): bounds.notation(String.init)
    case .date(let bounds): bounds.notation(\.text)
    case .boolean(let flag): flag ? "true" : "false"
    }
  }

  /// Joins texts with commas and quotes at least one of them, which distinguishes a list from a text that
  /// contains commas.
  private static func written(_ texts: [String]) -> String {
    var parts = texts.map { written($0, separators: ",") }
    if let first = texts.first, !parts.contains(where: { $0.utf8.first == UInt8(ascii: "\"") }) {
      parts[0] = QueryTerm.quoted(first)
    }
    return parts.joined(separator: ",")
  }

  /// A text, quoted if the parser would read it differently without quotes.
  private static func written(_ text: String, separators: String) -> String {
    text.isEmpty
      || text.unicodeScalars.contains {
        $0.properties.isWhitespace || $0 == "\"" || $0 == "(" || $0 == ")"
          || separators.unicodeScalars.contains($0)
      }
      ? QueryTerm.quoted(text) : text
  }
}
