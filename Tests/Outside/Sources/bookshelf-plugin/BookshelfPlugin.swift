import ForageCore
import ForagePluginSDK

@main struct BookshelfPlugin: ForagePlugin {
  static let version = "1.0.0"
  let info = ProviderInfo(id: "bookshelf", name: "Bookshelf")
  let kinds: [ResultKind: Abilities] = ["book": Abilities(fields: [.author])]
  private let author: String

  init(_ settings: PluginSettings) throws {
    author = settings.text("author") ?? "Knuth"
  }

  func search(_ request: SearchRequest) async throws -> SearchPage {
    let title = "The Art of Computer Programming"
    let book = SearchResult(
      id: "bookshelf:" + title, kind: "book", title: title, fields: [.author: .text(author)])
    let found = request.cursor == nil && request.matches(book)
    return SearchPage(items: found ? [book] : [], total: ResultTotal(found ? 1 : 0))
  }
}
