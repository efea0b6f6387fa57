import ForageCore
import ForagePlatform
import Foundation
import TestSupport
import Testing

struct JSONReaderTests {
  static func tree(_ text: some Sequence<UInt8>) throws(JSONTree.Failure) -> JSONTree {
    try JSONTree(parsing: Array(text))
  }

  @Test(arguments: [
    ("null", JSONTree.null), (" true ", .bool(true)), ("false", .bool(false)), ("0", .integer(0)),
    ("-0", .integer(0)),
    ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
    ("9223372036854775808", .double(9_223_372_036_854_775_808)), ("1.0", .integer(1)),
    ("1e3", .integer(1000)),
    ("1.5", .double(1.5)), ("-2E-2", .double(-0.02)), (#""""#, .string("")),
    (#""a\"\\\/\b\f\n\r\t""#, .string("a\"\\/\u{8}\u{c}\n\r\t")),
    (#""\u00e9\ud83d\ude00é😀""#, .string("é😀é😀")), (#""\ud83d""#, .string("\u{FFFD}")),
    (#""\ude00\ud83dx""#, .string("\u{FFFD}\u{FFFD}x")), (#""\ud83d\u0041""#, .string("\u{FFFD}A")),
    ("[]", .array([])), ("{}", .object([:])), ("[1, [2] ]", .array([.integer(1), .array([.integer(2)])])),
    (#"{"a" : {"b":[]}, "c":null}"#, .object(["a": .object(["b": .array([])]), "c": .null])),
  ])
  func valuesAreRead(_ text: String, _ expected: JSONTree) throws {
    #expect(try Self.tree(text.utf8) == expected)
  }

  @Test(arguments: [
    "", " ", "nul", "nulll", "tru", "+1", "01", "-", "1.", ".5", "1e", "1e+", "0x1", "NaN", "[", "]",
    "[1", "[1,]",
    "[,1]", "[1 2]", "{", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, "{a:1}", #"{"a":1 "b":2}"#, #"""#, #""\x""#,
    #""\u12""#,
    #""\u12g4""#, "\"\n\"", "\"\u{0}\"", "1 1", "\u{FEFF}\u{FEFF}1", "1\u{FEFF}", "'a'", "[1]]",
  ])
  func whatIsNotJSONIsRefused(_ text: String) {
    #expect(throws: JSONTree.Failure.malformed) { try Self.tree(text.utf8) }
  }

  @Test(
    arguments: [
      [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0x5C, 0x6E, 0x80, 0x22],
    ] as [[UInt8]])
  func textsAreUTF8(_ bytes: [UInt8]) {
    #expect(throws: JSONTree.Failure.malformed) { try Self.tree(bytes) }
  }

  /// A number that no `Double` holds is the largest one, and no other value is lost with it.
  @Test func numbersThatNoDoubleHolds() throws {
    let text = #"{"a":1e400,"b":-1e99999999999999999999,"c":1,"d":1e-400}"#
    let tree = try Self.tree(text.utf8)
    let largest = Double.greatestFiniteMagnitude
    #expect(
      tree == .object(["a": .double(largest), "b": .double(-largest), "c": .integer(1), "d": .integer(0)]))
    #expect(tree["a"]?.count == .max && tree["a"]?.lineNumber == .max && tree["a"]?.offset == .max)
    #expect(tree["b"]?.count == nil && tree["b"]?.lineNumber == nil)
    #expect(try Self.tree(tree.encoded()) == tree)
    // Who decodes it by Foundation lacks the number alone.
    let decoded = try JSONDecoder().decode(JSONTree.self, from: Data(text.utf8))
    #expect(decoded["a"] == .null && decoded["c"] == .integer(1))
    for text in ["1e400x", "1e", "-", "1e+-4", "Infinity", "011", "1-2", "-2e3e3", "1.5.5"] {
      #expect(throws: JSONTree.Failure.malformed) { try Self.tree(text.utf8) }
    }
    #expect(try Self.tree("1.5".utf8).count == nil)
  }

  @Test func aByteOrderMarkIsIgnored() throws {
    #expect(try Self.tree("\u{FEFF} [1]".utf8) == .array([.integer(1)]))
  }

  @Test func valuesAreCounted() throws {
    let text = #"{"a":[{},{},1],"b":"x"}"#
    #expect(try JSONTree(parsing: text.utf8, maximumValues: 6) != .null)
    #expect(throws: JSONTree.Failure.tooMany) { try JSONTree(parsing: text.utf8, maximumValues: 5) }
  }

  @Test func depthHasAnEnd() throws {
    let deep = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
    #expect(try Self.tree(deep.utf8) != .null)
    for text in [
      "[" + deep + "]", String(repeating: "[", count: 1_000_000), String(repeating: #"{"a":"#, count: 65),
    ] {
      #expect(throws: JSONTree.Failure.tooDeep) { try Self.tree(text.utf8) }
    }
    // One after another they are no deeper.
    #expect(
      try Self.tree(("[" + Array(repeating: "[]", count: 100).joined(separator: ",") + "]").utf8) != .null)
  }

  /// Pieces of which most sequences are nearly JSON.
  private static let pieces = [
    "{", "}", "[", "]", ",", ":", "\"a\"", "\"b\":", "\"", "\\", "\\n", "\\u0041", "1", "-2", "0", ".5", "e3",
    "true", "null", " ",
    "é", "e\u{301}", "😀",
  ]

  private static func random(_ random: inout SeededGenerator, depth: Int = 0) -> JSONTree {
    switch Int.random(in: 0..<(depth < 4 ? 7 : 5), using: &random) {
    case 0: return .null
    case 1: return .bool(random.chance(0.5))
    case 2: return .integer(random.pick([0, 1, -1, .max, .min, 42]))
    case 3: return .double(random.pick([0.5, -1.25e-7, 1e300, .pi]))
    case 4:
      return .string(
        random.pick(["", "a", "\"\\/\n\r\t\u{0}\u{1f}", "é😀\u{2028}", String(repeating: "x", count: 40)]))
    case 5:
      return .array(
        (0..<Int.random(in: 0...4, using: &random)).map { _ in Self.random(&random, depth: depth + 1) })
    default:
      let names = ["a", "b", "\"", "é", ""].prefix(Int.random(in: 0...5, using: &random))
      return .object(
        Dictionary(uniqueKeysWithValues: names.map { ($0, Self.random(&random, depth: depth + 1)) }))
    }
  }

  @Test func itAgreesWithTheLibrary() throws {
    var random = SeededGenerator(seed: propertySeed())
    var readable = 0
    for _ in 0..<2_000 {
      let tree = Self.random(&random)
      var writer = JSONWriter()
      writer.write(tree)
      #expect(!writer.bytes.contains(0x0A))
      #expect(try Self.tree(writer.bytes) == tree)
      #expect(try JSONDecoder().decode(JSONTree.self, from: Data(writer.bytes)) == tree)
      #expect(try Self.tree(tree.encoded()) == tree)
      let near = (0..<Int.random(in: 1...6, using: &random)).map { _ in random.pick(Self.pieces) }.joined()
      // The library takes a comma before a closing bracket and other numbers, which RFC 8259 does not
      // allow, and refuses those that no `Double` holds.
      let numbers = near.matches(of: /[-+.0-9eE]*\d[-+.0-9eE]*/).map(\.output)
      let areReadable = numbers.allSatisfy {
        $0.wholeMatch(of: /-?(0|[1-9]\d*)(\.\d+)?(e\d+)?/) != nil && Double($0)?.isFinite == true
      }
      if !areReadable || near.contains(/,\s*[\]}]/) { continue }
      let read = try? Self.tree(near.utf8)
      #expect(read == (try? JSONDecoder().decode(JSONTree.self, from: Data(near.utf8))), "\(near)")
      readable += read == nil ? 0 : 1
    }
    #expect(readable > 20)
  }
}
