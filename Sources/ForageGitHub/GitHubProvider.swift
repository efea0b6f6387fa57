public import ForageCore
public import ForageHTTP
import ForagePlatform

/// The provider for GitHub's REST API.
public struct GitHubProvider: FeedProvider, ForgeProvider {
  /// The maximum number of results that GitHub returns for one query.
  static let reachable = 1000
  /// GitHub's maximum page size.
  static let maximumPageSize = 100

  /// The id, the name and the server, with the qualifiers of GitHub's search API.
  public let info: ProviderInfo
  let client: GitHubClient
  /// Whether results of a search have the field `answer`.
  private let keepsAnswers: Bool
  private let keptStars = KeptStars()

  /// Creates a provider.
  ///
  /// - Parameters:
  ///   - id: The provider's id in options and output.
  ///   - name: The display name.
  ///   - client: Sends the requests.
  ///   - keepsAnswers: Whether results of a search have the field `answer`.
  package init(
    id: String = "github", name: String = "GitHub", client: GitHubClient, keepsAnswers: Bool = false
  ) {
    (self.client, self.keepsAnswers) = (client, keepsAnswers)
    info = Self.info(id: id, name: name, at: client.address)
  }

  /// Who a GitHub provider is.
  ///
  /// - Parameter address: The server; `nil` if its address is invalid. Such a provider resolves plain names.
  package static func info(id: String, name: String, at address: ForgeAddress?) -> ProviderInfo {
    ProviderInfo(
      // Providers that query the same host count as one source in the ranking.
      id: id, name: name, group: "github:" + (address?.host ?? id),
      hosts: address?.entityHosts ?? [ForgeAddress.gitHub], vocabulary: vocabulary)
  }

  /// The kinds of results of GitHub's search API, with their qualifiers and fields.
  public var kinds: [ResultKind: Abilities] { Self.kinds }

  /// The kinds of results of every GitHub provider.
  package static let kinds = Dictionary(
    uniqueKeysWithValues: GitHubKind.all.map { ($0.kind, $0.abilities) }
      + [(GitHubNotifications.kind, GitHubNotifications.abilities)])
  private static let vocabulary = GitHubKind.all.flatMap(\.vocabulary)

  /// Returns one page of a search; beyond the first 1,000 results the query is split by date.
  public func search(_ request: SearchRequest) async throws -> SearchPage {
    // Ranges begin behind the pages of the first query; its first page only tells how many requests they
    // take.
    let isSplit = request.cursor != nil || request.depth.wanted > Self.reachable
    guard isSplit else { return try await searchOnce(request) }
    return try await PartitionedSearch(id: info.id).page(request, ask: searchOnce)
  }

  /// One page of a query, within the first `reachable` results of what GitHub does not refuse.
  func searchOnce(_ request: SearchRequest) async throws -> SearchPage {
    if request.cursor.map(JoinedLists.isCursor) == true { return try await searchByType(request) }
    do {
      return try await ask(request)
    } catch let error as SearchError where error.code == .invalidQuery && request.cursor == nil {
      return try await searchAgain(request, refused: error)
    }
  }

  /// One page of a query as the server answers it.
  func ask(_ request: SearchRequest) async throws -> SearchPage {
    guard let kind = GitHubKind.all.first(where: { $0.kind == request.kind }) else {
      throw SearchError(
        .unsupportedQuery, "GitHub does not support the kind \(request.kind.rawValue)",
        hint: request.kind == .notification
          ? "they are a feed: leave the words out"
          : "supported kinds: \(GitHubKind.all.map(\.kind.rawValue).joined(separator: ", "))")
    }
    let url = try request.cursor.map { try nextURL($0, kind) } ?? firstURL(request, kind)
    if kind.abilities.needsToken { try await client.requiredToken(for: "searching " + kind.path) }
    let host = client.address.entityHosts.first ?? ForgeAddress.gitHub
    let (tree, response) = try await client.document(
      url, for: .search(kind.kind), deadline: request.deadline, accept: kind.accept)
    let read = SearchResponse(
      tree, host: host, kind, keepsAnswers: keepsAnswers, report: client.warnings.report)
    guard let found = read else { throw await client.unreadable(response) }
    // A result that GitHub marks as incomplete must not be served from the cache later.
    if found.isIncomplete { response.discardStored?() }
    let (page, size) = url.page(size: request.pageSize)
    var notes = await client.omissions(of: response)
    if found.isIncomplete { notes.append(.incompleteResults(of: info.name)) }
    if request.matches.limit > MatchOptions.defaultLimit,
      found.items.contains(where: { $0?[.truncated] != nil })
    {
      notes.append(
        Note(
          .fragmentsOnly, "GitHub shows fragments only, at most \(TextMatch.usualCount) of a file",
          hint: "to see all matches of a file, clone its repository", isMissing: false))
    }
    return SearchPage(
      items: found.items.compactMap(\.self),
      // GitHub answers 422 beyond the reachable results, even if it links there.
      next: Self.isReachable(page: page, size: size) ? response.link("next") : nil,
      total: found.totalCount.map { ResultTotal($0, found.isIncomplete ? .atLeast : .equal) },
      notes: notes,
      unreadable: found.items.count { $0 == nil }, failure: await client.limit(of: response),
      cache: response.cache)
  }

