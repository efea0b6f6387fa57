extension QueryExpression: CustomStringConvertible {
  /// The expression in the query language. Parsing it returns the same tree.
  public var description: String { text(Notation.standard) }

  /// How qualifiers are spelled in the query language of one service.
  package struct Notation: Sendable {
    /// Maps a qualifier's name, for example `owner` to `user`.
    package var qualifierName: @Sendable (String) -> String
    package var qualifierValue: @Sendable (Qualifier) -> String

    package init(
      qualifierName: @escaping @Sendable (String) -> String = { $0 },
      qualifierValue: @escaping @Sendable (Qualifier) -> String = { $0.value.description }
    ) {
      self.qualifierName = qualifierName
      self.qualifierValue = qualifierValue
    }

    /// The notation of Forage's query language.
    package static let standard = Notation()
  }

  /// The expression in a notation: `NOT` before negated text, `-` before negated qualifiers, and parentheses
  /// around alternatives inside a conjunction.
  package func text(_ notation: Notation) -> String {
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
  /// The term in the query language: a phrase in quotes, a regular expression between slashes.
  public var description: String {
    isExpression ? "/" + text + "/" : isPhrase ? QueryTerm.quoted(text) : text
  }

  /// The text in double quotes, with quotes and backslashes escaped.
  package static func quoted(_ text: String) -> String {
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
