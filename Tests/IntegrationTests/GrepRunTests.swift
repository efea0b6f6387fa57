import Foundation
import TestSupport
import Testing

/// `forage grep`, with the built program.
struct GrepRunTests {
  private static let files = [
    "a.swift": "let needle = 1\n", "src/größe.c": "one\n  needle(needle);\nthree\nfour\nfive\nsix needle\r\n",
    "src/other": "nothing\n", ".ci.yml": "needle: 1\n", ".gitignore": "*.log\n",
  ]

  private struct World {
    let program: Program
    let clone: TemporaryRepository

    init() async throws {
      program = try Program()
      clone = try await program.makeClone("owner/one", files: GrepRunTests.files)
    }

    /// Runs the program in a folder of the clone.
    func run(_ arguments: String..., at folder: String = "") async throws -> ProcessResult {
      try await program.run(["grep"] + arguments, in: URL(fileURLWithPath: clone.path + "/" + folder))
    }

    /// Runs it on a terminal.
    func lines(_ command: String, folder: String = "src/one") async throws -> [String] {
      try await program.runScript("cd \(folder) && $forage grep \(command)").outLines.map {
        $0.hasSuffix("\r") ? String($0.dropLast()) : $0
      }
    }
  }

  /// More files than are indexed on the spot are searched as in the index, whatever is asked of them.
  @Test func aLargeCloneWithoutAnIndex() async throws {
    let program = try Program()
    var files = (0..<2_001).reduce(into: [:]) { $0["data/\($1).txt"] = "\($1)\n" }
    files.merge([
      "a.swift": "let needle = 1\n", "b.c": "int needle(void) {}\n", "test/a.py": "needle = 2\n",
      "größe": "#!/bin/sh\nneedle\n",
    ]) { $1 }
    let large = try await program.makeClone("owner/large", files: files)
    _ = try await program.makeClone("owner/small", files: ["c.swift": "needle\n"])
    let commands = [
      [], ["-t", "swift"], ["-T", "c"], ["--no-tests"], ["--symbol", "needle"],
      ["--all"], ["-l", "--all"],
    ].map { options in ["grep"] + options + (options.first == "--symbol" ? [] : ["needle"]) }
    let folder = URL(fileURLWithPath: large.path)
    let added = try await program.run(["clones", "add", "--no-index", "src"])
    #expect(added.status == 0, "\(added)")
    var before: [ProcessResult] = []
    for command in commands { before.append(try await program.run(command, in: folder)) }
    let index = try await program.run(["clones", "index"])
    #expect(index.status == 0 && index.err.contains("2,00"), "\(index)")
    for (command, found) in zip(commands, before) {
      let now = try await program.run(command, in: folder)
      #expect(found.status == 0 && now.out == found.out && !now.out.isEmpty, "\(command): \(found) \(now)")
    }
  }

