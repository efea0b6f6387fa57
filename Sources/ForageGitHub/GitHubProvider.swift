package import ForageCore
import ForageHTTP

/// GitHub's REST API as a provider.
package struct GitHubProvider: SearchProvider {
  /// GitHub gives out at most this many results of one query.
  static let reachable = 1000
  /// The largest page that GitHub delivers.
  static let maximumPageSize = 100

  package let descriptor: ProviderDescriptor
  let client: GitHubClient

  /// Creates a provider.
  ///
  /// - Parameters:
  ///   - id: What names it in options and output.
  ///   - weight: How much its ranks count.
  ///   - timeout: Its own time limit, `nil` for none.
  package init(
    id: String = "github", name: String = "GitHub", client: GitHubClient, weight: Double = 1,
    timeout: Duration? = nil
  ) {
    self.client = client
    descriptor = ProviderDescriptor(
      id: id, name: name, group: "github:" + client.host.credentialHost,
      kinds: [.repo: Self.repositories], hosts: client.host.entityHosts, hasDetails: true, weight: weight,
      timeout: timeout)
  }

  /// What the repository search can do; source: GitHub's documentation "Searching for repositories".
  private static let repositories = ProviderDescriptor.KindAbilities(
    qualifiers: Dictionary(
      uniqueKeysWithValues: [
        "repo", "user", "org", "owner", "language", "license", "topic", "topics", "stars", "forks", "size",
        "followers",
        "good-first-issues", "help-wanted-issues", "created", "pushed", "archived", "mirror", "template",
        "fork", "is",
        "has", "in", "props.*",
      ].map { ($0, ProviderDescriptor.Push.exact) }),
    fields: [
      .description, .host, .owner, .name, .fullName, .avatarURL, .homepage, .language, .topics, .license,
      .stars, .forks,
      .watchers, .subscribers, .network,
      .openIssues, .sizeKB, .fork, .archived, .isPrivate, .template, .mirror, .defaultBranch, .createdAt,
      .updatedAt,
      .pushedAt,
    ],
    sorts: ["stars", "forks", "help-wanted-issues", "updated"], booleans: true,
    maximumPageSize: maximumPageSize,
    reachable: reachable)

  package func search(_ request: SearchRequest) async throws -> SearchPage {
    let url = try request.cursor.map { try nextURL($0) } ?? firstURL(request)
    let (body, response) = try await client.get(
      url, as: RepositorySearchResponse.self, deadline: request.deadline, requests: request.requests)
    // What GitHub itself calls incomplete must not pass for the whole later.
    if body.incompleteResults == true { response.discardStored?() }
    let items = body.items.map { $0.value?.result() }
    let page = url.rawParameter("page").flatMap { Int($0) } ?? 1
    let size = url.rawParameter("per_page").flatMap { Int($0) } ?? request.pageSize
    let next = response.header("link").flatMap { LinkHeader.target("next", in: $0) }
    return SearchPage(
      items: items.compactMap(\.self),
      // Beyond the reachable maximum GitHub answers 422, whatever its links say.
      next: Self.isReachable(page: page, size: size) ? next : nil,
      total: body.totalCount.map {
        ResultTotal(max(0, $0), body.incompleteResults == true ? .atLeast : .equal)
      },
      isIncomplete: body.incompleteResults ?? false, unreadable: items.count { $0 == nil },
      cacheAge: response.cache.age, isStale: response.cache.isStale)
  }

  /// Whether anything can be reached behind a page.
  private static func isReachable(page: Int, size: Int) -> Bool {
    let (end, overflow) = page.multipliedReportingOverflow(by: size)
    return page > 0 && size > 0 && !overflow && end < reachable
  }

  private func firstURL(_ request: SearchRequest) throws -> HTTPURL {
    guard let query = request.query else {
      throw SearchError(
        .unsupportedQuery, "GitHub needs something to search for", hint: "add a word to the query")
    }
    var parameters = [
      (name: "q", value: try GitHubQuery.text(query)),
      (name: "per_page", value: String(min(request.pageSize, Self.maximumPageSize))),
    ]
    if let sort = request.sort {
      parameters += [(name: "sort", value: sort), (name: "order", value: request.order.rawValue)]
    }
    return client.url(["search", "repositories"], parameters: parameters)
  }

  /// The address of a further page: the server's own link. What leads to another host (a proxy that rewrites nothing) is asked of this one.
  private func nextURL(_ link: String) throws -> HTTPURL {
    guard let target = client.url(["search", "repositories"]).resolving(link) else {
      throw SearchError(
        .invalidResponse, "GitHub's link to the next page is not an address",
        hint: "check the address of the API with: forage doctor")
    }
    if target.hasSameOrigin(as: client.host.api) { return target }
    var url = client.url(["search", "repositories"])
    url.query = target.query
    return url
  }
}
