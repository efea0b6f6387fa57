package import ForageCore
import ForageHTTP

/// The provider of a manifest that describes a forge.
package struct ManifestForgeProvider: FeedProvider, ForgeProvider, AccountProvider {
  /// The provider that searches, and reads single entities.
  package let searching: ManifestProvider
  package let kinds: [ResultKind: Abilities]
  let forge: ManifestForge

  package var info: ProviderInfo { searching.info }
  package var detailedKinds: Set<ResultKind> {
    searching.detailedKinds.union(forge.files == nil ? [] : [.code])
  }
  var client: ManifestClient { searching.client }
  var name: String { searching.manifest.name }

  /// - Returns: `nil` for a manifest that describes no forge.
  package init?(_ provider: ManifestProvider) {
    guard let forge = provider.manifest.forge else { return nil }
    (searching, self.forge) = (provider, forge)
    var kinds = provider.kinds
    if forge.stars != nil, kinds[.repo]?.feed == nil { kinds[.repo]?.feed = Abilities.Feed() }
    for name in Self.places(forge, provider) where kinds[.repo]?.push(name) == .unsupported {
      kinds[.repo]?.qualifiers[name] = .exact
    }
    // What a repository must be named for is searched in those of an account.
    for kind in provider.manifest.kinds where Self.searchesRepositories(kind, forge) {
      for name in ManifestRequest.Within.ownerNames where kinds[kind.kind]?.push(name) == .unsupported {
        kinds[kind.kind]?.qualifiers[name] = .exact
      }
    }
    self.kinds = kinds
  }

  /// Whether the repositories of an account can be searched one by one.
  private static func searchesRepositories(_ kind: ManifestKind, _ forge: ManifestForge) -> Bool {
    kind.kind != .repo && !forge.owner.isEmpty
      && kind.all.allSatisfy { $0.search.request.within.contains { $0.qualifier == "repo" } }
  }

  package func search(_ request: SearchRequest) async throws -> SearchPage {
    let parts = try parts(of: request)
    if parts.count > 1 {
      // Each may be a repository, a group or a person, and have a list of its own or repositories that are
      // searched one by one.
      let lists = parts.map { query -> JoinedLists.List in
        { request in
          var part = request
          part.query = query
          return try await RequestOwner.$current.withValue(RequestOwner.of(query) ?? RequestOwner.current) {
            [part] in try await search(part)
          }
        }
      }
      return try await JoinedLists(lists).page(request)
    }
    var request = request
    request.query = parts.first ?? request.query
    if let page = try await named(request) { return page }
    let account = await account(for: request)
    if let page = try await across(request, account) { return page }
    do {
      return try await searching.search(request, account: account)
    } catch var error as SearchError
      where [.notFound, .invalidCursor, .needsQualifier].contains(error.code)
    {
      if let page = try await inRepositories(request, account) { return page }
      if error.code == .needsQualifier, Self.searchesRepositories(try searching.kind(request.kind), forge) {
        error.hint = "add repo:NAME, or org:NAME for all of an account, to the query"
      }
      throw error
    }
  }

  /// The queries that each name one of the repositories and accounts of a query. Repositories alone are one
  /// list of a search in them.
  private func parts(of request: SearchRequest) throws -> [QueryExpression] {
    guard let query = request.query else { return [] }
    let host = searching.manifest.host(of: try searching.kind(request.kind), base: client.base) ?? ""
    let parts = ManifestQuery.each(of: query, of: name, at: host, folder: client.base?.folder ?? "")
    let namesAccounts = query.negationNormalForm.conjuncts.contains { condition in
      if condition.isScope, case .qualifier(let scope) = condition { scope.name != "repo" } else { false }
    }
    return request.kind == .repo || namesAccounts ? parts : [query]
  }

  /// The account of the secret, where a query has a qualifier whose value it may be; `nil` where the forge
  /// does not tell it.
  private func account(for request: SearchRequest) async -> String? {
    let names = Set(request.query?.qualifiers.map(\.name) ?? [])
    let lists = (try? searching.kind(request.kind))?.all ?? []
    guard lists.contains(where: { list in names.contains { list.qualifiers[$0]?.own.isEmpty == false } }),
      (try? await client.hasSecret()) == true
    else { return nil }
    return try? await login(deadline: request.deadline)
  }

  /// The feed of the manifest; of repositories without one what the account of the secret has starred.
  ///
  /// - Throws: `SearchError`, with code `nothingToAsk` for stars without a secret.
  package func feed(_ request: SearchRequest) async throws -> SearchPage {
    if request.kind == .notification, try await !client.hasSecret() {
      throw SearchError(
        .nothingToAsk, "\(name) has no secret, so it is not known whose notifications are meant",
        hint: client.errors.needsSecret.hint)
    }
    guard request.kind == .repo, searching.kinds[.repo]?.feed == nil else {
      return try await searching.feed(request)
    }
    guard try await client.hasSecret() else {
      throw SearchError(
        .nothingToAsk, "\(name) has no secret, so it is not known what you have starred",
        hint: client.errors.needsSecret.hint)
    }
    return try await starred(by: nil, request)
  }

  package func details(of id: EntityReference, deadline: ContinuousClock.Instant) async throws
    -> EntityDetails?
  {
    if case .file(let path, let ref) = id.subject, forge.files != nil {
      return try await details(of: id, at: path, ref, deadline: deadline)
    }
    return try await searching.details(of: id, deadline: deadline)
  }

  package func comments(
    of issue: EntityReference, last count: Int, of total: Int, deadline: ContinuousClock.Instant
  ) async throws -> [FieldValue] {
    let part = try searching.list(of: issue).details?.parts.first { $0.name == .comments }
    guard let part else { throw lack("comments") }
    let values = ManifestDetails.values(of: issue).merging(["count": String(count)]) { $1 }
    let (value, _) = try await PartsReader([], values, client, deadline: deadline).value(of: part)
    return Array((value?.elements ?? []).suffix(count))
  }

  package func searchPage(of query: QueryExpression, kind: ResultKind, sort: String?, order: SortOrder)
    -> String?
  {
    guard let kind = searching.manifest.kinds.first(where: { $0.kind == kind }) else { return nil }
    let lists = kind.lists(for: query)
    guard let page = lists.count == 1 ? lists[0].page : kind.page else { return nil }
    let words = query.positiveTerms.map(\.text).joined(separator: " ")
    return page.text(["base": client.baseText(kind.search.request), "text": words])
  }

  package func page(of entity: EntityReference) -> String? {
    ManifestForge.Page(entity.subject).flatMap { page($0, of: entity) } ?? entity.webAddress(at: server)
  }

  /// The address of a repository for git over HTTPS, where it is not that of its page.
  package func cloneAddress(of repository: EntityReference) -> String? { page(.clone, of: repository) }

  private func page(_ page: ManifestForge.Page, of entity: EntityReference) -> String? {
    forge.pages[page]?.text(ManifestDetails.values(of: entity).merging(["base": server]) { $1 })
  }

  /// The address that pages begin with.
  private var server: String {
    let site = searching.manifest.site.map { "https://" + $0 }
    let isUsual = client.base == searching.manifest.base.flatMap(HTTPURL.init)
    return isUsual ? site ?? address : address
  }
}

