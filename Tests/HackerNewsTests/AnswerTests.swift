import ForageCore
import ForageTesting
import Foundation
import TestSupport
import Testing

/// What becomes of the API's answers.
struct AnswerTests {
  private func page(_ fake: FakeHackerNews, _ query: String = "a") async throws -> SearchPage {
    try await withHackerNews(fake) { provider, _ in try await provider.search(stories(query)) }
  }

  @Test(arguments: [false, true])
  func aStoryHasItsFields(isOldForm: Bool) async throws {
    let fake = FakeHackerNews(
      [
        .init(
          id: 42, title: "A &amp; B &#x27;quoted&#39; &unknown; &#0;",
          url: "https://github.com/Owner/Name/tree/main", author: "pg",
          points: 12, comments: 3, createdAt: 1_582_066_432)
      ], isOldForm: isOldForm)
    let story = try #require(try await page(fake).items.first)
    #expect(story.id == "hackernews:42")
    #expect(story.title == "A & B 'quoted' &unknown; &#0;")
    #expect(story.url == "https://github.com/Owner/Name/tree/main")
    #expect(story.related == [RelatedEntity(id: "github.com/owner/name", why: .link)])
    #expect(
      story.fields == [
        .author: .text("pg"), "points": .number(12), .comments: .number(3),
        .createdAt: .date(Date(timeIntervalSince1970: 1_582_066_432)),
        "discussionUrl": .text("https://news.ycombinator.com/item?id=42"),
      ])
  }

  @Test(arguments: [false, true])
  func whatIsNotThereIsAbsent(isOldForm: Bool) async throws {
    let fake = FakeHackerNews(
      [
        .init(
          id: 7, title: "Ask: a?", points: nil, comments: nil,
          text:
            #"One &amp; two<p>See <a href="https:&#x2F;&#x2F;a.example&#x2F;long&#x2F;path" rel="nofollow">https:&#x2F;&#x2F;a.example&#x2F;lo...</a> or <i>not</i>"#
        )
      ], isOldForm: isOldForm)
    let story = try #require(try await page(fake).items.first)
    #expect(story.url == "https://news.ycombinator.com/item?id=7")
    #expect(story["points"] == nil && story[.comments] == nil && story.related.isEmpty)
    #expect(story["text"]?.text == "One & two\n\nSee https://a.example/long/path or not")
  }

  @Test(arguments: ["javascript:alert(1)", "ftp://a.example/x", "", "data:text/html,x"])
  func aLinkThatIsNoPageIsTheDiscussion(_ url: String) async throws {
    let story = try #require(try await page(FakeHackerNews([.init(id: 7, title: "a", url: url)])).items.first)
    #expect(story.url == "https://news.ycombinator.com/item?id=7")
  }

  @Test func oddRowsCostOnlyThemselves() async throws {
    let body =
      #"{"hits":[{"objectID":"1","title":"a"},{"objectID":2,"title":"b"},5,null,{"title":"c"},{"objectID":"3","title":null},{"objectID":"4","title":"d","points":"many","url":7,"created_at_i":null}],"nbHits":"x"}"#
    let page = try await withHackerNews(answering: .json(body: body)) { provider, _ in
      try await provider.search(stories("a"))
    }
    #expect(page.items.map(\.id) == ["hackernews:1", "hackernews:4"])
    #expect(page.unreadable == 5)
    #expect(page.total == nil && page.next == nil)
  }

  @Test func listsEndWhereTheyCanBeReached() async throws {
    try await withHackerNews(FakeHackerNews.sample(count: 1200)) { provider, server in
      var (cursor, seen): (String?, Set<String>) = (nil, [])
      repeat {
        let page = try await provider.search(stories("parser", size: 100, cursor: cursor))
        #expect(page.total == ResultTotal(1200))
        for item in page.items { #expect(seen.insert(item.id).inserted) }
        cursor = page.next
      } while cursor != nil
      #expect(seen.count == 1000)
      #expect(server.requests.count == 10)
      let error = await #expect(throws: SearchError.self) {
        try await provider.search(stories("parser", sort: "created", order: .ascending))
      }
      #expect(error?.code == .unsupportedQuery)
    }
  }

  @Test(arguments: [
    "", "1", "x", "1x", "x5", "-1x5", "1x0", "1x101", "1001x5", "01x5", "1x5x5", "9999999999999999999x5",
  ])
  func foreignCursorsAreRefused(_ cursor: String) async throws {
    try await withHackerNews(FakeHackerNews.sample(count: 5)) { provider, server in
      let error = await #expect(throws: SearchError.self) {
        try await provider.search(stories("parser", cursor: cursor))
      }
      #expect(error?.code == .invalidCursor)
      #expect(server.requests.isEmpty)
    }
  }

  @Test(arguments: [
    (ScriptedResponse.json(status: 400, body: #"{"message":"bad filter"}"#), SearchError.Code.invalidQuery),
    (.status(429, headers: [("Retry-After", "7")]), .rateLimited),
    (.status(403, headers: [("Retry-After", "7")]), .rateLimited),
    (.status(403), .forbidden), (.status(500), .serverError), (.status(404), .notFound),
    (.html("<html>"), .invalidResponse), (.json(body: "[]"), .invalidResponse), (.empty, .connectionLost),
    (.redirect(to: "https://elsewhere.example/"), .redirect),
    (.truncated("{\"hits\":[]}", keep: 4), .connectionLost),
  ])
  func failuresHaveCauses(_ response: ScriptedResponse, _ code: SearchError.Code) async throws {
    try await withHackerNews(answering: response) { provider, _ in
      let error = await #expect(throws: SearchError.self) { try await provider.search(stories("a")) }
      #expect(error?.code == code)
      #expect(error?.message.contains("Hacker News") == true)
      if code == .rateLimited { #expect((5000...7000).contains(error?.retryAfterMilliseconds ?? 0)) }
    }
  }

  @Test func itComplies() async throws {
    try await withHackerNews(FakeHackerNews.sample(count: 60)) { provider, _ in
      let samples = ProviderComplianceTests.Samples(
        words: ["parser"], qualifiers: ["author:ada", "points:>50", "comments:<20", "created:>2017-08-01"])
      let report = await ProviderComplianceTests(provider: provider, samples: samples).run()
      #expect(report.failures.isEmpty, "\(report)")
    }
  }
}