  /// Whether the page after this one is reachable.
  private static func isReachable(page: Count, size: Int) -> Bool {
    page > 0 && size > 0 && (page * size).value < reachable
  }

  private func firstURL(_ request: SearchRequest, _ kind: GitHubKind) throws -> HTTPURL {
    guard let given = request.query else {
      throw SearchError(
        .unsupportedQuery, "the query has nothing that GitHub can search for", hint: "add a word to the query"
      )
    }
    var query = try GitHubQuery.withoutHosts(given, hosts: client.address.entityHosts)
    var (sort, order) = (request.sort, request.order)
    if kind.lacksUpdated {
      if let rest = GitHubQuery.withoutUpdated(query) {
        query = rest
      } else {
        // Sorted by that time, the first pages hold what is asked for.
        if sort == nil { (sort, order) = (GitHubQuery.updated, GitHubQuery.orderByUpdated(query)) }
        query = GitHubQuery.everyRepository
      }
    }
    // Issues support OR and parentheses only in their advanced search.
    let isAdvanced = kind.kind == .issue && query.hasDisjunction
    var parameters = [
      (name: "q", value: try GitHubQuery.text(query, wordsOr: kind.wordsOr, isAdvanced: isAdvanced)),
      (name: "per_page", value: String(min(request.pageSize, Self.maximumPageSize))),
    ]
    if isAdvanced { parameters.append((name: "advanced_search", value: "true")) }
    if let sort {
      parameters += [(name: "sort", value: sort), (name: "order", value: order.rawValue)]
    }
    return client.url(["search", kind.path], parameters: parameters)
  }

  /// The address of GitHub's page for a search.
  public func searchPage(of query: QueryExpression, kind: ResultKind, sort: String?, order: SortOrder)
    -> String?
  {
    guard let kind = GitHubKind.all.first(where: { $0.kind == kind }),
      let host = client.address.entityHosts.first,
      let site = HTTPURL("https://" + host),
      let query = try? GitHubQuery.withoutHosts(query, hosts: client.address.entityHosts)
    else { return nil }
    let isForPulls = query.conjuncts.contains(.qualifier(Qualifier("is", .text("pr"))))
    var parameters = [
      (name: "q", value: query.text(in: GitHubQuery.notation)),
      (name: "type", value: isForPulls && kind.kind == .issue ? "pullrequests" : kind.path),
    ]
    if let sort { parameters += [(name: "s", value: sort), (name: "o", value: order.rawValue)] }
    return site.appending(["search"], parameters: parameters).text
  }

  private func nextURL(_ link: String, _ kind: GitHubKind) throws -> HTTPURL {
    let list = client.url(["search", kind.path])
    guard let target = list.resolving(link) else {
      throw SearchError(
        .invalidResponse, "GitHub's link to the next page is not a valid address",
        hint: GitHubErrors.checkAddress)
    }
    return client.ownURL(target, at: list)
  }

  /// Returns one page of the repositories that the token's owner has starred, or of the owner's
  /// notifications.
  public func feed(_ request: SearchRequest) async throws -> SearchPage {
    switch request.kind {
    case .repo: return try await starred(by: nil, request)
    case .notification: return try await GitHubNotifications(client: client).page(request)
    default:
      throw SearchError(
        .unsupportedQuery, "GitHub has no feed of kind \(request.kind.rawValue)",
        hint: "supported kinds: repo, notification")
    }
  }

  /// Returns one page of the repositories that an account has starred.
  ///
  /// - Throws: `SearchError`, with code `notFound` if there is no such account.
  public func starred(by account: String?, _ request: SearchRequest) async throws -> SearchPage {
    try await GitHubStars(client: client, account: account, kept: keptStars).page(request)
  }

