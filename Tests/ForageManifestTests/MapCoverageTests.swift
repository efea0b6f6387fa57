import ForageCore
import Testing

@testable import ForageManifest

/// Paths of a map that no row has, and values that are never what the map says.
struct MapCoverageTests {
  private static let full =
    #"{"id":1,"url":"u","name":"n","text":"t","made":1700000000,"owner":{"login":"a"},"tags":[{"name":"x"}]}"#

  /// - Returns: The fields with what is wrong; `nil` if there were too few rows.
  private func faults(_ line: String, _ rows: [String]) throws -> [String]? {
    let text = sample().replacing("description: $.text, version: $.version", with: line)
    let list = try manifest(text).search
    let coverage = MapCoverage()
    // The rows of two answers.
    for rows in [rows.prefix(1), rows.dropFirst()] {
      coverage.add(try rows.map { try JSONTree(parsing: Array($0.utf8)) }, list.map)
    }
    return coverage.faults?.map { "\($0.field): \($0.fault.replacing("no row has $", with: "$"))" }
  }

  @Test(
    arguments: [
      ("description: $.text", []), ("description: $.txet", ["description: $.txet"]),
      (#"description: {path: $.txet, default: ""}"#, []),
      ("description: {first: [$.txet, $.text]}", []),
      ("description: {first: [$.txet, $.test]}", ["description: $.txet"]),
      (#"description: {template: "{0} {1}", args: [$.text, $.nmae]}"#, ["description: $.nmae"]),
      ("accepted: {exists: $.answer}", []), ("registry: {value: acme}", []),
      ("author: $.owner.login", []), ("author: $.owner.lgoin", ["author: $.owner.lgoin"]),
      (#"topics: "$.tags[*].name""#, []), (#"topics: "$.tags[*].nmae""#, ["topics: $.tags[*].nmae"]),
      ("repository: {path: $.repo, as: repositoryURL}", ["repository: $.repo"]),
      ("createdAt: {path: $.made, as: unixDate}", []),
      (
        "createdAt: {path: $.made, as: isoDate}",
        ["createdAt: no row has a usable value: it cannot be converted with isoDate"]
      ),
      ("stars: $.text", ["stars: no row has a usable value: it is a text instead of a whole number"]),
    ] as [(String, [String])])
  func areFound(_ line: String, _ expected: [String]) throws {
    #expect(try faults(line, Array(repeating: Self.full, count: 3)) == expected)
  }

  /// One row with the member is enough, also with null; what is null or empty shows nothing about its
  /// members.
  @Test(arguments: [
    #""name":"n","text":null"#, #""name":"n","text":"t","owner":null"#,
    #""name":"n","text":"t","tags":[]"#,
  ])
  func oneRowIsEnough(_ members: String) throws {
    let row = #"{"id":1,"url":"u",\#(members)}"#
    let other = #"{"id":2,"url":"u","name":"m"}"#
    #expect(try faults("description: $.text", [other, other, row]) == [])
    let fields = #"author: $.owner.login, topics: "$.tags[*].name""#
    let withOthers = try faults(fields, [row, row, row])
    #expect(withOthers?.contains("author: $.owner.login") == !row.contains("owner"))
    #expect(withOthers?.contains("topics: $.tags[*].name") == !row.contains("tags"))
  }

  /// A live API may have odd rows.
  @Test func oneUsableValueIsEnough() throws {
    let rows = ["7", #""7""#, "true", #""8""#].map { #"{"id":1,"url":"u","name":"n","count":\#($0)}"# }
    #expect(try faults("stars: $.count", rows) == [])
    #expect(try faults("stars: $.count", Array(rows.dropFirst()))?.count == 1)
  }

  @Test func fewRowsShowNothing() throws {
    #expect(try faults("description: $.txet", [Self.full, Self.full]) == nil)
    #expect(try faults("description: $.txet", []) == nil)
  }
}
