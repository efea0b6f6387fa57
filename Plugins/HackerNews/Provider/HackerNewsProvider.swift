package import ForageCore
package import ForageHTTP

/// The stories of Hacker News, by the search API that Algolia runs for it.
///
/// A story's address is that of the page that it links to, or of its discussion where it links to none; `discussionUrl` is always that of the
/// discussion.
package struct HackerNewsProvider: SearchProvider {
  /// The provider's id.
  package static let id = "hackernews"
  /// The API that everybody uses.
  package static let usualBase = "https://hn.algolia.com"
  /// Results of one query that can be reached; the API cuts its pages off there.
  package static let reachable = 1000
  /// Items of one page: the API gives out far more, but the first would be there later.
  package static let maximumPageSize = 100

  package let descriptor = ProviderDescriptor(
    id: HackerNewsProvider.id, name: "Hacker News",
    kinds: [
      .story: ProviderDescriptor.KindAbilities(
        text: .exact,
        // The author is checked again, which keeps its negation here: the API has none for it.
        qualifiers: ["author": .inexact, "points": .exact, "comments": .exact, "created": .exact],
        fields: [.author, "points", .comments, .createdAt, "text", "discussionUrl"], sorts: ["created"],
        needsText: false, maximumPageSize: HackerNewsProvider.maximumPageSize,
        reachable: HackerNewsProvider.reachable, feed: ProviderDescriptor.Feed())
    ],
    vocabulary: [QualifierDefinition("points", .number, field: "points", kinds: [.story])])

  private let client: HackerNewsClient

  /// Creates a provider.
  ///
  /// - Parameters:
  ///   - base: The address of the API; plain `http` only for loopback.
  ///   - transport: Sends one request; redirects and retries are added here.
  ///   - userAgent: What the API is told of the program.
  /// - Throws: `SearchError` for an address that cannot be used.
  package init(base: String, transport: HTTPTransport, userAgent: String) throws(SearchError) {
    guard let url = HTTPURL(base), url.scheme == "https" || url.isLoopback, url.query == nil else {
      throw SearchError(
        .configuration, "the setting url is not the address of an API",
        hint: "write it as https://host; plain http only for this machine")
    }
    client = HackerNewsClient(
      base: url, transport: transport.followingRedirects().retryingReads(), userAgent: userAgent)
  }

  /// Delivers one page of stories: by relevance, or by date with the sort `created`.
  package func search(_ request: SearchRequest) async throws -> SearchPage {
    try check(request)
    let query = try StoryQuery(request.query)
    if query.isImpossible { return SearchPage(items: [], total: ResultTotal(0)) }
    let isByDate = request.sort == "created"
    var page =
      isByDate && request.order == .ascending
      ? try await oldestFirst(query, request)
      : try await page(
        of: isByDate ? "search_by_date" : "search", query.parameters(tags: ["story"]), request)
    page.unapplied = query.unapplied
    return page
  }

  /// Delivers the front page.
  package func feed(_ request: SearchRequest) async throws -> SearchPage {
    try check(request)
    return try await page(of: "search", StoryQuery.empty.parameters(tags: ["front_page"]), request)
  }

  private func check(_ request: SearchRequest) throws(SearchError) {
    guard request.kind == .story else {
      throw SearchError(
        .unsupportedQuery, "Hacker News has no results of kind \(request.kind.rawValue)",
        hint: "ask for stories with --kind story")
    }
    guard request.pageSize > 0 else {
      throw SearchError(
        .unsupportedQuery, "Hacker News has no pages of \(request.pageSize) items",
        hint: "ask for at least one")
    }
  }

  private func page(
    of list: String, _ parameters: [(name: String, value: String)], _ request: SearchRequest
  ) async throws -> SearchPage {
    let place = try StoryCursor(request)
    let answer = try await client.get(
      list, parameters + place.parameters, deadline: request.deadline, requests: request.requests)
    // A page that is empty ends the list whatever the numbers say.
    let isLast = answer.hits.isEmpty || place.page + 1 >= answer.pageCount || place.isAtEnd
    return page(answer, items: answer.hits, next: isLast ? nil : place.next)
  }

  private func page(_ answer: StoryAnswer, items: [StoryAnswer.Hit], next: String?) -> SearchPage {
    let results = items.compactMap(\.result)
    return SearchPage(
      items: results, next: next,
      total: answer.total.map { ResultTotal($0, answer.isExhaustive ? .equal : .atLeast) },
      unreadable: items.count - results.count)
  }

  /// The API only knows the newest first: where all can be had at once, they are turned round here.
  private func oldestFirst(_ query: StoryQuery, _ request: SearchRequest) async throws -> SearchPage {
    let place = try StoryCursor(request)
    let answer = try await client.get(
      "search_by_date", query.parameters(tags: ["story"]) + StoryCursor.everything,
      deadline: request.deadline, requests: request.requests)
    guard answer.total ?? 0 <= max(answer.hits.count, Self.reachable) else {
      throw SearchError(
        .unsupportedQuery,
        "Hacker News gives out the newest \(Self.reachable) stories of a query, so of more the oldest are not to be had",
        hint: "narrow the query with created:<DATE, or sort with --order desc")
    }
    let hits = answer.hits.reversed().dropFirst(place.page * place.size)
    let isLast = hits.count <= place.size
    return page(answer, items: Array(hits.prefix(place.size)), next: isLast ? nil : place.next)
  }
}
