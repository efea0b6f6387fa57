import ForageCore

/// A provider that searches a list of books.
struct Bookshelf: SearchProvider {
  let info = ProviderInfo(id: "bookshelf", name: "Bookshelf")
  let kinds: [ResultKind: Abilities] = ["book": Abilities(fields: [.author], qualifiers: ["author": .exact])]

  private let books = [
    ("Structured Programming", "Dahl"), ("The Art of Computer Programming", "Knuth"),
    ("Smalltalk-80", "Goldberg"),
  ].map { title, author in
    SearchResult(id: "bookshelf:" + title, kind: "book", title: title, fields: [.author: .text(author)])
  }

  func search(_ request: SearchRequest) async throws -> SearchPage {
    let found = books.filter { request.matches($0) }
    guard let start = Int(request.cursor ?? "0"), (0...found.count).contains(start) else {
      throw SearchError(.invalidCursor, "the cursor does not belong to the bookshelf", hint: "begin again")
    }
    let end = min(start + request.pageSize, found.count)
    return SearchPage(
      items: Array(found[start..<end]), next: end < found.count ? String(end) : nil,
      total: ResultTotal(found.count))
  }
}

/// Searches the bookshelf, and any other providers, as one list.
func books(_ text: String, and others: [any SearchProvider] = []) async throws -> [String] {
  let registry = ProviderRegistry([Bookshelf()] + others)
  let query = try QueryParser(vocabulary: registry.vocabulary).parse(text)
  let run = SearchRun(FederatedSearch(query: query, kinds: ["book"]), registry)
  let result = await run.more()
  for outcome in result.outcomes where !outcome.isComplete {
    print("\(outcome.name): \(outcome.state.rawValue)")
  }
  return result.items.map(\.result.title)
}
