import ForageCore
import TestSupport
import Testing

/// What the API is asked.
struct RequestTests {
  /// The one request that a query makes.
  private func asked(_ request: SearchRequest) async throws -> RecordedRequest {
    try await withHackerNews(FakeHackerNews([])) { provider, server in
      _ = try await provider.search(request)
      return try #require(server.requests.first)
    }
  }

  @Test(arguments: [
    ("parser", "parser"), ("rust async", "rust async"), (#""two words" one"#, #""two words" one"#),
    ("NOT beta alpha", "-beta alpha"), (#"a NOT "b c""#, #"a -"b c""#), (#""-x""#, #""-x""#),
    ("c++", "c++"), ("a&b=c", "a&b=c"), ("100%", "100%"), ("%20", "%20"), ("ünïcödé日本", "ünïcödé日本"),
    ("a#b?c/d", "a#b?c/d"),
    ("a,b;c", "a,b;c"), ("tags=comment", "tags=comment"), ("👩‍👩‍👧", "👩‍👩‍👧"), ("e\u{301}", "e\u{301}"),
  ])
  func textArrivesByteForByte(_ query: String, _ expected: String) async throws {
    let request = try await asked(stories(query))
    #expect(request.path == "/api/v1/search")
    #expect(request.query("query").map { Array($0.utf8) } == Array(expected.utf8))
    #expect(request.query("tags") == "story")
    #expect(request.queryItems.map(\.name) == ["query", "tags", "page", "hitsPerPage"])
  }

  @Test(arguments: [
    ("points:>100", "points>100"), ("points:5", "points=5"), ("points:5..9", "points>=5,points<=9"),
    ("comments:<=3", "num_comments<=3"),
    ("created:2024-01-15", "created_at_i>=1705276800,created_at_i<1705363200"),
    ("created:>2024-01-15", "created_at_i>=1705363200"), ("created:<2024-01-15", "created_at_i<1705276800"),
    ("created:>=2024-01-15T10:00:00Z", "created_at_i>=1705312800"),
    ("points:>1 comments:>2", "points>1,num_comments>2"),
  ])
  func qualifiersAreNumericFilters(_ query: String, _ filters: String) async throws {
    let request = try await asked(stories(query))
    #expect(request.query("numericFilters") == filters)
    #expect(request.query("query") == nil)
  }

  @Test func anAuthorIsATag() async throws {
    #expect(try await asked(stories("author:pg lisp")).query("tags") == "story,author_pg")
    let several = try await asked(stories(#"author:"pg",ada,"x y""#))
    #expect(several.query("tags") == "story,(author_pg,author_ada)")
  }

  @Test(arguments: ["author:\"a,front_page\"", "author:\"(b)\"", "author:\"a b\""])
  func noNameBecomesAnotherCondition(_ query: String) async throws {
    try await withHackerNews(FakeHackerNews.sample(count: 5)) { provider, server in
      let page = try await provider.search(stories(query))
      #expect(page.items.isEmpty && page.next == nil)
      #expect(server.requests.isEmpty)
    }
  }

  @Test func whatCannotBeToldIsSaid() async throws {
    try await withHackerNews(FakeHackerNews.sample(count: 5)) { provider, server in
      let page = try await provider.search(stories("parser -points:>5 -created:>2024-01-01"))
      #expect(page.unapplied == ["points", "created"])
      let sent = try #require(server.requests.first)
      #expect(sent.query("numericFilters") == nil)
      for query in [#""say \"hi\"""#, "a OR b"] {
        let error = await #expect(throws: SearchError.self) { try await provider.search(stories(query)) }
        #expect(error?.code == .unsupportedQuery)
      }
    }
  }

  @Test func datesAndTheFrontPageHaveListsOfTheirOwn() async throws {
    try await withHackerNews(FakeHackerNews.sample(count: 50)) { provider, server in
      _ = try await provider.search(stories("parser", sort: "created"))
      #expect(server.requests.last?.path == "/api/v1/search_by_date")
      let page = try await provider.feed(stories(nil))
      #expect(server.requests.last?.query("tags") == "front_page")
      #expect(page.items.count == 30)
    }
  }

  @Test(arguments: [
    "http://hn.example", "hn.algolia.com", "https://a@b.example", "https://a.example/?x=1", "ftp://a.example",
    "",
  ])
  func otherAddressesAreRefused(_ base: String) {
    let error = #expect(throws: SearchError.self) { try providerWithoutNetwork(base) }
    #expect(error?.code == .configuration)
  }
}
