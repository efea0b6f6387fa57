import Foundation
import TestSupport
import Testing

@testable import ForageStore

@Suite struct CodeIndexTests {
  private static func blob(_ number: UInt8, _ terms: String) -> CodeIndex.NewBlob {
    CodeIndex.NewBlob(
      id: Data(repeating: number, count: 20), bytes: 1, state: .text, terms: Data(terms.utf8))
  }

  /// What a search is told about the frequencies of terms.
  private static func frequencies(_ index: CodeIndex, of terms: [String]) throws -> [Int] {
    var found: [Int] = []
    _ = try index.candidates(
      expression: { frequencies in
        found = terms.map { frequencies[$0] }
        return nil
      }, definitions: [], isWanted: { _ in true }, { _ in })
    return found
  }

  @Test func frequenciesOfTerms() throws {
    let folder = try TemporaryDirectory()
    defer { folder.remove() }
    let index = CodeIndex(path: folder.path("code.db"))
    try index.add([Self.blob(1, "aaaaa bbbbb "), Self.blob(2, "bbbbb ccccc ")])
    // A blob that is there already is not counted again.
    try index.add([Self.blob(2, "bbbbb ccccc "), Self.blob(3, "bbbbb")])
    let tree = CodeIndex.Tree(
      path: "/clone", tree: Data(repeating: 9, count: 20), stamp: "", commit: "", branch: nil, committedAt: 0)
    _ = try index.set(tree, added: [], removed: nil, previous: nil)
    let terms = ["aaaaa", "bbbbb", "ccccc", "ddddd"]
    #expect(try Self.frequencies(index, of: terms) == [1, 3, 1, 0])
    #expect(try Self.frequencies(CodeIndex(path: index.path), of: terms) == [1, 3, 1, 0])
    try index.clear()
    _ = try index.set(tree, added: [], removed: nil, previous: nil)
    #expect(try Self.frequencies(index, of: terms) == [0, 0, 0, 0])
  }
}
