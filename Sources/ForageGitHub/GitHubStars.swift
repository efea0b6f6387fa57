import ForageCore
import ForageHTTP
import ForagePlatform
import Synchronization

/// The list of the repositories that an account has starred; that of the token's owner is the feed of the
/// provider.
struct GitHubStars: Sendable {
  /// The sort keys of the feed. GitHub sorts by the first two; the others are sorted locally.
  static let feed = Abilities.Feed(
    sorts: ["starred", "pushed", "stars", "forks", "created", "updated", "size", "name"])
  /// The maximum number of pages to read for a local sort: 10,000 results.
  static let maximumPages = 100
  /// The prefix of cursors into a locally sorted list; an offset follows.
  private static let placeMark = "at:"

  let client: GitHubClient
  /// The account; `nil` for the token's owner.
  let account: String?
  let kept: KeptStars

  func page(_ request: SearchRequest) async throws -> SearchPage {
    if account == nil { try await client.requiredToken(for: "the list of your stars") }
    do {
      guard let sort = request.sort, Self.parameter(of: sort) == nil else {
        return try await list(try request.cursor.map(further) ?? first(request), request)
      }
      return try await sorted(by: sort, request)
    } catch let error as SearchError where error.code == .notFound {
      guard let account else { throw error }
      throw SearchError(
        .notFound, "\(client.address.host) has no account \"\(account)\"", hint: "check the name")
    }
  }

  /// GitHub's name of a sort key; `nil` if GitHub does not support it. Source: GitHub's documentation
  /// "Starring", where `created` is the time of the star and `updated` that of the last push.
  private static func parameter(of sort: String) -> String? {
    switch sort {
    case "starred": "created"
    case "pushed": "updated"
    default: nil
    }
  }

  private var place: HTTPURL {
    client.url(account.map { ["users", $0, "starred"] } ?? ["user", "starred"])
  }

  private func first(_ request: SearchRequest) -> HTTPURL {
    let order = request.sort == nil ? .descending : request.order
    return place.appending(
      [],
      parameters: [
        (name: "per_page", value: String(min(request.pageSize, GitHubProvider.maximumPageSize))),
        (name: "sort", value: request.sort.flatMap(Self.parameter) ?? "created"),
        (name: "direction", value: order.rawValue),
      ])
  }

  /// The address of a further page from the server's link, without the link's host.
  private func further(_ link: String) throws -> HTTPURL {
    guard let target = place.resolving(link), target.path.hasSuffix("/starred") else {
      throw SearchError(.invalidCursor, "the cursor does not belong to this list of stars")
    }
    return client.ownURL(target, at: place)
  }

  private func list(_ url: HTTPURL, _ request: SearchRequest) async throws -> SearchPage {
    let (items, response) = try await client.get(
      url, for: .ownLists, deadline: request.deadline, accept: GitHubClient.starsJSON
    ) { $0.array?.prefix(SearchResponse.maximumItems).map(item) }
    let (page, size) = url.page(size: request.pageSize)
    let next = response.link("next")
    let last = response.link("last").flatMap { place.resolving($0) }?.count("page")
    return SearchPage(
      items: items.compactMap(\.self), next: next,
      total: Self.total(page: page, last: last, size: size, count: items.count, isLast: next == nil),
      notes: await client.omissions(of: response), unreadable: items.count { $0 == nil },
      failure: await client.limit(of: response), cache: response.cache)
  }

  /// A starred repository: `{"starred_at", "repo"}`, or a plain repository from servers that do not support
  /// the media type.
  private func item(_ tree: JSONTree) -> SearchResult? {
    var result = GitHubKind.repositories.read(
      tree["repo"] ?? tree, host: "", report: client.warnings.report)
    result?.set(.starredAt, tree.date("starred_at"))
    // Of another account the list says nothing about the account of the token.
    if account == nil { result?.set(.starred, true) }
    return result
  }

  /// The total number of stars: exact on the last page, otherwise estimated from the number of the last page.
  private static func total(page: Count, last: Count?, size: Int, count: Int, isLast: Bool) -> ResultTotal? {
    guard let known = isLast ? page : last, known > 0, size > 0 else { return nil }
    let total = (known - 1) * size + (isLast ? count : 1)
    return total < .max ? ResultTotal(total.value, isLast ? .equal : .atLeast) : nil
  }

  /// One page of the complete list in an order that GitHub does not support.
  private func sorted(by key: String, _ request: SearchRequest) async throws -> SearchPage {
    let start = try request.cursor.map(Self.offset) ?? 0
    var all = try await whole(request, for: key)
    all.items = ResultOrder.sorted(all.items, by: key, order: request.order)
    let count = all.items.count
    let items = Array(all.items.dropFirst(start).prefix(request.pageSize))
    let end = start + items.count
    all.items = items
    all.next = !items.isEmpty && end < count ? Self.placeMark + String(end) : nil
    // Unreadable items are reported with the first page only.
    if start > 0 { all.unreadable = 0 }
    return all
  }

  private static func offset(_ cursor: String) throws -> Int {
    guard cursor.hasPrefix(placeMark), let offset = Int(cursor.dropFirst(placeMark.count)), offset >= 0 else {
      throw SearchError(.invalidCursor, "the cursor does not belong to this list of stars")
    }
    return offset
  }

  /// Reads all stars, newest first, as one page.
  private func whole(_ request: SearchRequest, for key: String) async throws -> SearchPage {
    // The first page always reads the current list.
    if request.cursor != nil, let known = kept[account] { return known }
    var part = request
    (part.sort, part.cursor, part.pageSize) = (nil, nil, GitHubProvider.maximumPageSize)
    var all = SearchPage(items: [])
    var seen: Set<String> = []
    var url = first(part)
    for _ in 0..<Self.maximumPages {
      let page = try await list(url, part)
      // A star added meanwhile moves other items to the next page.
      let fresh = page.items.filter { seen.insert($0.id).inserted }
      all.items += fresh
      all.unreadable += page.unreadable
      all.failure = all.failure ?? page.failure
      all.notes += page.notes.filter { !all.notes.contains($0) }
      all.cache.add(page.cache)
      guard let next = page.next, !fresh.isEmpty || page.unreadable > 0 else {
        all.total = ResultTotal(all.items.count + all.unreadable)
        kept[account] = all
        return all
      }
      url = try further(next)
    }
    throw SearchError(
      .unsupportedQuery,
      "there are more than \(Self.maximumPages * GitHubProvider.maximumPageSize) stars, too many to sort by \(key)",
      hint: "sort by starred or pushed, which GitHub supports")
  }
}

/// The complete list of stars that was read last, so that further pages of a local sort need no requests.
final class KeptStars: Sendable {
  private let list = Mutex<(account: String?, page: SearchPage)?>(nil)

  /// The list of an account; `nil` if another one was read last, or none.
  subscript(account: String?) -> SearchPage? {
    get { list.withLock { $0.flatMap { $0.account == account ? $0.page : nil } } }
    set { list.withLock { $0 = newValue.map { (account, $0) } } }
  }
}