// MARK: - Repositories by name

extension ManifestForgeProvider {
  /// The qualifiers of which the repositories are requested by name, as far as the search has no address for
  /// them.
  private static func places(_ forge: ManifestForge, _ provider: ManifestProvider) -> [String] {
    (provider.detailedKinds.contains(.repo) ? ["repo"] : [])
      + (forge.owner.isEmpty ? [] : ManifestRequest.Within.ownerNames)
  }

  /// The repository that a query names, or those of the account that it names: a search would have to look for
  /// them among all.
  ///
  /// - Returns: `nil` where the query names none, or the search has an address for it.
  private func named(_ request: SearchRequest) async throws -> SearchPage? {
    guard request.kind == .repo, let query = request.query else { return nil }
    let list = try searching.kind(.repo)
    let places = Self.places(forge, searching).filter { searching.kinds[.repo]?.push($0) == .unsupported }
    let conditions = query.negationNormalForm.conjuncts
    let scope = conditions.compactMap { condition -> (name: String, value: String)? in
      guard case .qualifier(let qualifier) = condition, case .text(let value) = qualifier.value else {
        return nil
      }
      return places.contains(qualifier.name) ? (qualifier.name, value) : nil
    }.first
    guard let scope, scope.name == "repo" || canSort(request) else { return nil }
    let host = searching.manifest.host(of: list, base: client.base) ?? ""
    let name = try ManifestQuery.name(scope.value, of: name, at: host, folder: client.base?.folder ?? "")
    var all = request
    all.query = nil
    var page: SearchPage
    do {
      page =
        try await scope.name == "repo"
        ? repository(name, at: host, all) : repositories(of: name, all)
    } catch let error as SearchError where error.code == .notFound {
      page = SearchPage(items: [])
    }
    page.unapplied = Set(conditions.filter { !$0.isScope }.flatMap(\.qualifiers).map(\.name))
    page.total = nil
    let found = page.items.count
    page.items.removeAll { item in
      !conditions.allSatisfy { condition in
        switch condition {
        case .term, .not(.term): condition.matches(item)
        default: true
        }
      }
    }
    page.mayRepeat = page.items.count < found
    return page
  }

  /// The most repositories of an account that are searched one by one.
  private static let mostRepositories = 30

