import ForageCore
import Testing

@testable import ForagePluginHost

/// The forms in which a `plugin.json` can be written: JSON as any program writes it, and other YAML.
struct PluginManifestFormTests {
  private func name(_ text: String) throws(SearchError) -> String {
    try PluginManifest(parsing: Array(text.utf8), path: "plugin.json").name
  }

  private static func json(_ name: String, separator: String = " ") -> String {
    [
      "{", #""forage": 1,"#, #""id": "a","#, #""name": "\#(name)","#, #""version": "1","#,
      #""command": ["a"],"#,
    ]
    .joined(separator: separator) + separator + #""kinds": ["repo"]}"#
  }

  @Test(arguments: ["", " ", "\n", "\n  ", "\n\t", "\r\n\t\t", "\n\n \t "])
  func whiteSpace(_ separator: String) throws {
    #expect(try name(Self.json("A", separator: separator)) == "A")
    #expect(try name("\u{FEFF}" + Self.json("A", separator: separator) + "\n") == "A")
  }

  /// The text in JSON, and the name.
  @Test(arguments: [
    (#"a\"b\\c\/d"#, "a\"b\\c/d"), (#"\b\f\n\r\t"#, "\u{8}\u{c}\n\r\t"), (#"\u00e9\u4E2D\u001f"#, "é中\u{1f}"),
    ("😀", "😀"), ("a, &b, !c: *d, - &e", "a, &b, !c: *d, - &e"), ("# {{[ ]", "# {{[ ]"), ("'", "'"),
    ("yes", "yes"),
    ("null", "null"), ("1.0", "1.0"),
  ])
  func texts(_ text: String, _ expected: String) throws {
    #expect(try name(Self.json(text)) == expected)
  }

  /// What is JSON and no YAML is an error that says so.
  @Test(arguments: [
    (Self.json(#"\ud83d\ude00"#), "the escape sequence of a surrogate"),
    (Self.json("\u{7f}"), "a control character"),
    (Self.json("A").replacing(#""id":"#, with: "\"id\"\n:"), "a comma or } is missing"),
    ("\t" + Self.json("A"), "no value can begin with this character"),
    (#"{"\#(String(repeating: "k", count: 1025))": 1}"#, "a comma or } is missing"),
  ])
  func whatIsNoYAML(_ text: String, _ told: String) throws {
    _ = try JSONTree(parsing: text.utf8)
    let error = #expect(throws: SearchError.self) { try name(text) }
    #expect(
      error?.message.contains("this is not valid YAML") == true && error?.message.contains(told) == true)
  }

  @Test func otherYAML() throws {
    let text = """
      # The plugin of the team.
      forage: 1
      id: a
      name: Our repositories
      version: "1.0"
      command: [python3, a.py]
      files: [a.py]
      fields: {builds: number, owned: {type: text, title: OWNER, column: 2}}
      kinds:
        repo: {text: exact, fields: [description, builds], qualifiers: {builds: exact}}
      config:
        depth: {default: 3}
        list: {default: [a, {b: true}], description: What to read}
      """
    let manifest = try PluginManifest(parsing: Array(text.utf8), path: "plugin.json")
    #expect(
      manifest.name == "Our repositories" && manifest.version == "1.0" && manifest.trustedFiles == ["a.py"])
    #expect(manifest.providers[0].kinds[.repo]?.text == .exact)
    let info = manifest.providers[0].info
    #expect(
      info.fields == [
        FieldDefinition("builds", .number), FieldDefinition("owned", .text, title: "OWNER", column: 2),
      ])
    let vocabulary = QualifierVocabulary.common.adding(info.vocabulary)
    for kind in ["repo", "story"] as [ResultKind] {
      #expect(vocabulary.of(kind)["builds"]?.type == .number && vocabulary.of(kind)["owned"]?.type == .text)
    }
    #expect(manifest.config["depth"]?.standard == .integer(3))
    #expect(manifest.config["list"]?.standard == .array([.string("a"), .object(["b": .bool(true)])]))
  }
}
