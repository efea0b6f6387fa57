import ForageCore
import Testing

@Suite struct ParserTests {
  static let words: [(String, QueryExpression)] = [
    ("swift", word("swift")),
    ("  swift\t", word("swift")),
    ("http client", .and([word("http"), word("client")])),
    ("and or not", .and([word("and"), word("or"), word("not")])),
    ("\"http client\"", phrase("http client")),
    ("\"AND\"", phrase("AND")),
    ("\"a \\\" b\"", phrase("a \" b")),
    ("\"a \\\\ b\"", phrase("a \\ b")),
    ("\"a \\n b\"", phrase("a \\n b")),
    ("\" a \"", phrase(" a ")),
    ("a\"b\"c", .and([word("a"), phrase("b"), word("c")])),
    ("a\nb\r\nc\u{2028}d", .and([word("a"), word("b"), word("c"), word("d")])),
    ("a\u{a0}b", .and([word("a"), word("b")])),
    ("std::vector", word("std::vector")),
    ("https://example.com/a?b=c", word("https://example.com/a?b=c")),
    ("C:", word("C:")),
    (":x", word(":x")),
    ("12:30", word("12:30")),
    ("c++ c# f*", .and([word("c++"), word("c#"), word("f*")])),
    ("-", word("-")),
    ("a - b", .and([word("a"), word("-"), word("b")])),
    ("--flag", word("--flag")),
    ("a-b", word("a-b")),
    ("日本語 é", .and([word("日本語"), word("é")])),
    ("unheard:of", word("unheard:of")),
    ("unheard:\"of it\"", phrase("unheard:of it")),
  ]

  @Test(arguments: words) func wordsAndPhrases(query: String, expected: QueryExpression) throws {
    #expect(try parsed(query) == expected)
  }

  /// `sort:` is an order, not a condition.
  @Test(
    arguments: [
      ("a sort:stars", "stars", nil), ("sort:updated-asc a", "updated", .ascending),
      ("SORT:\"author-date-desc\" a", "author-date", .descending), ("a AND sort:stars", "stars", nil),
      ("sort:stars AND a", "stars", nil), ("a sort:-asc-asc", "-asc", .ascending),
    ] as [(String, String, SortOrder?)])
  func order(query: String, key: String, order: SortOrder?) throws {
    let parsed = try QueryParser().parse(query)
    #expect(parsed.root == word("a") && parsed.sort?.key == key && parsed.sort?.order == order)
    #expect(parsed.text == query && parsed.warnings.isEmpty)
  }

  /// A provider's own qualifier of this name is a condition; a quoted one is a word.
  @Test func otherSorts() throws {
    let own = QueryParser(vocabulary: QualifierVocabulary([QualifierDefinition("sort", .text)]))
    #expect(try own.parse("a sort:fast").root == .and([word("a"), text("sort", "fast")]))
    #expect(try own.parse("a sort:fast").sort == nil)
    #expect(try QueryParser().parse("\"sort:stars\"").root == phrase("sort:stars"))
    let conditions = [text("language", "c")]
    #expect(try QueryParser().parse("sort:stars", and: conditions).root == conditions[0])
    #expect(try QueryParser().parse(" ", and: conditions).text == "language:c")
  }

  @Test(arguments: [
    "sort:stars", "sort: a", "a sort:", "a -sort:stars", "NOT sort:stars a", "a OR sort:stars",
    "sort:stars OR a", "(a sort:stars)", "sort:stars a sort:forks", "sort:-asc a",
  ])
  func wrongOrders(query: String) {
    #expect(throws: QueryError.self) { try QueryParser().parse(query) }
  }

  static let qualifiers: [(String, QueryExpression)] = [
    ("language:swift", text("language", "swift")),
    ("LANGUAGE:Swift", text("language", "Swift")),
    ("language:\"Jupyter Notebook\"", text("language", "Jupyter Notebook")),
    ("language:c++", text("language", "c++")),
    ("language:a:b", text("language", "a:b")),
    ("language:\"say \\\"x\\\"\"", text("language", "say \"x\"")),
    ("language:go\"x\"", .and([text("language", "go"), phrase("x")])),
    ("props.team:core", text("props.team", "core")),
    ("Props.Team:Core", text("props.team", "Core")),
    ("good-first-issues:>3", number("good-first-issues", .from(3, isInclusive: false))),
    ("stars:10", number("stars", .exactly(10))),
    ("stars:\"10\"", number("stars", .exactly(10))),
    ("stars:-1", number("stars", .exactly(-1))),
    ("stars:>10", number("stars", .from(10, isInclusive: false))),
    ("stars:>=10", number("stars", .from(10))),
    ("stars:<10", number("stars", .upTo(10, isInclusive: false))),
    ("stars:<=10", number("stars", .upTo(10))),
    ("stars:10..20", number("stars", .closed(10, 20))),
    ("stars:10..10", number("stars", .exactly(10))),
    ("stars:10..*", number("stars", .from(10))),
    ("stars:*..20", number("stars", .upTo(20))),
    ("topics:0", number("topics", .exactly(0))),
    ("archived:true", flag("archived", true)),
    ("archived:FALSE", flag("archived", false)),
    ("fork:only", text("fork", "only")),
    ("fork:True", text("fork", "true")),
  ]

