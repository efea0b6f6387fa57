import ForageCore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ForageLocal

/// Lines of files in clones.
struct CodeGrepTests {
  /// What was delivered, shared with the threads of a search.
  private final class Delivered: Sendable {
    private let state = Mutex<[GrepFile]>([])
    var files: [GrepFile] { state.withLock { $0 } }
    func add(_ file: GrepFile) { state.withLock { $0.append(file) } }
  }

  private struct Stopped: Error {}

  private func grep(
    _ world: CodeSearchTests.World, _ request: GrepRequest
  ) async throws -> (files: [GrepFile], summary: GrepSummary) {
    let (store, delivered) = (world.workshop.store, Delivered())
    let summary = try await LocalProvider(code: world.settings) { store }.grep(request) { delivered.add($0) }
    return (delivered.files, summary)
  }

  /// The lines as in a pipe, with the path in the repository.
  private func rows(
    _ world: CodeSearchTests.World, _ patterns: [String], in scope: GrepRequest.Scope = .all,
    _ change: (inout GrepRequest) -> Void = { _ in }
  ) async throws -> [String] {
    var request = GrepRequest(scope: scope)
    request.patterns = patterns
    change(&request)
    return try await grep(world, request).files.flatMap { file in
      let path = String(decoding: file.path, as: UTF8.self)
      return file.lines.map { line in
        let text = String(decoding: file.text[line.range], as: UTF8.self)
        return line.column.map { "\(path):\(line.number):\($0):\(text)" } ?? "\(path)-\(line.number)-\(text)"
      }
    }
  }

  private func world(_ files: [String: String]) async throws -> CodeSearchTests.World {
    var world = try CodeSearchTests.World()
    let clone = try await world.clone("one", files)
    try await clone.git("rm --quiet README.md")
    try await clone.commit()
    _ = try await world.update()
    world.current = clone.path
    return world
  }

  @Test(
    arguments: [
      (["foo"], "", ["a:1:1:foo", "a:2:2:xFoo_", "a:4:1:foo bar foo"]),
      (["Foo"], "", ["a:2:2:xFoo_"]),
      (["Foo"], "i", ["a:1:1:foo", "a:2:2:xFoo_", "a:4:1:foo bar foo"]),
      (["foo"], "s", ["a:1:1:foo", "a:4:1:foo bar foo"]),
      (["foo"], "w", ["a:1:1:foo", "a:4:1:foo bar foo"]),
      (["a.b"], "", ["a:3:1:a.b größe", "a:5:1:axb"]), (["a.b"], "F", ["a:3:1:a.b größe"]),
      (["A.B"], "Fi", ["a:3:1:a.b größe"]),
      // A class in capitals is no upper-case letter.
      (["\\Wgrö\\w\\w"], "", ["a:3:4:a.b größe"]), (["GRÖSSE"], "i", []),
      (["Größe"], "i", ["a:3:5:a.b größe"]),
      // Several patterns are alternatives, also beside each other's.
      (["bar|x", "größe"], "w", ["a:3:5:a.b größe", "a:4:5:foo bar foo"]),
      ([".b", "bar"], "F", ["a:3:2:a.b größe", "a:4:5:foo bar foo"]),
      // No word character beside a match, whatever the match begins with.
      ([".b"], "Fw", []), (["\\.b"], "", ["a:3:2:a.b größe"]), ([" g"], "w", []), (["b g"], "w", []),
      (["b größe"], "w", ["a:3:3:a.b größe"]),
      // Each pattern has its own groups.
      (["(f)zz", "(o)\\1 "], "", ["a:4:2:foo bar foo"]),
      (["^foo$"], "", ["a:1:1:foo"]), (["nothing like this"], "", []),
      // Whole lines, of which the words are not looked at.
      (["foo"], "x", ["a:1:1:foo"]), (["foo"], "Fxw", ["a:1:1:foo"]), (["a.b"], "Fx", []),
      (["foo|a.b größe"], "x", ["a:1:1:foo", "a:3:1:a.b größe"]),
      (["axb", "xfoo"], "x", ["a:5:1:axb"]), (["_?xfoo_"], "xw", ["a:2:1:xFoo_"]),
    ] as [([String], String, [String])])
  func patterns(_ patterns: [String], _ letters: String, _ expected: [String]) async throws {
    let world = try await world(["a": "foo\nxFoo_\na.b größe\nfoo bar foo\naxb\n"])
    let found = try await rows(world, patterns) { request in
      request.isLiteral = letters.contains("F")
      request.matchesWords = letters.contains("w")
      request.matchesLines = letters.contains("x")
      request.caseRule = letters.contains("i") ? .ignored : letters.contains("s") ? .exact : .smart
    }
    #expect(found == expected)
  }