  /// Returns one page of the repositories of an account, forks included, as a search finds them; beyond the
  /// first 1,000 the list is split by date.
  ///
  /// - Parameters:
  ///   - owner: The name of the account.
  ///   - request: As for a search for repositories without a query; its sort key is one of those of the
  ///     search.
  /// - Throws: `SearchError`, with code `notFound` if there is no such account.
  public func repositories(of owner: String, _ request: SearchRequest) async throws -> SearchPage {
    if let sort = request.sort, !GitHubKind.repositories.abilities.sorts.contains(sort) {
      throw SearchError(.unsupportedQuery, "GitHub does not sort the repositories of an account by \(sort)")
    }
    var whole = request
    whole.kind = .repo
    whole.query = .and([
      .qualifier(Qualifier("user", .text(owner))), .qualifier(Qualifier("fork", .text("true"))),
    ])
    do {
      return try await search(whole)
    } catch let error as SearchError where error.code == .invalidQuery && request.cursor == nil {
      // GitHub refuses a search in an account that it does not know.
      throw SearchError(
        .notFound, "there is no account \(owner), or its repositories cannot be searched",
        hint: "check the name")
    }
  }
}

/// The response of a search of any kind.
struct SearchResponse {
  /// The maximum number of items to read from a page: ten times the largest page size.
  static let maximumItems = 1000

  var totalCount: Int?
  var isIncomplete: Bool
  /// The items; `nil` for each that could not be read.
  var items: [SearchResult?]

  /// Reads the list of items strictly and everything else leniently; `nil` if there is no list.
  ///
  /// - Parameters:
  ///   - keepsAnswers: Whether each result gets the field `answer`.
  ///   - report: Receives why an item cannot be read.
  init?(
    _ tree: JSONTree, host: String, _ kind: GitHubKind, keepsAnswers: Bool = false, report: (String) -> Void
  ) {
    guard let list = tree["items"]?.array?.prefix(Self.maximumItems) else { return nil }
    items = list.map { item in
      var result = kind.read(item, host: host, report: report)
      if keepsAnswers { result?[.answer] = FieldValue(answer: item) }
      return result
    }
    isIncomplete = tree.flag("incomplete_results") ?? false
    totalCount = tree.count("total_count")
  }
}

extension FieldValue {
  /// The links of an answer that are kept: to pages, and to the repository of an issue.
  private static let links: Set = ["html_url", "repository_url"]

  /// A value of an answer as it is, without its many links to the API; `nil` for `null`.
  init?(answer tree: JSONTree) {
    switch tree {
    case .null: return nil
    case .bool(let flag): self = .flag(flag)
    case .integer(let number): self = .number(number)
    case .double(let number): self = .fraction(number)
    case .string(let text): self = .text(text)
    case .array(let values): self = .items(values.compactMap(FieldValue.init(answer:)))
    case .object(let members):
      let kept = members.filter { !$0.0.hasSuffix("_url") || Self.links.contains($0.0) }
      self = .record(
        kept.reduce(into: [:]) { record, member in record[member.0] = FieldValue(answer: member.1) })
    }
  }
}

extension GitHubProvider {
  /// Creates a provider that searches with a token.
  ///
  /// Redirects within the server are followed and reads are retried. The token is sent to this server only,
  /// and masked where the server repeats it.
  ///
  /// - Parameters:
  ///   - token: The token; `nil` searches public data with a lower rate limit, and not in code.
  ///   - host: The server: `github.com`, `NAME.ghe.com`, or the host of a GitHub Enterprise Server.
  ///   - userAgent: The name of the calling program, which GitHub requires in each request.
  ///   - transport: Sends one request, for example `HTTPTransport.live()` of `ForageHTTPLive`.
  /// - Throws: `SearchError` with code `configuration` if the host is not valid.
  public init(
    token: String?, host: String = "github.com", userAgent: String, transport: HTTPTransport
  ) throws(SearchError) {
    // The host is not shown, because a misplaced address may contain a password.
    guard let server = try? ForgeAddress(gitHubHost: host) else {
      throw SearchError(
        .configuration, "the host of the GitHub server is not valid",
        hint: "write only the host, for example: ghe.example.com")
    }
    let token = token.map { ForgeToken(secret: $0, source: "the calling program") }
    self.init(
      client: GitHubClient(
        at: server, transport: transport.counting(), userAgent: userAgent, tokens: KnownToken(token)))
  }
}

/// A token that is known, or that there is none.
package struct KnownToken: TokenSource {
  private let known: ForgeToken?

  package init(_ known: ForgeToken?) { self.known = known }

  package func token() async -> ForgeToken? { known }
  package var hint: String? { nil }
  package var wrongVariable: String? { nil }
}
