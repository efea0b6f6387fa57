import ForageCore
import Testing

@Suite struct ParserErrorTests {
  /// A query that is refused, and how.
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
    let expected = QueryError(
      message: refusal.message, hint: refusal.hint, query: refusal.query, range: refusal.range)
    #expect(throws: expected) { try QueryParser().parse(refusal.query) }
  }

  private static let emptyHint =
    "say what to look for, for example: forage search \"http client language:swift\""
  private static let quoteHint = "close the phrase with \" (a quote inside a phrase is written \\\")"
  private static let nothingHint = "write the phrase between the quotes, or leave them out"
  private static let openHint = "close it, or put it in quotes to search for it"
  private static let closeHint = "remove it, or put it in quotes to search for it"

  static let structure: [Refusal] = [
    Refusal("", "the query is empty", emptyHint, 0..<0),
    Refusal(" \t\n", "the query is empty", emptyHint, 0..<0),
    Refusal("\"abc", "the quote is never closed", quoteHint, 0..<1),
    Refusal("foo \"abc", "the quote is never closed", quoteHint, 4..<5),
    Refusal("\"a\\\"", "the quote is never closed", quoteHint, 0..<1),
    Refusal("language:\"go", "the quote is never closed", quoteHint, 9..<10),
    Refusal("👨‍👩‍👧 é \"x", "the quote is never closed", quoteHint, 8..<9),
    Refusal("\"\"", "there is nothing between the quotes", nothingHint, 0..<2),
    Refusal("a \"  \"", "there is nothing between the quotes", nothingHint, 2..<6),
    Refusal("language:\"\"", "there is nothing between the quotes", nothingHint, 9..<11),
    Refusal("()", "the parentheses are empty", "remove them, or put them in quotes", 0..<1),
    Refusal("a ( ) b", "the parentheses are empty", "remove them, or put them in quotes", 2..<3),
    Refusal("(a", "this parenthesis is never closed", openHint, 0..<1),
    Refusal("(", "this parenthesis is never closed", openHint, 0..<1),
    Refusal("a (b (c)", "this parenthesis is never closed", openHint, 2..<3),
    Refusal("-(", "this parenthesis is never closed", openHint, 1..<2),
    Refusal("a)", "this parenthesis closes nothing", closeHint, 1..<2),
    Refusal(")", "this parenthesis closes nothing", closeHint, 0..<1),
    Refusal("(a) b)", "this parenthesis closes nothing", closeHint, 5..<6),
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
        query, "something is missing after \(name)",
        "write a word, or put \(name) in quotes to search for it", range))
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
        query, "something is missing before \(name)",
        "write a word on both sides, or put \(name) in quotes to search for it", range))
  }

  @Test(arguments: [
    ("language", "language:swift"), ("topic", "topic:word"), ("stars", "stars:>100"),
    ("created", "created:>=2024-01-31"), ("archived", "archived:true"), ("fork", "fork:true"),
    ("props.team", "props.team:word"),
  ])
  func noValue(name: String, example: String) {
    let hint = "write it directly behind the colon, for example \(example)"
    let range = 2..<(name.count + 3)
    for tail in ["", " x", "(x)"] {
      Self.check(Refusal("a \(name):\(tail)", "\(name): has no value", hint, range))
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
        "stars:\(value)", "stars: takes a whole number or a range of them, not \"\(shown)\"",
        "for example stars:>100, or stars:10..50", 6..<(6 + shown.count)))
  }

  @Test(arguments: [
    "2024-02-30", "2023-02-29", "2024-13-01", "2024-1-1", "yesterday", ">", "2024", "2024-01-01..soon",
    "2024-01-01T25:00", "01/02/2024",
  ])
  func badDate(value: String) {
    Self.check(
      Refusal(
        "created:\(value)", "created: takes a date such as 2024-01-31, or a range of them, not \"\(value)\"",
        "for example created:>=2024-01-31, or created:2024-01-01..2024-12-31", 8..<(8 + value.count)))
  }

  static let values: [Refusal] = [
    Refusal(
      "stars:*..*", "stars: the range has no bound", "leave the qualifier out, or write stars:10..50",
      6..<10),
    Refusal(
      "pushed:*..*", "pushed: the range has no bound",
      "leave the qualifier out, or write pushed:2024-01-01..2024-12-31", 7..<11),
    Refusal(
      "stars:50..10", "stars: the range \"50..10\" is impossible, it ends before it begins", "swap its ends",
      6..<12),
    Refusal(
      "x created:2024-02-01..2024-01-31",
      "created: the range \"2024-02-01..2024-01-31\" is impossible, it ends before it begins",
      "swap its ends",
      10..<32),
    Refusal(
      "archived:yes", "archived: takes true or false, not \"yes\"", "for example archived:true", 9..<12),
    Refusal(
      "-archived:\"1\"", "archived: takes true or false, not \"1\"", "for example archived:true", 10..<13),
    Refusal("fork:maybe", "fork: does not take \"maybe\"", "use one of: true, false, only", 5..<10),
  ]

  @Test(arguments: values) func badValues(refusal: Refusal) { Self.check(refusal) }

  private static let deepMessage = "the query nests deeper than 64 levels"
  private static let deepHint = "write it with fewer parentheses"

  @Test func nestingLimit() throws {
    func nested(_ levels: Int) -> String {
      String(repeating: "(", count: levels) + "a" + String(repeating: ")", count: levels)
    }
    #expect(try parsed(nested(64)) == word("a"))
    Self.check(Refusal(nested(65), Self.deepMessage, Self.deepHint, 64..<65))
    let negations = String(repeating: "NOT ", count: 64)
    #expect(try parsed(negations + "a") == word("a"))
    Self.check(Refusal(negations + "NOT a", Self.deepMessage, Self.deepHint, 256..<259))
  }

  @Test(arguments: ["(", "NOT ", "-(", "NOT (", "(a OR ", "a ("])
  func tenThousandLevelsAreAnErrorAndNoCrash(part: String) throws {
    let query = String(repeating: part, count: 10_000) + "a"
    let error = try #require(throws: QueryError.self) { try QueryParser().parse(query) }
    #expect(error.message == Self.deepMessage)
    #expect(error.hint == Self.deepHint)
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
