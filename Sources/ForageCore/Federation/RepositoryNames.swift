/// Repositories that are requested from a provider by name, in queries with several `repo:` qualifiers.
struct RepositoryNames: Sendable {
  /// The maximum length of a query in characters: GitHub rejects longer ones, and other forges accept at
  /// least as many.
  static let queryLength = 256

  /// The names, `owner/name`.
  var names: [String]
  /// The sort key that is applied here; `nil` for none.
  var sort: String?

  /// Selects the repositories that the provider can know.
  ///
  /// - Parameters:
  ///   - ids: Ids of results of any kind, on any host.
  ///   - descriptor: The provider.
  ///   - query: The rest of the query.
  ///   - sort: The sort key that is applied here; `nil` for none.
  /// - Returns: `nil` if the provider cannot be asked for repositories by name together with the query.
  init?(
    ids: [String], of descriptor: ProviderDescriptor, abilities: ProviderDescriptor.KindAbilities,
    query: QueryExpression?, sort: String? = nil
  ) {
    self.sort = sort
    guard !descriptor.hosts.isEmpty, abilities.booleans, abilities.push("repo") != .unsupported else {
      return nil
    }
    // Forges combine these qualifiers by OR, not by AND.
    let scopes: Set = ["repo", "user", "org", "owner"]
    guard query?.qualifiers.contains(where: { scopes.contains($0.name) }) != true else { return nil }
    names = ids.compactMap { id in
      guard let entity = EntityReference(id, defaultHost: ""), entity.subject == .repository, entity.id == id,
        descriptor.hosts.contains(entity.host)
      else { return nil }
      return entity.title
    }
  }

  /// The names in batches that fit into one query each, together with the rest of the query.
  func batches(_ query: QueryExpression?) -> [[String]] {
    let room = Self.queryLength - (query?.description.count ?? 0)
    var (batches, left) = ([[String]](), 0)
    for name in names {
      let length = " repo:".count + name.count
      if length <= left {
        batches[batches.count - 1].append(name)
        left -= length
      } else {
        batches.append([name])
        left = room - length
      }
    }
    return batches
  }

  /// Requests all repositories and returns the matching ones as one page.
  ///
  /// They are sorted by the sort key. Without one, the results of the queries are interleaved, so that the
  /// best of each come first.
  ///
  /// - Throws: What the provider throws for the first query; a later failure becomes that of the page.
  func page(_ request: SearchRequest, of provider: any SearchProvider) async throws -> SearchPage {
    var request = request
    let query = request.query
    var (page, lists, refusal) = (SearchPage(items: []), [[SearchResult]](), SearchError?.none)
    var pending = batches(query)[...]
    while page.gaps.failure == nil, let batch = pending.popFirst() {
      let wanted = batch.map { QueryExpression.qualifier(Qualifier("repo", .text($0))) }
      request.query = QueryExpression.all([query, .any(wanted)].compactMap(\.self))
      do {
        let items = try await items(request, of: provider, &page)
        lists.append(items)
      } catch let error as SearchError where error.code == .invalidQuery {
        refusal = refusal ?? error
        // A forge rejects a query with a name that no longer exists, so the names are requested separately.
        if batch.count > 1 {
          let half = batch.count / 2
          pending = [Array(batch[..<half]), Array(batch[half...])] + pending
        }
      } catch let error as SearchError where !lists.isEmpty && error.code != .cancelled {
        page.gaps.failure = error
      }
    }
    if lists.isEmpty, let refusal { throw refusal }
    page.items = Self.takingTurns(lists)
    if let sort {
      page.items = ResultOrder.sorted(page.items, by: sort, order: request.order)
    }
    if page.gaps.shortfall == nil {
      page.total = ResultTotal(
        page.items.count + page.gaps.unreadable, page.gaps.isIncomplete ? .atLeast : .equal)
    }
    return page
  }

  /// The items of one query; the other properties of the answer are added to the page.
  private func items(_ request: SearchRequest, of provider: any SearchProvider, _ whole: inout SearchPage)
    async throws -> [SearchResult]
  {
    var (request, items, seen, emptyPages) = (request, [SearchResult](), Set<String>(), 0)
    while true {
      let page = try await provider.search(request)
      let fresh = page.items.filter { seen.insert($0.id).inserted }
      items += fresh
      emptyPages = page.items.isEmpty ? emptyPages + 1 : 0
      whole.gaps.isIncomplete = whole.gaps.isIncomplete || page.gaps.isIncomplete
      whole.gaps.unreadable += page.gaps.unreadable
      whole.gaps.shortfall = whole.gaps.shortfall ?? page.gaps.shortfall
      whole.gaps.failure = page.gaps.failure
      whole.gaps.omission = whole.gaps.omission ?? page.gaps.omission
      whole.unapplied.formUnion(page.unapplied)
      whole.cache.add(page.cache)
      // As in every list, empty pages are followed, and a page without new items ends it.
      guard page.gaps.failure == nil, let next = page.next, page.items.isEmpty || !fresh.isEmpty else {
        return items
      }
      if emptyPages >= ProviderReader.emptyPageCap {
        whole.gaps.shortfall = PageCount.stall(emptyPages)
        return items
      }
      request.cursor = next
    }
  }

  private static func takingTurns(_ lists: [[SearchResult]]) -> [SearchResult] {
    let longest = lists.map(\.count).max() ?? 0
    return (0..<longest).flatMap { rank in lists.compactMap { rank < $0.count ? $0[rank] : nil } }
  }
}
