public import ForageCore
import ForageHTTP

/// Searches that GitHub refuses as a whole, although it answers parts of them.
extension GitHubProvider {
  /// The most repositories and accounts of a query that are looked up to find those that are missing.
  private static let mostLookups = 10

  /// One page of a query, within the first `reachable` results of what GitHub does not refuse.
  ///
  /// - Some tokens cannot search for issues and pull requests at once: they are asked one after the other and merged.
  /// - A query with repositories or accounts that do not exist is asked without them, which a note says.
  func searchOnce(_ request: SearchRequest) async throws -> SearchPage {
    if let places = try request.cursor.flatMap(IssueTypePlace.parsed) {
      return try await searchByType(request, from: places)
    }
    do {
      return try await ask(request)
    } catch let error as SearchError where error.code == .invalidQuery && request.cursor == nil {
      let isTyped = request.query?.conjuncts.contains { IssueTypePlace.conditions.contains($0) } ?? false
      if request.kind == .issue, !isTyped, error.message.contains(GitHubErrors.missingType) {
        return try await searchByType(request, from: IssueTypePlace.first)
      }
      guard error.message.contains(GitHubErrors.unknownScope), let given = request.query else { throw error }
      let query = try GitHubQuery.withoutHosts(given, hosts: client.address.entityHosts)
      let missing = try await missingScopes(of: query, deadline: request.deadline)
      guard !missing.isEmpty else { throw error }
      let names = missing.map { "\($0.name):\($0.valueText)" }.joined(separator: ", ")
      let fault =
        "\(client.errors(nil).name) cannot search in \(names), which "
        + (missing.count == 1 ? "does not exist or is" : "do not exist or are") + " not visible to you"
      let hint = "check the names, and which repositories the token can access"
      var rest = request
      rest.query = GitHubQuery.without(Set(missing), in: query)
      guard rest.query != nil else { throw SearchError(.invalidQuery, fault, hint: hint) }
      var page = try await searchOnce(rest)
      page.notes.insert(Note(.missingScopes, fault, hint: hint), at: 0)
      return page
    }
  }

  /// The repositories and accounts in which a query searches and that the server does not have.
  private func missingScopes(of query: QueryExpression, deadline: ContinuousClock.Instant) async throws
    -> [Qualifier]
  {
    var missing: [Qualifier] = []
    for scope in GitHubQuery.scopes(of: query).prefix(Self.mostLookups) where !missing.contains(scope) {
      guard case .text(let name) = scope.value, name != "@me" else { continue }
      let path =
        scope.name == "repo" ? ["repos"] + name.split(separator: "/").map(String.init) : ["users", name]
      do {
        _ = try await client.get(client.url(path), deadline: deadline, \.object)
      } catch let error as SearchError where error.code == .notFound {
        missing.append(scope)
      }
    }
    return missing
  }

  /// What the server does not permit to the token, although it accepts it.
  public func restrictions(deadline: ContinuousClock.Instant) async throws -> [Note] {
    let request = SearchRequest(
      kind: .issue, query: .term(QueryTerm("forage")), pageSize: 1, deadline: deadline)
    do {
      _ = try await ask(request)
      return []
    } catch let error as SearchError where error.message.contains(GitHubErrors.missingType) {
      return [
        Note(
          .invalidQuery,
          "cannot search for issues and pull requests at once, so a search without is:issue or is:pr takes twice as many requests",
          hint: "add is:issue or is:pr to a search that needs only these", isMissing: false)
      ]
    }
  }
}

/// How far one of the lists of issues and of pull requests has been merged.
private struct IssueTypePlace {
  /// The server's link to the page; `nil` for the first page.
  var link: String?
  /// The number of items of the page that are merged.
  var skip = 0
  /// The number of items of the list that are merged.
  var count = 0
  var isEnded = false

  /// The types in the order of the places, as GitHub's message writes them.
  static let conditions = ["issue", "pull-request"].map {
    QueryExpression.qualifier(Qualifier("is", .text($0)))
  }
  static let first = conditions.map { _ in IssueTypePlace() }

  /// The prefix of the cursors of merged lists; no server link has it.
  private static let prefix = "types "