  /// Nothing is read behind a folder that is a link, also where it is named or rules are left out.
  @Test(arguments: [[], ["ö"], ["ö/a"]], [true, false])
  func aReplacedFolderHasNoLines(_ folders: [String], _ includesIgnored: Bool) async throws {
    let world = try await world(["ö/a": "needle committed\n", "b": "needle kept\n"])
    let root = try #require(world.current)
    try world.workshop.directory.write("outside/a", "needle foreign\n")
    try FileManager.default.removeItem(atPath: root + "/ö")
    try FileManager.default.createSymbolicLink(
      atPath: root + "/ö", withDestinationPath: world.workshop.directory.path("outside"))
    let scope = GrepRequest.Scope.paths(folders.isEmpty ? [root] : folders.map { root + "/" + $0 })
    let found = try await rows(world, ["needle"], in: scope) { $0.includesIgnored = includesIgnored }
    #expect(found == (folders.isEmpty ? ["b:1:1:needle kept"] : []))
  }

  /// An expression is looked for in parts of a text; an empty line at the end of one is found, too.
  @Test(arguments: ["^$", "^\\s*$", "^\\W*$"]) func emptyLinesBetweenParts(_ pattern: String) async throws {
    let filled = String(repeating: "aaaaaaa\n", count: 127)
    let texts = (0...9).map { filled + String(repeating: "b", count: 7 + $0) + "\n\nz\n" }
    let files = texts.enumerated().map { (String($0), $1) } + [("x", filled + "bbbbbbb\n\n\n\nz\n")]
    let world = try await world(Dictionary(uniqueKeysWithValues: files))
    let found = try await rows(world, [pattern])
    #expect(found == (0...9).map { "\($0):129:1:" } + (129...131).map { "x:\($0):1:" })
  }

  @Test func anEmptyPatternMatchesEveryLine() async throws {
    let world = try await world(["a": "x\n\ny", "empty": ""])
    #expect(try await rows(world, [""]) == ["a:1:1:x", "a:2:1:", "a:3:1:y"])
    #expect(try await rows(world, ["", "z"]) == ["a:1:1:x", "a:2:1:", "a:3:1:y"])
  }

  @Test(
    arguments: [
      ("missing closing parenthesis", "a(b", 3), ("quantifier does not follow", "*a", 0),
      ("needs a line break", "aß\\nb", 2), ("unmatched closing parenthesis", "a)|(b", 1),
    ])
  func patternsThatAreNotValid(_ message: String, _ pattern: String, _ offset: Int) async throws {
    let world = try await world(["a": "x\n"])
    for isWord in [false, true] {
      do {
        _ = try await rows(world, ["x", pattern]) { $0.matchesWords = isWord }
        Issue.record("\(pattern) is valid")
      } catch let problem as GrepPatternProblem {
        #expect(problem.message.contains(message) && problem.pattern == pattern, "\(problem)")
        #expect(problem.offset == offset)
      }
    }
  }

  @Test(
    arguments: [
      // Groups that meet or overlap are one.
      ("m", 1, 1, nil, ["-1", "2", "-3", "4", "-5", "-7", "8", "9"]),
      ("m", 0, 2, nil, ["2", "-3", "4", "-5", "-6", "8", "9"]),
      ("m", 2, 0, nil, ["-1", "2", "-3", "4", "-6", "-7", "8", "9"]), ("m", 0, 0, nil, ["2", "4", "8", "9"]),
      // Lines behind the last one are context, also where they match.
      ("m", 0, 2, 1, ["2", "-3", "-4"]), ("m", 9, 9, 3, ["-1", "2", "-3", "4", "-5", "-6", "-7", "8", "-9"]),
    ] as [(String, Int, Int, Int?, [String])])
  func contexts(_ pattern: String, _ before: Int, _ after: Int, _ maximum: Int?, _ expected: [String])
    async throws
  {
    let world = try await world(["a": "1\n2m\n3\n4m\n5\n6\n7\n8m\n9m"])
    var request = GrepRequest(scope: .all)
    request.patterns = [pattern]
    request.context = (before, after)
    request.maximumCount = maximum
    let file = try #require(try await grep(world, request).files.first)
    #expect(file.lines.map { ($0.column == nil ? "-" : "") + "\($0.number)" } == expected)
    #expect(file.count == expected.count { !$0.hasPrefix("-") })
    for line in file.lines {
      #expect(String(decoding: file.text[line.range], as: UTF8.self).hasPrefix("\(line.number)"))
    }
  }

