import ForageCore
import ForageYAML
import Foundation
import TestSupport
import Testing

@testable import ForagePluginHost

struct PluginManifestTests {
  private static let example = """
    {"forage": 1, "id": "acme", "name": "Acme", "version": "1.2.0", "command": ["python3", "acme.py"], "files": ["acme.py"],
     "kinds": {"repo": {"text": "inexact", "qualifiers": {"language": "exact", "stars": "inexact"}, "fields": ["description", "stars", "language"],
                        "sorts": ["stars"], "maxPage": 50, "maxTotal": 500, "feed": false, "details": false}},
     "hosts": ["acme.example"], "secrets": ["token"],
     "config": {"url": {"default": "https://acme.example", "description": "API base"}}}
    """

  private func read(_ text: String) throws(SearchError) -> PluginManifest {
    try PluginManifest(parsing: Array(text.utf8), path: "plugin.json")
  }

  /// What builds a plugin, the secret that the host sends for it, and what runs on its results.
  @Test func buildAuthAndActions() throws {
    func read(_ members: String) throws(SearchError) -> PluginManifest {
      try PluginManifest(
        parsing: Array(
          #"{"forage":1,"id":"acme","name":"A","version":"1","command":["a"],"kinds":["repo"],"hosts":["acme.example"],"#
            .utf8) + Array((members + "}").utf8), path: "plugin.json")
    }
    let manifest = try read(
      #""build":["swift","build"],"secrets":["token","other"],"auth":{"secret":"token"},"actions":[{"name":"close","key":"X","run":["acme","close","{id}"]}]"#
    )
    #expect(manifest.build == ["swift", "build"] && manifest.ownSecrets == ["other"])
    #expect(manifest.auth == .init(secret: "token", header: "Authorization", prefix: "Bearer "))
    #expect(
      manifest.actions == [
        ResultAction(
          name: "close", key: "X", command: ["acme", "close", "{id}"], plugin: "acme",
          owners: ["acme", "acme.example"])
      ])
    let own = try read(#""secrets":["key"],"auth":{"secret":"key","header":"X-Key"}"#)
    #expect(own.auth?.prefix == "")
    for wrong in [
      #""secrets":["token"],"auth":{"secret":"key"}"#, #""secrets":["token"],"auth":{}"#,
      #""secrets":["token"],"auth":{"secret":"token","header":"Host"}"#,
      #""secrets":["token"],"auth":{"secret":"token","header":"A: b\nC"}"#, #""build":[]"#,
      #""actions":[{"name":"close"}]"#, #""actions":[{"name":"close","run":["./close.sh"]}]"#,
    ] { #expect(throws: SearchError.self, "\(wrong)") { try read(wrong) } }
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
    let provider = manifest.providers[0]
    #expect(provider.info.name == "Acme" && provider.info.hosts == ["acme.example"])
    #expect(provider.detailedKinds.isEmpty)
    let repo = try #require(provider.kinds[.repo])
    #expect(repo.text == .inexact && repo.qualifiers == ["language": .exact, "stars": .inexact])
    #expect(repo.fields == [.description, .stars, .language] && repo.sorts == ["stars"] && repo.feed == nil)
    #expect(repo.maximumPageSize == 50 && repo.reachable == 500)
  }

  /// Any number in the file: sizes are within their bounds, or the file is refused.
  @Test func hostileNumbers() {
    for text in HostileNumbers.variants(of: Self.example) {
      guard let manifest = try? read(text), let repo = manifest.providers[0].kinds[.repo] else { continue }
      #expect(repo.maximumPageSize > 0 && repo.reachable ?? 0 >= 0, "\(text)")
    }
  }

  private func readKinds(_ kinds: String, _ further: String = "") throws -> PluginManifest.Provider {
    let usual = #""forage":1,"id":"a","name":"A","version":"1","command":["a"],"hosts":["a.example"]"#
    return try read("{\(usual),\"kinds\":\(kinds)\(further)}").providers[0]
  }

  /// A list of names is short for kinds without members: they narrow by words, and nothing else.
  @Test(arguments: [#"["repo", "book"]"#, #"{"repo": {}, "book": {}}"#])
  func kindsWithoutMembers(_ kinds: String) throws {
    let provider = try readKinds(kinds)
    #expect(Set(provider.kinds.keys) == [.repo, "book"] && provider.info.vocabulary.isEmpty)
    #expect(provider.detailedKinds.isEmpty && provider.concurrency == 1)
    for abilities in provider.kinds.values {
      #expect(abilities.text == .inexact && abilities.qualifiers.isEmpty && abilities.sorts.isEmpty)
      #expect(
        abilities.fields == Set(ResultField.order) && abilities.feed == nil && abilities.needsText == nil)
      #expect(!abilities.needsToken)
      #expect(abilities.maximumPageSize == 200 && abilities.reachable == nil)
    }
  }

  @Test func abilitiesOfKinds() throws {
    let provider = try readKinds(
      #"""
      {"repo": {"text": "exact", "sorts": ["stars"], "needsText": false, "needsToken": true, "feed": true, "feedSorts": ["stars"],
                "qualifiers": {"stars": {"push": "exact", "type": "text"}, "Rating": {"push": "inexact", "type": "number"},
                               "mood": {"type": "choice", "values": ["Good"], "field": "state"}, "shelf": "exact"}},
       "story": {"fields": ["author"], "details": true}}
      """#, #","concurrency":3"#)
    let repo = try #require(provider.kinds[.repo])
    #expect(repo.text == .exact && repo.sorts == ["stars"] && repo.feed?.sorts == ["stars"])
    #expect(repo.needsText == false && repo.needsToken)
    #expect(
      repo.qualifiers == ["stars": .exact, "rating": .inexact, "mood": .unsupported, "shelf": .exact])
    #expect(repo.fields == Set(ResultField.order).union(["rating", "shelf"]))
    let story = try #require(provider.kinds[.story])
    #expect(story.text == .inexact && story.fields == [.author])
    // What every provider calls stars stays a number.
    let vocabulary = QualifierVocabulary.common.adding(provider.info.vocabulary)
    #expect(vocabulary.of(.repo)["stars"]?.type == .number)
    #expect(vocabulary.of(.repo)["rating"]?.type == .number && vocabulary.of(.repo)["shelf"]?.type == .text)
    #expect(vocabulary.of(.repo)["mood"]?.type == .choice(["good"]))
    #expect(provider.detailedKinds == [.story] && provider.concurrency == 3)
  }

  /// `flag` and `boolean` are one type, of fields and of qualifiers.
  @Test(arguments: ["flag", "boolean"])
  func wordsForFlags(_ word: String) throws {
    let provider = try readKinds(
      #"{"repo": {"qualifiers": {"sold": {"push": "exact", "type": "\#(word)"}}}}"#,
      #","fields":{"open":"\#(word)"}"#)
    #expect(provider.info.fields == [FieldDefinition("open", .flag)])
    #expect(provider.info.vocabulary.first { $0.name == "sold" }?.type == .flag)
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
    (#""kidns": []"#, "\"kidns\" is not a known key", "did you mean \"kinds\"?"),
    (#""sandbox": true"#, "\"sandbox\" is not a known key", "known: "),
    (#""id": "Acme""#, "\"id\" must be", "fix"),
    (#""id": []"#, "\"id\" must be", "fix"),
    (#""name": """#, "\"name\" must be a non-empty text", "fix"),
    (#""name": null"#, "\"name\" must be a non-empty text", "fix"),
    (#""forage": 2"#, "\"forage\" must be 1", "a higher number"),
    (#""forage": "1""#, "\"forage\" must be 1", "a higher number"),
    (#""command": []"#, "\"command\" must be a list of texts, at least one", "fix"),
    (#""command": "python3""#, "\"command\" must be a list", "fix"),
    (#""command": [""]"#, "\"command\" must contain", "fix"),
    (#""command": ["bin/x"]"#, "not in \"files\"", "fix"),
    (#""command": ["../x"]"#, "not in \"files\"", "fix"),
    (#""command": ["./../x"]"#, "is outside the plugin's folder", "fix"),
    (#""files": ["../x"]"#, "has \"../x\"", "fix"),
    (#""files": ["/etc/passwd"]"#, "has \"/etc/passwd\"", "fix"),
    (#""files": ["a//b"]"#, "has \"a//b\"", "fix"),
    (#""files": ["a", "a"]"#, "\"a\" twice", "fix"),
    (#""files": ["a\u0000b"]"#, "must contain", "fix"),
    (#""kinds": []"#, "at least one", "fix"),
    (#""kinds": {}"#, "at least one", "fix"),
    (#""kinds": "repo""#, "\"kinds\" must be a list of kinds, or a mapping", "fix"),
    (#""kinds": ["Repo"]"#, "is not a valid kind", "fix"),
    (#""kinds": {"Repo": {}}"#, "is not a valid kind", "fix"),
    (#""kinds": {"repo": ["stars"]}"#, "repo must be a mapping", "fix"),
    (#""kinds": {"repo": {"sort": []}}"#, "\"sort\" is not a known key", "did you mean \"sorts\"?"),
    (#""kinds": {"repo": {"text": "exakt"}}"#, "text does not accept \"exakt\"", "did you mean \"exact\"?"),
    (#""kinds": {"repo": {"fields": "stars"}}"#, "\"fields\" must be a list", "fix"),
    (#""kinds": {"repo": {"sorts": ["relevance"]}}"#, "the provider's own order", "fix"),
    (#""kinds": {"repo": {"maxPage": 201}}"#, "maxPage takes a whole number from 1 to 200", "fix"),
    (#""kinds": {"repo": {"maxTotal": -1}}"#, "maxTotal takes a whole number of at least 0", "fix"),
    (#""kinds": {"repo": {"feed": 1}}"#, "feed takes true or false", "fix"),
    (#""kinds": {"repo": {"feed": "true"}}"#, "feed takes true or false", "fix"),
    (#""kinds": {"repo": {"feedSorts": ["stars"]}}"#, "\"feedSorts\" needs \"feed\": true", "fix"),
    (#""kinds": {"repo": {"qualifiers": ["stars"]}}"#, "qualifiers must be a mapping", "fix"),
    (
      #""kinds": {"repo": {"qualifiers": {"stars": true}}}"#, "stars does not accept \"true\"",
      "accepted values: "
    ),
    (#""kinds": {"repo": {"qualifiers": {"a:b": "exact"}}}"#, "cannot be the name of a qualifier", "fix"),
    (
      #""kinds": {"repo": {"qualifiers": {"a": {"type": "numbr"}}}}"#, "type does not accept \"numbr\"",
      "did you mean \"number\"?"
    ),
    (
      #""kinds": {"repo": {"qualifiers": {"a": {"push": "exact", "psuh": 1}}}}"#,
      "\"psuh\" is not a known key", "did you mean"
    ),
    (
      #""kinds": {"repo": {"qualifiers": {"a": {"type": "choice"}}}}"#,
      "\"values\" must be the words of a choice", "fix"
    ),
    (#""concurrency": 17"#, "concurrency takes a whole number from 1 to 16", "fix"),
    (#""hosts": ["https://x.example"]"#, "is not a valid host", "fix"),
    (#""secrets": ["a b"]"#, "is not a valid name", "fix"),
    (#""config": []"#, "config must be a mapping", "fix"),
    (#""config": {"a b": {}}"#, "\"a b\" is not a valid name", "use letters"),
    (#""config": {"url": {"defualt": 1}}"#, "\"defualt\" is not a known key", "did you mean \"default\"?"),
    (#""config": {"url": "x"}"#, "url must be a mapping", "fix"),
    (#""providers": []"#, "\"providers\" must be", "fix"),
    (#""providers": [{"id": "x"}]"#, "\"kinds\" is missing", "add it"),
    (#""providers": [{"id": "x", "kind": ["repo"]}]"#, "\"kind\" is not a known key", "did you mean"),
    (#""providers": [{"id": "X", "kinds": ["repo"]}]"#, "\"id\" must be", "fix"),
    (
      #""providers": [{"id": "x", "kinds": ["repo"], "hosts": ["b.example"]}]"#,
      "is not one of the \"hosts\" of the plugin", "fix"
    ),
    (
      #""providers": [{"id": "x", "kinds": ["repo"]}, {"id": "x", "kinds": ["repo"]}]"#, "as that of another",
      "fix"
    ),
  ]) func wrongMembers(_ member: String, _ told: String, _ hint: String) throws {
    let usual = [
      ("forage", "1"), ("id", #""a""#), ("name", #""A""#), ("version", #""1""#), ("command", #"["x"]"#),
      ("kinds", #"["repo"]"#),
    ]
    let name = member.split(separator: "\"")[0]
    let lines =
      usual.filter { $0.0 != name && (name != "providers" || $0.0 != "kinds") }.map { "\"\($0.0)\": \($0.1)" }
      + [member]
    let error = #expect(throws: SearchError.self) { try read("{\n" + lines.joined(separator: ",\n") + "\n}") }
    #expect(error?.code == .configuration)
    #expect(
      error?.message.hasPrefix("plugin.json:\(lines.count + 1): ") == true, "\(String(describing: error))")
    #expect(
      error?.message.contains(told) == true && error?.hint.hasPrefix(hint) == true,
      "\(String(describing: error))")
  }

  /// Kinds belong to each of several providers.
  @Test func kindsBesideProviders() {
    let error = #expect(throws: SearchError.self) {
      try readKinds(#"["repo"]"#, #","providers":[{"id":"x","kinds":["repo"]}]"#)
    }
    #expect(error?.message.contains("\"kinds\" must be in each of the \"providers\"") == true)
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
    ("", "plugin.json: the file is empty"),
    (
      "{\n\"id\": \"a\",\n\"name\" \"b\"}", "plugin.json:3:8: this is not valid YAML: a comma or } is missing"
    ),
    ("[]", "plugin.json:1: plugin.json must be a mapping (name: value)"),
    ("{\"id\": 1,\n\"id\": 2}", "plugin.json:1: \"id\" occurs twice"),
    (
      String(repeating: "[", count: 100) + String(repeating: "]", count: 100),
      "plugin.json:1: the values are nested too deeply"
    ),
  ]) func noDescription(_ text: String, _ told: String) {
    let error = #expect(throws: SearchError.self) { try read(text) }
    #expect(error?.message == told)
  }

  @Test func tooLarge() {
    let text = Self.example + String(repeating: " ", count: PluginManifest.byteLimit)
    #expect(throws: SearchError.self) { try read(text) }
  }

  /// All problems are found at once; the error is the first one.
  @Test func severalProblems() throws {
    let folder = try TemporaryDirectory()
    let text =
      "{\"forage\": 1, \"id\": \"a\",\n\"nmae\": \"A\",\n\"version\": [],\n\"command\": \"a\", \"kinds\": {}}"
    try folder.write("a/plugin.json", text)
    let problems = PluginManifest.problems(at: folder.path("a/plugin.json"))
    #expect(problems.map(\.line) == [2, 3, 4, 4])
    let error = #expect(throws: SearchError.self) { try read(text) }
    #expect(error?.message == "plugin.json:2: \"nmae\" is not a known key")
    #expect(error?.hint == "did you mean \"name\"?; the file has 4 problems")
    try folder.write("b/plugin.json", Self.example)
    #expect(PluginManifest.problems(at: folder.path("b/plugin.json")).isEmpty)
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