  /// The places as text: on a line each the numbers and the link.
  static func cursor(_ places: [IssueTypePlace]) -> String? {
    if places.allSatisfy(\.isEnded) { return nil }
    return prefix
      + places.map { "\($0.isEnded ? -1 : $0.skip) \($0.count) \($0.link ?? "")" }.joined(separator: "\n")
  }

  /// Parses a cursor.
  ///
  /// - Returns: `nil` for a server's link.
  /// - Throws: `SearchError` with code `invalid_cursor` for a damaged cursor.
  static func parsed(_ cursor: String) throws(SearchError) -> [IssueTypePlace]? {
    guard cursor.hasPrefix(prefix) else { return nil }
    let places = cursor.dropFirst(prefix.count).split(separator: "\n", omittingEmptySubsequences: false)
      .compactMap { line -> IssueTypePlace? in
        let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let skip = Int(parts[0]), let count = Int(parts[1]), skip >= -1, count >= 0
        else { return nil }
        return IssueTypePlace(
          link: parts[2].isEmpty ? nil : String(parts[2]), skip: max(skip, 0), count: count,
          isEnded: skip < 0)
      }
    guard places.count == first.count else { throw PartitionPosition.damaged }
    return places
  }
}

extension GitHubProvider {
  /// One page of the merged lists of issues and of pull requests.
  ///
  /// By best match the lists alternate; by a sort key they are merged by its values. A page that is merged in part is
  /// requested again for the next page, which the cache answers.
  private func searchByType(_ request: SearchRequest, from start: [IssueTypePlace]) async throws -> SearchPage
  {
    var places = start
    var page = SearchPage(items: [])
    var lists: [SearchPage] = []
    for (condition, place) in zip(IssueTypePlace.conditions, places) {
      guard !place.isEnded else {
        lists.append(SearchPage(items: []))
        continue
      }
      var part = request
      part.query = QueryExpression.all([request.query, condition].compactMap(\.self))
      part.cursor = place.link
      var list = try await searchOnce(part)
      list.items = Array(list.items.dropFirst(place.skip))
      page.notes += list.notes.filter { !page.notes.contains($0) }
      page.unreadable += place.skip == 0 ? list.unreadable : 0
      page.failure = page.failure ?? list.failure
      page.cache.add(list.cache)
      lists.append(list)
    }
    // A total is that of both lists.
    if let first = lists[0].total, let second = lists[1].total {
      let isExact = first.relation == .equal && second.relation == .equal
      page.total = ResultTotal(first.value + second.value, isExact ? .equal : .atLeast)
    }
    var heads = lists.map(\.items.startIndex)
    func isUsed(_ list: Int) -> Bool { heads[list] == lists[list].items.endIndex }
    // Of a sorted list with more than the reachable results the rest is read in ranges, from the last item on.
    func isCut(_ list: Int) -> Bool {
      isUsed(list) && lists[list].next == nil && request.sort != nil
        && (lists[list].total?.value ?? 0) > Self.reachable
    }
    while page.items.count < request.pageSize {
      let used = lists.indices.filter(isUsed)
      // What follows in one list may come before the rest of the other.
      if used.count == lists.count || used.contains(where: { lists[$0].next != nil || isCut($0) }) { break }
      let next =
        used.first.map { 1 - $0 }
        ?? follower(of: places, lists.indices.map { lists[$0].items[heads[$0]] }, request)
      page.items.append(lists[next].items[heads[next]])
      heads[next] += 1
      places[next].count += 1
      places[next].skip += 1
    }
    for list in lists.indices where isUsed(list) {
      (places[list].link, places[list].skip) = (lists[list].next, 0)
      places[list].isEnded = lists[list].next == nil
    }
    page.next = lists.indices.contains(where: isCut) ? nil : IssueTypePlace.cursor(places)
    return page
  }

  /// The list of which the next item is taken.
  private func follower(of places: [IssueTypePlace], _ items: [SearchResult], _ request: SearchRequest) -> Int
  {
    guard let sort = request.sort else { return places[1].count < places[0].count ? 1 : 0 }
    let field = ResultOrder.field(of: sort)
    return ResultOrder.precedes(items[1][field], items[0][field], order: request.order) == true ? 1 : 0
  }
}
