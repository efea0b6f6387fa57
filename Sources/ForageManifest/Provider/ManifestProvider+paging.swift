import ForageCore
import ForageHTTP

extension ManifestProvider {
  /// Returns one page of a list.
  ///
  /// If a response has more rows than a page, the next pages return the rest from the same response.
  func page(_ request: SearchRequest, _ list: ManifestList, _ query: ManifestQuery) async throws -> SearchPage
  {
    let cursor = try cursor(request, list)
    let target = try url(request, list, query, cursor)
    let values = values(query, list, cursor)
    // The address of a further page is requested with the first page's body.
    let body = list.request.body.map { $0.filled(values)?.encoded() ?? [] }
    let (tree, response) = try await client.get(
      target, list.request, body: body ?? [], deadline: request.deadline)
    let rows = try rows(list, tree, response)
    let shown = rows.dropFirst(cursor.skip).prefix(max(1, request.pageSize))
    let reader = RowReader(
      provider: manifest.id, kind: manifest.kind, map: list.map, base: baseText(list.request),
      report: warnings.report)
    let results = shown.map(reader.result)
    var items = results.compactMap(\.self)
    var page = SearchPage(items: [], unreadable: results.count - items.count, cache: response.cache)
    page.failure = response.limit.map { client.errors.limited($0) }
    let found = items.count
    for condition in query.checked { items.removeAll { !condition.matches($0) } }
    page.items = items
    page.mayRepeat = !items.isEmpty && items.count < found
    page.unapplied = query.unapplied
    page.total = query.checked.isEmpty ? total(list, tree, response) : nil
    do throws(InvalidNext) {
      page.next = try next(request, list, cursor, target, tree, response, rows: rows.count)
    } catch {
      page.notes.append(client.errors.invalidNext(error.reason))
    }
    return page
  }

  /// The owner of a list's cursors; other lists reject them.
  private func owner(_ request: SearchRequest, _ list: ManifestList) -> String {
    [
      manifest.id, baseText(list.request),
      request.query == nil ? "-" : String(describing: request.query?.description),
      request.sort ?? "-", request.order.rawValue,
    ].joined(separator: "\n")
  }

  private func cursor(_ request: SearchRequest, _ list: ManifestList) throws(SearchError) -> ManifestCursor {
    let size: Int
    if case .single = list.paging.style {
      size = list.paging.size
    } else {
      size = max(1, min(request.pageSize, list.paging.size))
    }
    guard let text = request.cursor else { return ManifestCursor(size: size) }
    guard let cursor = ManifestCursor(text, owner: owner(request, list)), isOfStyle(cursor.position, list)
    else { throw foreignCursor }
    return cursor
  }

  private var foreignCursor: SearchError {
    SearchError(.invalidCursor, "the cursor does not belong to \(manifest.name) and this query")
  }

  private func isOfStyle(_ position: ManifestCursor.Position, _ list: ManifestList) -> Bool {
    switch (list.paging.style, position) {
    case (_, .first), (.page, .number), (.offset, .number), (.cursor, .text), (.link, .text): true
    default: false
    }
  }

  /// The base address for templates, without a trailing slash.
  private func baseText(_ request: ManifestRequest) -> String {
    var text = (client.base ?? client.origin(request))?.text ?? ""
    while text.hasSuffix("/") { text.removeLast() }
    return text
  }

  private func values(_ query: ManifestQuery, _ list: ManifestList, _ cursor: ManifestCursor)
    -> RequestText.Values
  {
    var values: RequestText.Values = [.size: String(cursor.size)]
    values[.text] = query.text
    switch (list.paging.style, cursor.position) {
    case (.page(let start), .first): values[.page] = String(start)
    case (.offset(let start), .first): values[.offset] = String(start)
    case (.page, .number(let number)): values[.page] = String(number)
    case (.offset, .number(let number)): values[.offset] = String(number)
    case (.cursor, .text(let text)): values[.cursor] = text
    default: break
    }
    return values
  }

  // MARK: Addresses

  private func url(
    _ request: SearchRequest, _ list: ManifestList, _ query: ManifestQuery, _ cursor: ManifestCursor
  ) throws -> HTTPURL {
    let values = values(query, list, cursor)
    let url = try client.url(list.request, values)
    if case .link = list.paging.style, case .text(let link) = cursor.position {
      // The cursor contains the path and query on the same origin; a path may begin with two slashes.
      guard let target = HTTPURL(url.scheme + "://" + url.authority + link), target.hasSameOrigin(as: url)
      else { throw foreignCursor }
      return target
    }
    var parameters: [(name: String, value: String)] = []
    for (name, text) in list.request.parameters {
      if let value = text.filled(values) { parameters.append((name, value)) }
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
    if case .cursor(let name?, _) = list.paging.style, let value = values[.cursor] {
      special.append(.init(name: name, value: value))
    }
    // Parameters of qualifiers and sort keys replace those of the request.
    let names = Set(special.map(\.name))
    parameters.removeAll { names.contains($0.name) }
    parameters += special.map { ($0.name, $0.value) }
    var whole = url
    let pairs = parameters.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }
    whole.query = pairs.isEmpty ? nil : pairs.joined(separator: "&")
    return whole
  }

