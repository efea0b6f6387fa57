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
    ("language:swift", #"[{"field":"language","op":"eq","value":"swift"}]"#),
    ("-language:swift", #"[{"field":"language","negated":true,"op":"eq","value":"swift"}]"#),
    ("stars:5", #"[{"field":"stars","op":"eq","value":5}]"#),
    ("stars:>5", #"[{"field":"stars","op":"gt","value":5}]"#),
    ("stars:>=5", #"[{"field":"stars","op":"ge","value":5}]"#),
    ("stars:<5", #"[{"field":"stars","op":"lt","value":5}]"#),
    ("-stars:<=5", #"[{"field":"stars","negated":true,"op":"le","value":5}]"#),
    ("stars:5..9", #"[{"field":"stars","op":"range","value":[5,9]}]"#),
    ("stars:5..*", #"[{"field":"stars","op":"ge","value":5}]"#),
    ("created:>2024-01-15", #"[{"field":"created","op":"gt","value":"2024-01-15"}]"#),
    (
      "created:2024-01-15..2024-02-01T10:00:00Z",
      #"[{"field":"created","op":"range","value":["2024-01-15","2024-02-01T10:00:00Z"]}]"#
    ),
    ("archived:false", #"[{"field":"archived","op":"eq","value":false}]"#),
    (#"language:"c++",go"#, #"[{"field":"language","op":"in","value":["c++","go"]}]"#),
    (#"-language:"c++",go"#, #"[{"field":"language","negated":true,"op":"in","value":["c++","go"]}]"#),
    ("fork:only", #"[{"field":"fork","op":"eq","value":"only"}]"#),
    ("NOT beta", #"[{"field":"text","negated":true,"op":"eq","value":"beta"}]"#),
    (#"NOT "beta two""#, #"[{"field":"text","negated":true,"op":"eq","value":"beta two"}]"#),
  ])
  func qualifiersAreFilters(_ query: String, _ expected: String) throws {
    let (params, encoded) = try Self.params(query + " a")
    #expect(try Self.filter(params) == expected)
    #expect(params.text == ["a"] && encoded.unsent.isEmpty)
    #expect(params.sort == nil)
    #expect(params.order == nil)
  }

  @Test func wordsAndPhrasesAreTexts() throws {
    let (params, _) = try Self.params(#"a "b c" stars:1 "d" e"#)
    #expect(params.text == ["a", "b c", "d", "e"])
  }

  /// What no filter can say is left to the host.
  @Test func otherIntervalsAreNotSent() {
    let intervals: [Bounds<Int>] = [
      Bounds(lower: .init(1, isInclusive: false), upper: .init(9, isInclusive: true)),
      Bounds(lower: .init(1, isInclusive: true), upper: .init(9, isInclusive: false)),
      Bounds(lower: nil, upper: nil),
    ]
    for interval in intervals {
      let encoded = EncodedQuery(.qualifier(Qualifier("x", .number(interval))))
      #expect(encoded.filters.isEmpty && encoded.unsent == ["x"])
    }
  }

  /// Leaves of every type, for random queries.
  private static let leaves = [
    "a", #""a b""#, "language:swift", "topic:cli", "stars:3", "stars:>3", "stars:<=7", "stars:2..5",
    "created:2024-01-15", "created:>2024-01-15", "created:2024-01-10..2024-01-20", "archived:true",
    "fork:only", #"topic:"a b",c"#, "größe", "\"日本語 e\u{301}\"", "language:größe",
    "topic:\"e\u{301} b\",日本語",
  ]

  /// All filters must hold; several scopes are alternatives, and are left to the host.
  @Test func severalScopesAreNotSent() throws {
    let (params, encoded) = try Self.params("a repo:o/n org:acme -repo:o/m")
    #expect(try Self.filter(params) == #"[{"field":"repo","negated":true,"op":"eq","value":"o/m"}]"#)
    #expect(encoded.unsent == ["repo", "org"])
    #expect(try Self.params("a repo:o/n").1.unsent.isEmpty)
  }

  @Test func whatArrivesIsWhatWasSent() throws {
    var random = SeededGenerator(seed: propertySeed())
    let vocabulary = QualifierVocabulary.common.of(.repo)
    for _ in 0..<1_500 {
      var text = ""
      for place in 0..<Int.random(in: 1...5, using: &random) {
        if place > 0 { text += " " }
        text += (random.chance(0.25) ? "NOT " : "") + random.pick(Self.leaves)
      }
      let sent = try QueryParser(vocabulary: vocabulary).parse(text).root
      let (params, _) = try Self.params(text)
      let read = try JSONTree(encoding: params).decode(SearchParams.self)
      let condition = try read.condition(vocabulary)
      // Words come first; the conditions are the same.
      #expect(Set(condition?.conjuncts ?? []) == Set(sent.negationNormalForm.conjuncts), "\(text)")
    }
  }

  @Test(arguments: [
    #"{"field":"stars","op":"near","value":3}"#, #"{"field":"stars","op":"ge","value":"many"}"#,
    #"{"field":"stars","op":"range","value":[1]}"#, #"{"field":"stars","op":"range","value":5}"#,
    #"{"field":"created","op":"lt","value":"soon"}"#, #"{"field":"created","op":"eq","value":"soon"}"#,
    #"{"field":"text","op":"lt","value":"a"}"#, #"{"field":"language","op":"gt","value":"a"}"#,
    #"{"field":"language","op":"in","value":[]}"#, #"{"field":"language","op":"in","value":["a",1]}"#,
    #"{"field":"stars","op":"eq","value":{}}"#,
  ])
  func whatCannotBeReadIsRefused(_ filter: String) throws {
    let filter = try JSONTree(parsing: filter.utf8).decode(SearchFilter.self)
    let params = SearchParams(
      provider: "a", kind: "repo", text: ["x"], filters: [filter], limit: 1, deadlineMs: 1)
    let error = #expect(throws: ErrorObject.self) { try params.condition(.common) }
    #expect(error?.code == .unsupportedQuery && error?.message.contains(filter.field) == true)
  }
}
