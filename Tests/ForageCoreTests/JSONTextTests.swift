import ForageCore
import Foundation
import Testing

struct JSONTextTests {
  @Test(
    arguments: [
      ("plain", #""plain""#), ("a\"b\\c/d", #""a\"b\\c/d""#), ("\n\t\r", #""\n\t\r""#),
      ("\0\u{1B}\u{8}", #""\u0000\u001b\u0008""#),
      ("\u{7F}\u{9B}", #""\u007f\u009b""#), ("\u{202E}\u{2028}", #""\u202e\u2028""#), ("日本👍", "\"日本👍\""),
      ("\u{E0041}", #""\udb40\udc41""#), ("", "\"\""),
    ] as [(String, String)])
  func strings(_ text: String, _ expected: String) throws {
    let written = JSONTree.string(text).text()
    #expect(Array(written.utf8) == Array(expected.utf8))
    let back = try JSONDecoder().decode([String].self, from: Data("[\(written)]".utf8))
    #expect(back.map { Array($0.unicodeScalars) } == [Array(text.unicodeScalars)])
  }

  @Test func numbersAndOthers() {
    let values: [JSONTree] = [
      .null, .bool(true), .bool(false), .integer(.max), .integer(-3), .double(0.016393), .double(.nan),
      .double(-.infinity), .array([]), .object([]),
    ]
    #expect(
      JSONTree.array(values).text()
        == #"[null,true,false,9223372036854775807,-3,0.016393,null,null,[],{}]"#)
  }

  @Test func orderIsKept() {
    let value = JSONTree.object([
      ("z", .integer(1)), ("a", .null), ("m", .array([.integer(1), .integer(2)])),
    ])
    #expect(value.text() == #"{"z":1,"a":null,"m":[1,2]}"#)
    #expect(value.text(isPretty: true) == "{\n  \"z\": 1,\n  \"a\": null,\n  \"m\": [\n    1,\n    2\n  ]\n}")
    #expect(JSONTree.object([]).text(isPretty: true) == "{}")
  }

  /// Members are sorted in messages. Of a name that occurs twice the last value counts, and names of other
  /// bytes are other names.
  @Test func membersOfMessages() throws {
    let text = #"{"z":1,"a":{"y":2,"b":3},"z":4}"#
    let tree = try JSONTree(parsing: text.utf8)
    #expect(tree["z"] == .integer(4) && tree.object?["z"] == .integer(4) && tree["y"] == nil)
    #expect(tree.text() == text)
    #expect(String(decoding: tree.encoded(), as: UTF8.self) == #"{"a":{"b":3,"y":2},"z":4}"#)
    let same = JSONTree.object(["a": .object(["b": .integer(3), "y": .integer(2)]), "z": .integer(4)])
    #expect(tree == same && Set([tree, same]).count == 1)
    #expect(tree != .object(["a": .object([:]), "z": .integer(4)]))
    let names = try JSONTree(parsing: "{\"\u{E9}\":1,\"e\u{301}\":2}".utf8)
    #expect(names["\u{E9}"] == .integer(1) && names["e\u{301}"] == .integer(2))
  }
}