  @Test(arguments: qualifiers) func qualifierTypes(query: String, expected: QueryExpression) throws {
    let query = try QueryParser().parse(query)
    #expect(query.root == expected)
    #expect(query.warnings.isEmpty)
  }

  @Test func dateQualifiers() throws {
    let day = try #require(DatePoint("2024-01-15"))
    let later = try #require(DatePoint("2024-02-29T10:00:00+02:00"))
    #expect(try parsed("created:2024-01-15") == date("created", .exactly(day)))
    #expect(try parsed("pushed:>2024-01-15") == date("pushed", .from(day, isInclusive: false)))
    #expect(try parsed("updated:<=2024-01-15") == date("updated", .upTo(day)))
    #expect(
      try parsed("created:2024-01-15..2024-02-29T10:00:00+02:00") == date("created", .closed(day, later)))
    #expect(try parsed("created:*..2024-01-15") == date("created", .upTo(day)))
    #expect(try parsed("created:2024-01-15..2024-01-15") == date("created", .exactly(day)))
  }

  static let operators: [(String, QueryExpression)] = {
    let (a, b, c, d) = (word("a"), word("b"), word("c"), word("d"))
    return [
      ("a AND b", .and([a, b])),
      ("a b AND c", .and([a, b, c])),
      ("a OR b", .or([a, b])),
      ("a OR b OR c", .or([a, b, c])),
      ("a b OR c d", .or([.and([a, b]), .and([c, d])])),
      ("a AND b OR c AND d", .or([.and([a, b]), .and([c, d])])),
      ("a (b OR c) d", .and([a, .or([b, c]), d])),
      ("(a OR b) OR c", .or([a, b, c])),
      ("a (b (c d))", .and([a, b, c, d])),
      ("((a))", a),
      ("(a)(b)", .and([a, b])),
      ("NOT a", .not(a)),
      ("-a", .not(a)),
      ("NOT NOT a", a),
      ("NOT -a", a),
      ("-NOT a", a),
      ("NOT NOT NOT a", .not(a)),
      ("NOT a b", .and([.not(a), b])),
      ("a AND NOT b", .and([a, .not(b)])),
      ("a OR NOT b", .or([a, .not(b)])),
      ("NOT (a OR b)", .not(.or([a, b]))),
      ("-(a b)", .not(.and([a, b]))),
      ("-(-(a b)) c", .and([a, b, c])),
      ("-\"a b\"", .not(phrase("a b"))),
      ("-language:swift", .not(text("language", "swift"))),
      ("NOT language:swift", .not(text("language", "swift"))),
      ("a -language:swift OR b", .or([.and([a, .not(text("language", "swift"))]), b])),
      ("NOT -", .not(word("-"))),
      ("(a OR -)", .or([a, word("-")])),
    ]
  }()

  @Test(arguments: operators) func precedence(query: String, expected: QueryExpression) throws {
    #expect(try parsed(query) == expected)
  }

  @Test(arguments: [
    ("a AND b", "a b"), ("-a", "NOT a"), ("NOT language:swift", "-language:swift"), ("-(a b)", "NOT (a b)"),
    ("(a OR b) c", "(a OR b) c"), ("((a OR b))", "a OR b"), ("stars:10..*", "stars:>=10"),
    ("stars:*..10", "stars:<=10"), ("stars:5..5", "stars:5"), ("stars:1..5", "stars:1..5"),
    ("language:\"go\"", "language:go"), ("language:\"a b\"", "language:\"a b\""),
    ("license:\"(x)\"", "license:\"(x)\""), ("\"a \\\" \\\\ b\"", "\"a \\\" \\\\ b\""),
    ("archived:TRUE", "archived:true"), ("created:>2024-01-15T10:00Z", "created:>2024-01-15T10:00Z"),
  ])
  func printing(query: String, expected: String) throws {
    #expect(try parsed(query).description == expected)
  }

  @Test func notationRenamesQualifiers() throws {
    let notation = QueryExpression.Notation(
      qualifierName: { $0 == "owner" ? "user" : $0 },
      qualifierValue: { $0.name == "language" ? "\"x\"" : $0.value.description })
    #expect(
      try parsed("a -owner:me (language:go OR stars:>5)").text(in: notation)
        == "a -user:me (language:\"x\" OR stars:>5)")
  }

  @Test func textOfTheQueryIsKept() throws {
    #expect(try QueryParser().parse(" a  AND b ").text == " a  AND b ")
    #expect(Query(root: .or([word("a"), word("b")])).text == "a OR b")
  }
}

