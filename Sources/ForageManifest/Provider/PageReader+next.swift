import ForageCore
import ForageHTTP

extension PageReader {
  /// There is a next page that cannot be requested.
  struct InvalidNext: Error {
    /// The reason, as a clause.
    var reason: String
  }

  /// The cursor of the next page; `nil` at the end.
  func next(_ answer: Answer) throws(InvalidNext) -> String? {
    var following = cursor
    following.skip += max(1, request.pageSize)
    // Continue with the rest of this response.
    if following.skip < answer.rows {
      if list.paging.style == .single, following.skip >= list.paging.reachable ?? .max { return nil }
      return following.text(owner: owner)
    }
    // Who cuts the first page to a size of its own counts all pages in that size.
    if isFirst(answer), answer.rows > 0 { following.size = min(cursor.size, answer.rows) }
    guard let place = try nextPlace(answer, size: following.size) else { return nil }
    (following.place, following.skip) = (place, 0)
    let text = following.text(owner: owner)
    guard text.utf8.count <= ManifestCursor.maximumLength else {
      throw InvalidNext(reason: "its address is longer than \(ManifestCursor.maximumLength >> 10) KiB")
    }
    return text
  }

  /// - Parameter size: The number of rows on a page.
  private func nextPlace(_ answer: Answer, size: Int) throws(InvalidNext) -> String? {
    switch list.paging.style {
    case .single: return nil
    case .page(let start):
      let page = cursor.number(start: start)
      return isMore(answer, seen: (page - start + 1) * size) ? String(page + 1) : nil
    case .offset(let start):
      let offset = cursor.number(start: start)
      return isMore(answer, seen: offset - start + answer.rows)
        ? String(offset + (answer.rows > 0 ? answer.rows : cursor.size)) : nil
    case .cursor(_, let path):
      return try text(
        at: path, in: answer.tree, "its cursor is neither a text nor a whole number", takesNumbers: true)
    case .link(let path?):
      guard let link = try text(at: path, in: answer.tree, "its address is not a text") else { return nil }
      return try place(ofLink: link, answer.url)
    case .link(nil):
      guard let link = answer.response.link("next"), !link.isEmpty else {
        return unlinkedPlace(answer, size: size)
      }
      return try place(ofLink: link, answer.url)
    }
  }

  /// Whether a page is the first one of a list that counts pages or results.
  private func isFirst(_ answer: Answer) -> Bool {
    switch list.paging.style {
    case .page(let start), .offset(let start): cursor.number(start: start) == start
    case .link(nil): number(of: answer) == 1
    case .single, .cursor, .link: false
    }
  }

  /// The number of a page with links; `nil` where the API has no parameter for it.
  private func number(of answer: Answer) -> Int? {
    guard let name = list.paging.pageParameter else { return nil }
    return ManifestClient.value(of: name, in: answer.url.query).map { Int($0) ?? 0 } ?? 1
  }

  /// The place of the next page by its number, where a response has no link to it: some proxies take the
  /// links away.
  private func unlinkedPlace(_ answer: Answer, size: Int) -> String? {
    guard let name = list.paging.pageParameter, let number = number(of: answer), number > 0 else {
      return nil
    }
    var next = number + 1
    if let field = list.paging.nextPage, let text = answer.response.header(field) {
      guard let told = Int(text.trimmingWhitespace()), told > number else { return nil }
      next = told
    } else {
      // Links to other pages say that there is no next one.
      guard answer.response.header("link") == nil,
        isMore(answer, seen: (number - 1) * size + answer.rows)
      else { return nil }
    }
    let query = ManifestClient.query(answer.url.query, without: name)
    return answer.url.path + "?" + (query.map { $0 + "&" } ?? "") + PercentEncoding.encode(name) + "=\(next)"
  }

  /// The text that says where the next page is; `nil` at the end.
  private func text(
    at path: JSONPath, in tree: JSONTree, _ reason: String, takesNumbers: Bool = false
  ) throws(InvalidNext) -> String? {
    switch path.value(in: tree) {
    case nil, .null, .bool(false), .string(""): return nil
    case .string(let text): return text
    case .integer(let number) where takesNumbers: return String(number)
    default: throw InvalidNext(reason: reason)
    }
  }

  /// The path and query of a link to the next page, which must stay on the origin of the response.
  private func place(ofLink link: String, _ url: HTTPURL) throws(InvalidNext) -> String {
    guard var address = url.resolving(link) else {
      throw InvalidNext(reason: "its address is not valid or contains credentials")
    }
    guard address.hasSameOrigin(as: url) else {
      throw InvalidNext(reason: "its address is on another host")
    }
    if case .parameter(let name) = manifest.auth?.place {
      address.query = ManifestClient.query(address.query, without: name)
    }
    return address.path + (address.query.map { "?" + $0 } ?? "")
  }

  /// Whether there is a further page, as far as the response says. After an empty one only `more` counts.
  ///
  /// A first page with fewer rows than requested may be all that there is, or as large as the pages of the
  /// API get: only the second page shows which. A list with links is not asked for it: one page has none.
  private func isMore(_ answer: Answer, seen: Int) -> Bool {
    if let most = list.paging.maximumTotal, seen >= most { return false }
    if let more = list.paging.more {
      return switch more.value(in: answer.tree) {
      case nil, .null, .bool(false), .integer(0), .string(""): false
      default: true
      }
    }
    guard answer.rows > 0 else { return false }
    if let total = total(answer), total.relation == .equal { return seen < total.value }
    if case .link = list.paging.style { return answer.rows >= cursor.size }
    return isFirst(answer) || answer.rows >= cursor.size
  }
}
