import Forage
import ForageCore
import Foundation
import Testing

@testable import ForageCLI

struct DocumentRowsTests {
  @Test func absentMembersAreLeftOut() {
    let gone: String? = nil
    #expect(JSONTree(["z": 1, "gone": gone, "a": JSONTree.null]).text() == #"{"z":1,"a":null}"#)
  }

  /// A row for each scalar and each item of a list; a field that may be absent keeps its place.
  @Test func rows() {
    let value = JSONTree.object([
      ("a", .object([("b", .bool(true)), ("c", .null)])),
      ("list", .array([.string("x"), .object([("y", .integer(2))])])),
      ("at", Date(timeIntervalSince1970: 0).json), ("d", .double(0.5)), ("none", .array([])),
      ("x", .object([("licenses", .array([.object([("path", .string("L"))])]))])),
      (
        "files",
        .array([
          .object([("p", .string("a")), ("by", .object([("n", .string("Ann")), ("c", .integer(4))]))])
        ])
      ),
      (
        "odd",
        .array([.object([("n", .array([.integer(1), .null])), ("m", .null)]), .array([.bool(false)])])
      ),
    ])
    #expect(
      value.rows().map { $0.joined(separator: "=") } == [
        "a.b=true", "list=x", "list=2", "at=1970-01-01T00:00:00Z", "d=0.5", "x.licenses==L",
        "files=a=Ann=4", "odd=[1,null]=", "odd=[false]",
      ])
  }
}
