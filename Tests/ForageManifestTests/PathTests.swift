import ForageCore
import Foundation
import TestSupport
import Testing

@testable import ForageManifest

struct PathTests {
  private static let tree = #"""
    {"a":{"b":[10,{"c":"x"},null]},"list":[{"n":1},{"n":2},{"m":3},{"n":null}],"o'k":1,"sp ace":2,
     "z":{"y":{"deep":true}},"deep":{"here":1},"é":"e","obj":{"b":2,"a":1},"":"empty","list2":[[1,2],[3]]}
    """#

  @Test(
    arguments: [
      ("$.a.b[0]", "[10]"), ("$.a.b[1].c", #"["x"]"#), ("$.a.b[2]", "[null]"), ("$.a.b[3]", "[]"),
      ("$.a.b[-1]", "[null]"), ("$.a.b[-3]", "[10]"), ("$.a.b[-4]", "[]"), ("$['a']['b'][0]", "[10]"),
      (#"$["a"].b[0]"#, "[10]"), (#"$['o\'k']"#, "[1]"), ("$['sp ace']", "[2]"),
      ("$.list[*].n", "[1,2,null]"),
      ("$.list[*].m", "[3]"), ("$.obj[*]", "[1,2]"), ("$.list2[*][*]", "[1,2,3]"), ("$.é", #"["e"]"#),
      (#"$['\'']"#, "[]"), ("$['']", #"["empty"]"#),
      // A miss is a miss, never a deeper match.
      ("$.y", "[]"), ("$.c", "[]"), ("$.z.deep", "[]"), ("$.a[0]", "[]"), ("$.list.n", "[]"),
      ("$.a.b.c", "[]"),
      ("$.list[*].x[*]", "[]"), ("$.a.b[1][*]", #"["x"]"#), ("$.a.b[0][*]", "[]"),
    ] as [(String, String)])
  func leadsTo(_ text: String, _ expected: String) throws {
    let tree = try JSONTree(parsing: Array(Self.tree.utf8))
    let path = try JSONPath(text)
    let found = path.values(in: tree)
    #expect(String(decoding: JSONTree.array(found).encoded(), as: UTF8.self) == expected)
    #expect(path.value(in: tree) == found.first)
    #expect(path.isSingular == !text.contains("[*]"))
  }

  @Test(
    arguments: [
      ("", "does not begin with $"), ("a", "does not begin with $"), ("$a", "expected . or ["),
      ("$..a", "descendants"), ("$.*", "[*]"), ("$.", "name is missing after a dot"),
      ("$.a.", "name is missing after a dot"),
      ("$.a-b", "['like-this']"), ("$.1a", "name is missing after a dot"), ("$[", "not closed"),
      ("$[]", "must be followed"),
      ("$[01]", "not a valid index"), ("$[-0]", "not a valid index"), ("$[-]", "not a valid index"),
      ("$[1", "not closed"), ("$[*", "not closed"), ("$['a'", "not closed"), ("$['a", "not closed"),
      ("$[?(@.a)]", "filter"), ("$[1:2]", "not closed"), ("$[1,2]", "not closed"),
      ("$['a','b']", "not closed"),
      ("$[99999999999999999999]", "not a valid index"), (#"$['\x']"#, "a backslash must precede"),
      ("$.a b", "not allowed in a name"), ("$ .a", "expected . or ["), ("$['\u{1}']", "control character"),
    ] as [(String, String)])
  func isNoPath(_ text: String, _ reason: String) {
    let error = #expect(throws: JSONPath.Failure.self) { try JSONPath(text) }
    #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
  }

  @Test(
    arguments: [
      (Transform.htmlDecode, #""a &#39;b&#x27; &amp;lt; &quot;&nope; &""#, #""a 'b' &lt; \"&nope; &""#),
      (.trim, #""  a b \n""#, #""a b""#),
      (.join, #"["a",1,null,"b"]"#, #""a, 1, b""#), (.join, #""a""#, "null"),
      (.repositoryURL, #""git+https://GitHub.com/A/B.git""#, #""github.com/a/b""#),
      (.repositoryURL, #""nothing""#, "null"),
      (.repositoryURL, #""https://github.com/only""#, "null"), (.base64, #""aMOkbGxvCg==""#, #""hällo\n""#),
      (.base64, #""aGk""#, #""hi""#),
      (.base64, #""/w==""#, "null"), (.base64, #""a*""#, "null"), (.trim, "[\" a \",1]", #"["a"]"#),
      (.trim, "1", "null"),
    ] as [(Transform, String, String)])
  func transforms(_ transform: Transform, _ value: String, _ expected: String) throws {
    let tree = try JSONTree(parsing: Array(value.utf8))
    #expect(try (transform.apply(tree) ?? .null) == JSONTree(parsing: Array(expected.utf8)))
  }

  @Test(
    arguments: [
      ("2024-01-31T10:00:00Z", 1_706_695_200), ("2024-01-31T10:00:00.123456+02:00", 1_706_688_000),
      ("2024-01-31 10:00:00", 1_706_695_200), ("2024-01-31", 1_706_659_200), ("2024-02-30", nil), ("", nil),
      ("now", nil),
      ("2013-09-30T13:46:02.000Z", 1_380_548_762), ("0001-01-01T00:00:00Z", -62_135_596_800),
    ] as [(String, Int?)])
  func instants(_ text: String, _ seconds: Int?) {
    #expect(Instant.iso(text).map { Int($0.timeIntervalSince1970) } == seconds)
  }

  @Test func seconds() {
    #expect(Instant.unix(.integer(1_430_925_349))?.timeIntervalSince1970 == 1_430_925_349)
    #expect(Instant.unix(.string("12"))?.timeIntervalSince1970 == 12)
    #expect(
      Instant.unix(.double(1e300)) == nil && Instant.unix(.string("nan")) == nil && Instant.unix(.null) == nil
    )
  }

  @Test(
    arguments: [
      ("https://a.example/{0|segment}", "x/y", "https://a.example/x%2Fy"),
      ("https://a.example/{0|segment}", "..", nil),
      ("https://a.example/{0|segment}", "", nil),
      ("https://a.example/{0|path}", "/x/y z", "https://a.example/x/y%20z"),
      ("https://a.example/{0|path}", "x/../y", nil), ("https://a.example/{0|path}", "x//y", nil),
      ("https://a.example/?q={0|query}", "a&b#c", "https://a.example/?q=a%26b%23c"),
      ("{base}/{0|segment}", "@evil", "https://b.example/%40evil"),
    ] as [(String, String, String?)])
  func templates(_ text: String, _ value: String, _ expected: String?) throws {
    let rule = try manifest(
      sample(more: "").replacing("url: $.url", with: "url: {template: \"\(text)\", args: [$.u]}"))
    let row = JSONTree.object(["u": .string(value)])
    #expect(rule.search.map.url.value(in: row, base: "https://b.example")?.text == expected)
  }

  /// Names in braces are placeholders, everything else is text.
  @Test func placeholders() throws {
    let template = try Template("a{b}c{{b}}{ e }{}{", names: ["b"])
    let parts: [Template.Part] = [
      .text("a"), .value("b", nil), .text("c{"), .value("b", nil), .text("}{ e }{}{"),
    ]
    #expect(template.parts == parts && template.text(["b": "1"]) == "a1c{1}{ e }{}{")
    #expect(template.text([:]) == nil && template.names == ["b", "b"])
  }

  @Test func base64RoundTrip() {
    var random = SeededGenerator(seed: propertySeed())
    for length in 0..<200 {
      let bytes = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    }
  }
}
