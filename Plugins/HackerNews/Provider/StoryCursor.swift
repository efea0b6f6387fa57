import ForageCore

/// A place in a list: the number of a page and the size of all its pages, which the number means nothing without.
struct StoryCursor: Hashable, Sendable {
  /// The page, from 0.
  var page = 0
  /// Items of every page.
  var size: Int

  /// Reads the place that a request asks for.
  ///
  /// - Throws: `SearchError` for a cursor of something else.
  init(_ request: SearchRequest) throws(SearchError) {
    size = min(request.pageSize, HackerNewsProvider.maximumPageSize)
    guard let cursor = request.cursor else { return }
    let parts = cursor.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let page = parts[0], let size = parts[1],
      (0...HackerNewsProvider.reachable).contains(page),
      (1...HackerNewsProvider.maximumPageSize).contains(size), cursor == "\(page)x\(size)"
    else {
      throw SearchError(
        .invalidCursor, "the cursor is not one of Hacker News", hint: "begin the search again")
    }
    (self.page, self.size) = (page, size)
  }

  /// The cursor of the page behind this one.
  var next: String { "\(page + 1)x\(size)" }
  /// Whether nothing behind this page can be reached.
  var isAtEnd: Bool { (page + 1) * size >= HackerNewsProvider.reachable }

  /// What the API is asked for.
  var parameters: [(name: String, value: String)] {
    [("page", String(page)), ("hitsPerPage", String(size))]
  }
  /// What the API is asked for when all that can be reached is wanted at once.
  static let everything = [(name: "page", value: "0"), (name: "hitsPerPage", value: "1000")]
}
