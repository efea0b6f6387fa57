package import ForageCore
import ForageHTTP

/// GitHub's REST API as a provider.
package struct GitHubProvider: SearchProvider {
  /// GitHub gives out at most this many results of one query.
  static let reachable = 1000
  /// The largest page that GitHub delivers.
  static let maximumPageSize = 100

  package private(set) var descriptor: ProviderDescriptor
  let client: GitHubClient
  private let splitting: SplitSearch
  private let stars: GitHubStars

  /// Creates a provider.
  ///
  /// - Parameters:
  ///   - id: What names it in options and output.
  ///   - weight: How much its ranks count.
  ///   - timeout: Its own time limit, `nil` for none.
  ///   - reach: How far one search may go beyond what a query gives out; the value serves one search.
  ///   - user: Whose stars its feed is, `nil` for those of the token's owner.
  package init(
    id: String = "github", name: String = "GitHub", client: GitHubClient, weight: Double = 1,
    timeout: Duration? = nil, reach: SearchReach = SearchReach(), starsOf user: String? = nil
  ) {
    self.client = client
    splitting = SplitSearch(reach: reach)
    stars = GitHubStars(client: client, user: user)
    descriptor = Self.descriptor(
      id: id, name: name, host: client.host, weight: weight, timeout: timeout)
    if let user { descriptor.group += " stars of " + user }
  }

  /// What a provider for a GitHub is and can do.
  ///
  /// - Parameter host: The GitHub, `nil` where its address cannot be read: such a provider is the one that was meant for plain names.
  package static func descriptor(
    id: String, name: String, host: GitHubHost?, weight: Double = 1, timeout: Duration? = nil
  ) -> ProviderDescriptor {
    ProviderDescriptor(
      // What asks one host is one voter, however many providers ask it.
      id: id, name: name, group: "github:" + (host?.credentialHost ?? id),
      kinds: abilities, hosts: host?.entityHosts ?? [GitHubHost.dotCom], hasDetails: true,
      weight: weight, timeout: timeout, vocabulary: vocabulary)
  }

  private static let abilities = Dictionary(
    uniqueKeysWithValues: GitHubKind.all.map { ($0.kind, $0.abilities) })
  private static let vocabulary = GitHubKind.all.flatMap(\.vocabulary)

  package func search(_ request: SearchRequest) async throws -> SearchPage {
    try await splitting.page(request, ask: searchOnce)
  }

  /// A page of one query, of which no more than `reachable` results are given out.
  private func searchOnce(_ request: SearchRequest) async throws -> SearchPage {
    guard let kind = GitHubKind.all.first(where: { $0.kind == request.kind }) else {
      throw SearchError(
        .unsupportedQuery, "GitHub has no results of kind \(request.kind.rawValue)",
        hint: "it has: \(GitHubKind.all.map(\.kind.rawValue).joined(separator: ", "))")
    }
    let url = try request.cursor.map { try nextURL($0, kind) } ?? firstURL(request, kind)
    let (answer, response) = try await kind.read(client, url, request)
    // What GitHub itself calls incomplete must not pass for the whole later.
    if answer.isIncomplete { response.discardStored?() }
    let page = url.rawParameter("page").flatMap { Int($0) } ?? 1
    let size = url.rawParameter("per_page").flatMap { Int($0) } ?? request.pageSize
    let next = response.header("link").flatMap { LinkHeader.target("next", in: $0) }
    return SearchPage(
      items: answer.items.compactMap(\.self),
      // Beyond the reachable maximum GitHub answers 422, whatever its links say.
      next: Self.isReachable(page: page, size: size) ? next : nil,
      total: answer.totalCount.map { ResultTotal(max(0, $0), answer.isIncomplete ? .atLeast : .equal) },
      isIncomplete: answer.isIncomplete, unreadable: answer.items.count { $0 == nil },
      cacheAge: response.cache.age, isStale: response.cache.isStale)
  }

  /// Whether anything can be reached behind a page.
  private static func isReachable(page: Int, size: Int) -> Bool {
    let (end, overflow) = page.multipliedReportingOverflow(by: size)
    return page > 0 && size > 0 && !overflow && end < reachable
  }

  private func firstURL(_ request: SearchRequest, _ kind: GitHubKind) throws -> HTTPURL {
    guard let query = request.query else {
      throw SearchError(
        .unsupportedQuery, "GitHub needs something to search for", hint: "add a word to the query")
    }
    // Issues support OR and parentheses only in their advanced search.
    let isAdvanced = kind.kind == .issue && query.hasDisjunction
    var parameters = [
      (name: "q", value: try GitHubQuery.text(query, wordsOr: kind.wordsOr, isAdvanced: isAdvanced)),
      (name: "per_page", value: String(min(request.pageSize, Self.maximumPageSize))),
    ]
    if isAdvanced { parameters.append((name: "advanced_search", value: "true")) }
    if let sort = request.sort {
      parameters += [(name: "sort", value: sort), (name: "order", value: request.order.rawValue)]
    }
    return client.url(["search", kind.path], parameters: parameters)
  }

  /// The address of a further page: the server's own link. What leads to another host (a proxy that rewrites nothing) is asked of this one.
  private func nextURL(_ link: String, _ kind: GitHubKind) throws -> HTTPURL {
    guard let target = client.url(["search", kind.path]).resolving(link) else {
      throw SearchError(
        .invalidResponse, "GitHub's link to the next page is not an address",
        hint: "check the address of the API with: forage doctor")
    }
    if target.hasSameOrigin(as: client.host.api) { return target }
    var url = client.url(["search", kind.path])
    url.query = target.query
    return url
  }

  package func feed(_ request: SearchRequest) async throws -> SearchPage {
    guard request.kind == .repo else {
      throw SearchError(
        .unsupportedQuery, "GitHub has no feed of kind \(request.kind.rawValue)", hint: "ask for repo")
    }
    return try await stars.page(request)
  }
}
