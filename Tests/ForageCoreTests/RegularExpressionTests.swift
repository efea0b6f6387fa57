import Testing

@testable import ForageCore

/// Regular expressions in queries.
@Suite struct RegularExpressionTests {
  private static func expression(_ text: String) -> QueryExpression {
    .term(QueryTerm(text, isExpression: true))
  }

  static let expressions: [(String, QueryExpression)] = [
    ("/ab+c/", expression("ab+c")),
    ("/foo bar/", expression("foo bar")),
    ("/a\\/b/", expression("a\\/b")),
    ("/a\\\\/", expression("a\\\\")),
    ("/usr/bin/", expression("usr/bin")),
    ("/[\"(]x/", expression("[\"(]x")),
    ("-/x+/ y", .and([.not(expression("x+")), word("y")])),
    ("(/é|日/ OR b)", .or([expression("é|日"), word("b")])),
    ("/a/ /b/", .and([expression("a"), expression("b")])),
    ("/ /", expression(" ")),
    // Words.
    ("/usr/bin", word("/usr/bin")),
    ("a/b/", word("a/b/")),
    ("/", word("/")),
    ("//x", word("//x")),
    ("\"/x/\"", phrase("/x/")),
    ("/a\\/", word("/a\\/")),
    ("/usr/lib", word("/usr/lib")),
    ("/a/i/", expression("a/i")),
  ]

  @Test(arguments: expressions) func parse(query: String, expected: QueryExpression) throws {
    let root = try QueryParser().parse(query).root
    #expect(root == expected)
    #expect(try QueryParser().parse(root.description).root == root)
  }

  @Test func emptyExpressionIsAnError() throws {
    let error = #expect(throws: QueryError.self) { try QueryParser().parse("a // b") }
    #expect(error?.range == 2..<4)
    #expect(error?.message.contains("empty") == true)
  }

  /// Letters that other programs take after the closing slash.
  @Test(arguments: ["/ab+/i", "/a b/gi", "/a\\/b/x", "/a./i /b/"]) func flagsAreAnError(_ expression: String)
    throws
  {
    let error = #expect(throws: QueryError.self) { try QueryParser().parse("é -" + expression) }
    #expect(error?.range.lowerBound == 3)
    #expect(error?.message.contains("closing slash") == true)
    #expect(error?.hint.contains("case:yes") == true)
  }

  /// Paths end with such letters, too.
  @Test(arguments: ["/home/u", "/etc/s", "/größe/x"]) func pathsAreWords(_ path: String) throws {
    #expect(try QueryParser().parse(path).root == word(path))
  }

  @Test func invalidExpressionIsMarked() throws {
    let parser = QueryParser { text in
      text.contains("(") ? ExpressionProblem(message: "missing )", offset: 3) : nil
    }
    let error = #expect(throws: QueryError.self) { try parser.parse("x /ab(c/") }
    #expect(error?.range == 6..<7)
    #expect(error?.message.hasSuffix("missing )") == true)
    #expect(try parser.parse("/abc/").root == Self.expression("abc"))
  }

  /// `symbol:` and `content:` take expressions, too, which are checked as all are.
  @Test func expressionsOfQualifiers() throws {
    let parser = QueryParser { text in
      text.contains("[") ? ExpressionProblem(message: "missing ]", offset: 2) : nil
    }
    let query = "symbol:/^a (b|c)$/ d -content:/e\\/f/"
    let root = try parser.parse(query).root
    #expect(root.qualifiers.map(\.expression) == ["^a (b|c)$", "e\\/f"])
    #expect(try parser.parse(root.description).root == root)
    #expect(
      root.replacingQualifiers(\.asContent).conjuncts.last == .not(Self.expression("e\\/f")))
    for (query, place) in [("x symbol:/ab[c/", 12), ("symbol:\"/ab[c/\"", 11)] {
      let error = #expect(throws: QueryError.self) { try parser.parse(query) }
      #expect(error?.range == place..<place + 1)
    }
    #expect(throws: QueryError.self) { try parser.parse("symbol:// x") }
    for word in ["symbol:/usr", "symbol:parse", "path:/src/"] {
      #expect(try parser.parse(word).root.qualifiers.map(\.expression) == [nil])
    }
  }

  @Test(arguments: ["/x/", "-/x/ y", "a OR /x/"])
  func providersWithoutExpressionsTakeNoPart(query: String) throws {
    let root = try QueryParser().parse(query).root
    var abilities = Abilities(fields: [], booleans: true)
    #expect(throws: QueryPlan.NotApplicable.self) {
      try QueryPlan(root, abilities: abilities, vocabulary: .common)
    }
    abilities.expressions = true
    let plan = try QueryPlan(root, abilities: abilities, vocabulary: .common)
    #expect(plan.pushed == root.negationNormalForm)
    #expect(plan.residual == nil)
  }

  private static func file(_ id: String, _ repository: String, _ path: String) -> SearchResult {
    var item = SearchResult(id: id, kind: .code, title: path)
    item.set(.repository, repository)
    item.set(.path, path)
    return item
  }

  @Test func filesOfOnePlaceAreOneResult() {
    let lists = [
      RankedList(
        provider: "github", group: "github", weight: 1, hosts: [],
        items: [Self.file("a/blob/1/é", "h/o/a", "é"), Self.file("a/blob/1/y", "h/o/a", "y")]),
      RankedList(
        provider: "local", group: "local", weight: 1, hosts: [],
        items: [Self.file("a/blob/2/é", "h/o/a", "é"), Self.file("b/blob/2/y", "h/o/b", "y")]),
    ]
    let items = merged(lists)
    #expect(items.count == 3)
    #expect(items.first?.sources.map(\.provider) == ["github", "local"])
  }
}