  /// Searches the repositories of an account, for one that the address of accounts does not know: some forges
  /// have one for groups alone.
  ///
  /// - Returns: `nil` where the query names no account.
  /// - Throws: `SearchError` with code `notFound` for an account that the forge does not show.
  private func inRepositories(_ request: SearchRequest, _ account: String?) async throws -> SearchPage? {
    guard let query = request.query, let list = try? searching.kind(request.kind),
      Self.searchesRepositories(list, forge)
    else { return nil }
    let conditions = query.negationNormalForm.conjuncts
    let owners = conditions.compactMap { condition -> (condition: QueryExpression, name: String)? in
      guard case .qualifier(let qualifier) = condition, case .text(let value) = qualifier.value,
        ManifestRequest.Within.ownerNames.contains(qualifier.name)
      else { return nil }
      return (condition, value)
    }
    guard owners.count == 1, let owner = owners.first else { return nil }
    let host = searching.manifest.host(of: list, base: client.base) ?? ""
    let name = try ManifestQuery.name(owner.name, of: name, at: host, folder: client.base?.folder ?? "")
    let listing = SearchRequest(
      kind: .repo, query: nil, pageSize: Self.mostRepositories, deadline: request.deadline)
    let found: SearchPage
    do { found = try await repositories(of: name, listing) } catch let error as SearchError
      where error.code == .notFound
    {
      throw client.errors.missing(name)
    }
    let repositories = found.items.compactMap { item -> QueryExpression? in
      guard let owner = item[.owner]?.text, let name = item[.name]?.text else { return nil }
      return .qualifier(Qualifier("repo", .text(owner + "/" + name)))
    }
    guard !repositories.isEmpty else { return SearchPage(items: []) }
    var within = request
    within.query = .and(repositories + conditions.filter { $0 != owner.condition })
    var page = try await searching.search(within, account: account, ignoresMissing: true)
    if found.next != nil {
      page.notes.append(
        Note(
          .incompleteSearch,
          "\(self.name) searches the repositories of \(name) one by one; only \(repositories.count) were",
          hint: "name the repositories with repo:"))
      page.total = page.total.map { ResultTotal($0.value, .atLeast) }
    }
    return page
  }

  /// Whether the lists of accounts have the order that a request wants.
  private func canSort(_ request: SearchRequest) -> Bool {
    request.sort.map { key in forge.owner.allSatisfy { $0.sorts[key]?[request.order] != nil } } ?? true
  }

  /// Requests a repository without its parts; `nil` if it does not exist.
  package func repository(_ id: EntityReference, deadline: ContinuousClock.Instant) async throws
    -> SearchResult?
  { try await searching.answer(of: id, deadline: deadline)?.item }

  private func repository(_ name: String, at host: String, _ request: SearchRequest) async throws
    -> SearchPage
  {
    guard let id = EntityReference("\(host)/\(name)", defaultHost: host), id.subject == .repository,
      let found = try await searching.answer(of: id, deadline: request.deadline)
    else { return SearchPage(items: []) }
    return SearchPage(items: [found.item], cache: found.cache)
  }
}

// MARK: - The account, and its stars

extension ManifestForgeProvider {
  package func account(deadline: ContinuousClock.Instant) async throws -> ForgeAccount {
    try await account(deadline: deadline, isCacheable: false)
  }

  package func login(deadline: ContinuousClock.Instant) async throws -> String {
    if let login = try await account(deadline: deadline, isCacheable: true).login { return login }
    throw SearchError(.invalidResponse, "\(name) does not tell whose secret it is, so that @me means nobody")
  }

  private func account(deadline: ContinuousClock.Instant, isCacheable: Bool) async throws -> ForgeAccount {
    guard let account = forge.account else { throw lack("request for the account of a secret") }
    let (tree, _) = try await client.get(
      try client.address(account.request, [:]), account.request, body: [], needsToken: true,
      deadline: deadline, isCacheable: isCacheable)
    var found = ForgeAccount(login: account.login.value(in: tree, base: "")?.text)
    if !isCacheable, let scopes = account.scopes,
      let (tree, _) = try? await client.get(
        try client.address(scopes.request, [:]), scopes.request, body: [], needsToken: true,
        deadline: deadline, isCacheable: false)
    {
      found.scopes = scopes.path.values(in: tree).compactMap(\.string)
    }
    return found
  }

  /// None are known; whether the forge answers is asked with a short list, or with the account, which it may
  /// refuse.
  package func limits(deadline: ContinuousClock.Instant) async throws -> [RequestLimit] {
    if let kind = searching.manifest.kinds.first(where: { $0.kind == .repo }), kind.needsText == false,
      !kind.needsToken,
      !kind.search.request.needsWithin
    {
      _ = try await searching.search(SearchRequest(kind: .repo, query: nil, pageSize: 1, deadline: deadline))
    } else if let account = forge.account {
      do {
        _ = try await client.get(
          try client.address(account.request, [:]), account.request, body: [], needsToken: false,
          deadline: deadline, isCacheable: false)
      } catch let error as SearchError where [.unauthorized, .forbidden].contains(error.code) {
        return []
      }
    }
    return []
  }

