import ForageCore

extension GrepPatterns {
  /// The condition on the trigrams of a text that matches, in any case and over several lines.
  var formula: TrigramFormula {
    if texts.isEmpty { return .all }
    return .disjunction(
      texts.map { text in
        switch syntax {
        case .literal: .literal(text.unicodeScalars, ignoresCase: true)
        case .rust:
          ExpressionTrigrams.formula(text, ignoresCase: true, crossesLines: true, syntax: .rust)
        case .pcre2: ExpressionTrigrams.formula(text, ignoresCase: true, crossesLines: true)
        }
      })
  }
}
