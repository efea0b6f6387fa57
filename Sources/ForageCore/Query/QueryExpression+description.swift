extension QueryExpression: CustomStringConvertible {
  /// The expression in the query language; parsing it gives the same tree.
  public var description: String { text(Notation.standard) }

  /// How an expression is written for one reader.
  public struct Notation: Sendable {
    /// Renames a qualifier, for example `owner` to `user`.
    public var qualifierName: @Sendable (String) -> String
    /// Renames a qualifier's text value.
    public var qualifierValue: @Sendable (Qualifier) -> String

    /// Creates a notation.
    public init(
      qualifierName: @escaping @Sendable (String) -> String = { $0 },
      qualifierValue: @escaping @Sendable (Qualifier) -> String = { $0.value.description }
    ) {
      self.qualifierName = qualifierName
      self.qualifierValue = qualifierValue
    }

    /// The query language as the parser reads it.
    public static let standard = Notation()
  }

  /// The expression in a notation: negated text with `NOT`, negated qualifiers with `-`, alternatives in parentheses inside a conjunction.
  public func text(_ notation: Notation) -> String {
    switch self {
    case .term(let term): return term.description
    case .qualifier(let qualifier):
      return notation.qualifierName(qualifier.name) + ":" + notation.qualifierValue(qualifier)
    case .not(let child):
      switch child {
      case .term: return "NOT " + child.text(notation)
      case .qualifier: return "-" + child.text(notation)
      default: return "NOT (" + child.text(notation) + ")"
      }
    case .and(let children):
      return children.map { child in
        if case .or = child { "(" + child.text(notation) + ")" } else { child.text(notation) }
      }.joined(separator: " ")
    case .or(let children):
      return children.map { $0.text(notation) }.joined(separator: " OR ")
    }
  }
}

extension QueryTerm: CustomStringConvertible {
  /// The term as the parser reads it: quoted when it is a phrase or would otherwise mean something else.
  public var description: String { isPhrase ? QueryTerm.quoted(text) : text }

  /// The text in quotes, with quotes and backslashes escaped.
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
  /// The value as the parser reads it, quoted where it must be.
  public var description: String {
    switch self {
    case .text(let text): Self.written(text, separators: "")
    case .list(let texts): Self.written(texts)
    case .number(let bounds): bounds.notation(String.init)
    case .date(let bounds): bounds.notation(\.text)
    case .boolean(let flag): flag ? "true" : "false"
    }
  }

  /// Texts with commas between them, at least one in quotes: these tell a list from a text with commas.
  private static func written(_ texts: [String]) -> String {
    var parts = texts.map { written($0, separators: ",") }
    if let first = texts.first, !parts.contains(where: { $0.utf8.first == UInt8(ascii: "\"") }) {
      parts[0] = QueryTerm.quoted(first)
    }
    return parts.joined(separator: ",")
  }

  /// A text in quotes where it would be read otherwise without them.
  private static func written(_ text: String, separators: String) -> String {
    text.isEmpty
      || text.unicodeScalars.contains {
        $0.properties.isWhitespace || $0 == "\"" || $0 == "(" || $0 == ")"
          || separators.unicodeScalars.contains($0)
      }
      ? QueryTerm.quoted(text) : text
  }
}
