/// One node of a parsed search query.
///
/// A tree that the parser returns is canonical: `and` and `or` have at least two children, `and` has no `and` child,
/// `or` has no `or` child, and `not` has no `not` child. Printing such a tree (`description`) and parsing it again gives the same tree.
public indirect enum QueryExpression: Hashable, Sendable {
  /// A word, a quoted phrase or a regular expression that must occur in the item's text.
  case term(QueryTerm)
  /// A typed condition on one property of the item.
  case qualifier(Qualifier)
  /// The negation of its child.
  case not(QueryExpression)
  /// All children hold.
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

  /// Creates a qualifier.
  public init(_ name: String, _ value: QualifierValue) {
    self.name = name
    self.value = value
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
}

extension QueryExpression {
  /// A flattened conjunction of `parts`; `nil` for no parts, the part itself for one.
  package static func all(_ parts: [QueryExpression]) -> QueryExpression? {
    combine(parts, wrap: QueryExpression.and) { if case .and(let inner) = $0 { inner } else { nil } }
  }

  /// A flattened disjunction of `parts`; `nil` for no parts, the part itself for one.
  package static func any(_ parts: [QueryExpression]) -> QueryExpression? {
    combine(parts, wrap: QueryExpression.or) { if case .or(let inner) = $0 { inner } else { nil } }
  }

  /// The negation of `part`; a double negation is removed.
  package static func negation(of part: QueryExpression) -> QueryExpression {
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

  /// An equivalent expression with `not` only before terms and qualifiers (negation normal form).
  public var negationNormalForm: QueryExpression { normalised(negated: false) }

  private func normalised(negated: Bool) -> QueryExpression {
    switch self {
    case .term, .qualifier: negated ? .not(self) : self
    case .not(let child): child.normalised(negated: !negated)
    case .and(let children), .or(let children):
      {
        let parts = children.map { $0.normalised(negated: negated) }
        var isConjunction = negated
        if case .and = self { isConjunction = !negated }
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

  /// All qualifiers from left to right, negated ones included.
  package var qualifiers: [Qualifier] {
    leaves.compactMap { if case .qualifier(let qualifier) = $0.expression { qualifier } else { nil } }
  }

  /// The words and phrases that are not negated, from left to right.
  public var positiveTerms: [QueryTerm] {
    leaves.compactMap { leaf in
      if case .term(let term) = leaf.expression, !leaf.isNegated { term } else { nil }
    }
  }

  /// Whether the expression contains a regular expression.
  package var hasExpression: Bool {
    leaves.contains { if case .term(let term) = $0.expression { term.isExpression } else { false } }
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