@Suite struct ParserWarningTests {
  @Test(arguments: [
    ("langauge:swift", "did you mean language:swift?"), ("star:>5", "did you mean stars:>5?"),
    ("Lisence:mit", "did you mean license:mit?"),
    ("zzzzzz:1", "put it in quotes"),
    ("foo:bar", "put it in quotes"),
  ])
  func unknownQualifier(query: String, hint: String) throws {
    let name = query.prefix { $0 != ":" }
    let parsed = try QueryParser().parse(query)
    let warning = try #require(parsed.warnings.first)
    #expect(parsed.warnings.count == 1)
    #expect(warning.message.contains("\"\(name):\""))
    #expect(warning.message.contains("\"\(query)\""))
    #expect(warning.hint?.contains(hint) == true)
    #expect(parsed.root == word(query))
  }

  @Test func eachSlipIsTold() throws {
    let query = try QueryParser().parse("langauge:a OR -star:\"b c\"")
    #expect(query.warnings.map(\.hint) == ["did you mean language:a?", "did you mean stars:b c?"])
  }

  @Test(arguments: ["https://example.com/x", "std::vector", "C:", "12:30", ":x", "\"foo:bar\"", "a::b"])
  func noWarning(query: String) throws {
    #expect(try QueryParser().parse(query).warnings.isEmpty)
  }

  @Test func providersAddQualifiers() throws {
    let vocabulary = QualifierVocabulary.common.adding([
      QualifierDefinition("points", .number), QualifierDefinition("stars", .text),
    ])
    let query = try QueryParser(vocabulary: vocabulary).parse("points:>10 stars:5")
    #expect(
      query.root
        == .and([number("points", .from(10, isInclusive: false)), number("stars", .exactly(5))]))
    #expect(query.warnings.isEmpty)
    #expect(try QueryParser().parse("points:>10").warnings.count == 1)
  }
}

/// Several values for one name, and commas that belong to a value.
@Suite struct ValueListTests {
  @Test(
    arguments: [
      (#"label:"a b",c"#, ["a b", "c"]), (#"label:"a b","c d""#, ["a b", "c d"]),
      (#"label:a,"b c",d,"e""#, ["a", "b c", "d", "e"]),
      (#"label:"a,b""#, ["a,b"]),
    ] as [(String, [String])])
  func lists(_ text: String, _ values: [String]) throws {
    let query = try QueryParser().parse(text + " x")
    let qualifier = QueryExpression.qualifier(Qualifier("label", .list(values)))
    #expect(query.root == QueryExpression.all([qualifier, .term(QueryTerm("x"))]))
    #expect(try QueryParser().parse(query.root.description).root == query.root)
    var issue = SearchResult(
      id: "a/b#1", kind: .issue, title: "x", fields: [.labels: .list([values[0].uppercased()])])
    #expect(query.root.matches(issue))
    issue[.labels] = .list(["other"])
    #expect(!query.root.matches(issue))
  }

  @Test(arguments: [
    #"label:"a b" ,c"#, #"label:"a b","#, #"label:a,b"#, #"stars:"1",2"#, #"nothing:"a","b""#,
  ])
  func others(_ text: String) throws {
    let parsed = try? QueryParser().parse(text + " x")
    let lists = parsed?.root.leaves.contains { leaf in
      if case .qualifier(let qualifier) = leaf.expression, case .list = qualifier.value {
        true
      } else {
        false
      }
    }
    #expect(lists != true)
    if let parsed { #expect(try QueryParser().parse(parsed.root.description).root == parsed.root) }
  }
}
