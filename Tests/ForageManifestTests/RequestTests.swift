import ForageCore
import TestSupport
import Testing

@testable import ForageManifest

struct RequestTests {
  private static let empty = #"{"items":[]}"#
  private static let qualifiers = """
    qualifiers:
      language: {param: lang, not: notlang}
      topic: {param: topic, join: ","}
      archived: {param: archived, values: {"true": "1", "false": "0"}}
      license: {text: "license:{value}", not: "-license:{value}"}
      stars: {min: stars_from, max: stars_to}
      created: {min: after, max: before, format: unix}
      updated: {min: since, format: iso}
      forks: {text: "forks:{value}"}
      tag: {param: tag, field: topics}
    fields: {}
    """

  /// A query, the parameters that arrive, and the qualifiers that are left to others.
  @Test(
    arguments: [
      ("http", ["q=http"], []), ("http client", ["q=http client"], []),
      (#""http client""#, [#"q="http client""#], []),
      (#""say \"x\"""#, [#"q="say \"x\"""#], []),
      ("x language:c++", ["q=x", "lang=c++"], []), ("x -language:c", ["q=x", "notlang=c"], []),
      ("language:go", ["lang=go"], []),
      ("topic:a topic:b", ["topic=a,b"], []),
      ("archived:true", ["archived=1"], []), ("-archived:true", ["archived=0"], []),
      ("language:a language:b", ["lang=a"], ["language"]),
      ("license:mit x", [#"q=license:"mit" x"#], []), ("-license:mit", [#"q=-license:"mit""#], []),
      (#"license:"a b""#, [#"q=license:"a b""#], []),
      ("stars:>10", ["stars_from=11"], []), ("stars:>=10", ["stars_from=10"], []),
      ("stars:<10", ["stars_to=9"], []),
      ("stars:5", ["stars_from=5", "stars_to=5"], []), ("stars:1..9", ["stars_from=1", "stars_to=9"], []),
      ("-stars:5 x", ["q=x"], ["stars"]),
      ("stars:>1 stars:>5", ["stars_from=2"], ["stars"]),
      ("created:2024-01-31", ["after=1706659200", "before=1706745599"], []),
      ("created:>2024-01-31", ["after=1706745600"], []),
      ("updated:2024-01-31..2024-02-01", ["since=2024-01-31T00:00:00Z"], ["updated"]),
      ("forks:>=3", ["q=forks:>=3"], []), ("tag:a&b=c", ["tag=a&b=c"], []), ("a NOT b", ["q=a"], []),
    ] as [(String, [String], [String])])
  func qualifiers(_ query: String, _ expected: [String], _ unapplied: [String]) async throws {
    try await withAPI(sample(more: Self.qualifiers)) { _ in
      .json(body: Self.empty)
    } _: { provider, server in
      let page = try await provider.search(ask(query, of: provider))
      let sent = try #require(server.requests.first).queryItems.map { $0.name + "=" + $0.value }
      #expect(sent.filter { !$0.hasPrefix("per_page=") && !$0.hasPrefix("page=") } == expected)
      #expect(sent.contains("per_page=30") && sent.contains("page=1"))
      #expect(page.unapplied == Set(unapplied))
    }
  }

  /// What cannot be quoted, and what the API cannot be told, is refused before anything is sent.
  @Test(arguments: [#"license:"a\"b""#, #"license:"a\\b""#, "stars:>1 OR x", #"x (a OR b)"#, "-topic:a x"])
  func refused(_ query: String) async throws {
    try await withAPI(sample(more: Self.qualifiers)) { _ in
      .json(body: Self.empty)
    } _: { provider, server in
      let error = await searchError { _ = try await provider.search(ask(query, of: provider)) }
      #expect(error?.code == .unsupportedQuery && error?.message.hasPrefix("Acme cannot") == true)
      #expect(server.connectionCount == 0)
    }
  }

  /// A kind that no manifest has, a sort that it lacks, and a feed that it does not show.
  @Test func whatIsNotThere() async throws {
    try await withAPI(sample()) { _ in
      .json(body: Self.empty)
    } _: { provider, server in
      var other = try ask("x", of: provider)
      other.kind = .commit
      let request = other
      let ofKind = await searchError { _ = try await provider.search(request) }
      let ofSort = await searchError { _ = try await provider.search(ask("x", of: provider, sort: "age")) }
      let ofFeed = await searchError { _ = try await provider.feed(ask(nil, of: provider)) }
      #expect(
        [ofKind, ofSort, ofFeed].map { $0?.code } == [
          .unsupportedQuery, .unsupportedQuery, .unsupportedQuery,
        ])
      #expect(server.connectionCount == 0)
    }
  }

  @Test(
    arguments: [
      ("{take: longest, push: inexact, phrases: plain}", "ab \"c d e\" f", "c d e"),
      ("{words: quoted, quote: regex}", "a.b c", #""a\\.b" "c""#),
      ("{phrases: plain}", "\"a b\"", "a b"), ("inexact", "x y", "x y"),
    ] as [(String, String, String)])
  func words(_ rules: String, _ query: String, _ expected: String) async throws {
    try await withAPI(sample(more: "text: \(rules)")) { _ in
      .json(body: Self.empty)
    } _: { provider, server in
      _ = try await provider.search(ask(query, of: provider))
      #expect(server.requests.first?.query("q") == expected)
    }
  }

  /// Words that must not occur, and phrases, are checked here where the API has no way to say them.
  @Test func whatTheAPICannotSayIsChecked() async throws {
    let body =
      #"{"total":3,"items":[{"id":1,"url":"https://a.example/1","name":"http client"},{"id":2,"url":"https://a.example/2","name":"client of http"},{"id":3,"url":"https://a.example/3","name":"old http client"}]}"#
    try await withAPI(sample(more: "text: {phrases: plain}\ntotal: $.total")) { _ in
      .json(body: body)
    } _: {
      provider, _ in
      let page = try await provider.search(ask("\"http client\" -old", of: provider))
      #expect(page.items.map(\.title) == ["http client"] && page.total == nil && page.mayRepeat)
      let whole = try await provider.search(ask("http", of: provider))
      #expect(whole.items.count == 3 && whole.total == ResultTotal(3) && !whole.mayRepeat)
    }
  }

  @Test func bodiesAreTrees() async throws {
    let text = """
      forage: 1
      id: acme
      name: Acme
      kinds: [code]
      request:
        method: POST
        url: "{base}/find"
        params: {v: 2}
        body: {Q: "{text}", Opts: {Max: "{size}", Text: "size {size}", Flags: [true, null, 1.5, "x"], Next: "{cursor}"}}
      paging: {style: cursor, next: $.next, size: 10}
      items: $.items[*]
      map: {id: $.id, url: $.url, title: $.id}
      """
    try await withAPI(
      text
    ) { _ in
      .json(body: #"{"items":[{"id":"a","url":"https://a.example"}],"next":"c\"1"}"#)
    } _: { provider, server in
      let page = try await provider.search(ask(#""a\" }""#, of: provider, pageSize: 7))
      _ = try await provider.search(ask(#""a\" }""#, of: provider, pageSize: 7, cursor: page.next))
      let request = try #require(server.requests.first)
      #expect(request.method == "POST" && request.path == "/find" && request.target == "/find?v=2")
      #expect(
        request.header("content-type") == "application/json" && request.header("user-agent") == testUserAgent)
      #expect(
        request.bodyText
          == #"{"Opts":{"Flags":[true,null,1.5,"x"],"Max":7,"Text":"size 7"},"Q":"\"a\\\" }\""}"#)
      #expect(server.requests.last?.bodyText.contains(#""Next":"c\"1""#) == true)
    }
  }

  @Test func headersAndFixedPartsOfThePath() async throws {
    let text = sample().replacing(
      "request: {url: \"{base}/search\",",
      with:
        "request: {url: \"{base}/api/%C3%A9/{text}/list/\", headers: {X-Version: \"2\", Accept: text/json},")
    try await withAPI(text) { _ in
      .json(body: Self.empty)
    } _: { provider, server in
      _ = try await provider.search(ask("a/b?c", of: provider))
      let request = try #require(server.requests.first)
      #expect(request.path == "/api/%C3%A9/a%2Fb%3Fc/list/")
      #expect(request.headers["x-version"] == ["2"])
      #expect(request.headers["accept"] == ["text/json"])
      for query in [".", "..", "language:c"] {
        let error = await searchError { _ = try await provider.search(ask(query, of: provider)) }
        #expect(error?.code == .unsupportedQuery, "\(query)")
      }
      #expect(server.requests.count == 1)
    }
  }

  /// Any word and any value arrives as it was written and alters nothing else: 1,000 texts over one
  /// connection.
  @Test func anyTextArrivesByteForByte() async throws {
    var random = SeededGenerator(seed: propertySeed())
    let fixed = [
      "a&page=9", "a#b", "C++", "100%", "%26", "a b", "x&q=y", "\u{0}", "\r\nX: y", "日本語", "e\u{301}", "🚀",
      "/../", "\\", "{text}", "{page}",
      "..", ".", "\"", "'", "; drop", "?", "//evil.example/", "@evil.example", "https://evil.example",
    ]
    let ranges: [ClosedRange<UInt32>] = [
      0x20...0x7E, 0...0x1F, 0x7F...0x7FF, 0x800...0xD7FF, 0x10000...0x10FFF,
    ]
    let text = sample(more: Self.qualifiers).replacing("{base}/search", with: "{base}/find/{text}/x")
    try await withAPI(text) { _ in
      .json(body: Self.empty)
    } _: { provider, server in
      for number in 0..<1000 {
        var text = ""
        for _ in 0..<Int.random(in: 1...40, using: &random) {
          if let scalar = Unicode.Scalar(UInt32.random(in: random.pick(ranges), using: &random)) {
            text.unicodeScalars.append(scalar)
          }
        }
        if number < fixed.count { text = fixed[number] }
        let value = String(text.reversed())
        let query: QueryExpression = .and([
          .term(QueryTerm(text)), .qualifier(Qualifier("language", .text(value))),
        ])
        let request = SearchRequest(
          kind: .package, query: query, pageSize: 30, deadline: .now + .seconds(120))
        if text == "." || text == ".." {
          let error = await searchError { _ = try await provider.search(request) }
          #expect(error?.code == .unsupportedQuery)
          continue
        }
        _ = try await provider.search(request)
        let seen = try #require(server.requests.last)
        try #require(seen.pathParts.count == 3)
        #expect(seen.pathParts.first == "find" && seen.pathParts.last == "x")
        #expect(Array(seen.pathParts[1].utf8) == Array(text.utf8), "\(text.debugDescription)")
        #expect(seen.queryItems.map(\.name) == ["q", "per_page", "page", "lang"])
        #expect(seen.query("per_page") == "30" && seen.query("page") == "1")
        #expect(Array((seen.query("q") ?? "").utf8) == Array(text.utf8), "\(text.debugDescription)")
        #expect(Array((seen.query("lang") ?? "").utf8) == Array(value.utf8), "\(value.debugDescription)")
        server.forgetRequests()
      }
      #expect(server.connectionCount == 1)
    }
  }

  /// A value that becomes part of the text stays one value: nothing in it ends the quotes.
  @Test func valuesInTheTextStayQuoted() async throws {
    var random = SeededGenerator(seed: propertySeed())
    for quoting in Quoting.allCases {
      for _ in 0..<2000 {
        let value = String(
          (0..<Int.random(in: 0...12, using: &random)).map { _ in random.pick(Array("ab\"\\ .:-*()\n\u{0}é/"))
          })
        guard let quoted = quoting.quoted(value) else { continue }
        if quoting == .double || quoting == .word {
          #expect(!quoted.unicodeScalars.contains { $0.value < 0x20 })
        }
        if quoting == .word {
          #expect(quoted == value && !value.contains { "\"\\ :*()".contains($0) })
          continue
        }
        var inner = quoted.dropFirst().dropLast()[...]
        #expect(quoted.hasPrefix("\"") && quoted.hasSuffix("\"") && quoted.count >= 2)
        while let character = inner.popFirst() {
          #expect(character != "\"")
          if character == "\\" { #expect(inner.popFirst() != nil) }
        }
      }
    }
  }
}
