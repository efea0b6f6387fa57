import ForageCore

/// The position of a page in a list. The encoded cursor is self-contained, so that a new instance of the
/// provider accepts it.
struct InMemoryCursor {
  /// The number of items before the page.
  let offset: Int
  /// The number of the page, from 1.
  let page: Int
  private let search: String

  /// Decodes the cursor of a request.
  ///
  /// - Throws: `invalidQuery` for a cursor that is damaged or belongs to another search.
  init(_ request: SearchRequest, name: String) throws(SearchError) {
    search = Self.fingerprint(request)
    guard let cursor = request.cursor else {
      (offset, page) = (0, 1)
      return
    }
    let parts = cursor.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2] == search,
      let offset = Int(parts[0], radix: Self.radix), offset > 0,
      let page = Int(parts[1], radix: Self.radix), page > 1, page <= offset + 1
    else {
      throw SearchError(
        .invalidQuery, "the cursor is not from this search of \(name)",
        hint: "start again without a cursor")
    }
    (self.offset, self.page) = (offset, page)
  }

  func next(offset: Int) -> String {
    String(offset, radix: Self.radix) + "." + String(page + 1, radix: Self.radix) + "." + search
  }

  /// Ten digits and 26 letters, which need no encoding.
  private static let radix = 36

  /// Identifies a search independent of its page size; stable across processes.
  private static func fingerprint(_ request: SearchRequest) -> String {
    let text = [
      request.kind.rawValue, request.query?.description ?? "", request.sort ?? "", request.order.rawValue,
    ].joined(separator: "\n")
    return String(text.utf8.fnv1a, radix: radix)
  }
}
