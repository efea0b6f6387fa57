import Forage
import ForageCore
import Foundation
import TestSupport
import Testing

@testable import ForageMCP

struct ReadToolTests {
  private func read(_ arguments: [String: JSONTree], _ file: RepositoryFile) throws(ToolFailure) -> JSONTree {
    let checked = try ToolArguments(.object(arguments), ReadTool.read.parameters + [.maxChars])
    return NeutralText.neutral(try ReadTool.answer(file, .local(), checked))
  }

  @Test(arguments: [
    "../x", "/etc/passwd", "a/../../b", ".git/config", "a/.GIT/config", ".git./x", "git~1/x", "a\0b",
    ".g\u{200B}it/x",
  ])
  func refusesPathsThatLeaveTheRepository(_ path: String) async throws {
    #expect(throws: ToolFailure.self) { try ReadTool.checked(path) }
    let talk = try Conversation()
    let repository = try await TemporaryRepository.make()
    try repository.write("a", "secret")
    try await talk.addClones(in: repository.path)
    let place = JSONTree.string(repository.path)
    let read = await talk.answer("read", ["path": place, "file": .string("a")])
    #expect(!read.isError && read.content["text"] == .string("secret"))
    let (content, isError) = await talk.answer("read", ["path": place, "file": .string(path)], id: 2)
    #expect(isError && content["text"] == nil)
    _ = await talk.end()
  }

  /// No place of a file on this disk is shown, as it is on a command line.
  @Test func showsNoFiles() async throws {
    let talk = try Conversation()
    let folder = try TemporaryDirectory()
    let repository = try await TemporaryRepository.make()
    try repository.write("a", "secret")
    try await talk.addClones(in: repository.path)
    let outside = try folder.write("b", "secret\n").path
    for (index, place) in [
      outside, outside + ":1", repository.path + "/a:1", repository.path + ":a:1:1", "file://\(outside):1",
    ].enumerated() {
      let (content, _) = await talk.answer("show", ["id": .string(place)], id: index + 1)
      #expect(!ResponseLimit.text(content).contains("secret"), "\(place)")
    }
    _ = await talk.end()
  }

  /// A path in a query tells nothing of what is outside of the catalogue.
  @Test func pathsInQueries() async throws {
    let talk = try Conversation()
    let (known, other) = (try await TemporaryRepository.make(), try await TemporaryRepository.make())
    for repository in [known, other] { try await repository.commit(files: ["a": "needle\n"]) }
    try await talk.addClones(in: known.path)
    func search(_ path: String, _ id: Int) async -> (content: JSONTree, isError: Bool) {
      await talk.answer(
        "search_code",
        ["pattern": .string("needle"), "repo": .string(path), "scope": .string("local")], id: id)
    }
    let found = await search(known.path, 1)
    #expect(found.content["files"]?.array?.count == 1, "\(found)")
    for (id, path) in [other.path, "/etc", "/no/such/folder", "~"].enumerated() {
      let (content, isError) = await search(path, 2 + id)
      #expect(isError)
      #expect(content["error"]?["message"] == .string("repo:\(path) is not a clone of the catalogue"))
    }
    _ = await talk.end()
  }

  @Test(arguments: [("a//b/./c", "a/b/c"), (".", "."), ("", "."), ("a/.gitignore", "a/.gitignore")])
  func normalisesPaths(_ path: String, _ expected: String) throws {
    #expect(try ReadTool.checked(path) == expected)
  }