  @Test func matchesOverSeveralLines() async throws {
    let world = try await world(["a": "xa\nbc\nd\na\r\n c a\n"])
    let rows = try await rows(world, ["a\\s+[bc]", "d$"]) {
      $0.crossesLines = true
      $0.wantsRanges = true
    }
    #expect(rows == ["a:1:2:xa", "a:2:1:bc", "a:3:1:d", "a:4:1:a\r", "a:5:1: c a"])
    var request = GrepRequest(scope: .all)
    request.patterns = ["a\nb"]
    (request.isLiteral, request.crossesLines, request.wantsRanges) = (true, true, true)
    let file = try #require(try await grep(world, request).files.first)
    #expect(file.lines.map(\.matches) == [[1..<2], [3..<4]])
    (request.countsFirstLines, request.context) = (true, (0, 1))
    let first = try #require(try await grep(world, request).files.first)
    #expect(first.count == 1 && first.lines.map(\.column) == [2, nil])
    #expect(first.lines.map(\.matches) == [[1..<2], []])
  }

  @Test func wholeLinesOverSeveralLines() async throws {
    let world = try await world(["a": "xa\nb\r\na\nb\r\n"])
    let found = try await rows(world, ["a\nb\r?"]) { ($0.crossesLines, $0.matchesLines) = (true, true) }
    #expect(found == ["a:3:1:a", "a:4:1:b\r"])
    for crossesLines in [false, true] {
      let ends = try await rows(world, ["b|xa"]) { ($0.crossesLines, $0.matchesLines) = (crossesLines, true) }
      #expect(ends == ["a:1:1:xa", "a:2:1:b\r", "a:4:1:b\r"], "\(crossesLines)")
    }
    // The carriage return is no part of the match.
    var request = GrepRequest(scope: .all)
    request.patterns = ["b"]
    (request.crossesLines, request.matchesLines, request.wantsRanges) = (true, true, true)
    let file = try #require(try await grep(world, request).files.first)
    #expect(file.lines.map(\.matches) == [[3..<4], [8..<9]])
  }

  /// A comment of a pattern ends with the pattern.
  @Test func commentsInPatterns() async throws {
    let world = try await world(["a": "foo\nfoo bar\n"])
    for (patterns, isWord, isLine, expected) in [
      (["(?x)f o o # c"], false, true, ["a:1:1:foo"]),
      (["(?x)f o # c"], true, false, []), (["(?x)f o o # c"], true, false, ["a:1:1:foo", "a:2:1:foo bar"]),
      (["(?x)b a r # c", "o$"], false, false, ["a:1:3:foo", "a:2:5:foo bar"]),
    ] as [([String], Bool, Bool, [String])] {
      let found = try await rows(world, patterns) { ($0.matchesWords, $0.matchesLines) = (isWord, isLine) }
      #expect(found == expected, "\(patterns)")
    }
  }

