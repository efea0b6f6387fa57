import ForageCore
import ForageGit
import ForageLocal
import ForageStore
import Foundation
import TestSupport
import Testing

/// Searching code in clones.
struct CodeSearchTests {
  /// Clones with a catalogue and a code index.
  struct World {
    let workshop: Workshop
    var index: CodeIndex
    var maximumFileSize = CodeSettings.defaultMaximumFileSize
    var current: String?
    /// The files of a batch.
    var batch = CodeSettings.defaultBatch

    init() throws {
      workshop = try Workshop()
      index = CodeIndex(path: workshop.directory.path("cache/code.db"))
    }

    var settings: CodeSettings {
      var settings = CodeSettings(
        index: index, maximumFileSize: maximumFileSize, currentFolder: { [current] in current })
      settings.batch = batch
      return settings
    }

    func clone(_ name: String, _ files: [String: String]) async throws -> TemporaryRepository {
      let repository = try await workshop.clone(name, origin: "https://github.com/owner/\(name).git")
      try await repository.commit(files: files)
      // As after a push.
      try await repository.git("update-ref refs/remotes/origin/main HEAD")
      return repository
    }

    func update() async throws -> CodeIndexUpdate.Summary {
      _ = try await workshop.scan()
      let paths = try workshop.store.clones().map(\.path)
      return try await CodeIndexUpdate(settings).run(paths, all: paths) { _ in }
    }

    func page(
      _ query: String, matches: MatchOptions = MatchOptions(), pageSize: Int = 100, cursor: String? = nil,
      time: Duration = .seconds(60)
    ) async throws -> SearchPage {
      let store = workshop.store
      let provider = LocalProvider(code: settings) { store }
      let vocabulary = QualifierVocabulary.common.adding(provider.info.vocabulary)
      return try await provider.search(
        SearchRequest(
          kind: .code, query: try QueryParser(vocabulary: vocabulary).parse(query).root, matches: matches,
          pageSize: pageSize, cursor: cursor, deadline: .now + time))
    }

    func paths(_ query: String) async throws -> [String] {
      try await page(query).items.compactMap { $0[.path]?.text }
    }
  }

  static let files = [
    "src/parser.swift": "struct Parser {\n  func parse() {}\n}\n",
    "src/use.swift": "let p = Parser()\np.parse()\n",
    "Tests/ParserTests.swift": "func testParser() { Parser().parse() }\n",
    "docs/größe.md": "The Parser is größer.\n",
    "vendor/x.js": "var parser = 1;\n", "empty": "",
  ]

  /// A rename that changes only the composition of a character.
  @Test func renamedComposition() async throws {
    let world = try World()
    let clone = try await world.clone("composed", [:])
    for (number, name) in ["e\u{301}.txt", "\u{E9}.txt"].enumerated() {
      try await clone.fastImport(
        """
        commit refs/heads/main
        committer a <a> \(number) +0000
        data 1
        x
        deleteall
        M 100644 inline \(name)
        data 6
        a word

        """)
      _ = try await world.update()
      let paths = try await world.paths("word")
      #expect(paths.map { Array($0.utf8) } == [Array(name.utf8)])
    }
  }

