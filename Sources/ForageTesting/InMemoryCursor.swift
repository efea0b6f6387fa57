import ForageCore

/// The place of a page in a list. Written down it says everything itself, so that it outlives the provider that gave it out.
struct InMemoryCursor {
  /// How many items come before.
  let offset: Int
  /// The number of the page, from 1.
  let page: Int
  private let search: String

  /// Reads the place that a request asks for.
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
        .invalidQuery, "the cursor is not one that \(name) gave out for this search",
        hint: "begin again with the first page")
    }
    (self.offset, self.page) = (offset, page)
  }

  /// The cursor of the page behind this one.
  func next(offset: Int) -> String {
    String(offset, radix: Self.radix) + "." + String(page + 1, radix: Self.radix) + "." + search
  }

  /// All ten digits and 26 letters: the shortest text that needs no encoding.
  private static let radix = 36

  /// What tells one search from another, whatever its page size; the same in every process.
  ///
  /// Formula: Fowler, Noll and Vo, FNV-1a with 64 bits.
  private static func fingerprint(_ request: SearchRequest) -> String {
    let text = [
      request.kind.rawValue, request.query?.description ?? "", request.sort ?? "", request.order.rawValue,
    ].joined(separator: "\n")
    let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    return String(hash, radix: radix)
  }
}