  /// Each path is searched as if it were the only one, and each file once.
  @Test(arguments: [false, true])
  func pathsBelowOthers(_ includesIgnored: Bool) async throws {
    let world = try await world([
      "größe/a": "needle", "größe/b/c": "needle", "größe/.h/d": "needle", ".hid/f": "needle", "n": "needle",
    ])
    let root = try #require(world.current)
    for (depth, paths, expected) in [
      (nil, ["", ".hid"], [".hid/f", "größe/a", "größe/b/c", "n"]), (1, ["", "größe"], ["größe/a", "n"]),
      (1, ["größe", "", "größe/b", "größe"], ["größe/a", "größe/b/c", "n"]),
      (nil, ["größe", "größe/a", "größe/.h/d"], ["größe/.h/d", "größe/a", "größe/b/c"]),
      // So many are looked up.
      (
        1, ["größe/b/c", "größe/b", ".hid", "größe/a", "größe/.h", "n"],
        [".hid/f", "größe/.h/d", "größe/a", "größe/b/c", "n"]
      ),
      (1, ["", "größe/b/c", "größe/b", "größe/a", "größe/.h"], ["größe/.h/d", "größe/a", "größe/b/c", "n"]),
    ] as [(Int?, [String], [String])] {
      let scope = GrepRequest.Scope.paths(paths.map { $0.isEmpty ? root : root + "/" + $0 })
      let found = try await rows(world, ["needle"], in: scope) {
        ($0.maximumDepth, $0.includesIgnored) = (depth, includesIgnored)
      }
      #expect(found == expected.map { $0 + ":1:1:needle" }, "\(paths)")
    }
  }

