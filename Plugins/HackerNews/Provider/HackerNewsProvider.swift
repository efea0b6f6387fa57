import ForageCore
import ForageHTTP

/// The provider for stories of Hacker News, using Algolia's search API.
///
/// The address of a story is the page that it links to, or its discussion if it links to none.
/// `discussionUrl` is always its discussion.
struct HackerNewsProvider: FeedProvider {
  /// The provider's id.
  static let id = "hackernews"
  /// The default address of the API.
  static let usualBase = "https://hn.algolia.com"
  /// The maximum number of results that the API returns for one query.
  static let reachable = 1000
  /// The maximum page size. The API allows more, but larger pages delay the first result.
  static let maximumPageSize = 100

  let info = ProviderInfo(
    id: HackerNewsProvider.id, name: "Hacker News",
    vocabulary: [QualifierDefinition("points", .number, field: "points", kinds: [.story])])

  let kinds: [ResultKind: Abilities] = [
    .story: Abilities(
      fields: [.author, "points", .comments, .createdAt, "text", "discussionUrl"],
      // The API cannot exclude authors, so the host checks this qualifier.
      qualifiers: ["author": .inexact, "points": .exact, "comments": .exact, "created": .exact],
      sorts: ["created"], needsText: false, maximumPageSize: HackerNewsProvider.maximumPageSize,
      reachable: HackerNewsProvider.reachable, feed: Abilities.Feed())
  ]

  private let client: HackerNewsClient

  /// Creates a provider.
  ///
  /// - Parameters:
  ///   - base: The address of the API; `http` only for loopback.
  ///   - transport: Sends one request; redirects and retries are added here.
  ///   - userAgent: The `User-Agent` header.
  /// - Throws: `SearchError` if the address is invalid.
  init(base: String, transport: HTTPTransport, userAgent: String) throws(SearchError) {
    guard let url = HTTPURL(base), url.scheme == "https" || url.isLoopback, url.query == nil else {
      throw SearchError(
        .configuration, "the setting url is not a valid API address",
        hint: "write it as https://HOST (http is allowed only for this machine)")
    }
    client = HackerNewsClient(
      base: url, transport: transport.followingRedirects().retryingReads(), userAgent: userAgent)
  }

  /// Returns one page of stories, by relevance or, with the sort key `created`, by date.
  func search(_ request: SearchRequest) async throws -> SearchPage {
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

  /// Returns the front page.
  func feed(_ request: SearchRequest) async throws -> SearchPage {
    try check(request)
    return try await page(of: "search", StoryQuery.empty.parameters(tags: ["front_page"]), request)
  }

  private func check(_ request: SearchRequest) throws(SearchError) {
    guard request.kind == .story else {
      throw SearchError(
        .unsupportedQuery, "Hacker News does not support the kind \(request.kind.rawValue)",
        hint: "use --kind story")
    }
    guard request.pageSize > 0 else {
      throw SearchError(
        .unsupportedQuery, "\(request.pageSize) is not a valid page size for Hacker News",
        hint: "use a page size of at least 1")
    }
  }

  private func page(
    of list: String, _ parameters: [(name: String, value: String)], _ request: SearchRequest
  ) async throws -> SearchPage {
    let place = try StoryCursor(request)
    let answer = try await client.get(list, parameters + place.parameters, deadline: request.deadline)
    // An empty page ends the list, whatever the reported numbers are.
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

  /// Returns the oldest stories first. The API sorts only by newest first, so the list is reversed here if it
  /// is completely reachable.
  private func oldestFirst(_ query: StoryQuery, _ request: SearchRequest) async throws -> SearchPage {
    let place = try StoryCursor(request)
    let answer = try await client.get(
      "search_by_date", query.parameters(tags: ["story"]) + StoryCursor.everything,
      deadline: request.deadline)
    guard answer.total ?? 0 <= max(answer.hits.count, Self.reachable) else {
      throw SearchError(
        .unsupportedQuery,
        "Hacker News returns only the newest \(Self.reachable) stories of a query; the oldest are not reachable",
        hint: "restrict the query with created:<DATE, or sort with --order desc")
    }
    let hits = answer.hits.reversed().dropFirst(place.page * place.size)
    let isLast = hits.count <= place.size
    return page(answer, items: Array(hits.prefix(place.size)), next: isLast ? nil : place.next)
  }
}