  @Test func wordsPhrasesExpressionsAndQualifiers() async throws {
    let world = try World()
    _ = try await world.clone("one", Self.files)
    _ = try await world.update()
    #expect(Set(try await world.paths("parser")) == Set(Self.files.keys).subtracting(["empty"]))
    #expect(try await world.paths("\"p.parse()\"") == ["src/use.swift"])
    #expect(try await world.paths("/p = P\\w+\\(/") == ["src/use.swift"])
    #expect(try await world.paths("parser NOT struct language:swift -is:test") == ["src/use.swift"])
    #expect(try await world.paths("GRÖSSER OR größer") == ["docs/größe.md"])
    #expect(try await world.paths("parser case:yes path:vendor") == ["vendor/x.js"])
    #expect(try await world.paths("Parser case:smart is:vendored").isEmpty)
    #expect(try await world.paths("symbol:parse") == ["src/parser.swift"])
    #expect(try await world.paths("symbol:/^pars.$/") == ["src/parser.swift"])
    #expect(
      Set(try await world.paths("symbol:/PARSER/"))
        == ["src/parser.swift", "Tests/ParserTests.swift", "vendor/x.js"])
    #expect(try await world.paths("symbol:/^Parser/ case:yes") == ["src/parser.swift"])
    let line = try await world.page("symbol:/rse$/").items.first?[.matches]?.elements
    #expect(line?.count == 1 && line?[0]["line"]?.number == 2 && line?[0]["column"]?.number == 10)
    #expect(line?[0]["ranges"]?.elements.first?.elements.compactMap(\.number) == [9, 12])
    #expect(try await world.paths("parse NOT symbol:/parse/ language:swift") == ["src/use.swift"])
    #expect(try await world.paths("is:test") == ["Tests/ParserTests.swift"])
    #expect(try await world.paths("extension:md extension:js").count == 3)
    #expect(try await world.paths("filename:use") == ["src/use.swift"])
    #expect(try await world.paths("size:0 filename:empty") == ["empty"])
    #expect(try await world.paths("repo:owner/one struct") == ["src/parser.swift"])
    #expect(try await world.paths("repo:owner/other struct").isEmpty)
    #expect(try await world.paths("p. language:swift").contains("src/use.swift"))
  }

  /// A word that can be the name of a file finds the files with that name, too, the one in the root first.
  @Test func wordsThatAreNamesOfFiles() async throws {
    let world = try World()
    _ = try await world.clone(
      "one",
      [
        "src/größe.swift": "let a = 1\n", "b.swift": "let b = größer.swift\n", "größer.swift": "let c = 3\n",
        "kind": "", "deep/docker-compose.yml": "a: 1\n", "docker-compose.yml": "b: 1\n",
        "docker-compose.d/x": "c\n",
      ])
    _ = try await world.update()
    #expect(try await world.paths("größe.swift") == ["src/größe.swift"])
    #expect(Set(try await world.paths("größer.swift")) == ["b.swift", "größer.swift"])
    for name in ["docker-compose", "Docker-Compose.YML"] {
      #expect(try await world.paths(name) == ["docker-compose.yml", "deep/docker-compose.yml"], "\(name)")
    }
    #expect(try await world.page("docker-compose").items.first?[.matches] == nil)
    for query in [
      "größe.swif", "größe.swift see", "kind", "größe.swift language:python", "-größe.swift kind",
    ] {
      #expect(try await world.paths(query).isEmpty, "\(query)")
    }
  }

  @Test func definitionInTheSameCaseComesFirstAndIsShown() async throws {
    let world = try World()
    let uses = String(repeating: "// a parserGroup\n", count: 9)
    _ = try await world.clone(
      "one",
      [
        "a.swift": "let parserGroup = 1\n" + uses,
        "b.swift": uses + "protocol ParserGroup {}\n// ParserGroup near other words\n",
      ])
    _ = try await world.update()
    for query in ["ParserGroup", "ParserGroup near", "near OR ParserGroup"] {
      let page = try await world.page(query, matches: MatchOptions(limit: 2))
      let best = try #require(page.items.first)
      #expect(best[.path]?.text == "b.swift", "\(query)")
      let lines = try #require(best[.matches]).elements.compactMap { $0["line"]?.number }
      #expect(lines.contains(10), "\(query): \(lines)")
    }
    #expect(try await world.paths("parserGroup").first == "a.swift")
  }

  @Test func rankingPutsTheDefinitionFirst() async throws {
    let world = try World()
    _ = try await world.clone("one", Self.files)
    _ = try await world.update()
    let paths = try await world.paths("parser language:swift")
    // The file whose name has the word and that defines it, then the test with the word in its name.
    #expect(paths.first == "src/parser.swift")
    #expect(try await world.paths("parse").first == "src/parser.swift")
  }

  /// A file that is named like the word comes before one whose name contains it, and prose defines nothing.
  @Test func theNameItselfComesFirst() async throws {
    let world = try World()
    _ = try await world.clone(
      "one",
      [
        "a/MultiGrößeHandler.swift": "// A GrößeHandler.\nstruct MultiGrößeHandler {}\n",
        "b/0005-GrößeHandler.md": "```\nprotocol GrößeHandler {}\n```\n",
        "c/x.rst": "class GrößeHandler {}\n", "d/GrößeHandler.swift": "protocol GrößeHandler {}\n",
      ])
    _ = try await world.update()
    #expect(
      try await world.paths("GrößeHandler") == [
        "d/GrößeHandler.swift", "a/MultiGrößeHandler.swift", "b/0005-GrößeHandler.md", "c/x.rst",
      ])
    #expect(try await world.paths("symbol:GrößeHandler") == ["d/GrößeHandler.swift"])
    let prose = try await world.paths("is:documentation")
    #expect(prose == ["README.md", "b/0005-GrößeHandler.md", "c/x.rst"])
  }

  /// Of several words, one in the name of a file comes before one that is only defined, unless the file is a
  /// test.
  @Test func nearnessDecidesBetweenFilesWithOneOfTheNames() async throws {
    let world = try World()
    let far = String(repeating: "x\n", count: 300)
    _ = try await world.clone(
      "one",
      [
        "ConnectionTest.kt": "fun connection() {}\n" + far + "// refused in the ä\n",
        "connection.c": "int refuse; // connection\n\n// refused\n",
        "socket.c": "  die(\"Connection refused\");\n",
        "Client.swift": "struct Timeout {}\n" + far + "// client\n", "use.swift": "// client timeout\n",
      ])
    _ = try await world.update()
    #expect(
      try await world.paths("connection refused") == ["connection.c", "socket.c", "ConnectionTest.kt"])
    #expect(try await world.paths("ä connection refused") == ["ConnectionTest.kt"])
    #expect(try await world.paths("client timeout") == ["Client.swift", "use.swift"])
    #expect(try await world.paths("connection OR nothing").first == "connection.c")
  }

  @Test func itemsAndContext() async throws {
    let world = try World()
    let clone = try await world.clone("one", ["é/a b.txt": "one\r\ntwo x two\nthree\nxx two\n"])
    _ = try await world.update()
    let page = try await world.page("two", matches: MatchOptions(contextLines: 1, limit: 1))
    let item = try #require(page.items.first)
    let commit = try await clone.git("rev-parse HEAD")
    #expect(item[.repository] == .text("github.com/owner/one"))
    #expect(item[.path] == .text("é/a b.txt"))
    #expect(item[.ref] == .text("main"))
    #expect(item[.commit] == .text(commit))
    #expect(item[.file] == .text(clone.path + "/é/a b.txt"))
    #expect(item.url == "https://github.com/owner/one/blob/\(commit)/%C3%A9/a%20b.txt")
    #expect(item[.matchCount] == .number(2))
    let match = try #require(item[.matches]?.elements.first)
    #expect(item[.matches]?.elements.count == 1)
    #expect(match["line"] == .number(2))
    #expect(match["column"] == .number(1))
    #expect(match["text"] == .text("two x two"))
    #expect(
      match["ranges"] == .items([.items([.number(0), .number(3)]), .items([.number(6), .number(9)])]))
    #expect(match["before"] == .list(["one"]))
    #expect(match["after"] == .list(["three"]))
    #expect(page.coverage?.clones == 1)
    #expect(page.notes.isEmpty)
  }

  /// An address names a commit that the forge has; a file that it does not have as it is has no address.
  @Test func addressesOfCommitsThatWereNotPushed() async throws {
    let world = try World()
    let clone = try await world.clone("one", ["same": "needle\n", "changed": "needle 1\n"])
    let pushed = try await clone.git("rev-parse HEAD")
    try await clone.git("update-ref refs/remotes/origin/main HEAD")
    try await clone.git("config branch.main.remote origin")
    try await clone.git("config branch.main.merge refs/heads/main")
    try await clone.git("config remote.origin.fetch +refs/heads/*:refs/remotes/origin/*")
    try await clone.commit("second", files: ["changed": "needle 2\n", "new": "needle 3\n"])
    _ = try await world.update()
    func addresses() async throws -> [String: String?] {
      Dictionary(
        uniqueKeysWithValues: try await world.page("needle").items.map { ($0.title, $0.url) })
    }
    let prefix = "https://github.com/owner/one/blob/"
    #expect(try await addresses() == ["same": prefix + pushed + "/same", "changed": nil, "new": nil])
    // A branch that follows a local one says nothing about the forge.
    try await clone.git("config branch.main.remote .")
    #expect(try await addresses().values.allSatisfy { $0 == nil })
    // A tag and a branch of another remote are not on the forge.
    try await clone.git("tag v1 HEAD")
    try await clone.git("remote add größe ssh://git@größe/srv/one.git")
    try await clone.git("update-ref refs/remotes/größe/main HEAD")
    #expect(try await addresses().values.allSatisfy { $0 == nil })
    // Behind its upstream it is pushed.
    let head = try await clone.git("rev-parse HEAD")
    let tree = try await clone.git("rev-parse HEAD^{tree}")
    let next = try await clone.git("commit-tree -p HEAD -m third \(tree)")
    try await clone.git("update-ref refs/remotes/origin/main \(next)")
    #expect(try await addresses().values.allSatisfy { $0?.hasPrefix(prefix + head) == true })
  }

  /// What is known of no branch of the forge has no address: a clone that was never fetched or pushed, and
  /// one of a folder.
  @Test func addressesWithoutBranchesOfTheForge() async throws {
    let world = try World()
    let clone = try await world.clone("one", ["größe": "needle\n"])
    _ = try await clone.clone("src/copy")
    try await clone.commit(files: ["größe": "hay\n"])
    _ = try await world.update()
    let copy = try #require(try await world.page("needle").items.first)
    #expect(copy[.repository] == .text("github.com/owner/one") && copy[.commit] != nil && copy.url == nil)
    let new = try await world.workshop.clone("new", origin: "https://github.com/Owner/New.git")
    try await new.commit(files: ["b": "other\n"])
    _ = try await world.update()
    let unpushed = try #require(try await world.page("other").items.first)
    #expect(unpushed.url == nil && unpushed[.commit] != nil)
    // The name is as its address has it, the id is in lower case.
    #expect(unpushed[.repository] == .text("github.com/Owner/New"))
    #expect(unpushed.id.hasPrefix("github.com/owner/new/blob/"))
  }

  /// A commit that is on a branch of the forge, but further back than is looked, is not known to be there.
  @Test func theSearchForACommitIsBounded() async throws {
    let repository = try await TemporaryRepository.make()
    let first = try await repository.commit("first")
    for number in 0..<3 { try await repository.commit("\(number)") }
    let opened = try GitRepository.open(repository.path)
    let (id, tip) = try (
      #require(ObjectID(hex: first)), #require(ObjectID(hex: try await repository.git("rev-parse HEAD")))
    )
    #expect(try opened.areReachable([id], from: [tip], limit: 3, isCancelled: { false }))
    #expect(throws: GitError.self) {
      try opened.areReachable([id], from: [tip], limit: 2, isCancelled: { false })
    }
  }

  /// Of several words, the lines with all of them and those near other words come before the first ones.
  @Test func theBestLinesAreShown() async throws {
    let world = try World()
    let far = String(repeating: "x\n", count: 300)
    let text =
      "one\none\none\n" + far + "one\ntwo\n" + far + "one\n" + far + "tÿpe one and two\n" + far + "two\n"
    _ = try await world.clone("one", ["a": text])
    _ = try await world.update()
    func lines(_ limit: Int) async throws -> [Int] {
      let page = try await world.page("one two", matches: MatchOptions(limit: limit))
      #expect(page.items.first?[.matchCount] == .number(8))
      return page.items.first?[.matches]?.elements.compactMap { $0["line"]?.number } ?? []
    }
    #expect(try await lines(1) == [907])
    #expect(try await lines(3) == [304, 305, 907])
    #expect(try await lines(4) == [1, 304, 305, 907])
    #expect(try await lines(8) == [1, 2, 3, 304, 305, 606, 907, 1208])
  }

  @Test(arguments: [
    ("path:*.SWIFT", ["Tests/ParserTests.swift", "src/parser.swift", "src/use.swift"]),
    ("path:src/*.swift", ["src/parser.swift", "src/use.swift"]), ("path:src/us?.swift", ["src/use.swift"]),
    ("path:/*.swift", []), ("path:GR*E.md", ["docs/größe.md"]), ("path:/doc?/", ["docs/größe.md"]),
    ("path:/**/*.js", ["vendor/x.js"]), ("path:*.[js]", []),
    ("filename:*.MD", ["README.md", "docs/größe.md"]), ("filename:us?.*", ["src/use.swift"]),
    ("filename:rc/*.swift", []),
    ("extension:j*", ["vendor/x.js"]), ("extension:.?d", ["README.md", "docs/größe.md"]),
    ("-extension:s* -filename:*.md parser", ["vendor/x.js"]),
    ("-path:*.swift -path:*.md parser", ["vendor/x.js"]),
  ])
  func patternsOfPaths(_ query: String, _ paths: [String]) async throws {
    let world = try World()
    _ = try await world.clone("one", Self.files)
    _ = try await world.update()
    let found = try await world.paths(query).sorted()
    #expect(found == paths, "\(found)")
  }

  @Test func oneBlobIsOneResult() async throws {
    let world = try World()
    _ = try await world.clone("one", ["a/x.c": "int unusual_name;\n"])
    _ = try await world.clone("two", ["b/y.c": "int unusual_name;\n"])
    _ = try await world.update()
    let items = try await world.page("unusual_name").items
    #expect(items.count == 1)
    #expect(items.first?[.places]?.elements.count == 1)
    let second = try await world.page("unusual_name repo:owner/two").items
    #expect(second.first?[.path] == .text("b/y.c"))
    let place = second.first?[.places]?.elements.first
    #expect(place?["path"] == .text("a/x.c") && place?["fits"] == .flag(false))
  }

  @Test func binaryAndLargeFilesAreCounted() async throws {
    var world = try World()
    world.maximumFileSize = 1_000
    _ = try await world.clone(
      "one", ["bin": "needle\u{0}x", "big": String(repeating: "needle\n", count: 200), "text": "needle\n"])
    _ = try await world.update()
    let page = try await world.page("needle")
    #expect(page.items.compactMap { $0[.path]?.text } == ["text"])
    #expect(page.coverage?.skipped == ["binary": 1, "tooLarge": 1])
    let missing = try #require(page.notes.first)
    #expect(missing.message == "1 file of owner/one was not searched: longer than 1000 bytes")
    #expect(missing.hint.contains("maxFileSize") && page.total?.relation == .atLeast)
    // Whose path does not fit, or where paths alone decide, it is not missed.
    #expect(try await world.page("needle path:te").notes.isEmpty)
    #expect(try await world.page("needle path:bi").notes.map(\.code) == [.incompleteSearch])
    #expect(try await world.page("path:big").items.count == 1)
    #expect(try await world.page("path:big").notes.isEmpty)
    // Another limit is another index.
    world.maximumFileSize = 10_000
    let whole = try await world.page("needle")
    #expect(whole.items.count == 2 && whole.notes.isEmpty)
  }

  /// One note has all reasons, and the names of three clones.
  @Test func oneNoteTellsWhatIsMissing() async throws {
    var world = try World()
    world.maximumFileSize = 1_000
    let long = String(repeating: "needle\n", count: 200)
    for name in ["e", "d", "c", "b"] { _ = try await world.clone(name, ["größe": name + long]) }
    let lacking = try await world.clone("a", ["a": "needle a\n", "b": "needle b\n", "c": "c" + long])
    _ = try await world.update()
    let all = try #require(try await world.page("needle").notes.first)
    #expect(
      all.message
        == "5 files of owner/a, owner/b, owner/c and 2 more clones were not searched: longer than 1000 bytes")
    let id = try await lacking.git("rev-parse HEAD:a")
    try FileManager.default.removeItem(
      atPath: lacking.path + "/.git/objects/\(id.prefix(2))/\(id.dropFirst(2))")
    try FileManager.default.removeItem(atPath: lacking.path + "/a")
    let page = try await world.page("needle repo:owner/a repo:owner/b")
    #expect(page.items.compactMap { $0[.path]?.text } == ["b"])
    let mixed = try #require(page.notes.first)
    #expect(
      mixed.message
        == "3 files of owner/a, owner/b were not searched: 1 missing, 2 longer than 1000 bytes")
    #expect(mixed.hint.contains("git fsck") && mixed.hint.contains("maxFileSize"))
    #expect(page.notes.count == 1 && page.total?.relation == .atLeast)
  }

  @Test func aCloneOfAnUnsupportedFormatIsCounted() async throws {
    let world = try World()
    _ = try await world.clone("one", ["text": "needle\n"])
    let other = try await world.clone("two", ["other": "needle\n"])
    try await other.git("config core.repositoryFormatVersion 1")
    try await other.git("config extensions.objectFormat sha256")
    _ = try await world.workshop.scan()
    let page = try await world.page("needle")
    #expect(page.items.compactMap { $0[.path]?.text } == ["text"])
    #expect(page.coverage?.skipped == ["unsupported": 1])
    #expect(page.notes.isEmpty)
  }

  @Test func withoutIndexAndAfterChanges() async throws {
    let world = try World()
    let clone = try await world.clone("one", ["a": "first needle\n"])
    _ = try await world.workshop.scan()
    #expect(try await world.paths("needle") == ["a"])
    try await clone.commit("second", files: ["b/ü.c": "second needle\n"])
    #expect(Set(try await world.paths("needle")) == ["a", "b/ü.c"])
    try await clone.git("rm --quiet a")
    try await clone.commit("third")
    #expect(try await world.paths("needle") == ["b/ü.c"])
    try await clone.commit("fourth", files: [".gitattributes": "* linguist-vendored\n"])
    #expect(try await world.paths("needle is:vendored") == ["b/ü.c"])
    try await clone.git("reset --quiet --hard HEAD~2")
    #expect(try await world.paths("needle") == ["b/ü.c", "a"])
    _ = try await world.update()
    #expect(try world.index.usage()?.clones == 1)
  }

  @Test func changedFilesOfTheCurrentClone() async throws {
    var world = try World()
    let clone = try await world.clone(
      "one", ["a": "needle a\n", "b": "needle b\n", "c": "hay\n", ".gitignore": "ignored\n"])
    _ = try await world.update()
    try clone.write("a", "hay\n")
    try clone.write("c", "needle c\n")
    try clone.write("new/ñ", "needle new\n")
    try clone.write("ignored", "needle\n")
    try clone.write("staged", "needle staged\n")
    try await clone.git("add staged")
    try FileManager.default.removeItem(atPath: clone.path + "/b")
    #expect(Set(try await world.paths("needle")) == ["a", "b"])
    world.current = clone.path + "/new"
    #expect(Set(try await world.paths("needle")) == ["c", "new/ñ", "staged"])
    // No commit has their text.
    let items = try await world.page("needle").items
    #expect(items.count == 3)
    for item in items {
      #expect(item.url == nil && item[.commit] == nil)
      #expect(item.id == item[.file]?.text)
    }
    world.current = nil
    let named = try await world.page(
      "needle repo:owner/one", matches: MatchOptions(searchesWorkTrees: true))
    #expect(named.items.count == 3)
  }

  /// Lost rows are noticed, also if blobs are added before they are needed.
  @Test(
    arguments: [
      "DELETE FROM files WHERE path LIKE '%use%'", "DELETE FROM blobs", "DELETE FROM blobs WHERE id % 2 = 0",
      "DELETE FROM blobs WHERE id > 3",
    ], [false, true])
  func aDamagedIndexIsBuiltAgain(_ damage: String, addsBlobs: Bool) async throws {
    let world = try World()
    let one = try await world.clone("one", Self.files)
    _ = try await world.clone(
      "two", ["größe/parser.c": "int parser;\n", "src/use.swift": "let p = Parser()\n"])
    _ = try await world.clone("three", Self.files)
    _ = try await world.update()
    try execute(damage, in: world.index)
    if addsBlobs { try await one.commit("more", files: ["new/ñ.txt": "a new parser\n"]) }
    var reference = world
    reference.index = CodeIndex(path: world.workshop.directory.path("reference/code.db"))
    let expected = try await reference.page("parser")
    #expect(expected.items.count == (addsBlobs ? 8 : 7))
    func check(_ step: String) async throws {
      let page = try await world.page("parser")
      #expect(page.items == expected.items, "\(step)")
      #expect(page.coverage == expected.coverage, "\(step)")
    }
    try await check("first search")
    try await check("second search")
    _ = try await world.update()
    try await check("search after an update")
  }

  /// A text may be a program in several languages, of which each has its own definitions.
  @Test func aTextInTwoLanguages() async throws {
    let world = try World()
    _ = try await world.clone(
      "one", ["k/a.py": "(defun größer ()\n  1)\n", "l/b.el": "(defun größer ()\n  1)\n", "n.md": "größer\n"])
    _ = try await world.update()
    #expect(try await world.paths("symbol:größer") == ["l/b.el"])
    #expect(try await world.paths("symbol:/^größer$/ path:l") == ["l/b.el"])
    #expect(Set(try await world.paths("größer -symbol:größer")) == ["k/a.py", "n.md"])
  }

  /// Names that are words of a sentence are names all the same, and a path defines nothing.
  @Test func namesThatAreWords() async throws {
    let world = try World()
    _ = try await world.clone(
      "one",
      ["src/with.rs": "pub fn with<F>(f: F) {\n}\nstatic to: u8 = 1;\n", "src/to.swift": "let größe = 1\n"])
    _ = try await world.update()
    for name in ["with", "to"] { #expect(try await world.paths("symbol:\(name)") == ["src/with.rs"]) }
    #expect(try await world.paths("symbol:größe in:path").isEmpty)
  }

  /// Of more files than a batch, a longer list begins with the shorter one, and nothing is lost.
  @Test func severalBatches() async throws {
    var world = try World()
    var files: [String: String] = [:]
    for number in 0..<23 {
      files["f\(number).c"] = number % 5 == 4 ? "int größe\(number);\n" : "int x; // größe \(number)\n"
    }
    files["größe.c"] = "int größe(void)\n{\n}\n"
    _ = try await world.clone("one", files)
    _ = try await world.update()
    world.batch = 5
    let all = try await world.page("größe")
    #expect(all.items.count == 24 && all.total == ResultTotal(24, .equal))
    #expect(all.items.first?[.path]?.text == "größe.c")
    var paged: [SearchResult] = []
    var cursor: String?
    repeat {
      let page = try await world.page("größe", pageSize: 7, cursor: cursor)
      paged += page.items
      if page.next != nil { #expect(page.total?.relation == .atLeast || page.total?.value == 24) }
      cursor = page.next
    } while cursor != nil
    #expect(paged == all.items)
  }

  /// An index of another version is built again.
  @Test(arguments: [11, 13]) func anIndexOfAnotherVersion(version: Int) async throws {
    var world = try World()
    _ = try await world.clone("one", Self.files)
    _ = try await world.update()
    try execute("PRAGMA user_version = \(version)", in: world.index)
    world.index = CodeIndex(path: world.index.path)
    #expect(try world.index.usage().map { [$0.clones, $0.blobs] } == [0, 0])
    #expect(try await world.update().bytes > 0)
    #expect(try await world.paths("symbol:parse") == ["src/parser.swift"])
  }

  @Test func aFileThatIsNoIndexIsReplaced() async throws {
    let world = try World()
    _ = try await world.clone("one", Self.files)
    try world.workshop.directory.write("cache/code.db", "garbage\n")
    _ = try await world.workshop.scan()
    #expect(try await world.paths("struct") == ["src/parser.swift"])
    #expect(try world.index.usage()?.clones == 1)
  }

  /// A file or folder that is missing or damaged takes nothing else away, with and without an index.
  @Test(arguments: ["a", "ordner"], [true, false])
  func aMissingObjectIsTold(_ path: String, isRemoved: Bool) async throws {
    let world = try World()
    let clone = try await world.clone(
      "one", ["a": "needle a\n", "b": "needle b\n", "ordner/größe/c": "needle c\n"])
    let id = try await clone.git("rev-parse HEAD:" + path)
    let object = clone.path + "/.git/objects/\(id.prefix(2))/\(id.dropFirst(2))"
    try FileManager.default.removeItem(atPath: object)
    if !isRemoved { try Data("no object".utf8).write(to: URL(fileURLWithPath: object)) }
    _ = try await world.workshop.scan()
    // A folder in the place of the index.
    try world.workshop.directory.makeDirectory("cache/code.db")
    for step in ["no index", "indexed on the spot", "indexed"] {
      if step == "indexed on the spot" { try FileManager.default.removeItem(atPath: world.index.path) }
      if step == "indexed" { _ = try await world.update() }
      let page = try await world.page("needle")
      let found = page.items.compactMap { $0[.path]?.text }.sorted()
      #expect(found == (path == "a" ? ["b", "ordner/größe/c"] : ["a", "b"]), "\(step)")
      let skipped = page.coverage?.skipped ?? [:]
      #expect((skipped["missing"] ?? 0) + (skipped["unreadable"] ?? 0) == 1, "\(step) \(skipped)")
      #expect(page.notes.map(\.code) == [.incompleteSearch], "\(step)")
    }
  }

  /// A pointer of Git LFS or git-annex is no text.
  @Test func pointersAreNotSearched() async throws {
    let world = try World()
    let oid = String(repeating: "0a", count: 32)
    _ = try await world.clone(
      "one",
      [
        "a.c": "version https://git-lfs.github.com/spec/v1\noid sha256:\(oid)\nsize 1\n",
        "b.c": "/annex/objects/MD5E-s12--needle.c\n", "c.c": "int version, needle;\n",
      ])
    _ = try await world.update()
    for word in ["needle", "version"] { #expect(try await world.paths(word) == ["c.c"]) }
    #expect(try await world.page("needle").coverage?.skipped["binary"] == 2)
  }

  /// The name of a file says what it is about, and nothing of what it uses.
  @Test func orderOfUses() async throws {
    let world = try World()
    _ = try await world.clone(
      "one",
      [
        "total.c": "int a(void) { return total(1); }\n",
        "main.c": "int b(void) {\n  total(2);\n  return total(3);\n}\n",
      ])
    _ = try await world.update()
    #expect(try await world.paths("total") == ["total.c", "main.c"])
    #expect(try await world.paths("uses:total") == ["main.c", "total.c"])
  }

  /// What the index can choose no files by is told, of words and of expressions.
  @Test(arguments: [
    ("ab", true), ("/b.d/", true), ("symbol:/./", true), ("abc", false), ("/abc./", false), ("ab abc", false),
  ])
  func aSearchWithoutIndexIsTold(query: String, isTold: Bool) async throws {
    let world = try World()
    _ = try await world.clone("one", ["a": "abcd\n"])
    _ = try await world.update()
    #expect(try await world.page(query).notes.map(\.code) == (isTold ? ["without_index"] : []))
  }

  @Test func aCatastrophicExpressionIsTold() async throws {
    let world = try World()
    _ = try await world.clone("one", ["a": String(repeating: "a", count: 5_000) + "b\n", "b": "aaa\n"])
    _ = try await world.update()
    let page = try await world.page("/^(a+)+$/")
    #expect(page.items.compactMap { $0[.path]?.text } == ["b"])
    #expect(page.coverage?.skipped["limit"] == 1)
    // The number is there once.
    #expect(page.notes.first?.message.hasPrefix("1 file of owner/one was not searched: beyond") == true)
  }

  /// A long line takes a limited time, also where each place of it stays below the limit on backtracking;
  /// matches at any place of a long line are found.
  @Test func aLongLineEnds() async throws {
    let world = try World()
    let long = String(repeating: "ä", count: 200_000)
    _ = try await world.clone(
      "one",
      ["slow": long + " b\n", "found": "ä ä\n", "far": String(repeating: "ä.", count: 100_000) + " ä ä\n"])
    _ = try await world.update()
    let page = try await world.page("/([^ .]+) \\1$/")
    #expect(Set(page.items.compactMap { $0[.path]?.text }) == ["found", "far"])
    let match = page.items.first { $0[.path]?.text == "far" }?[.matches]?.elements.first
    #expect(match?["column"]?.number == 300_002)
    #expect(page.coverage?.skipped == ["limit": 1])
    #expect(page.notes.filter(\.isMissing).map(\.code) == [.incompleteSearch])
  }

  /// A file whose search would take minutes ends with the time, and what was found in others is kept.
  @Test func theTimeEndsTheSearchOfOneFile() async throws {
    let world = try World()
    let slow = String(repeating: String(repeating: "a", count: 20) + "ö\n", count: 10_000)
    _ = try await world.clone("one", ["a.txt": "a a a a a a a a a a a a\n", "docs/slow.md": slow])
    _ = try await world.update()
    let page = try await world.page("/(.*a){12}$/", time: .seconds(3))
    #expect(page.items.compactMap { $0[.path]?.text } == ["a.txt"])
    #expect(page.coverage?.skipped == ["time": 1])
    // The index has all that it can have; that it could not choose files is told.
    #expect(page.notes.map(\.code) == [.incompleteSearch, "without_index"] && page.notes[0].hint.isEmpty)
  }

  /// The same numbers are told with and without an index.
  @Test func searchedFilesWithoutIndex() async throws {
    let world = try World()
    var (small, bare) = (world, world)
    bare.index = CodeIndex(path: "/dev/null/code.db")
    (small.maximumFileSize, bare.maximumFileSize) = (1_000, 1_000)
    let clone = try await world.clone(
      "one",
      [
        "bin": "needle\u{0}x", "copy/bin": "needle\u{0}x",
        "größe/big": String(repeating: "needle\n", count: 200),
        "text": "needle\n",
      ])
    _ = try await small.update()
    for current in [nil, clone.path] {
      (small.current, bare.current) = (current, current)
      let expected = try #require(try await small.page("needle").coverage)
      // With the README.md that each clone has.
      #expect(expected.files == (current == nil ? 2 : 3))
      #expect(expected.skipped == ["binary": current == nil ? 2 : 3, "tooLarge": 1])
      #expect(try await bare.page("needle").coverage == expected)
      try clone.write("new/ñ", "needle\u{0}")
      try clone.write("new/text", "needle\n")
    }
  }

  @Test func pagesAreSlicesOfOneOrder() async throws {
    let world = try World()
    var files: [String: String] = [:]
    for number in 0..<150 {
      files["d/f\(number)"] = "needle \(number % 7 == 0 ? "func needle" : "")\n\(number)\n"
    }
    _ = try await world.clone("one", files)
    _ = try await world.update()
    let whole = try await world.page("needle", pageSize: 200).items.map(\.id)
    #expect(whole.count == 150)
    var (paged, cursor) = ([String](), String?.none)
    repeat {
      let page = try await world.page("needle", pageSize: 40, cursor: cursor)
      paged += page.items.map(\.id)
      cursor = page.next
    } while cursor != nil
    #expect(paged == whole)
  }

  @Test func aNameThatIsNotUTF8IsFound() async throws {
    let world = try World()
    let clone = try await world.clone("one", ["a": "hay\n"])
    let name = clone.path + "/x"
    try clone.write("x", "needle\n")
    let blob = try await clone.git("hash-object -w x")
    try FileManager.default.removeItem(atPath: name)
    try await clone.git(
      ["update-index", "-z", "--index-info"], input: Data("100644 \(blob)\t".utf8) + Data([0xFF, 0xFE, 0x00]))
    try await clone.git("commit --quiet -m bytes")
    _ = try await world.update()
    try await clone.git("update-ref refs/remotes/origin/main HEAD")
    let item = try #require(try await world.page("needle").items.first)
    let commit = try await clone.git("rev-parse HEAD")
    #expect(item.url == "https://github.com/owner/one/blob/\(commit)/%FF%FE")
    #expect(item[.path] == .text("\u{FFFD}\u{FFFD}"))
    #expect(item[.file] == nil)
    #expect(item[.matchCount] == .number(1))
    // Also below a folder of which another one has the same name as text.
    let line = "100644 \(blob)\t"
    try await clone.git(
      ["update-index", "-z", "--index-info"],
      input: Data(line.utf8) + Data([0xFE, 0x2F, 0x78, 0x00]) + Data(line.utf8)
        + Data([0xFF, 0x2F, 0xC3, 0xA4, 0x20, 0x00]))
    try await clone.git("commit --quiet -m folders")
    try await clone.git("checkout --quiet -- .")
    let found = try #require(try await world.page("needle").items.first)
    let places = [found[.file]] + (found[.places]?.elements ?? []).map { $0["file"] }
    let folder = "file://" + PercentEncoding.encodePath(clone.path)
    #expect(
      Set(places.compactMap { $0?.text }) == [
        folder + "/%FF%FE", folder + "/%FE/x", folder + "/%FF/%C3%A4%20",
      ])
  }

  /// Sets of lines equal those of `git grep`.
  @Test func sameLinesAsGitGrep() async throws {
    var random = SeededGenerator(seed: propertySeed())
    let world = try World()
    let words = ["foo", "Foo", "bar(", "x", "größe", "日本語", " ", "a.b", "\t", "FOOBAR", "__"]
    var files: [String: String] = [:]
    for number in 0..<60 {
      let lines = (0..<Int.random(in: 0..<20, using: &random)).map { _ in
        (0..<Int.random(in: 0..<6, using: &random)).map { _ in random.pick(words) }.joined()
      }
      files[["f", "größe", "e\u{301}", "日本 語", "f"][number % 5] + "/\(number)"] =
        lines.joined(separator: "\n") + (random.chance(0.5) ? "\n" : "")
    }
    let clone = try await world.clone("one", files)
    _ = try await world.update()
    let cases: [(String, [String])] = [
      ("foo case:yes", ["-F", "-e", "foo"]), ("foo", ["-i", "-F", "-e", "foo"]),
      ("\"bar( \"", ["-i", "-F", "-e", "bar( "]), ("日本語 case:yes", ["-F", "-e", "日本語"]),
      ("/fo+b?a/", ["-i", "-P", "-e", "fo+b?a"]), ("/^x|x$/ case:yes", ["-P", "-e", "^x|x$"]),
      ("/a\\.b\\s/", ["-i", "-P", "-e", "a\\.b\\s"]), ("x", ["-i", "-F", "-e", "x"]),
      ("/größe|_{4}/", ["-i", "-P", "-e", "größe|_{4}"]),
    ]
    var lines = 0
    for (query, arguments) in cases {
      // git ends with 1 where nothing matches.
      let grep = try? await clone.git(
        ["-c", "core.quotePath=false", "grep", "-n", "--column", "-I"] + arguments + ["HEAD"])
      let expected = Set(
        (grep ?? "").split(separator: "\n").map { line in
          line.split(separator: ":", maxSplits: 4, omittingEmptySubsequences: false).dropFirst().prefix(3)
            .joined(separator: ":")
        })
      let page = try await world.page(query, matches: MatchOptions(limit: 1_000), pageSize: 1_000)
      let found = Set(
        page.items.flatMap { item in
          ([item] + Self.places(item)).flatMap { place in
            (item[.matches]?.elements ?? []).map { match in
              "\(place[.path]?.text ?? ""):\(match["line"]?.number ?? 0):\(match["column"]?.number ?? 0)"
            }
          }
        })
      #expect(found == expected, "\(query)")
      lines += expected.count
    }
    #expect(lines > 0)
  }

  /// The other places of a file, as results with a path.
  private static func places(_ item: SearchResult) -> [SearchResult] {
    (item[.places]?.elements ?? []).map { place in
      var other = SearchResult(id: "", kind: .code, title: "")
      other[.path] = place["path"]
      return other
    }
  }

  /// Two updates at once and a search between lose nothing.
  @Test func concurrentUpdates() async throws {
    let world = try World()
    for number in 0..<4 { _ = try await world.clone("r\(number)", ["a": "needle \(number)\n"]) }
    _ = try await world.workshop.scan()
    let paths = try world.workshop.store.clones().map(\.path)
    let place = world.index.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          let code = CodeSettings(index: CodeIndex(path: place), currentFolder: { nil })
          _ = try await CodeIndexUpdate(code).run(paths, all: paths) { _ in }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await world.page("needle").items.count == 4)
    let usage = try world.index.usage()
    #expect(usage?.unused == 0)
    #expect(usage?.clones == 4)
  }
}