  // MARK: Answers

  private func rows(_ list: ManifestList, _ tree: JSONTree, _ response: HTTPResponse) throws -> [JSONTree] {
    // In nested lists a row may be missing; the outermost list must exist.
    let outer = JSONPath(steps: Array(list.items.steps.prefix { $0 != .all }))
    switch outer.value(in: tree) {
    case .array, .object: return list.items.values(in: tree)
    // Some implementations encode an empty list as null.
    case .null: return []
    default:
      response.discardStored?()
      throw client.errors.withoutRows(list.items, tree)
    }
  }

  private func total(_ list: ManifestList, _ tree: JSONTree, _ response: HTTPResponse) -> ResultTotal? {
    guard let total = list.total else { return nil }
    let number: Int? =
      switch total.place {
      case .path(let path): path.value(in: tree)?.integer
      case .header(let name): response.header(name).flatMap { Int($0.trimmingWhitespace()) }
      }
    return number.flatMap { $0 < 0 ? nil : ResultTotal($0, total.isAtLeast ? .atLeast : .equal) }
  }

  /// There is a next page that cannot be requested.
  private struct InvalidNext: Error {
    /// The reason, as a clause.
    var reason: String
  }

  /// The cursor of the next page; `nil` at the end.
  private func next(
    _ request: SearchRequest, _ list: ManifestList, _ cursor: ManifestCursor, _ target: HTTPURL,
    _ tree: JSONTree, _ response: HTTPResponse, rows: Int
  ) throws(InvalidNext) -> String? {
    let owner = owner(request, list)
    var following = cursor
    following.skip += max(1, request.pageSize)
    // Continue with the rest of this response.
    if following.skip < rows {
      if case .single = list.paging.style, following.skip >= list.paging.reachable ?? .max { return nil }
      return following.text(owner: owner)
    }
    let position = try nextPosition(list, cursor, target, tree, response, rows: rows)
    guard let position else { return nil }
    following = ManifestCursor(size: cursor.size)
    following.position = position
    let text = following.text(owner: owner)
    guard text.utf8.count <= ManifestCursor.maximumLength else {
      throw InvalidNext(reason: "its address is longer than \(ManifestCursor.maximumLength >> 10) KiB")
    }
    return text
  }

  private func nextPosition(
    _ list: ManifestList, _ cursor: ManifestCursor, _ target: HTTPURL, _ tree: JSONTree,
    _ response: HTTPResponse, rows: Int
  ) throws(InvalidNext) -> ManifestCursor.Position? {
    switch list.paging.style {
    case .single: return nil
    case .page(let start):
      let page = if case .number(let number) = cursor.position { number } else { start }
      let seen = (page - start + 1) * cursor.size
      guard isMore(list, tree, response, rows: rows, seen: seen, size: cursor.size) else { return nil }
      return .number(page + 1)
    case .offset(let start):
      let offset = if case .number(let number) = cursor.position { number } else { start }
      let seen = offset - start + rows
      guard isMore(list, tree, response, rows: rows, seen: seen, size: cursor.size) else { return nil }
      return .number(offset + (rows > 0 ? rows : cursor.size))
    case .cursor(_, let path):
      switch path.value(in: tree) {
      case nil, .null, .bool(false), .string(""): return nil
      case .string(let text): return .text(text)
      case .integer(let number): return .text(String(number))
      default: throw InvalidNext(reason: "its cursor is neither a text nor a whole number")
      }
    case .link(let path):
      let link: String
      if let path {
        switch path.value(in: tree) {
        case nil, .null, .bool(false), .string(""): return nil
        case .string(let text): link = text
        default: throw InvalidNext(reason: "its address is not a text")
        }
      } else {
        guard let text = response.link("next"), !text.isEmpty else { return nil }
        link = text
      }
      return try position(ofLink: link, target)
    }
  }

  /// The position of a link to the next page, which must stay on the origin of the response.
  private func position(ofLink link: String, _ target: HTTPURL) throws(InvalidNext)
    -> ManifestCursor.Position
  {
    guard var address = target.resolving(link) else {
      throw InvalidNext(reason: "its address is not valid or contains credentials")
    }
    guard address.hasSameOrigin(as: target) else {
      throw InvalidNext(reason: "its address is on another host")
    }
    if case .parameter(let name) = manifest.auth?.place {
      address.query = ManifestClient.query(address.query, without: name)
    }
    return .text(address.path + (address.query.map { "?" + $0 } ?? ""))
  }

  /// Whether there is a further page, as far as the response says. After an empty one only `more` counts.
  private func isMore(
    _ list: ManifestList, _ tree: JSONTree, _ response: HTTPResponse, rows: Int, seen: Int, size: Int
  ) -> Bool {
    if let most = list.paging.maximumTotal, seen >= most { return false }
    switch list.paging.more {
    case .path(let path):
      switch path.value(in: tree) {
      case nil, .null, .bool(false), .integer(0), .string(""): return false
      default: return true
      }
    case .header(let name): return !(response.header(name)?.trimmingWhitespace() ?? "").isEmpty
    case nil:
      guard rows > 0 else { return false }
      if let total = total(list, tree, response), total.relation == .equal { return seen < total.value }
      return rows >= size
    }
  }
}
