import ForageCore
import ForageHTTP
import ForagePlatform

/// Requests and reads one page of a list.
///
/// If a response has more rows than a page, the next pages return the rest from the same response.
struct PageReader {
  let client: ManifestClient
  let kind: ManifestKind
  let list: ManifestList
  let request: SearchRequest
  let query: ManifestQuery
  let cursor: ManifestCursor
  /// The list that its cursors belong to; other lists reject them.
  let owner: String
  /// The values of further placeholders.
  private let further: [String: String]
  private let isOfStars: Bool
  /// What a list across repositories has besides; `nil` for any other list.
  var across: Across?

  var manifest: Manifest { client.manifest }

  /// - Throws: `SearchError` if the API does not support the query, or the cursor belongs to another list.
  init(
    _ request: SearchRequest, of list: ManifestList, isFeed: Bool = false, _ kind: ManifestKind,
    _ client: ManifestClient, values further: [String: String] = [:], isOfStars: Bool = false,
    account: String? = nil
  ) throws(SearchError) {
    (self.further, self.isOfStars) = (further, isOfStars)
    (self.client, self.kind, self.list, self.request) = (client, kind, list, request)
    query = try ManifestQuery(
      request.query, kind, of: client.manifest.name,
      at: client.manifest.host(of: kind, base: client.base) ?? "", folder: client.base?.folder ?? "",
      account: account)
    owner = [
      client.manifest.id, kind.kind.rawValue + kind.variant, isFeed ? "feed" : "search",
      client.baseText(list.request), list.request.path.text(further) ?? "-",
      request.query?.description ?? "-", request.sort ?? "-", request.order.rawValue,
    ].joined(separator: "\n")
    if list.request.needsWithin, query.within == nil {
      let names = list.request.within.flatMap(\.names).map { $0 + ":" }
      throw SearchError(
        .needsQualifier,
        "\(client.manifest.name) searches for kind \(kind.kind.rawValue) only within \(HumanFormat.alternatives(names))",
        hint: "add \(names[0])NAME to the query")
    }
    let (style, most) = (list.paging.style, list.paging.size)
    guard let text = request.cursor else {
      cursor = ManifestCursor(size: style == .single ? most : max(1, min(request.pageSize, most)))
      return
    }
    guard let cursor = ManifestCursor(text, owner: owner, style: style) else {
      throw Self.foreignCursor(client.manifest)
    }
    self.cursor = cursor
  }

  private static func foreignCursor(_ manifest: Manifest) -> SearchError {
    SearchError(.invalidCursor, "the cursor does not belong to \(manifest.name) and this query")
  }

  /// - Parameters:
  ///   - report: Receives what is wrong with rows, for use after the provider's name.
  ///   - coverage: Takes in the rows; `nil` outside of a validation.
  func page(report: @escaping @Sendable (String) -> Void, coverage: MapCoverage?) async throws -> SearchPage {
    let values = values
    let url = try url(values)
    // The address of a further page is requested with the first page's body.
    let (tree, response): (JSONTree, HTTPResponse)
    do {
      (tree, response) = try await client.get(
        url, list.request, body: list.request.filledBody(values) ?? [], needsToken: kind.needsToken,
        deadline: request.deadline, isOfStars: isOfStars,
        refusals: request.cursor == nil ? across?.refused ?? [] : [])
    } catch let error as SearchError where error.code == .notFound && query.within != nil {
      throw client.errors.missing(query.within?.value ?? "")
    } catch let error as SearchError where error.code == .notFound && isGuessed {
      return SearchPage(items: [])
    }
    let rows = try rows(tree, response)
    let part = rows.dropFirst(cursor.skip).prefix(max(1, request.pageSize))
    let located = try await located(part.map(named), report: report)
    coverage?.add(across == nil ? rows.map(named) : located.rows.compactMap(\.self), list.map)
    let reader = RowReader(
      provider: manifest.id, kind: kind.kind, map: list.map, base: client.baseText(list.request),
      words: request.query?.positiveTerms.map(\.text) ?? [], report: report)
    let results = located.rows.map { $0.flatMap(reader.result) }
    var items = results.compactMap(\.self)
    var page = SearchPage(items: [], unreadable: results.count - items.count, cache: response.cache)
    page.cache.add(located.cache)
    page.failure = response.limit.map { client.errors.limited($0) } ?? located.failure
    let found = items.count
    for condition in query.checked { items.removeAll { !condition.matches($0) } }
    page.items = items
    page.mayRepeat = !items.isEmpty && items.count < found
    page.unapplied = query.unapplied
    let answer = Answer(url: url, tree: tree, response: response, rows: rows.count)
    coverage?.add(answer, list, isFull: isFull(answer))
    page.total = query.checked.isEmpty ? total(answer) : nil
    let missing = list.partial.compactMap { $0.reason(in: tree) }
    if !missing.isEmpty { page.notes.append(client.errors.partial(missing)) }
    do throws(InvalidNext) { page.next = try next(answer) } catch {
      page.notes.append(client.errors.invalidNext(error.reason))
    }
    return page
  }

