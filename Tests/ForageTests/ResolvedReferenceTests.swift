import Forage
import ForageCore
import Testing

/// The pages of things that a command line names.
struct ResolvedReferenceTests {
  /// A file of a clone has the page that the search found for it, and none where it found none: the forge may
  /// not have its commit.
  @Test func pagesOfFiles() throws {
    let id = "github.com/owner/one/blob/0123456789012345678901234567890123456789/größe.c"
    let entity = try #require(EntityReference(id, defaultHost: "github.com"))
    var result = SearchResult(id: id, kind: .code, title: "größe.c")
    result[.matches] = .items([.record(["line": .number(3), "text": .text("x")])])
    let unpushed = ResolvedReference(text: "1", entity: entity, result: result)
    #expect(unpushed.url == nil && unpushed.pageAddress == nil)
    result.url = entity.webAddress
    let pushed = ResolvedReference(text: "1", entity: entity, result: result)
    #expect(pushed.pageAddress == entity.webAddress + "#L3")
    // An address that somebody writes is not checked.
    #expect(ResolvedReference(text: id, entity: entity).url == entity.webAddress)
  }
}