  @Test func readsLinesAndContinues() throws {
    let text = (1...1_000).map { "line \($0)\r" }.joined(separator: "\n") + "\n"
    let first = try read(["file": .string("a")], .text(text))
    #expect(first["totalLines"] == .integer(1_000))
    #expect(first["range"] == .object(["start": .integer(1), "end": .integer(400)]))
    #expect(first["next"] == .integer(401))
    let part = try read(
      ["file": .string("a"), "start": .integer(999), "end": .integer(1_000)], .text(text))
    #expect(part["text"] == .string("line 999\nline 1000") && part["next"] == nil)
    let beyond = #expect(throws: ToolFailure.self) {
      try read(["file": .string("a"), "start": .integer(1_001)], .text(text))
    }
    #expect(beyond?.message == "line 1001 is after the end of the file")
    #expect(beyond?.hint == "it has 1,000 lines")
    let most = try read(["file": .string("a"), "start": .integer(2), "end": .integer(.max)], .text(text))
    #expect(most["range"]?["end"] == .integer(401))
  }

  @Test func cutsLongAnswers() throws {
    let text = (1...300).map { _ in String(repeating: "x", count: 100) }.joined(separator: "\n")
    let content = try read(["file": .string("a"), "maxChars": .integer(2_000)], .text(text))
    #expect(ResponseLimit.text(content).count <= 2_000 && content["truncated"] == .bool(true))
    let end = content["range"]?["end"]?.integer ?? 0
    #expect(end > 5 && content["next"] == .integer(end + 1))
  }

  /// What is left of a folder follows `next`.
  @Test func pagesThroughFolders() throws {
    let names = (0..<500).map { "näme \($0)/" }
    var (found, start): ([String], JSONTree?) = ([], .integer(1))
    while let place = start {
      let page = try read(
        ["file": .string("."), "start": place, "maxChars": .integer(1_000)], .folder(names))
      #expect(ResponseLimit.text(page).unicodeScalars.count <= 1_000)
      #expect(page["range"]?["start"] == place && page["totalLines"] == nil)
      found += page["entries"]?.array?.compactMap(\.string) ?? []
      start = page["next"]
    }
    #expect(found == names)
    let part = try read(["file": .string("."), "start": .integer(3), "end": .integer(4)], .folder(names))
    #expect(part["entries"] == .array([.string("näme 2/"), .string("näme 3/")]) && part["next"] == nil)
    let beyond = #expect(throws: ToolFailure.self) {
      try read(["file": .string("."), "start": .integer(501)], .folder(names))
    }
    #expect(beyond?.hint == "it has 500 entries")
    #expect(throws: ToolFailure.self) {
      try read(["file": .string("."), "start": .integer(4), "end": .integer(3)], .folder(names))
    }
  }

  @Test(arguments: ["o/r?x=1", "o/r#x", "r", "", "host.example/o/r?x"])
  func refusesNamesThatAreNoRepository(_ name: String) async throws {
    let talk = try Conversation()
    for (id, tool) in ["read", "inspect", "star"].enumerated() {
      var arguments = ["repo": JSONTree.string(name)]
      if tool == "read" { arguments["file"] = .string("a") }
      if tool == "star" { arguments["on"] = .bool(true) }
      let (content, isError) = await talk.answer(tool, arguments, id: id)
      #expect(isError && content["error"]?["hint"] == .string("it is owner/name, host/owner/name or a URL"))
    }
    _ = await talk.end()
  }

  /// Where only clones are searched, a name that none has is told as commands tell it, and a clone without a
  /// match is an empty list.
  @Test(
    arguments: [
      ("search_code", "zz/zz", "no clone is named zz/zz"), ("search_code", "git.example.com/o/r", nil),
      ("search", "zz/zz", "no clone is named zz/zz"), ("search", "git.example.com/o/r", nil),
      ("search", "zz/zz OR repo:git.example.com/o/r", nil),
      ("search", #""zz/q","zz/p""#, "no clone is named zz/q; no clone is named zz/p"),
      ("search", #""zz/q","git.example.com/o/r" nothing"#, nil),
    ] as [(String, String, String?)])
  func namesOfNoClone(_ tool: String, _ name: String, _ hint: String?) async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a.txt": "one\n"])
    _ = try await repository.git("remote add origin https://git.example.com/o/r.git")
    let talk = try Conversation()
    try await talk.addClones(in: repository.path)
    let (content, isError) = await talk.answer(
      tool,
      tool == "search"
        ? ["query": .string("repo:\(name)"), "providers": .array([.string("local")])]
        : ["pattern": .string("needle"), "repo": .string(name), "scope": .string("local")])
    #expect(isError == (hint != nil), "\(content)")
    #expect(content["error"]?["hint"] == hint.map(JSONTree.string), "\(content)")
    _ = await talk.end()
  }

  /// A match has the ref with which `read` gives the same line, whatever is changed in the work tree.
  @Test func readsTheLinesOfMatches() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["ä.txt": "one\nneedle 1\n"])
    _ = try await repository.git("remote add origin https://git.example.com/o/r.git")
    let talk = try Conversation()
    try await talk.addClones(in: repository.path)
    try repository.write("ä.txt", "new\nnew\nneedle 1\n")
    let found = await talk.answer(
      "search_code", ["pattern": .string("needle 1"), "scope": .string("local")])
    let file = try #require(found.content["files"]?.array?.first)
    let line = try #require(file["matches"]?.array?.first?["line"])
    var arguments = ["file": file["path"] ?? .null, "start": line, "end": line]
    arguments["repo"] = file["repo"]
    arguments["ref"] = file["ref"]
    let read = await talk.answer("read", arguments, id: 2)
    #expect(!read.isError && read.content["text"] == .string("needle 1"))
    #expect(read.content["providers"]?.array?.first?["id"] == .string("local"))
    _ = await talk.end()
  }

  private static var github: FakeGitHub {
    FakeGitHub(repositories: [FakeRepository(id: 1, fullName: "o/r")]) {
      $0.files = [FakeFile(repository: "o/r", path: "new.txt", content: "only there\n")]
    }
  }

  /// A ref is one of the clone, as git reads it; the forge is asked only for what it may know and the clone
  /// does not.
  @Test func readsRefsOfClonesFirst() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a.txt": "first\n"])
    let first = try await repository.git("rev-parse HEAD")
    try await repository.commit(files: ["a.txt": "second\n"])
    _ = try await repository.git("tag v1.0")
    try await withGitHub(Self.github) { server in
      let host = server.baseURL.dropFirst("http://".count)
      _ = try await repository.git("remote add origin http://\(host)/o/r.git")
      let talk = try Conversation(environment: ["FORAGE_GITHUB_URL": server.baseURL])
      try await talk.addClones(in: repository.path)
      func read(_ id: Int, _ ref: String, file: String = "a.txt") async -> (content: JSONTree, isError: Bool)
      {
        let repo = JSONTree.string("o/r")
        return await talk.answer("read", ["repo": repo, "file": .string(file), "ref": .string(ref)], id: id)
      }
      for (id, ref) in ["HEAD~1", String(first.prefix(7)), first, "main^", "v1.0~1", "main~1^{tree}"]
        .enumerated()
      {
        let (content, isError) = await read(id, ref)
        #expect(!isError && content["text"] == .string("first"), "\(ref): \(content)")
      }
      for (id, ref) in ["HEAD~9", "main@{upstream}"].enumerated() {
        let (content, isError) = await read(10 + id, ref)
        #expect(isError)
        #expect(content["error"]?["message"] == .string("there is no ref \(ref) in \(repository.path)"))
      }
      let blob = await read(12, "HEAD:a.txt")
      #expect(blob.content["error"]?["message"] == .string("HEAD:a.txt names a file, not a commit or folder"))
      // As for git a whole id comes before a name that looks the same.
      _ = try await repository.git("update-ref refs/tags/\(first) HEAD")
      let id = await read(13, first)
      #expect(!id.isError && id.content["text"] == .string("first"), "\(id.content)")
      #expect(server.requests.isEmpty)
      // A branch that is not fetched yet.
      let there = await read(20, "new-branch", file: "new.txt")
      #expect(!there.isError && there.content["text"] == .string("only there"))
      let mistyped = await read(21, "mian")
      let message = mistyped.content["error"]?["message"]?.string ?? ""
      #expect(mistyped.isError && message.hasPrefix("there is no ref mian in \(repository.path), and "))
      #expect(message.hasSuffix(" has no a.txt at it"))
      #expect(mistyped.content["error"]?["hint"] == .string("did you mean main?"))
      _ = await talk.end()
    }
  }

  /// Nothing is read through a link in a work tree: it is data, as in a commit.
  @Test func readsNothingBehindLinks() async throws {
    let repository = try await TemporaryRepository.make()
    // The tests may run in a clone that has this file.
    let word = ["quagga", "zebra"].joined()
    try await repository.commit(files: ["ö/hostname": word + " committed\n", "d/a.txt": "1\n"])
    try repository.directory.write("outside/hostname", word + " foreign\n")
    let outside = repository.directory.path("outside")
    try FileManager.default.removeItem(atPath: repository.path + "/ö")
    for (name, target) in [("ö", outside), ("inside", "d"), ("d/link", "a.txt")] {
      try FileManager.default.createSymbolicLink(
        atPath: repository.path + "/" + name, withDestinationPath: target)
    }
    let talk = try Conversation()
    try await talk.addClones(in: repository.path)
    func read(_ file: String, _ id: Int) async -> JSONTree {
      let path = JSONTree.string(repository.path)
      return await talk.answer("read", ["path": path, "file": .string(file)], id: id).content
    }
    let out = "that is outside of the repository and cannot be read"
    for (id, (file, link, target, hint)) in [
      ("ö/hostname", "ö", outside, out), ("ö", "ö", outside, out),
      ("inside/a.txt", "inside", "d", "read d"), ("d/link", "d/link", "a.txt", "read d/a.txt"),
    ].enumerated() {
      let error = await read(file, id)["error"]
      #expect(error?["message"] == .string("\(link) is a link to \(target)"), "\(file)")
      #expect(error?["hint"] == .string(hint), "\(file)")
    }
    #expect(await read(".", 10)["entries"] == .array(["d/", "inside", "ö"].map(JSONTree.string)))
    let found = await talk.answer(
      "search_code", ["pattern": .string(word), "scope": .string("local")], id: 11)
    let files = found.content["files"]?.array ?? []
    #expect(files.count == 1 && files[0]["file"] == nil, "\(found.content)")
    let match = files.first?["matches"]?.array?.first
    #expect(match?["text"] == .string(word + " committed"), "\(found.content)")
    // A work tree elsewhere has files of others.
    try await repository.git(["config", "core.worktree", outside])
    #expect(await read("hostname", 12)["error"] != nil)
    #expect(await read("ö/hostname", 13)["text"]?.string?.contains("foreign") == false)
    _ = await talk.end()
  }

  /// A link to nothing is no place to read, on disk and in a commit; one to what is behind another link is.
  @Test func danglingLinks() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["d/a.txt": "1\n"])
    for (name, target) in [("gone", "nowhere"), ("linked", "d"), ("through", "linked/a.txt")] {
      try FileManager.default.createSymbolicLink(
        atPath: repository.path + "/" + name, withDestinationPath: target)
    }
    try await repository.commit("links")
    let talk = try Conversation()
    try await talk.addClones(in: repository.path)
    for (id, ref) in [JSONTree.null, .string("HEAD")].enumerated() {
      func error(_ file: String, _ id: Int) async -> JSONTree? {
        let arguments = ["path": JSONTree.string(repository.path), "file": .string(file), "ref": ref]
        return await talk.answer("read", arguments, id: id).content["error"]
      }
      let gone = await error("gone", 10 + id)
      #expect(gone?["message"] == .string("gone is a link to nowhere, which is not there"))
      #expect(gone?["hint"]?.string?.contains("nowhere") == false)
      #expect(await error("through", 20 + id)?["hint"] == .string("read linked/a.txt"))
    }
    _ = await talk.end()
  }

  /// A clone and a forge tell what else there may be at a path in the same words.
  @Test func tellsOfLinksAndSubmodules() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["d/a.txt": "1\n", "l/x": "1\n"])
    let commit = try await repository.git("rev-parse HEAD")
    _ = try await repository.git("update-index --add --cacheinfo 160000,\(commit),vendor/lib")
    try FileManager.default.createDirectory(
      atPath: repository.path + "/vendor/lib", withIntermediateDirectories: true)
    for (name, target) in [("to-file", "../d/a.txt"), ("out", "../../x")] {
      try FileManager.default.createSymbolicLink(
        atPath: repository.path + "/l/\(name)", withDestinationPath: target)
    }
    try await repository.commit("links")
    let expected = [
      "vendor/lib": (
        "vendor/lib is a submodule at \(commit)",
        "read its own repository, which .gitmodules names, with this commit as ref"
      ), "l/to-file": ("l/to-file is a link to ../d/a.txt", "read d/a.txt"),
      "l/out": ("l/out is a link to ../../x", "that is outside of the repository and cannot be read"),
    ]
    let github = Self.github
    let answers = [
      "vendor/lib": #"{"type":"submodule","sha":"\#(commit)"}"#,
      "l/to-file": #"{"type":"symlink","target":"../d/a.txt"}"#,
      "l/out": #"{"type":"symlink","target":"../../x"}"#,
    ]
    for (path, body) in answers {
      github.fail(.custom(.json(status: 200, body: body)), path: "/repos/o/r/contents/\(path)")
    }
    try await withGitHub(github) { server in
      let talk = try Conversation(environment: ["FORAGE_GITHUB_URL": server.baseURL])
      try await talk.addClones(in: repository.path)
      var id = 1
      for (path, (message, hint)) in expected {
        for place in [
          ["path": JSONTree.string(repository.path), "ref": .string("HEAD")], ["repo": .string("o/r")],
        ] {
          id += 1
          let (content, isError) = await talk.answer(
            "read", place.merging(["file": .string(path)]) { $1 }, id: id)
          #expect(isError && content["error"]?["message"] == .string(message))
          #expect(content["error"]?["hint"] == .string(hint))
          #expect(content["providers"]?.array?.first?["state"] == .string("ok"))
        }
      }
      let below = await talk.answer(
        "read",
        ["path": .string(repository.path), "ref": .string("HEAD"), "file": .string("vendor/lib/src/a.c")])
      #expect(below.content["error"]?["message"] == .string("vendor/lib is a submodule at \(commit)"))
      _ = await talk.end()
    }
  }

  /// A text that is not the bytes of its file has its encoding.
  @Test func encodingsOfMatches() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a.txt": "größe\n"])
    let text = Data([0xFF, 0xFE]) + Data("größe\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
    try text.write(to: URL(fileURLWithPath: repository.path + "/b.txt"))
    try await repository.commit("utf-16")
    let talk = try Conversation()
    try await talk.addClones(in: repository.path)
    let found = await talk.answer("search_code", ["pattern": .string("größe"), "scope": .string("local")])
    let files = found.content["files"]?.array ?? []
    let encodings = Dictionary(
      files.map { ($0["path"]?.string ?? "", $0["encoding"]?.string) },
      uniquingKeysWith: { first, _ in first })
    // The clone in which the tests run is searched, too.
    #expect(encodings["b.txt"] == "UTF-16LE" && encodings["a.txt"] == .some(nil))
    _ = await talk.end()
  }

  @Test func listsFoldersAndEmptyFiles() throws {
    let folder = try read(["file": .string(".")], .folder(["a/", "b"]))
    #expect(folder["entries"] == .array([.string("a/"), .string("b")]))
    #expect(folder["range"] == .object(["start": .integer(1), "end": .integer(2)]))
    let empty = try read(["file": .string("a")], .text(""))
    #expect(empty["totalLines"] == .integer(0) && empty["text"] == .string(""))
  }
}