  /// Whether it is a further page of a list that does not say where it ends, so that there may be none.
  private var isGuessed: Bool {
    switch list.paging.style {
    case .page, .offset: !cursor.place.isEmpty && list.paging.more == nil && list.total == nil
    case .single, .cursor, .link: false
    }
  }

  // MARK: The request

  private var values: [String: String] {
    var values = ["size": String(cursor.size), "text": query.text].compactMapValues(\.self)
    if request.includesRead { values["all"] = "true" }
    values.merge(further) { $1 }
    if let within = query.within { values[within.place.qualifier] = within.value }
    switch list.paging.style {
    case .page(let start): values["page"] = String(cursor.number(start: start))
    case .offset(let start): values["offset"] = String(cursor.number(start: start))
    case .cursor: values["cursor"] = cursor.place.isEmpty ? nil : cursor.place
    case .single, .link: break
    }
    return values
  }

  private func url(_ values: [String: String]) throws(SearchError) -> HTTPURL {
    var url = try client.url(list.request, path: query.within?.place.path, values)
    if case .link = list.paging.style, !cursor.place.isEmpty {
      // The cursor contains the path and query on the same origin; a path may begin with two slashes.
      guard let target = HTTPURL(url.scheme + "://" + url.authority + cursor.place),
        target.hasSameOrigin(as: url)
      else { throw Self.foreignCursor(manifest) }
      return target
    }
    var special = query.parameters
    if let sort = request.sort {
      guard let parameters = list.sorts[sort]?[request.order] else {
        throw SearchError(
          .unsupportedQuery, "\(manifest.name) cannot sort by \(sort) in this order",
          hint: "search without a sort key")
      }
      special += parameters
    }
    if case .cursor(let name?, _) = list.paging.style, let value = values["cursor"] {
      special.append(.init(name: name, value: value))
    }
    // Parameters of qualifiers and sort keys replace those of the request.
    let names = Set(special.map(\.name))
    let usual = list.request.parameters.filter { !names.contains($0.name) }.compactMap { name, text in
      text.text(values).map { ManifestList.Parameter(name: name, value: $0) }
    }
    let pairs = (usual + special).map {
      PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value)
    }
    url.query = pairs.isEmpty ? nil : pairs.joined(separator: "&")
    return url
  }

  // MARK: The answer

  /// A row with the name of what it was searched within, which many answers do not repeat.
  private func named(_ row: JSONTree) -> JSONTree {
    guard let within = query.within, case .object(let members) = row else { return row }
    return .object(members + [("{\(within.place.qualifier)}", .string(within.value))])
  }

  /// A response, with the number of its rows.
  struct Answer {
    let url: HTTPURL
    let tree: JSONTree
    let response: HTTPResponse
    let rows: Int
  }

  private func rows(_ tree: JSONTree, _ response: HTTPResponse) throws -> [JSONTree] {
    // In nested lists a row may be missing; the outermost list must exist.
    switch list.items.outermostList(in: tree) {
    case .array, .object: return list.items.values(in: tree)
    // Some implementations encode an empty list as null.
    case .null: return []
    default:
      response.discardStored?()
      throw client.errors.withoutRows(list.items, tree)
    }
  }

  /// Whether an answer has as many rows as a page of the API; more rows say nothing of a size that it ignores.
  private func isFull(_ answer: Answer) -> Bool {
    list.request.places.contains("size") ? answer.rows == cursor.size : answer.rows >= list.paging.size
  }

  func total(_ answer: Answer) -> ResultTotal? {
    guard let total = list.total else { return nil }
    let count: Count? =
      switch total.place {
      case .path(let path): path.value(in: answer.tree)?.count
      case .header(let name): answer.response.header(name).flatMap { Count($0.trimmingWhitespace()) }
      }
    return count.map { ResultTotal($0.value, total.isAtLeast ? .atLeast : .equal) }
  }
}
