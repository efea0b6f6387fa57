import ForageCore
import ForagePluginProtocol
import Foundation

/// What a plugin answers to `initialize`, as JSON.
func introduction() throws -> String {
  let books = AbilityDeclaration(
    text: .exact, qualifiers: ["author": QualifierDeclaration(.exact)],
    paging: PagingDeclaration(maxPage: 100), fields: ["author"])
  let result = InitializeResult(
    plugin: ProgramInfo(name: "bookshelf", version: "1.0.0"),
    providers: [
      ProviderDeclaration(id: "bookshelf", name: "Bookshelf", kinds: ["book"], abilities: books)
    ])
  return String(decoding: try JSONEncoder().encode(result), as: UTF8.self)
}

/// The words that a request for a search contains.
func words(ofRequest parameters: Data) throws -> [String] {
  try JSONDecoder().decode(SearchParams.self, from: parameters).text
}
