import ForageCore
import TestSupport
import Testing

@testable import ForageManifest

/// The parts of an answer that paths lead to are read, and nothing else is built.
struct OutlineTests {
  private func read(_ text: String, _ paths: [String], maximumValues: Int = .max) throws -> JSONTree {
    var outline = JSONOutline()
    for path in paths { outline.add(try JSONPath(path).steps) }
    return try outline.read(Array(text.utf8), maximumValues: maximumValues)
  }

  @Test func theRestIsSkipped() throws {
    let text = #"{"a":{"b":1,"c":[1,2]},"rest":[{},{}],"list":[{"id":1,"x":[1]},5,{"id":{"y":2}}],"n":7}"#
    let tree = try read(text, ["$.a.b", "$.list[*].id", "$.n"])
    let expected =
      #"{"a":{"b":1},"list":[{"id":1},5,{"id":{"y":2}}],"n":7}"#
    #expect(tree == (try JSONTree(parsing: expected.utf8)))
    #expect(try read(text, []) == .object([:]))
    #expect(try read(text, ["$"]) == JSONTree(parsing: text.utf8))
    #expect(try read("[[1],[2]]", ["$.a"]) == .array([]))
  }

  /// What is skipped is counted and checked like the rest.
  @Test func skippedValuesCount() throws {
    let text = #"{"rest":[{},{},{}],"id":1}"#
    #expect(try read(text, ["$.id"], maximumValues: 6) == .object(["id": .integer(1)]))
    #expect(throws: JSONTree.Failure.tooMany) { try read(text, ["$.id"], maximumValues: 5) }
    #expect(throws: JSONTree.Failure.malformed) { try read(#"{"rest":[1,],"id":1}"#, ["$.id"]) }
    #expect(throws: JSONTree.Failure.tooMany) {
      try read(#"{"list":[{},{},{},{}]}"#, ["$.list[*].id"], maximumValues: 5)
    }
  }

  /// A path finds in the parts what it finds in the whole.
  @Test func pathsFindTheSame() throws {
    var random = SeededGenerator(seed: propertySeed())
    let names = ["a", "b", "é", "o\u{308}"]
    func tree(_ depth: Int) -> JSONTree {
      switch Int.random(in: 0..<(depth < 4 ? 5 : 3), using: &random) {
      case 0: return .null
      case 1: return .integer(Int.random(in: -5...5, using: &random))
      case 2: return .string(random.pick(names))
      case 3: return .array((0..<Int.random(in: 0...3, using: &random)).map { _ in tree(depth + 1) })
      default:
        let members = names.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random))
        return .object(Dictionary(uniqueKeysWithValues: members.map { ($0, tree(depth + 1)) }))
      }
    }
    for _ in 0..<2_000 {
      let whole = tree(0)
      let paths = try (0..<Int.random(in: 1...4, using: &random)).map { _ in
        let steps = (0..<Int.random(in: 0...3, using: &random)).map { _ in
          random.pick([".a", ".b", "['é']", "['o\u{308}']", "[0]", "[-1]", "[*]"])
        }
        return try JSONPath("$" + steps.joined())
      }
      var outline = JSONOutline()
      for path in paths { outline.add(path.steps) }
      let parts = try outline.read(whole.encoded(), maximumValues: .max)
      for path in paths { #expect(path.values(in: parts) == path.values(in: whole), "\(path) in \(whole)") }
    }
  }
}
