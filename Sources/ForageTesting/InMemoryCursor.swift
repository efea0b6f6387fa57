import ForageCore
import ForagePlatform

/// The position of a page in a list. Its text is self-contained, so that a new instance of the provider
/// accepts it.
struct InMemoryCursor {
  /// The number of items before the page.
  let offset: Int
  /// The number of the page, from 1.
  let page: Int
  private let search: String

  /// Decodes the cursor of a request.
  ///
  /// - Throws: `invalidCursor` for a cursor that is damaged or belongs to another search.
  init(_ request: SearchRequest, name: String) throws(SearchError) {
    // The same search has the same fingerprint in each process, whatever its page size.
    let text = [
      request.kind.rawValue, request.query?.description ?? "", request.sort ?? "", request.order.rawValue,
    ].joined(separator: "\n")
    search = String(text.utf8.fnv1a)
    guard let cursor = request.cursor else {
      (offset, page) = (0, 1)
      return
    }
    let parts = cursor.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2] == search, let offset = Offset(parts[0]), let page = Offset(parts[1]),
      offset > 0, page > 1
    else {
      throw SearchError(
        .invalidCursor, "the cursor is not from this search of \(name)", hint: "start again without a cursor")
    }
    (self.offset, self.page) = (offset.value, page.value)
  }

  func next(offset: Int) -> String { "\(offset).\(page + 1).\(search)" }
}
