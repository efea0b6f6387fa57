import ForageCore
import ForagePluginHost
import Foundation
import TestSupport
import Testing

struct PluginManifestTests {
  private static let example = """
    {"forage": 1, "id": "acme", "name": "Acme", "version": "1.2.0", "command": ["python3", "acme.py"], "files": ["acme.py"],
     "kinds": ["repo"],
     "hosts": ["acme.example"], "secrets": ["token"],
     "config": {"url": {"default": "https://acme.example", "description": "API base"}}}
    """

  private func read(_ text: String) throws(SearchError) -> PluginManifest {
    try PluginManifest(parsing: Array(text.utf8), path: "plugin.json")
  }

  @Test func theExample() throws {
    let manifest = try read(Self.example)
    #expect(manifest.id == "acme" && manifest.name == "Acme" && manifest.version == "1.2.0")
    #expect(manifest.command == ["python3", "acme.py"] && manifest.files == ["acme.py"])
    #expect(manifest.kinds == [.repo] && manifest.hosts == ["acme.example"] && manifest.secrets == ["token"])
    #expect(manifest.config["url"]?.standard == .string("https://acme.example"))
    #expect(manifest.config["url"]?.description == "API base")
    #expect(manifest.program == .search("python3") && manifest.trustedFiles == ["acme.py"])
    #expect(manifest.providerIDs == ["acme"])
  }

  @Test(arguments: [
    (["python3", "a.py"], ["a.py"], PluginProgram.search("python3"), ["a.py"]),
    (["./bin/acme"], [], .file("bin/acme"), ["bin/acme"]),
    (["bin/acme"], ["bin/acme", "data"], .file("bin/acme"), ["bin/acme", "data"]),
    (["acme"], ["acme"], .file("acme"), ["acme"]),
    (["./w.pl"], ["w.pl"], .file("w.pl"), ["w.pl"]),
    (["w.pl"], ["./w.pl"], .file("w.pl"), ["w.pl"]),
    (["./.build/release/a"], [".build/release/a"], .file(".build/release/a"), [".build/release/a"]),
    (["/usr/bin/acme"], [], .absolute("/usr/bin/acme"), []),
  ]) func programs(_ command: [String], _ files: [String], _ program: PluginProgram, _ trusted: [String])
    throws
  {
    func list(_ texts: [String]) -> String { "[" + texts.map { "\"\($0)\"" }.joined(separator: ",") + "]" }
    let manifest = try read(
      #"{"forage":1,"id":"a","name":"A","version":"1","kinds":["repo"],"command":\#(list(command)),"files":\#(list(files))}"#
    )
    #expect(manifest.program == program && manifest.trustedFiles == trusted)
  }

