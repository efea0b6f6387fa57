import ForageCore
import TestSupport
import Testing

@testable import ForageLocal

/// The trigrams that are required of a text.
@Suite struct TrigramTests {
  static let formulas: [(String, String?)] = [
    ("abc", "\"abc\""),
    ("abcd", "(\"abc\" AND \"bcd\")"),
    ("ab", nil),
    ("a.c", nil),
    ("abc|xyz", "(\"abc\" OR \"xyz\")"),
    ("abc|x", nil),
    ("(abc)+", "\"abc\""),
    ("(abc)*", nil),
    ("abc\\d+def", "(\"abc\" AND \"def\")"),
    ("a[bc]d", "(\"abd\" OR \"acd\")"),
    ("^foo$", "\"foo\""),
    ("foo(?=bar)", "\"foo\""),
    ("foo(?#comment)bar", nil),
    ("(?x) a b c", nil),
    ("(abc)\\1", nil),
    ("a\\.cd", "(\"a.c\" AND \".cd\")"),
    ("abc\\N{U+61}def", "(\"abc\" AND \"def\")"),
    ("abc\\N{2}def", "(\"abc\" AND \"def\")"),
    ("x{3}abc", "(\"xab\" AND \"abc\")"),
    ("日本語", "\"日本語\""),
    ("abc\\n?", "\"abc\""), ("(\\n|abc)", "\"abc\""), ("abc(?!\\n)", "\"abc\""),
    ("abc[\\nd]", "(\"abc\" AND \"bcd\")"),
  ]

  @Test(arguments: formulas) func ofExpressions(expression: String, expected: String?) {
    let formula = ExpressionTrigrams.formula(expression, ignoresCase: true)
    let parts = formula.expression.map {
      Set($0.split(separator: " ").map { $0.filter { !"()".contains($0) } })
    }
    let wanted = expected.map {
      Set($0.split(separator: " ").map { $0.filter { !"()".contains($0) } }.map(Self.term))
    }
    #expect(parts == wanted, "\(formula)")
  }

  @Test(arguments: [
    ("a\\nb", true), ("é\nb", true), ("(a|b)\\n+", true), ("[\\n]", true), ("a\\\\nb", false),
    ("a[^\\n]b", false),
    ("a\\n*b", false), ("(a\\n|b)", false), ("a\\R", false), ("(?<!\\n)a", false), ("[\\nb]", false),
  ])
  func expressionsThatNeedALineBreak(_ expression: String, _ isNothing: Bool) {
    #expect(QueryTerm(expression, isExpression: true).matchesNoLine == isNothing, "\(expression)")
    #expect(!QueryTerm(expression).matchesNoLine)
  }

  /// A quoted trigram as the index has it; operators stay.
  private static func term(_ part: String) -> String {
    part.first == "\"" ? "\"" + TrigramTerms.term(part.dropFirst().dropLast().unicodeScalars) + "\"" : part
  }

  /// The terms that the index gets of a text.
  private static func terms(_ text: String) -> Set<String> {
    let found = Array(text.utf8).withUnsafeBytes { TrigramTerms.distinct(in: $0) }
    let terms = String(decoding: found, as: UTF8.self).split(separator: " ").map(String.init)
    #expect(Set(terms).count == terms.count)
    return Set(terms)
  }

  @Test func termsOfAText() {
    let pairs: [(String, [String])] = [
      ("", []), ("ab", []), ("abc", ["abc"]), ("aBCd", ["abc", "bcd"]), ("ab\ncd", []),
      ("ab\ncde\n", ["cde"]),
      ("ab\0c", ["ab\0", "b\0c"]), ("abcabcabc", ["abc", "bca", "cab"]), ("É日x", ["é日X"]),
      ("ſtruct", ["str", "tru", "ruc", "uct"]), ("ΣΑΣ", ["σας"]), ("\u{212A}ey", ["key"]),
    ]
    for (text, expected) in pairs {
      #expect(Self.terms(text) == Set(expected.map { TrigramTerms.term($0.unicodeScalars) }), "\(text)")
    }
    #expect(TrigramTerms.term("abc".unicodeScalars) != TrigramTerms.term("abd".unicodeScalars))
    #expect(TrigramTerms.term("\u{7F}\u{7F}\u{7F}".unicodeScalars).count == 5)
  }