  @Test func rowsInAPipe() async throws {
    let world = try await World()
    let rows = try await world.run("needle")
    #expect(rows.status == 0 && rows.err.isEmpty, "\(rows)")
    #expect(
      rows.out
        == "a.swift:1:5:let needle = 1\nsrc/größe.c:2:3:  needle(needle);\nsrc/größe.c:6:5:six needle\r\n")
    for option in ["-n", "-H", "--column", "--no-heading", "-S", "--color=never"] {
      #expect(try await world.run(option, "needle").out == rows.out, "\(option)")
    }
    let below = try await world.run("--heading", "--column", "-C1", "three", "src")
    #expect(below.out == "src/größe.c\n2-  needle(needle);\n3:1:three\n4-four\n", "\(below)")
    let each = try await world.run("--vimgrep", "needle", "src")
    #expect(
      each.out
        == "src/größe.c:2:3:  needle(needle);\nsrc/größe.c:2:10:  needle(needle);\nsrc/größe.c:6:5:six needle\r\n"
    )
    #expect(
      try await world.run("-o", "n.e").out
        == "a.swift:1:5:nee\nsrc/größe.c:2:3:nee\nsrc/größe.c:2:10:nee\nsrc/größe.c:6:5:nee\n")
    let around = try await world.run("-C1", "needle")
    #expect(
      around.out == """
        a.swift:1:5:let needle = 1
        --
        src/größe.c-1-one
        src/größe.c:2:3:  needle(needle);
        src/größe.c-3-three
        --
        src/größe.c-5-five
        src/größe.c:6:5:six needle\r

        """)
    let headings = try await world.run("--heading", "-m1", "needle")
    #expect(headings.out == "a.swift\n1:let needle = 1\n\nsrc/größe.c\n2:  needle(needle);\n")
    #expect(try await world.run("-l", "needle").out == "a.swift\nsrc/größe.c\n")
    #expect(try await world.run("-c", "needle").out == "a.swift:1\nsrc/größe.c:2\n")
    #expect(try await world.run("--files-without-match", "needle").out == "src/other\n")
    let colored = try await world.run("--color", "always", "needle(", "-F")
    #expect(
      colored.out
        == "\u{1B}[1msrc/größe.c\u{1B}[0m:2:3:  \u{1B}[31;1mneedle(\u{1B}[0mneedle);\n")
    let nothing = try await world.run("nothing like this")
    #expect(nothing.status == 1 && nothing.out.isEmpty && nothing.err.isEmpty, "\(nothing)")
  }

  /// Context is printed with every form of matching lines.
  @Test func contextOfMatches() async throws {
    let world = try await World()
    let each = try await world.run("-o", "-C1", "n\\w+e", "src")
    #expect(
      each.out == """
        src/größe.c-1-one
        src/größe.c:2:3:needle
        src/größe.c:2:10:needle
        src/größe.c-3-three
        --
        src/größe.c-5-five
        src/größe.c:6:5:needle

        """, "\(each)")
    let rows = try await world.run("--vimgrep", "-A1", "needle", "src")
    #expect(
      rows.out == """
        src/größe.c:2:3:  needle(needle);
        src/größe.c:2:10:  needle(needle);
        src/größe.c-3-three
        --
        src/größe.c:6:5:six needle\r

        """, "\(rows)")
    #expect(try await world.run("--vimgrep", "-U", "three\nfour").out == "src/größe.c:3:1:three\n")
    #expect(
      try await world.run("-U", "three\nfour").out == "src/größe.c:3:1:three\nsrc/größe.c:4:1:four\n")
  }

  /// Options that are typed as for rg.
  @Test func unrestrictedAndQuiet() async throws {
    let world = try await World()
    try world.clone.write("new.log", "needle\n")
    try world.clone.write("data", "needle\0\n")
    #expect(try await world.run("-x", "three|needle", "-c").out == "src/größe.c:1\n")
    #expect(try await world.run("-d1", "-l", "needle").out == "a.swift\n")
    #expect(try await world.run("--max-depth", "2", "-l", "needle").out == "a.swift\nsrc/größe.c\n")
    let ignored = "a.swift\nnew.log\nsrc/größe.c\n"
    #expect(try await world.run("-u", "-l", "needle").out == ignored)
    #expect(try await world.run("-uul", "needle").out == ".ci.yml\n" + ignored)
    #expect(try await world.run("needle", "-l", "new.log").out == "new.log\n")
    for (arguments, status) in [
      (["needle"], 0), (["nothing like this"], 1), (["needle", "nowhere", "a.swift"], 0),
      (["three", "nowhere", "a.swift"], 2), (["needle", "nowhere"], 2),
      (["--files-without-match", "needle"], 0),
    ] as [([String], Int32)] {
      let quiet = try await world.program.run(
        ["grep", "-q"] + arguments, in: URL(fileURLWithPath: world.clone.path))
      #expect(quiet.status == status && quiet.out.isEmpty, "\(arguments) \(quiet)")
      #expect(quiet.err.contains("nowhere") == arguments.contains("nowhere"))
    }
    let binary = try await world.run("needle", "a.swift", "data")
    #expect(binary.status == 0 && binary.out == "a.swift:1:5:let needle = 1\n")
    #expect(expectMessages(binary) == ["data is not a text file, and was not searched"])
    #expect(try await world.run("-u", "-d1", "-l", "needle", ".", "src").out == ignored)
    try world.clone.write(
      "image",
      "version https://git-lfs.github.com/spec/v1\noid sha256:\(String(repeating: "a", count: 64))\nsize 12\n"
    )
    let pointer = try await world.run("needle", "../image", at: "src")
    #expect(
      expectMessages(pointer)
        == ["../image is a pointer of Git LFS or git-annex, and was not searched"], "\(pointer)")
    #expect(try await world.run("--strict", "needle", "data").status == 2)
  }

  /// The paths that exist are searched.
  @Test func pathsThatDoNotExist() async throws {
    let world = try await World()
    let one = try await world.run("needle", "nowhere", "a.swift", "nirgends")
    #expect(one.status == 2 && one.out == "a.swift:1:5:let needle = 1\n", "\(one)")
    #expect(
      expectMessages(one) == ["there is no file or folder nowhere", "there is no file or folder nirgends"])
    let none = try await world.run("needle", "-", "nowhere")
    #expect(none.status == 2 && none.out.isEmpty)
    #expect(
      expectMessages(none) == ["the standard input is not searched", "there is no file or folder nowhere"])
    let outside = try await world.run("needle", "a.swift", "/usr")
    #expect(outside.status == 2 && outside.out == one.out)
    #expect(expectMessages(outside) == ["/usr is in no clone"])
    let old = try await world.run("needle", "--ref", "main", "a.swift", "nowhere")
    #expect(old.status == 2 && expectMessages(old) == ["main has no file or folder nowhere"], "\(old)")
    #expect(old.out == "owner/one:a.swift:1:5:let needle = 1\n")
    // The current folder was not named.
    try world.clone.write("new/a", "needle\n")
    let new = try await world.run("needle", "--ref", "main", at: "new")
    #expect(new.status == 1 && new.out.isEmpty && new.err.isEmpty, "\(new)")
    let named = try await world.run("needle", "--ref", "main", "../new", at: "new")
    #expect(named.status == 2 && expectMessages(named) == ["main has no file or folder ../new"], "\(named)")
  }

  /// Paths are relative to the current folder if they are below it.
  @Test func places() async throws {
    let world = try await World()
    try world.clone.write("new.log", "needle\n")
    try world.clone.write("new", "needle\n")
    #expect(try await world.run("needle", "-l", at: "src").out == "größe.c\n")
    let (root, top) = (world.clone.path, try await world.run("needle", "-l", "--top", at: "src"))
    #expect(top.out == "\(root)/a.swift\n\(root)/new\ngröße.c\n")
    #expect(try await world.run("needle", "-l", "..", at: "src").out == top.out)
    #expect(try await world.run("needle", "-l", "a.swift", "new").out == "a.swift\nnew\n")
    #expect(try await world.run("needle", "-l", "--hidden").out == ".ci.yml\na.swift\nnew\nsrc/größe.c\n")
    #expect(try await world.run("needle", "-l", "--no-ignore").out == "a.swift\nnew\nnew.log\nsrc/größe.c\n")
    #expect(try await world.run("needle", "-l", "-t", "c", "-tswift").out == "a.swift\nsrc/größe.c\n")
    #expect(try await world.run("needle", "-l", "-g", "!*.{c,swift}").out == "new\n")
    #expect(try await world.run("-e", "needle", "-l", "new").out == "new\n")
    #expect(try await world.run("-l", "--", "-", "new").status == 1)
    // A commit has no files on disk.
    #expect(
      try await world.run("needle", "-l", "--ref", "main").out == "owner/one:a.swift\nowner/one:src/größe.c\n"
    )
    let elsewhere = try await world.program.run(["grep", "needle", "-l"])
    #expect(elsewhere.status == 2)
    #expect(expectMessages(elsewhere) == ["there are no clones in the catalogue"])
  }

  @Test func severalClones() async throws {
    let world = try await World()
    let other = try await world.program.makeClone(
      "acme/two", files: ["a.swift": "needle\n", "b": "needle\n"])
    try await other.git(["clone", "--quiet", "--bare", other.path, world.program.source + "/bare.git"])
    let bare = try TemporaryRepository(at: world.program.source + "/bare.git", in: other.directory)
    try await bare.git(["remote", "set-url", "origin", "https://github.com/acme/bare.git"])
    try await world.program.addClones()
    let all = try await world.program.run(["grep", "needle", "-l"])
    let names = ["src/one/a.swift", "src/one/src/größe.c", "src/two/a.swift", "src/two/b"]
    #expect(all.out == (names + ["acme/bare:a.swift", "acme/bare:b"]).map { $0 + "\n" }.joined(), "\(all)")
    #expect(try await world.run("needle", "-l", "--all").out.hasSuffix("acme/bare:b\n"))
    for name in ["acme/two", "two", "*/two", "github.com/acme/two", other.path] {
      let found = try await world.program.run(["grep", "-R", name, "-c", "needle"])
      #expect(found.out == "src/two/a.swift:1\nsrc/two/b:1\n", "\(name): \(found)")
    }
    let unknown = try await world.program.run(["grep", "-R", "nobody/nothing", "needle"])
    #expect(unknown.status == 2 && expectMessages(unknown) == ["no clone is named nobody/nothing"])
    let document = try await world.run("--json", "-C", "1", "needle", "src").json()
    #expect(document["query"]?.string == "needle" && document["complete"] == .bool(true))
    let item = try #require(document["items"]?.array.first)
    #expect(item["repository"]?.string == "github.com/owner/one" && item["path"]?.string == "src/größe.c")
    #expect(item["matchCount"]?.int == 2 && item["matches"]?.array.count == 2)
    #expect(item["matches"]?.array.first?["column"]?.int == 3)
    #expect(item["matches"]?.array.first?["before"]?.array.first?.string == "one")
    #expect(document.provider("local")?["searched"]?["clones"]?.int == 1)
  }

  /// On a terminal files have headings, numbers for later commands, and lines that fit.
  @Test func onATerminal() async throws {
    let world = try await World()
    try world.clone.write("wide", String(repeating: "x", count: 300) + " needle \u{1B}[2J\n")
    let lines = try await world.lines("-C1 needle src")
    #expect(
      lines == [
        "1  owner/one  src/größe.c", "1-one", "2:  needle(needle);", "3-three", "--", "5-five",
        "6:six needle",
      ])
    let wide = try await world.lines("needle wide")
    #expect(wide.count == 2 && wide.last?.hasPrefix("1:…") == true && wide.last?.contains("needle") == true)
    #expect(wide.allSatisfy { $0.count <= 100 && !$0.contains("\u{1B}") }, "\(wide)")
    #expect(try await world.lines("-l needle") == ["1  a.swift", "2  src/größe.c", "3  wide"])
    #expect(try await world.lines("-c needle src") == ["1  src/größe.c:2"])
    #expect(try await world.lines("--no-heading needle a.swift") == ["a.swift:1:5:let needle = 1"])
    #expect(try await world.lines("--column needle a.swift").last == "1:5:let needle = 1")
    let opened = try await world.program.runScript(
      "cd src/one && $forage grep needle >/dev/null; $forage grep needle && $forage show 2 --json path")
    #expect(opened.out.contains("src/größe.c\""), "\(opened.out)")
    let listed = try await world.program.runScript(
      "cd src/one && $forage grep -l needle && $forage show 2 --json path")
    #expect(listed.out.contains("src/größe.c\""), "\(listed.out)")
    // A name that would mean a repository of another forge has its host.
    try await world.clone.git(["remote", "set-url", "origin", "https://git.acme.example/owner/one.git"])
    #expect(try await world.lines("needle a.swift").first == "1  git.acme.example/owner/one  a.swift")
  }

  /// How many clones were searched is told where it is more than one.
  @Test func countOfClones() async throws {
    let world = try await World()
    _ = try await world.program.makeClone("acme/two", files: ["a.swift": "needle\n"])
    try await world.program.addClones()
    let both = try await world.program.runScript(
      "$forage grep -l needle; $forage grep 'nothing like this'; cd src/one; $forage grep -l needle",
      streams: .outputAndError)
    let lines = both.outLines.filter { $0.contains("searched") }.map { $0.filter { $0 != "\r" } }
    #expect(lines.count == 2, "\(both.out)")
    #expect(lines.first?.hasSuffix("2 clones searched, 3 files found") == true, "\(lines)")
    #expect(lines.last?.hasSuffix("2 clones searched, nothing found") == true, "\(lines)")
    let quiet = try await world.program.runScript(
      "$forage grep -q needle; echo $?; $forage grep -q 'nothing like this'; echo $?",
      streams: .outputAndError)
    #expect(quiet.out.filter { $0 != "\r" && $0 != "\r\n" && $0 != "\n" } == "01", "\(quiet.out)")
  }

  @Test(
    arguments: [
      (["a(b"], "the pattern is not valid: missing closing parenthesis", "   ^"),
      (["größe\\nx"], "the pattern needs a line break, and no line has one", "     ^"),
      (["x", "nowhere"], "there is no file or folder nowhere", nil),
      (["x", "--ref", "nothing"], "the clone has no branch, tag or commit nothing", nil),
      (["x", "-t", "klingon"], "-t takes a language, not \"klingon\"", nil),
      (["x", "-C", "-1"], "-C takes a number of lines from 0 to 1000000, not -1", nil),
      (["x", "-l", "-c"], "--files-with-matches and --count exclude each other", nil),
      (["x", "--all", "--top"], "--all and --top exclude each other", nil),
      (["x", "--all", "src"], "--all and a path exclude each other", nil),
      (["x", "--symbol", "x", "-w"], "--symbol and -w exclude each other", nil),
      (["x", "-vn"], "-v is --verbose here, and lines without a match cannot be printed", nil),
      (["x", "--ref", "main", "-u"], "--ref and -u exclude each other", nil),
      (["x", "-d", "one"], "--max-depth takes a number of folders from 0 to 1000000, not one", nil),
      ([], "<pattern> is missing", nil), (["x", "-r", "y"], "there is no option -r", nil),
      (["x", "--invert-match"], "there is no option --invert-match", nil),
      (["x", "--files"], "there is no option --files", nil),
    ] as [([String], String, String?)])
  func mistakes(_ arguments: [String], _ message: String, _ place: String?) async throws {
    let world = try await World()
    let result = try await world.program.run(
      ["grep"] + arguments, in: URL(fileURLWithPath: world.clone.path))
    #expect(result.status == 2 && result.out.isEmpty, "\(result)")
    let lines = result.err.split(separator: "\n").map(String.init)
    #expect(lines.first == "forage: " + message)
    #expect(lines.count > 1 && lines[1].hasPrefix("hint: "))
    if let place { #expect(lines.last == "  " + place) }
  }

  /// Of a clone that cannot be read it is said so, once, and what helps.
  @Test func aCloneThatCannotBeRead() async throws {
    let world = try await World()
    let other = try await TemporaryRepository.make("sha256", ["--object-format=sha256"])
    try await other.commit("x", files: ["a": "needle\n"])
    let unsupported = try await world.program.run(
      ["grep", "needle"], in: URL(fileURLWithPath: other.path))
    #expect(unsupported.status == 1 && unsupported.out.isEmpty, "\(unsupported)")
    #expect(
      unsupported.err
        == "forage: 1 clone could not be read (\(other.path))\nhint: use git itself for this repository\n")
    let tree = try await world.clone.git("rev-parse HEAD^{tree}")
    try FileManager.default.removeItem(
      atPath: world.clone.path + "/.git/objects/\(tree.prefix(2))/\(tree.dropFirst(2))")
    for (arguments, status) in [
      (["needle"], 1), (["--strict", "needle"], 2), (["--ref", "main", "needle"], 2),
    ] as [([String], Int32)] {
      let damaged = try await world.program.run(
        ["grep"] + arguments, in: URL(fileURLWithPath: world.clone.path))
      #expect(damaged.status == status && damaged.out.isEmpty, "\(damaged)")
      #expect(
        damaged.err
          == "forage: 1 clone could not be read (\(world.clone.path))\nhint: see why with: forage clones list --status\n"
      )
    }
  }

  /// What could not be searched is told, and an error only where that is asked for.
  @Test func filesThatAreTooLong() async throws {
    let world = try await World()
    try world.program.home.writeConfig("forage/config.yaml", "code: {maxFileSize: 1000}\n")
    try world.clone.write("long", String(repeating: "needle\n", count: 200))
    let message = "1 file of owner/one was not searched: longer than 1000 bytes"
    for (options, status) in [(["needle"], 0), (["--strict", "needle"], 2), (["nothing like this"], 1)]
      as [([String], Int32)]
    {
      let result = try await world.program.run(
        ["grep"] + options, in: URL(fileURLWithPath: world.clone.path))
      #expect(result.status == status && expectMessages(result) == [message], "\(result)")
    }
  }

  /// A reader that has gone ends the search without an error.
  @Test func aClosedPipe() async throws {
    let world = try await World()
    for number in 0..<200 {
      try world.clone.write("f\(number)", String(repeating: "needle \(number)\n", count: 500))
    }
    let result = try await world.program.run(
      ["grep", "needle"], in: URL(fileURLWithPath: world.clone.path), closeOutputAfter: 1)
    #expect(result.status == 0 && result.err.isEmpty, "\(result.status) \(result.err)")
  }
}