  package func change(
    _ change: StarChange, of repository: EntityReference, deadline: ContinuousClock.Instant
  ) async throws {
    guard let rule = change == .add ? forge.star : forge.unstar else { throw lack("stars") }
    let url = try client.address(rule.request, ManifestDetails.values(of: repository))
    let name = repository.owner + "/" + repository.name
    do {
      try await client.change(url, rule.method.rawValue, deadline: deadline)
    } catch let error as SearchError {
      throw error.changing(
        change, of: name, with: "the secret", rights: ", and what the secret is allowed to do")
    }
  }

  /// The most pages of notifications that are marked one by one.
  private static let mostNotificationPages = 10

  /// Marks notifications as read; one by one where the forge can only mark all, also those that are newer.
  package func markRead(_ what: ReadNotifications, deadline: ContinuousClock.Instant) async throws {
    guard let reading = forge.readThread else { throw lack("notifications") }
    switch what {
    case .thread(let thread): try await markRead(reading, ["thread": thread], deadline)
    case .all(let time):
      if let all = forge.readAll { return try await markRead(all, ["until": Timestamp.text(time)], deadline) }
      var request = SearchRequest(kind: .notification, query: nil, pageSize: 100, deadline: deadline)
      var threads: [String] = []
      for _ in 0..<Self.mostNotificationPages {
        let page = try await feed(request)
        threads += page.items.filter { $0[.unread]?.flag == true && $0[.updatedAt]?.date ?? time <= time }
          .compactMap { $0[.thread]?.text }
        guard let next = page.next else { break }
        request.cursor = next
      }
      for thread in threads { try await markRead(reading, ["thread": thread], deadline) }
    }
  }

  private func markRead(
    _ rule: ManifestForge.Change, _ values: [String: String], _ deadline: ContinuousClock.Instant
  ) async throws {
    do {
      try await client.change(
        try client.address(rule.request, values), rule.method.rawValue, deadline: deadline)
    } catch let error as SearchError {
      throw error.markingRead
    }
  }

  package func starred(by account: String?, _ request: SearchRequest) async throws -> SearchPage {
    guard let account else {
      guard let list = forge.stars else { throw lack("list of your stars") }
      var page = try await self.page(request, of: list, needsToken: true, isOfStars: true)
      for index in page.items.indices { page.items[index].set(.starred, true) }
      return page
    }
    guard let list = forge.starsOf else { throw lack("list of the stars of an account") }
    return try await pages([list], of: account, request)
  }

  package func repositories(of owner: String, _ request: SearchRequest) async throws -> SearchPage {
    guard !forge.owner.isEmpty else { throw lack("list of the repositories of an account") }
    return try await pages(forge.owner, of: owner, request)
  }

  /// One page of the first of several lists that has the account.
  private func pages(_ lists: [ManifestList], of account: String, _ request: SearchRequest) async throws
    -> SearchPage
  {
    for list in lists {
      do {
        return try await page(request, of: list, account: account)
      } catch let error as SearchError
        where error.code == .notFound || error.code == .invalidCursor && lists.count > 1
      {
        continue
      }
    }
    throw SearchError(.notFound, "\(name) has no account \"\(account)\"", hint: "check the name")
  }

  private func page(
    _ request: SearchRequest, of list: ManifestList, account: String? = nil, needsToken: Bool = false,
    isOfStars: Bool = false
  ) async throws -> SearchPage {
    var kind = try searching.kind(.repo)
    kind.needsToken = needsToken
    return try await PageReader(
      request, of: list, isFeed: true, kind, client, values: account.map { ["owner": $0] } ?? [:],
      isOfStars: isOfStars
    ).page(report: searching.warnings.report, coverage: nil)
  }
}

extension ManifestForgeProvider {
  /// Whether git's credential helpers are asked.
  package var asksHelpers: Bool { client.helper != nil }

  /// Whether there is a secret, of the user or of git's credential helpers.
  package func hasSecret() async throws(SearchError) -> Bool { try await client.hasSecret() }

  /// Whether the account of the secret can star repositories, or has a list of those.
  package var hasStars: Bool { forge.star != nil || forge.stars != nil }

  /// The name of the secret; `nil` for an API without one.
  package var secretName: String? { searching.manifest.auth?.secret }

  /// The variable of the secret, as the maker of the provider has named it; `nil` for none.
  package var secretVariable: String? { client.variable }

  /// The address of the API.
  package var address: String {
    searching.manifest.kinds.first { $0.kind == .repo }.map { client.baseText($0.search.request) } ?? ""
  }
}
