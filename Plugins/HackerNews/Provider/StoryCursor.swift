import ForageCore

/// A position in a list: a page number, which is valid only together with the page size.
struct StoryCursor: Hashable, Sendable {
  /// The page number, from 0.
  var page = 0
  /// The page size.
  var size: Int

  /// Parses the cursor of a request.
  ///
  /// - Throws: `SearchError` if it is not a cursor of this provider.
  init(_ request: SearchRequest) throws(SearchError) {
    size = min(request.pageSize, HackerNewsProvider.maximumPageSize)
    guard let cursor = request.cursor else { return }
    let parts = cursor.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let page = parts[0], let size = parts[1],
      (0...HackerNewsProvider.reachable).contains(page),
      (1...HackerNewsProvider.maximumPageSize).contains(size), cursor == "\(page)x\(size)"
    else {
      throw SearchError(
        .invalidCursor, "the cursor does not belong to Hacker News", hint: "search again")
    }
    (self.page, self.size) = (page, size)
  }

  /// The cursor of the next page.
  var next: String { "\(page + 1)x\(size)" }
  /// Whether no further page is reachable.
  var isAtEnd: Bool { (page + 1) * size >= HackerNewsProvider.reachable }

  /// The parameters of the request.
  var parameters: [(name: String, value: String)] {
    [("page", String(page)), ("hitsPerPage", String(size))]
  }
  /// The parameters of a request for all reachable stories.
  static let everything = [(name: "page", value: "0"), (name: "hitsPerPage", value: "1000")]
}
