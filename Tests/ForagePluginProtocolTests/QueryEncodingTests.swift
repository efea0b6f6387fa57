import ForageCore
import ForagePluginProtocol
import TestSupport
import Testing

struct QueryEncodingTests {
  private static func params(_ query: String) throws -> (SearchParams, EncodedQuery) {
    let vocabulary = QualifierVocabulary.common.of(.repo)
    let expression = try QueryParser(vocabulary: vocabulary).parse(query).root
    let encoded = EncodedQuery(expression)
    let request = SearchRequest(kind: .repo, query: expression, pageSize: 50, deadline: .now + .seconds(3))
    return (SearchParams(provider: "acme", request, query: encoded), encoded)
  }

  private static func filter(_ params: SearchParams) throws -> String {
    String(decoding: try JSONTree(encoding: params.filters).encoded(), as: UTF8.self)
  }

  @Test(arguments: [
    ("language:swift", #"[{"field":"language","n":0,"op":"eq","value":"swift"}]"#),
    ("-language:swift", #"[{"field":"language","n":0,"op":"ne","value":"swift"}]"#),
    ("stars:5", #"[{"field":"stars","n":0,"op":"eq","value":5}]"#),
    ("stars:>5", #"[{"field":"stars","n":0,"op":"gt","value":5}]"#),
    ("stars:>=5", #"[{"field":"stars","n":0,"op":"ge","value":5}]"#),
    ("stars:<5", #"[{"field":"stars","n":0,"op":"lt","value":5}]"#),
    ("-stars:<=5", #"[{"field":"stars","n":0,"op":"not-le","value":5}]"#),
    ("stars:5..9", #"[{"field":"stars","from":5,"n":0,"op":"range","to":9}]"#),
    ("stars:5..*", #"[{"field":"stars","n":0,"op":"ge","value":5}]"#),
    ("created:>2024-01-15", #"[{"field":"created","n":0,"op":"gt","value":"2024-01-15"}]"#),
    (
      "created:2024-01-15..2024-02-01T10:00:00Z",
      #"[{"field":"created","from":"2024-01-15","n":0,"op":"range","to":"2024-02-01T10:00:00Z"}]"#
    ),
    ("archived:false", #"[{"field":"archived","n":0,"op":"eq","value":false}]"#),
    (#"language:"c++",go"#, #"[{"field":"language","n":0,"op":"in","value":["c++","go"]}]"#),
    (#"-language:"c++",go"#, #"[{"field":"language","n":0,"op":"not-in","value":["c++","go"]}]"#),
    ("fork:only", #"[{"field":"fork","n":0,"op":"eq","value":"only"}]"#),
    ("NOT beta", #"[{"field":"text","n":0,"op":"ne","value":"beta"}]"#),
    (#"NOT "beta two""#, #"[{"field":"text","n":0,"op":"ne","phrase":true,"value":"beta two"}]"#),
  ])
  func qualifiersAreFilters(_ query: String, _ expected: String) throws {
    let (params, encoded) = try Self.params(query + " a")
    #expect(try Self.filter(params) == expected)
    #expect(params.text == ["a"])
    #expect(params.query == nil)
    #expect(params.sort == nil)
    #expect(params.order == nil)
    let name = String(try #require(params.filters.first).field)
    #expect(encoded.names(of: [0, 1, -1, .max]) == [name])
  }

  @Test func wordsAndPhrasesAreTold() throws {
    let (params, _) = try Self.params(#"a "b c" stars:1 "d" e"#)
    #expect(params.text == ["a", "b c", "d", "e"])
    #expect(params.phrases == [1, 2])
  }

  @Test func alternativesStandInATree() throws {
    let (params, encoded) = try Self.params("a stars:>1 (b OR language:swift) -archived:true")
    #expect(params.text == ["a"])
    #expect(params.filters.map(\.n) == [0, 2])
    #expect(encoded.names(of: [1]) == ["language"])
    let tree = try JSONTree(encoding: params.query)
    #expect(tree["and"]?.array?.count == 4)
    #expect(tree["and"]?.array?[2]["or"]?.array?.last?["filter"]?["n"] == .integer(1))
  }

  @Test func openEndsOfRangesAreTheValuesBesideThem() {
    func filter(_ value: QualifierValue) -> SearchFilter? {
      EncodedQuery(.qualifier(Qualifier("x", value))).filters.first
    }
    let numbers = Bounds(lower: .init(1, isInclusive: false), upper: .init(9, isInclusive: false))
    #expect(filter(.number(numbers))?.from == .integer(2))
    #expect(filter(.number(numbers))?.to == .integer(8))
    guard let day = DatePoint("2024-01-15"), let later = DatePoint("2024-02-01") else {
      Issue.record("no dates")
      return
    }
    let dates = Bounds(lower: .init(day, isInclusive: false), upper: .init(later, isInclusive: false))
    #expect(filter(.date(dates))?.from == .string("2024-01-16T00:00:00Z"))
    #expect(filter(.date(dates))?.to == .string("2024-01-31T23:59:59Z"))
  }

  /// Leaves of every type, for random queries.
  private static let leaves = [
    "a", "b", #""a b""#, "language:swift", "topic:cli", "stars:3", "stars:>3", "stars:<=7", "stars:2..5",
    "created:2024-01-15", "created:>2024-01-15", "created:2024-01-10..2024-01-20", "archived:true",
    "fork:only", #"topic:"a b",c"#, "größe", "\"日本語 e\u{301}\"", "language:größe",
    "topic:\"e\u{301} b\",日本語",
  ]

  @Test func whatArrivesIsWhatWasSent() throws {
    var random = SeededGenerator(seed: propertySeed())
    let vocabulary = QualifierVocabulary.common.of(.repo)
    for _ in 0..<1_500 {
      var text = ""
      for place in 0..<Int.random(in: 1...5, using: &random) {
        if place > 0 { text += random.chance(0.4) ? " OR " : " " }
        text += (random.chance(0.25) ? "NOT " : "") + random.pick(Self.leaves)
      }
      let sent = try QueryParser(vocabulary: vocabulary).parse(text).root
      let (params, _) = try Self.params(text)
      let read = try JSONTree(encoding: params).decode(SearchParams.self)
      let (condition, unapplied) = read.condition(vocabulary)
      #expect(unapplied.isEmpty)
      // Without alternatives words come first; the conditions are the same.
      let expected = Set(sent.negationNormalForm.conjuncts)
      #expect(Set(condition?.conjuncts ?? []) == expected, "\(text)")
    }
  }

  @Test(arguments: [
    #"{"n":4,"field":"stars","op":"near","value":3}"#, #"{"n":4,"field":"stars","op":"eq","value":"many"}"#,
    #"{"n":4,"field":"stars","op":"range","from":"a"}"#,
    #"{"n":4,"field":"created","op":"lt","value":"soon"}"#,
    #"{"n":4,"field":"text","op":"lt","value":"a"}"#, #"{"n":4,"field":"language","op":"gt","value":"a"}"#,
    #"{"n":4,"field":"stars","op":"eq"}"#,
  ])
  func whatCannotBeReadIsNotApplied(_ filter: String) throws {
    let filter = try JSONTree(parsing: filter.utf8).decode(SearchFilter.self)
    let plain = SearchParams(
      provider: "a", kind: "repo", text: ["x"], filters: [filter], limit: 1, deadlineMs: 1)
    #expect(plain.condition(.common).query == .term(QueryTerm("x")))
    #expect(plain.condition(.common).unapplied == [4])
    var tree = plain
    tree.query = .and([.text("x"), .or([.text("y"), .filter(filter)])])
    #expect(tree.condition(.common).query == .term(QueryTerm("x")))
    #expect(tree.condition(.common).unapplied == [4])
  }
}
