import Forage
import Foundation
import Testing

@testable import ForageCLI

struct JSONValueTests {
  @Test(
    arguments: [
      ("plain", #""plain""#), ("a\"b\\c/d", #""a\"b\\c/d""#), ("\n\t\r", #""\n\t\r""#),
      ("\0\u{1B}\u{8}", #""\u0000\u001b\u0008""#),
      ("\u{7F}\u{9B}", #""\u007f\u009b""#), ("\u{202E}\u{2028}", #""\u202e\u2028""#), ("日本👍", "\"日本👍\""),
      ("\u{E0041}", #""\udb40\udc41""#), ("", "\"\""),
    ] as [(String, String)])
  func strings(_ text: String, _ expected: String) throws {
    let written = JSONValue.string(text).text()
    #expect(Array(written.utf8) == Array(expected.utf8))
    let back = try JSONDecoder().decode([String].self, from: Data("[\(written)]".utf8))
    #expect(back.map { Array($0.unicodeScalars) } == [Array(text.unicodeScalars)])
  }

  @Test func numbersAndOthers() {
    let values: [JSONValue] = [
      .null, .bool(true), .bool(false), .int(.max), .int(-3), .double(0.016393), .double(.nan),
      .double(-.infinity), .date(Date(timeIntervalSince1970: 0)), .array([]), .object([]),
    ]
    #expect(
      JSONValue.array(values).text()
        == #"[null,true,false,9223372036854775807,-3,0.016393,null,null,"1970-01-01T00:00:00Z",[],{}]"#)
  }

  @Test func orderIsKeptAndAbsentMembersAreLeftOut() {
    let value = JSONValue.members([
      ("z", .int(1)), ("gone", nil), ("a", .null), ("m", .array([.int(1), .int(2)])),
    ])
    #expect(value.text() == #"{"z":1,"a":null,"m":[1,2]}"#)
    #expect(value.text(isPretty: true) == "{\n  \"z\": 1,\n  \"a\": null,\n  \"m\": [\n    1,\n    2\n  ]\n}")
    #expect(JSONValue.object([]).text(isPretty: true) == "{}")
  }

  /// A row for each scalar and each item of a list; a field that may be absent keeps its place.
  @Test func rows() {
    let value = JSONValue.object([
      ("a", .object([("b", .bool(true)), ("c", .null)])),
      ("list", .array([.string("x"), .object([("y", .int(2))])])),
      ("at", .date(Date(timeIntervalSince1970: 0))), ("d", .double(0.5)), ("none", .array([])),
      ("x", .object([("licenses", .array([.object([("path", .string("L"))])]))])),
      (
        "files",
        .array([.object([("p", .string("a")), ("by", .object([("n", .string("Ann")), ("c", .int(4))]))])])
      ),
      ("odd", .array([.object([("n", .array([.int(1), .null])), ("m", .null)]), .array([.bool(false)])])),
    ])
    #expect(
      value.rows().map { $0.joined(separator: "=") } == [
        "a.b=true", "list=x", "list=2", "at=1970-01-01T00:00:00Z", "d=0.5", "x.licenses==L",
        "files=a=Ann=4", "odd=[1,null]=", "odd=[false]",
      ])
  }
}
