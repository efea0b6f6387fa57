import ForageCore
import Testing

@Suite struct ParserErrorTests {
  /// A rejected query, with a term that its message and its hint must name.
  struct Refusal: Sendable {
    var query: String
    var message: String
    var hint: String
    var range: Range<Int>

    init(_ query: String, _ message: String, _ hint: String, _ range: Range<Int>) {
      (self.query, self.message, self.hint, self.range) = (query, message, hint, range)
    }
  }

  private static func check(_ refusal: Refusal) {
    guard let error = #expect(throws: QueryError.self, performing: { try QueryParser().parse(refusal.query) })
    else { return }
    #expect(error.query == refusal.query)
    #expect(error.range == refusal.range)
    #expect(error.message.contains(refusal.message))
    #expect(error.hint.contains(refusal.hint))
  }

  static let structure: [Refusal] = [
    Refusal("", "empty", "search", 0..<0),
    Refusal(" \t\n", "empty", "search", 0..<0),
    Refusal("\"abc", "not closed", "\\\"", 0..<1),
    Refusal("foo \"abc", "not closed", "\\\"", 4..<5),
    Refusal("\"a\\\"", "not closed", "\\\"", 0..<1),
    Refusal("language:\"go", "not closed", "\\\"", 9..<10),
    Refusal("👨‍👩‍👧 é \"x", "not closed", "\\\"", 8..<9),
    Refusal("\"\"", "empty", "quotes", 0..<2),
    Refusal("a \"  \"", "empty", "quotes", 2..<6),
    Refusal("language:\"\"", "empty", "quotes", 9..<11),
    Refusal("()", "empty", "remove", 0..<1),
    Refusal("a ( ) b", "empty", "remove", 2..<3),
    Refusal("(a", "not closed", "close", 0..<1),
    Refusal("(", "not closed", "close", 0..<1),
    Refusal("a (b (c)", "not closed", "close", 2..<3),
    Refusal("-(", "not closed", "close", 1..<2),
    Refusal("a)", "closing parenthesis", "remove", 1..<2),
    Refusal(")", "closing parenthesis", "remove", 0..<1),
    Refusal("(a) b)", "closing parenthesis", "remove", 5..<6),
  ]

  @Test(arguments: structure) func quotesAndParentheses(refusal: Refusal) { Self.check(refusal) }

  @Test(
    arguments: [
      ("NOT", "NOT", 0..<3), ("a AND", "AND", 2..<5), ("a OR", "OR", 2..<4), ("a NOT", "NOT", 2..<5),
      ("(a OR", "OR", 3..<5), ("a AND NOT", "NOT", 6..<9),
    ] as [(String, String, Range<Int>)])
  func nothingAfter(query: String, name: String, range: Range<Int>) {
    Self.check(
      Refusal(
        query, "after \(name)", "put \(name) in quotes", range))
  }

  @Test(
    arguments: [
      ("AND a", "AND", 0..<3), ("OR a", "OR", 0..<2), ("a AND AND b", "AND", 6..<9),
      ("a OR OR b", "OR", 5..<7), ("NOT AND a", "AND", 4..<7), ("a AND OR b", "OR", 6..<8),
      ("a OR AND b", "AND", 5..<8), ("(OR a)", "OR", 1..<3), ("-OR", "OR", 1..<3),
    ] as [(String, String, Range<Int>)])
  func nothingBefore(query: String, name: String, range: Range<Int>) {
    Self.check(
      Refusal(
        query, "before \(name)", "put \(name) in quotes", range))
  }

  @Test(arguments: [
    ("language", "language:swift"), ("topic", "topic:word"), ("stars", "stars:>100"),
    ("created", "created:>=2024-01-31"), ("archived", "archived:true"), ("fork", "fork:true"),
    ("props.team", "props.team:word"),
  ])
  func noValue(name: String, example: String) {
    let range = 2..<(name.count + 3)
    for tail in ["", " x", "(x)"] {
      Self.check(Refusal("a \(name):\(tail)", "\(name):", example, range))
    }
  }

  @Test(arguments: [
    "many", "1.5", ">", ">=", "1..x", "..5", "5..", "1...5", "1..2..3", "99999999999999999999", "*", "=5",
    "> 5",
    "٣", "0x10",
  ])
  func badNumber(value: String) {
    // A blank ends a value that is not quoted.
    let shown = value.prefix { $0 != " " }
    Self.check(
      Refusal(
        "stars:\(value)", "\"\(shown)\"",
        "stars:10..50", 6..<(6 + shown.count)))
  }

  @Test(arguments: [
    "2024-02-30", "2023-02-29", "2024-13-01", "2024-1-1", "yesterday", ">", "2024", "2024-01-01..soon",
    "2024-01-01T25:00", "01/02/2024",
  ])
  func badDate(value: String) {
    Self.check(
      Refusal(
        "created:\(value)", "\"\(value)\"",
        "created:2024-01-01..2024-12-31", 8..<(8 + value.count)))
  }

  static let values: [Refusal] = [
    Refusal("stars:*..*", "stars:", "stars:10..50", 6..<10),
    Refusal("pushed:*..*", "pushed:", "pushed:2024-01-01..2024-12-31", 7..<11),
    Refusal("stars:50..10", "\"50..10\"", "swap", 6..<12),
    Refusal("x created:2024-02-01..2024-01-31", "\"2024-02-01..2024-01-31\"", "swap", 10..<32),
    Refusal("archived:yes", "\"yes\"", "archived:true", 9..<12),
    Refusal("-archived:\"1\"", "\"1\"", "archived:true", 10..<13),
    Refusal("fork:maybe", "\"maybe\"", "true, false, only", 5..<10),
  ]

  @Test(arguments: values) func badValues(refusal: Refusal) { Self.check(refusal) }

  @Test func nestingLimit() throws {
    func nested(_ levels: Int) -> String {
      String(repeating: "(", count: levels) + "a" + String(repeating: ")", count: levels)
    }
    #expect(try parsed(nested(64)) == word("a"))
    Self.check(Refusal(nested(65), "64 levels", "parentheses", 64..<65))
    let negations = String(repeating: "NOT ", count: 64)
    #expect(try parsed(negations + "a") == word("a"))
    Self.check(Refusal(negations + "NOT a", "64 levels", "parentheses", 256..<259))
  }

  @Test(arguments: ["(", "NOT ", "-(", "NOT (", "(a OR ", "a ("])
  func tenThousandLevelsAreAnErrorAndNoCrash(part: String) throws {
    let query = String(repeating: part, count: 10_000) + "a"
    let error = try #require(throws: QueryError.self) { try QueryParser().parse(query) }
    #expect(error.message.contains("64 levels"))
  }

  @Test func longQueries() throws {
    let count = 20_000
    #expect(try parsed(String(repeating: "a ", count: count)).conjuncts.count == count)
    #expect(try parsed(String(repeating: "-", count: count)) == word(String(repeating: "-", count: count)))
    let alternatives = try parsed(Array(repeating: "a", count: count).joined(separator: " OR "))
    #expect(alternatives.leaves.count == count)
    #expect(throws: QueryError.self) { try parsed(String(repeating: ")", count: count)) }
    #expect(throws: QueryError.self) { try parsed(String(repeating: "\"", count: count + 1)) }
  }
}