  @Test func filesByPathLanguageAndKind() async throws {
    let world = try await world([
      "src/a.swift": "needle", "src/b.c": "needle", "src-x": "needle", "Tests/größe.swift": "needle",
      ".hidden/c": "needle", "src/.d": "needle", "docs/e.md": "needle",
    ])
    func paths(_ change: (inout GrepRequest) -> Void) async throws -> [String] {
      try await rows(world, ["needle"], in: .all, change).map { String($0.prefix { $0 != ":" }) }
    }
    // Names are sorted, not paths.
    let all = ["Tests/größe.swift", "docs/e.md", "src/a.swift", "src/b.c", "src-x"]
    #expect(try await paths { _ in } == all)
    #expect(
      try await paths { $0.includesHidden = true } == [
        ".hidden/c", "Tests/größe.swift", "docs/e.md", "src/.d", "src/a.swift", "src/b.c", "src-x",
      ])
    #expect(try await paths { $0.includesTests = false } == ["docs/e.md", "src/a.swift", "src/b.c", "src-x"])
    #expect(
      try await paths { $0.languages = ["Swift", "C"] } == ["Tests/größe.swift", "src/a.swift", "src/b.c"])
    #expect(try await paths { $0.otherLanguages = ["Swift"] } == ["docs/e.md", "src/b.c", "src-x"])
    for (globs, expected) in [
      (["*.{no/x,c}"], []), (["*.{c,md}"], ["docs/e.md", "src/b.c"]),
      (["!src"], ["Tests/größe.swift", "docs/e.md", "src-x"]),
      (["src/**"], ["src/.d", "src/a.swift", "src/b.c"]), (["/src"], []),
      (["*", "!*.swift", "a.*"], ["docs/e.md", "src/a.swift", "src/b.c", "src-x"]),
      ([".d"], ["src/.d"]), (["größe.*"], ["Tests/größe.swift"]),
      (["!src/"], ["Tests/größe.swift", "docs/e.md", "src-x"]),
    ] as [([String], [String])] {
      // A glob that includes can name what is hidden.
      let isAll = globs == ["*", "!*.swift", "a.*"]
      let found = try await paths { $0.globs = globs }
      #expect(
        isAll ? found.filter { !$0.contains("/.") && !$0.hasPrefix(".") } == expected : found == expected,
        "\(globs): \(found)")
    }
  }

  @Test func foldersBelowAndTheWholeClone() async throws {
    let world = try await world([
      "a": "x", "größe/a": "x", "größe/b/c": "x", "größe/.h/d": "x", "größen": "x",
    ])
    let root = try #require(world.current)
    let folder = root + "/größe"
    for (paths, expected) in [
      ([root], ["a", "größe/a", "größe/b/c", "größen"]), ([folder], ["größe/a", "größe/b/c"]),
      ([folder + "/b", root + "/a"], ["a", "größe/b/c"]), ([folder + "/.h"], ["größe/.h/d"]),
      ([folder, folder + "/b"], ["größe/a", "größe/b/c"]), ([folder + "/.h/d"], ["größe/.h/d"]),
    ] as [([String], [String])] {
      let found = try await rows(world, ["x"], in: .paths(paths))
      #expect(found == expected.map { $0 + ":1:1:x" }, "\(paths)")
    }
    let whole = try await rows(world, ["x"], in: .wholeClones([folder]))
    #expect(whole.count == 4)
    for (depth, paths, expected) in [
      (0, [root], []), (1, [root], ["a", "größen"]), (2, [root], ["a", "größe/a", "größen"]),
      (1, [folder], ["größe/a"]), (2, [folder], ["größe/a", "größe/b/c"]), (0, [root + "/a"], ["a"]),
    ] as [(Int, [String], [String])] {
      for includesIgnored in [false, true] {
        let found = try await rows(world, ["x"], in: .paths(paths)) {
          ($0.maximumDepth, $0.includesIgnored) = (depth, includesIgnored)
        }
        #expect(found == expected.map { $0 + ":1:1:x" }, "\(depth) \(paths) \(includesIgnored)")
      }
    }
    // Globs count from the current folder.
    var below = world
    below.current = folder
    #expect(try await rows(below, ["x"], in: .paths([folder])) { $0.globs = ["/a"] } == ["größe/a:1:1:x"])
  }

  /// The clone that one stands in has its files as they are on disk.
  @Test func filesAsTheyAreOnDisk() async throws {
    let world = try await world([
      "changed": "old needle\n", "deleted": "needle\n", "same": "needle\n", ".gitignore": "*.log\n",
    ])
    let clone = try TemporaryRepository(at: try #require(world.current), in: world.workshop.directory)
    try clone.write("changed", "x\nnew needle\n")
    try clone.write("unversioned/größe", "needle\n")
    try clone.write("ignored.log", "needle\n")
    try FileManager.default.removeItem(atPath: clone.path + "/deleted")
    let expected = ["changed:2:5:new needle", "same:1:1:needle", "unversioned/größe:1:1:needle"]
    #expect(try await rows(world, ["needle"], in: .paths([clone.path])) == expected)
    let ignored = try await rows(world, ["needle"], in: .paths([clone.path])) { $0.includesIgnored = true }
    #expect(ignored == [expected[0], "ignored.log:1:1:needle", expected[1], expected[2]])
    // From elsewhere it has those of HEAD, unless it is named.
    var elsewhere = world
    elsewhere.current = nil
    let head = ["changed:1:5:old needle", "deleted:1:1:needle", "same:1:1:needle"]
    #expect(try await rows(elsewhere, ["needle"], in: .all) == head)
    #expect(try await rows(elsewhere, ["needle"], in: .clones(["owner/one"])) == expected)
    #expect(try await rows(world, ["needle"], in: .paths([clone.path])) { $0.ref = "main" } == head)
    try await clone.git("tag -a -m x v1")
    try await clone.commit()
    #expect(try await rows(world, ["needle"], in: .paths([clone.path])) { $0.ref = "v1" } == head)
    await #expect(throws: GrepProblem.self) {
      try await rows(world, ["needle"], in: .paths([clone.path])) { $0.ref = "v2" }
    }
  }

  /// A line in which the pattern takes too long leaves out no other line, and its file is named; files whose changes git does not show
  /// are searched as they are; a repository in the clone is named, unless it is not looked for.
  @Test func whatIsNotSearchedOrHidden() async throws {
    let long = String(repeating: "a", count: 5_000) + "b"
    let world = try await world(["a": "b one\n\(long)\nb two\n", "hidden": "b old\n", "lib/x": "x\n"])
    let root = try #require(world.current)
    let clone = try TemporaryRepository(at: root, in: world.workshop.directory)
    try await clone.git("update-index --skip-worktree hidden")
    try clone.write("hidden", "b new\n")
    try await clone.git("init --quiet inner")
    try clone.write("inner/x", "b inner\n")
    var request = GrepRequest(scope: .paths([root]))
    request.patterns = [#"^(a+)+\1$|^b "#]
    let (files, summary) = try await grep(world, request)
    #expect(files.map { String(decoding: $0.path, as: UTF8.self) } == ["a", "hidden"])
    #expect(files.map(\.count) == [2, 1])
    #expect(String(decoding: files.last?.text ?? [], as: UTF8.self) == "b new\n")
    #expect(
      summary.notes.map(\.message) == [
        "a was not searched as a whole: in one of its lines the pattern takes too long",
        "\(root)/inner is a repository of its own, and was not searched",
      ])
    request.patterns = ["x"]
    request.scope = .paths([root + "/lib"])
    #expect(try await grep(world, request).summary.notes.isEmpty)
  }

  /// Rules exclude no files that are named, nor those of a folder that is named.
  @Test func filesThatAreNamed() async throws {
    let world = try await world([
      "a": "needle\n", "lib/b": "needle\n", ".gitignore": "*.log\nbuild/\nkept\n", "long": "needle 1\n",
    ])
    let clone = try TemporaryRepository(at: try #require(world.current), in: world.workshop.directory)
    for name in ["größe.log", "build/c", "build/in/d.log", "lib/e.log", "kept"] {
      try clone.write(name, "needle\n")
    }
    try clone.write("binary", "needle\0\n")
    // A tracked file that a rule ignores is found once.
    try await clone.git("add --force binary kept")
    try await clone.commit("more")
    try clone.write("new", "needle\0\n")
    let root = clone.path
    for (paths, expected, unsearched) in [
      (["größe.log"], ["größe.log"], []), (["lib/e.log", "lib"], ["lib/b", "lib/e.log"], []),
      (["lib"], ["lib/b"], []), (["build"], ["build/c", "build/in/d.log"], []),
      (["build/in"], ["build/in/d.log"], []), (["kept", "a"], ["a", "kept"], []),
      (["binary", "a"], ["a"], ["binary is not a text file, and was not searched"]),
      (["new", "binary"], [], ["binary, new are not text files, and were not searched"]),
      ([""], ["a", "kept", "lib/b", "long"], []),
    ] as [([String], [String], [String])] {
      var request = GrepRequest(scope: .paths(paths.map { $0.isEmpty ? root : root + "/" + $0 }))
      request.patterns = ["needle"]
      let (files, summary) = try await grep(world, request)
      #expect(files.map { String(decoding: $0.path, as: UTF8.self) } == expected, "\(paths)")
      #expect(summary.notes.map(\.message) == unsearched, "\(paths)")
    }
    try clone.write(".git/needle", "needle\n")
    // A pointer is no binary file, and a path is told as it was typed.
    try clone.write(
      "größe.bin",
      "version https://git-lfs.github.com/spec/v1\noid sha256:\(String(repeating: "a", count: 64))\nsize 12\n"
    )
    var typed = GrepRequest(scope: .paths([root + "/größe.bin", root + "/binary"]))
    typed.patterns = ["oid|needle"]
    typed.typedPaths = [Array((root + "/größe.bin").utf8): "../one/größe.bin"]
    #expect(
      try await grep(world, typed).summary.notes.map(\.message) == [
        "binary is not a text file, and was not searched",
        "../one/größe.bin is a pointer of Git LFS or git-annex, and was not searched",
      ])
    for name in [".git", ".git/needle"] {
      for includesIgnored in [false, true] {
        let found = try await rows(world, ["needle"], in: .paths([root + "/" + name])) {
          $0.includesIgnored = includesIgnored
        }
        #expect(found.isEmpty, "\(name) \(includesIgnored)")
      }
    }
    var limited = world
    limited.maximumFileSize = 8
    _ = try await limited.update()
    var request = GrepRequest(scope: .paths([root + "/long"]))
    request.patterns = ["needle"]
    let notes = try await grep(limited, request).summary.notes.map(\.message)
    #expect(notes == ["1 file of owner/one was not searched: longer than 8 bytes"])
  }

  @Test func pathsThatACommitDoesNotHave() async throws {
    let world = try await world(["größe/a": "needle\n", "b": "needle\n"])
    let root = try #require(world.current)
    let clone = try TemporaryRepository(at: root, in: world.workshop.directory)
    let commit = try await clone.git("rev-parse HEAD").trimmingCharacters(in: .whitespacesAndNewlines)
    try clone.write("new/a", "needle\n")
    try await clone.git("update-index --add --cacheinfo 160000,\(commit),modules/m")
    try FileManager.default.createSymbolicLink(atPath: root + "/link", withDestinationPath: "b")
    try await clone.git("add link")
    try await clone.git("commit --quiet -m links")
    for (paths, areNamed, expected, absent) in [
      (["größe", "b"], true, ["b", "größe/a"], []),
      (["b", "größ", "größe/a/b", "nowhere"], true, ["b"], ["größ", "größe/a/b", "nowhere"]),
      (["new"], true, [], ["new"]), (["new/a"], true, [], ["new/a"]),
      // Nobody named the current folder.
      (["new"], false, [], []),
      // What is there need not be searched.
      (["modules", "modules/m", "link"], true, [], []),
    ] as [([String], Bool, [String], [String])] {
      var request = GrepRequest(scope: .paths(paths.map { root + "/" + $0 }))
      (request.patterns, request.ref) = (["needle"], "main")
      for path in paths where areNamed { request.typedPaths[Array((root + "/" + path).utf8)] = "./" + path }
      let (files, summary) = try await grep(world, request)
      #expect(files.map { String(decoding: $0.path, as: UTF8.self) } == expected, "\(paths)")
      #expect(
        summary.errors.map(\.message) == absent.map { "main has no file or folder ./" + $0 }, "\(paths)")
      #expect(summary.notes.isEmpty && summary.errors.allSatisfy { !$0.hint.isEmpty })
    }
  }

  @Test func bytesThatAreNotUTF8() async throws {
    let world = try await world(["a": "x\n"])
    let clone = try TemporaryRepository(at: try #require(world.current), in: world.workshop.directory)
    let name = Array((clone.path + "/").utf8) + [0xFF, 0xE4]
    let written = name.map { CChar(bitPattern: $0) } + [0]
    let file = try #require(fopen(written, "w"))
    fputs("gr\u{F6}\n", file)
    fwrite([0xE4, 0x20, 0x6E, 0x65, 0x65, 0x64, 0x6C, 0x65, 0x0A] as [UInt8], 1, 9, file)
    fclose(file)
    try clone.write("binary", "needle\0\n")
    var request = GrepRequest(scope: .paths([clone.path]))
    request.patterns = ["needle"]
    for isCommitted in [false, true] {
      if isCommitted { try await clone.commit() }
      let (files, summary) = try await grep(world, request)
      #expect(files.map(\.path) == [[0xFF, 0xE4]], "committed: \(isCommitted) \(summary)")
      #expect(files.first?.file == name)
      let line = try #require(files.first?.lines.first)
      #expect(line.column == 3 && line.number == 2)
      #expect(files[0].text[line.range].elementsEqual([0xE4, 0x20, 0x6E, 0x65, 0x65, 0x64, 0x6C, 0x65]))
      #expect(summary.notes.isEmpty)
    }
  }

  /// A tracked file in an ignored folder that is named is found once, whatever its name.
  @Test func bytesThatAreNotUTF8InAnIgnoredFolder() async throws {
    let world = try await world([".gitignore": "vendor/\n", "vendor/größe": "needle\n"])
    let clone = try TemporaryRepository(at: try #require(world.current), in: world.workshop.directory)
    for byte in [0xE9, 0xEA] as [UInt8] {
      let name = Array((clone.path + "/vendor/").utf8) + [byte]
      let file = try #require(fopen(name.map { CChar(bitPattern: $0) } + [0], "w"))
      fputs("needle \(byte)\n", file)
      fclose(file)
      if byte == 0xE9 {
        try await clone.git("add --force vendor")
        try await clone.commit("more")
      }
    }
    var request = GrepRequest(scope: .paths([clone.path + "/vendor"]))
    request.patterns = ["needle"]
    let found = try await grep(world, request).files.map(\.path)
    let folder = Array("vendor/".utf8)
    #expect(found.count == 3)
    #expect(Set(found) == [Array("vendor/größe".utf8), folder + [0xE9], folder + [0xEA]])
  }

  @Test func reports() async throws {
    let world = try await world(["a": "x\ny\nx\n", "b": "y\n", "c": "x\n", "empty": ""])
    func files(_ report: GrepRequest.Report, maximum: Int? = nil) async throws -> [String] {
      var request = GrepRequest(scope: .all)
      (request.patterns, request.report, request.maximumCount) = (["x"], report, maximum)
      return try await grep(world, request).files.map {
        "\(String(decoding: $0.path, as: UTF8.self)) \($0.count)"
      }
    }
    #expect(try await files(.names) == ["a 1", "c 1"])
    #expect(try await files(.counts) == ["a 2", "c 1"])
    #expect(try await files(.counts, maximum: 1) == ["a 1", "c 1"])
    #expect(try await files(.counts, maximum: 0) == [])
    #expect(try await files(.namesWithoutMatch) == ["b 0", "empty 0"])
  }

  @Test func definitions() async throws {
    let world = try await world([
      "a.swift": "func parse() {}\nparse()\n", "b.c": "int Parse(int x)\n{\n}\n", "c.md": "func parse() {}\n",
    ])
    func paths(_ name: String) async throws -> [String] {
      try await rows(world, []) { $0.symbol = name }.map { String($0.prefix { $0 != " " }) }
    }
    #expect(try await paths("parse") == ["a.swift:1:6:func", "b.c:1:5:int"])
    #expect(try await paths("Parse") == ["b.c:1:5:int"])
    #expect(try await paths("pars") == [])
  }

  @Test func clonesByName() {
    func clone(_ owner: String?, _ name: String, _ path: String) -> CodeClone {
      CodeClone(
        path: path, entityID: owner.map { "github.com/\($0)/\(name)".lowercased() }, owner: owner, name: name)
    }
    let clones = [
      clone("git", "git", "/src/git"), clone("go-gitea", "Gitea", "/src/gitea"),
      clone("apple", "swift-nio", "/src/nio"), clone(nil, "größe", "/home/größe"),
    ]
    for (name, expected) in [
      ("git", [0]), ("gite", [1]), ("GO-GITEA/gitea", [1]), ("github.com/apple/swift-nio", [2]),
      ("*/g*", [0, 1]),
      ("apple/*", [2]), ("swift", [2]), ("/home/größe", [3]), ("größe", [3]), ("nothing", []),
      ("/src", [0, 1, 2]),
    ] as [(String, [Int])] {
      #expect(LocalProvider.clones(clones, named: name) == expected, "\(name)")
    }
  }

  @Test func whatCannotBeSearched() async throws {
    var world = try await world(["a": "needle\n", "lang": String(repeating: "needle\n", count: 200)])
    world.maximumFileSize = 1_000
    _ = try await world.update()
    var request = GrepRequest(scope: .all)
    request.patterns = ["needle"]
    let (files, summary) = try await grep(world, request)
    #expect(files.count == 1)
    #expect(summary.notes.map(\.message) == ["1 file of owner/one was not searched: longer than 1000 bytes"])
    request.globs = ["a"]
    #expect(try await grep(world, request).summary.notes.isEmpty)
    world.current = nil
    for scope in [
      GrepRequest.Scope.clones(["nothing"]), .paths([world.workshop.directory.path("cache")]),
      .wholeClones([world.workshop.directory.path("")]),
    ] {
      request.scope = scope
      let asked = request
      await #expect(throws: GrepProblem.self, "\(scope)") { try await grep(world, asked) }
    }
  }

  /// Files come in order, and none after the reader has gone.
  @Test func orderAndEnd() async throws {
    let files = Dictionary(uniqueKeysWithValues: (0..<400).map { ("f\(1000 + $0)", "needle \($0)\n") })
    let world = try await world(files)
    let paths = try await rows(world, ["needle"]).map { String($0.prefix { $0 != ":" }) }
    #expect(paths == files.keys.sorted())
    var request = GrepRequest(scope: .all)
    request.patterns = ["needle"]
    let (store, asked, delivered) = (world.workshop.store, request, Delivered())
    await #expect(throws: Stopped.self) {
      _ = try await LocalProvider(code: world.settings) { store }.grep(asked) { file in
        if delivered.files.count == 5 { throw Stopped() }
        delivered.add(file)
      }
    }
    #expect(
      delivered.files.map { String(decoding: $0.path, as: UTF8.self) }
        == files.keys.sorted().prefix(5).map(\.self))
  }

  @Test(arguments: [
    ("*.{c,h}", ["*.c", "*.h"]), ("a{b,c{d,e}}f", ["abf", "acdf", "acef"]),
    ("{a,b}{c,d}", ["ac", "ad", "bc", "bd"]),
    ("x\\{y,z}", ["x\\{y,z}"]), ("{a", ["{a"]), ("größe", ["größe"]),
  ])
  func bracesInGlobs(_ glob: String, _ expected: [String]) {
    #expect(GrepGlobs.expanded(glob) == expected)
  }
}
