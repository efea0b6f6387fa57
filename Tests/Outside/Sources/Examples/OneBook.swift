import ForageCore

/// The least that a provider has: who it is, what it can do, and a search, here of one book.
struct OneBook: SearchProvider {
  let info = ProviderInfo(id: "one-book")
  let kinds: [ResultKind: Abilities] = ["book": Abilities(fields: [.author])]

  func search(_ request: SearchRequest) async throws -> SearchPage {
    let book = SearchResult(
      id: "one-book:1", kind: "book", title: "Structured Programming", fields: [.author: .text("Dahl")])
    return SearchPage(items: request.matches(book) ? [book] : [])
  }
}