  /// Each of these members makes the whole file wrong, and the line is told.
  @Test(arguments: [
    (#""kidns": []"#, "has no key \"kidns\"", "did you mean \"kinds\"?"),
    (#""sandbox": true"#, "has no key \"sandbox\"", "known keys: "),
    (#""id": "Acme""#, "\"id\" must be", "correct it"),
    (#""id": 7"#, "\"id\" must be a non-empty text", "correct it"),
    (#""name": """#, "\"name\" must be a non-empty text", "correct it"),
    (#""forage": 2"#, "\"forage\" must be 1", "a higher number"),
    (#""command": []"#, "\"command\" must be a list of texts, at least one", "correct it"),
    (#""command": "python3""#, "\"command\" must be a list", "correct it"),
    (#""command": [""]"#, "\"command\" must contain", "correct it"),
    (#""command": ["bin/x"]"#, "not in \"files\"", "correct it"),
    (#""command": ["../x"]"#, "not in \"files\"", "correct it"),
    (#""command": ["./../x"]"#, "is outside the plugin's folder", "correct it"),
    (#""files": ["../x"]"#, "has \"../x\"", "correct it"),
    (#""files": ["/etc/passwd"]"#, "has \"/etc/passwd\"", "correct it"),
    (#""files": ["a//b"]"#, "has \"a//b\"", "correct it"),
    (#""files": ["a", "a"]"#, "\"a\" twice", "correct it"),
    (#""files": ["a\u0000b"]"#, "must contain", "correct it"),
    (#""kinds": []"#, "at least one", "correct it"),
    (#""kinds": ["Repo"]"#, "is not a valid kind", "correct it"),
    (#""hosts": ["https://x.example"]"#, "is not a valid host", "correct it"),
    (#""secrets": ["a b"]"#, "is not a valid name", "correct it"),
    (#""config": []"#, "\"config\" must be an object", "correct it"),
    (#""config": {"url": {"defualt": 1}}"#, "config.url has no key \"defualt\"", "did you mean \"default\"?"),
    (#""config": {"url": "x"}"#, "config.url must be an object", "correct it"),
    (#""providers": []"#, "\"providers\" must be", "correct it"),
    (#""providers": [{"id": "x"}]"#, "invalid declaration", "write it as"),
    (#""providers": [{"id": "X", "kinds": ["repo"]}]"#, "the id \"X\"", "correct it"),
    (#""providers": [{"id": "x", "kinds": ["story"]}]"#, "of kind story", "correct it"),
    (
      #""providers": [{"id": "x", "kinds": []}, {"id": "x", "kinds": []}]"#, "two providers",
      "correct it"
    ),
  ]) func wrongMembers(_ member: String, _ told: String, _ hint: String) throws {
    let usual = [
      ("forage", "1"), ("id", #""a""#), ("name", #""A""#), ("version", #""1""#), ("command", #"["x"]"#),
      ("kinds", #"["repo"]"#),
    ]
    let name = member.split(separator: "\"")[0]
    let lines = usual.filter { $0.0 != name }.map { "\"\($0.0)\": \($0.1)" } + [member]
    let error = #expect(throws: SearchError.self) { try read("{\n" + lines.joined(separator: ",\n") + "\n}") }
    #expect(error?.code == .configuration)
    #expect(
      error?.message.hasPrefix("plugin.json:\(lines.count + 1): ") == true, "\(String(describing: error))")
    #expect(
      error?.message.contains(told) == true && error?.hint.hasPrefix(hint) == true,
      "\(String(describing: error))")
  }

  @Test(arguments: ["forage", "id", "name", "version", "command", "kinds"]) func missingMembers(
    _ name: String
  ) throws {
    var tree = try #require(try JSONTree(parsing: Self.example.utf8).object)
    tree[name] = nil
    let text = String(decoding: JSONTree.object(tree).encoded(), as: UTF8.self)
    let error = #expect(throws: SearchError.self) { try read(text) }
    #expect(
      error?.message.hasPrefix("plugin.json:1: ") == true && error?.message.contains("\"\(name)\"") == true)
  }

  @Test(arguments: [
    ("", "plugin.json:1: is not valid JSON in UTF-8"),
    ("{\n\"id\": \"a\",\n\"name\" \"b\"}", "plugin.json:2: is not valid JSON in UTF-8"),
    ("[]", "plugin.json:1: plugin.json must be an object"),
    ("{\"id\": 1,\n\"id\": 2}", "plugin.json:2: contains \"id\" twice"),
    (
      String(repeating: "[", count: 100) + String(repeating: "]", count: 100),
      "plugin.json:1: is nested deeper than 64 levels"
    ),
  ]) func noObject(_ text: String, _ told: String) {
    let error = #expect(throws: SearchError.self) { try read(text) }
    #expect(error?.message == told)
  }

  @Test func tooLarge() {
    let text = Self.example + String(repeating: " ", count: PluginManifest.byteLimit)
    #expect(throws: SearchError.self) { try read(text) }
  }

  /// By its folder or by its file.
  @Test func addressed() throws {
    let folder = try TemporaryDirectory()
    try folder.write("acme/plugin.json", Self.example)
    for path in [
      folder.path("acme"), folder.path("acme/"), folder.path("acme/plugin.json"), folder.path("acme/../acme"),
    ] {
      #expect(try FoundPlugin(at: path).folder == folder.path("acme"))
    }
    let error = #expect(throws: SearchError.self) { try FoundPlugin(at: folder.path("other")) }
    #expect(error?.code == .notFound)
    try folder.write("notes.txt", "no plugin")
    let other = #expect(throws: SearchError.self) { try FoundPlugin(at: folder.path("notes.txt")) }
    #expect(other?.code == .configuration)
    try folder.makeDirectory("empty")
    #expect(throws: SearchError.self) { try FoundPlugin(at: folder.path("empty")) }
    // Not a file: nothing waits for it to be written.
    #expect(mkfifo(folder.path("empty/plugin.json"), 0o600) == 0)
    let odd = #expect(throws: SearchError.self) { try FoundPlugin(at: folder.path("empty")) }
    #expect(odd?.message.hasSuffix("it is not a regular file") == true)
  }
}