  /// What PCRE2 takes for the same character is the same character of the index.
  @Test func foldingIsAsCoarseAsMatching() throws {
    for value in UInt32(0x80)..<0x530 {
      guard let scalar = Unicode.Scalar(value), scalar.properties.changesWhenCaseMapped else { continue }
      let others = [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping]
      let pattern = try CodePattern(PatternSource(text: String(scalar), kind: .expression, ignoresCase: true))
      for other in others where other.unicodeScalars.count == 1 {
        guard try Array(other.utf8).withUnsafeBytes({ try pattern.match(in: $0, from: 0) }) != nil else {
          continue
        }
        let first = try #require(other.unicodeScalars.first)
        #expect(TrigramTerms.folded(first) == TrigramTerms.folded(scalar), "\(scalar) \(other)")
      }
    }
  }

  /// Whether a text fulfils a formula, in which case is ignored.
  private static func holds(_ formula: TrigramFormula, in text: String) -> Bool {
    switch formula {
    case .all: true
    case .none: false
    case .trigram(let trigram): terms(text).contains(TrigramTerms.term(trigram.unicodeScalars))
    case .and(let parts): parts.allSatisfy { holds($0, in: text) }
    case .or(let parts): parts.contains { holds($0, in: text) }
    }
  }

  /// Whatever matches fulfils the formula. A few of the expressions are catastrophic, such as `(((.)*)*)*c`;
  /// what ends at the limit of steps has no answer.
  @Test func everyMatchFulfilsTheFormula() throws {
    var random = SeededGenerator(seed: propertySeed())
    let letters = ["a", "b", "c", "é", "\u{301}", "日"]
    func expression(_ depth: Int) -> String {
      switch Int.random(in: 0..<(depth == 0 ? 4 : 10), using: &random) {
      case 0: return random.pick(letters)
      case 1: return random.pick(letters) + random.pick(letters) + random.pick(letters)
      case 2: return random.pick(["[ab]", "[ab]", "[a\\n]", "\\n"])
      case 3: return "."
      case 4: return expression(depth - 1) + expression(depth - 1)
      case 5: return "(?:" + expression(depth - 1) + "|" + expression(depth - 1) + ")"
      case 6: return "(" + expression(depth - 1) + ")*"
      case 7: return "(?:" + expression(depth - 1) + ")+"
      case 8: return "(?:" + expression(depth - 1) + "){1,2}"
      default: return "(?:" + expression(depth - 1) + ")?" + expression(depth - 1)
      }
    }
    var (answers, unanswered) = (0, 0)
    for _ in 0..<3_000 {
      let source = expression(4)
      let pattern = try CodePattern(PatternSource(text: source, kind: .expression, ignoresCase: true))
      let formula = ExpressionTrigrams.formula(source, ignoresCase: true)
      for _ in 0..<8 {
        let text = (0..<Int.random(in: 0..<12, using: &random)).map { _ in random.pick(letters + ["B", "É"]) }
          .joined()
        let bytes = Array(text.utf8)
        do {
          let isMatch = try bytes.withUnsafeBytes { try pattern.match(in: $0, from: 0) } != nil
          #expect(!isMatch || Self.holds(formula, in: text), "/\(source)/ in \(text): \(formula)")
          answers += 1
        } catch CodePattern.Failure.limit {
          unanswered += 1
        }
      }
    }
    #expect(unanswered * 100 < answers, "\(unanswered) of \(answers + unanswered) have no answer")
  }
}
