import Foundation
import TestSupport
import Testing

/// `search --kind code` in clones, with the built program.
struct CodeRunTests {
  private static let files = [
    "src/parser.c": "int parse(int x) {\n  return x;\n}\n", "src/use.c": "int y = parse(3); // größer\n",
    "t/parse_test.c": "void test(void) { parse(1); }\n",
  ]

  /// Each row leads to the file that it is of, also of a clone that no name leads to, and of names that look
  /// the same.
  @Test func rowsLeadBack() async throws {
    let program = try Program()
    let one = try await program.makeClone(
      "owner/one", files: ["a.c": "x\nneedle one\n", "d\u{E9}.c": "needle composed\n"])
    try await one.commit("more", files: ["de\u{301}.c": "needle apart\n"])
    let second = try await program.makeClone(
      "owner/two", files: ["a.c": "y\ny\nneedle two\n", "b.c": "needle b\n"],
      remote: "https://github.com/owner/one.git")
    try await program.makeClone(
      "owner/other",
      files: [
        "a.c": "1\n2\n3\nneedle other\n", "line\nend.c": "needle of two lines\n",
        "\u{202E}right.c": "needle to the left\n", "tab\t:1.c": "needle of a tab\n",
      ], remote: "https://git.acme.example/owner/one.git")
    try await program.addClones()
    // What is only in the commit.
    try await second.commit("more", files: ["gone.c": "needle gone\n"])
    try FileManager.default.removeItem(atPath: second.path + "/gone.c")
    let found = try await program.run(["search", "-p", "local", "-k", "code", "needle"])
    let rows = found.outLines.map { $0.split(separator: "\t").map(String.init) }
    #expect(Set(rows.map { $0[1].utf8.map { $0 } }).count == 10, "\(found)")
    for row in rows {
      let shown = try await program.run(["show", row[0], "--format", "json"])
      #expect(shown.status == 0 && shown.out.contains(row[1]), "\(row) \(shown)")
    }
    #expect(rows.contains { $0[0] == program.source + "/two:gone.c:1:1" }, "\(found)")
  }

  @Test func formats() async throws {
    let program = try Program()
    let clone = try await program.makeClone("owner/one", files: Self.files)
    try await program.addClones()
    let lines = try await program.run(["search", "-p", "local", "-k", "code", "parse case:yes"])
    #expect(lines.status == 0)
    #expect(lines.outLines.first?.hasPrefix("owner/one:src/parser.c:1:5\tint parse(int x) {\t") == true)
    #expect(lines.outLines.count == 3)
    let editors = try await program.run(["search", "-p", "local", "-k", "code", "parse(3)", "--vimgrep"])
    #expect(editors.out == "\(clone.path)/src/use.c:1:9:int y = parse(3); // größer\n")
    let result = try await program.run([
      "search", "-p", "local", "-k", "code", "/PARSE\\(\\d/", "-C", "1", "--format", "json",
    ])
    let document = try result.json()
    let item = try #require(document["items"]?.array.first)
    #expect(item["repository"]?.string == "github.com/owner/one")
    #expect(item["matchCount"]?.int == 1)
    #expect(item["matches"]?.array.first?["column"]?.int == 9)
    let provider = try #require(document["providers"]?.array.first)
    #expect(provider["state"]?.string == "ok")
    #expect(provider["searched"]?["clones"]?.int == 1)
    #expect(provider["searched"]?["files"]?.int == 3)
    // Rows have no place for the lines around a match.
    for option in ["--format=tsv", "--vimgrep"] {
      let rows = try await program.run(["search", "-p", "local", "-k", "code", "parse", "-C", "1", option])
      #expect(rows.status == 0 && expectMessages(rows) == ["-C has no effect where each match is one row"])
    }
    let doctor = try await program.run(["doctor", "--format", "tsv"])
    #expect(doctor.out.contains("code index\tok\t"))
    let index = try await program.run(["clones", "index"])
    #expect(index.err == "forage: 1 clone, 3 files, 0 B of new text\n")
  }

  /// What a query does not mean is told, and what was not searched when nothing is found.
  @Test func queriesThatMeanSomethingElse() async throws {
    let program = try Program()
    try await program.makeClone(
      "owner/one", files: ["src/größe.c": "parse(3)\n"])
    try await program.addClones()
    func run(_ query: String) async throws -> ProcessResult {
      try await program.run(["search", "-p", "local", "-k", "code", query])
    }
    let call = try await run("parse(3)")
    #expect(call.status == 0 && call.err.contains("\"parse\"") && call.err.contains("quotes"), "\(call)")
    for query in ["parse (3)", "\"parse(3)\"", "parse NOT(zebra)", "parse path:src/"] {
      let result = try await run(query)
      #expect(result.status == 0 && result.err.isEmpty, "\(query): \(result)")
    }
    let lines = try await run("/parse.*\\n/")
    #expect(lines.status == 1 && expectMessages(lines).first?.contains("line by line") == true, "\(lines)")
    #expect(try await run("/pa[^\\n]se/").err.isEmpty)
    let path = try await run("parse path:/^src/")
    #expect(path.status == 1 && expectMessages(path).first?.hasPrefix("path:/^src/ ") == true, "\(path)")
  }

  /// GitHub cannot match patterns of paths, which is told beside the clones that can.
  @Test func patternsOfPaths() async throws {
    let github = FakeGitHub(repositories: matching(1))
    try await withProgram(github, adding: ["GH_ENTERPRISE_TOKEN": "t0ken"]) { program, server in
      try await program.makeClone("owner/one", files: Self.files)
      try await program.addClones()
      for (options, status, rows) in [(["-p", "github"], 4, 0), ([], 0, 3), (["--strict"], 3, 3)]
        as [([String], Int32, Int)]
      {
        let result = try await program.run(["search", "-k", "code", "parse filename:*.c"] + options)
        #expect(result.status == status && result.outLines.count == rows, "\(result)")
        let message = "github: GitHub cannot match patterns such as filename:*.c"
        #expect(expectMessages(result) == [message], "\(options)")
      }
      #expect(server.requests.isEmpty)
    }
  }

  /// What is too long to be searched is missing, wherever its path fits, and no failure of the clones.
  @Test func filesThatAreTooLong() async throws {
    let program = try Program()
    _ = try program.home.writeConfig("forage/config.yaml", "code: {maxFileSize: 1000}\n")
    try await program.makeClone(
      "owner/one", files: ["short": "needle\n", "lang/größe.txt": String(repeating: "needle\n", count: 200)])
    try await program.addClones()
    func run(_ query: String, _ options: [String] = []) async throws -> ProcessResult {
      try await program.run(["search", "-k", "code", "-p", "local", query] + options)
    }
    let message = "local: 1 file of owner/one was not searched: longer than 1000 bytes"
    for (options, status) in [([], 0), (["--strict"], 3)] as [([String], Int32)] {
      let result = try await run("needle", options)
      #expect(result.status == status && result.outLines.count == 1, "\(result)")
      #expect(expectMessages(result) == [message])
    }
    let json = try await run("needle", ["--format", "json"]).json()
    #expect(json["complete"] == .bool(false))
    #expect(json.provider("local")?["searched"]?["skipped"]?["tooLarge"]?.int == 1)
    #expect(json.provider("local")?["total"]?["relation"]?.string == "gte")
    let nothing = try await run("nothinglikethis")
    #expect(nothing.status == 1 && expectMessages(nothing) == [message, "nothing found"], "\(nothing)")
    let elsewhere = try await run("needle path:short", ["--strict"])
    #expect(elsewhere.status == 0 && elsewhere.err.isEmpty, "\(elsewhere)")
  }

  /// A damaged clone is told, and is no failure of a search that read others.
  @Test func aDamagedClone() async throws {
    let program = try Program()
    try await program.makeClone("owner/one", files: ["a": "needle\n"])
    let damaged = try await program.makeClone("owner/two", files: ["größe": "needle\n"])
    try await program.addClones()
    try damaged.write(".git/HEAD", "garbage\n")
    func run(_ query: String, _ options: [String] = []) async throws -> ProcessResult {
      try await program.run(["search", "-k", "code", "-p", "local", query] + options)
    }
    for (options, status) in [([], 0), (["--strict"], 3)] as [([String], Int32)] {
      let result = try await run("needle", options)
      #expect(result.status == status && result.outLines.count == 1, "\(result)")
      #expect(expectMessages(result).count == 1 && result.err.contains("local: 1 clone could not be read ("))
    }
    // The same clones are told once a day.
    let again = try await run("needle")
    #expect(again.status == 0 && again.outLines.count == 1 && again.err.isEmpty, "\(again)")
    #expect(try await run("needle", ["--format", "json"]).json()["complete"] == .bool(false))
    let nothing = try await run("nothinglikethis")
    #expect(nothing.status == 1 && expectMessages(nothing).last == "nothing found", "\(nothing)")
    // Where nothing at all was searched there is no answer.
    #expect(try await run("needle repo:owner/two").status == 4)
  }

  /// An editor gets every match of a file; what is left out of rows is said.
  @Test func allMatchesOfAFile() async throws {
    let program = try Program()
    try await program.makeClone(
      "owner/one", files: ["a": String(repeating: "needle\n", count: 9), "b": "needle\n"])
    try await program.addClones()
    let query = ["search", "-p", "local", "-k", "code", "needle"]
    let editors = try await program.run(query + ["--vimgrep"])
    #expect(editors.outLines.count == 10 && editors.err.isEmpty, "\(editors)")
    let few = try await program.run(query + ["--vimgrep", "--matches", "2"])
    #expect(few.outLines.count == 3 && expectMessages(few) == ["7 matching lines are not printed"], "\(few)")
    let rows = try await program.run(query)
    #expect(rows.outLines.count == 6 && expectMessages(rows) == ["4 matching lines are not printed"])
    #expect(rows.err.contains("--matches 9"))
    #expect(try await program.run(query + ["--matches", "9"]).err.isEmpty)
    let one = try await program.run(query + ["--vimgrep", "-L", "1"])
    #expect(one.err == "forage: showing 1 of 2 results from local; print more with --limit\n")
  }

  /// Columns are bytes, ranges are Unicode scalars of the text.
  @Test func unitsOfPlaces() async throws {
    let program = try Program()
    try await program.makeClone("owner/one", files: ["a": "first\né検👩\u{200D}👧needle\n"])
    try await program.addClones()
    let query = ["search", "-p", "local", "-k", "code", "needle"]
    let match = try await program.run(query + ["--format", "json"]).json()["items"]?.array.first?["matches"]?
      .array.first
    #expect(match?["line"]?.int == 2 && match?["column"]?.int == 17)
    #expect(match?["ranges"]?.array.first?.array.compactMap(\.int) == [5, 11])
    // Without the man program lines end elsewhere.
    let manual = try await program.run(["manual"]).out.split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    for unit in ["columns are bytes of the line", "in Unicode scalars of the text"] {
      #expect(manual.contains(unit))
    }
  }

  /// What is only in a clone has no page: its place is the result where no editor can be started.
  @Test func aPlaceWithoutAPage() async throws {
    let program = try Program()
    let clone = try await TemporaryRepository.make("home/src/one", in: program.home.directory)
    try await clone.commit("first", files: ["a": "first\nneedle\n"])
    try await program.addClones()
    let query = ["search", "-p", "local", "-k", "code", "needle", "-w"]
    let opened = try await program.run(query, adding: ["EDITOR": "vi"])
    #expect(opened.status == 0 && opened.out == "\(clone.path)/a:2\n", "\(opened)")
  }

  /// A name that is not UTF-8 is written to editors as it is.
  @Test func namesThatAreNotUTF8() async throws {
    let program = try Program()
    let clone = try await program.makeClone("owner/one", files: ["größe": "needle\n"])
    let blob = try await clone.git("rev-parse HEAD:größe")
    try await clone.git("rm --quiet größe")
    try await clone.git(
      ["update-index", "-z", "--index-info"], input: Data("100644 \(blob)\tx ".utf8) + Data([0xFF, 0x00]))
    try await clone.git("commit --quiet -m bytes")
    try await clone.git("checkout --quiet -- .")
    try await program.addClones()
    let query = ["search", "-p", "local", "-k", "code", "needle"]
    let editors = try await program.run(query + ["--vimgrep"])
    #expect(editors.status == 0 && editors.err.isEmpty)
    #expect(editors.stdout == Data("\(clone.path)/x ".utf8) + Data([0xFF]) + Data(":1:1:needle\n".utf8))
    // Names that differ in such bytes only are different files.
    for byte in [UInt8(0xE8), 0xE9] {
      let other = try await clone.git(["hash-object", "-w", "--stdin"], input: Data("needle \(byte)\n".utf8))
      try await clone.git(
        ["update-index", "-z", "--add", "--index-info"],
        input: Data("100644 \(other)\tn".utf8) + Data([byte, 0x00]))
    }
    try await clone.git("commit --quiet -m more")
    try await clone.git("checkout --quiet -- .")
    let all = try await program.run(query + ["--format", "json"]).json()["items"]?.array ?? []
    #expect(all.count == 3 && Set(all.map { $0["id"]?.string }).count == 3)
    let item = try await program.run(query + ["--format", "json"]).json()["items"]?.array.first {
      $0["path"]?.string?.hasPrefix("x ") == true
    }
    #expect(item?["file"]?.string?.hasSuffix("/x%20%FF") == true && item?["url"] == nil)
    try await clone.git("update-ref refs/remotes/origin/main HEAD")
    let pushed = try await program.run(query + ["--format", "json"]).json()["items"]?.array.first {
      $0["path"]?.string?.hasPrefix("x ") == true
    }
    #expect(pushed?["url"]?.string?.hasSuffix("/x%20%FF") == true)
    // An untracked file of such a name is read, too.
    let name = (Array((clone.path + "/y").utf8) + [0xFE, 0]).map(CChar.init(bitPattern:))
    let file = try #require(fopen(name, "w"))
    fputs("needle\n", file)
    fclose(file)
    let inside = try await program.run(query + ["--vimgrep"], in: URL(fileURLWithPath: clone.path))
    let rows = inside.stdout.split(separator: UInt8(ascii: "\n")).map(Array.init)
    #expect(Set(rows.map { $0.contains(0xFE) }) == [true, false] && inside.err.isEmpty, "\(inside)")
  }

  /// Rows are only of places that fit the query.
  @Test func rowsOfPlaces() async throws {
    let program = try Program()
    let one = try await program.makeClone("owner/one", files: Self.files)
    let two = try await program.makeClone(
      "owner/two", files: ["größe/parser.c": Self.files["src/parser.c"] ?? ""])
    try await program.addClones()
    let query = ["search", "-p", "local", "-k", "code", "--vimgrep", "return"]
    let all = try await program.run(query)
    #expect(
      Set(all.outLines) == [
        "\(one.path)/src/parser.c:2:3:  return x;", "\(two.path)/größe/parser.c:2:3:  return x;",
      ])
    #expect(all.err.isEmpty)
    let rows = try await program.run(query.filter { $0 != "--vimgrep" })
    #expect(rows.outLines.count == 1 && expectMessages(rows) == ["1 identical file is not printed"])
    #expect(try await program.run(query.filter { $0 != "--vimgrep" } + ["--quiet"]).err.isEmpty)
    let named = try await program.run(query + ["repo:owner/two"])
    #expect(named.out == "\(two.path)/größe/parser.c:2:3:  return x;\n")
  }

  @Test func errors() async throws {
    let program = try Program()
    let clone = try await program.makeClone("owner/one", files: Self.files)
    try await program.addClones()
    let bad = try await program.run(["search", "-k", "code", "x /a(b/"])
    #expect(bad.status == 2)
    #expect(bad.err.contains("the regular expression is not valid: missing closing parenthesis"))
    #expect(bad.err.contains("^"))
    let empty = try await program.run(["search", "-k", "code", "//"])
    #expect(empty.status == 2)
    let none = try await program.run(["search", "-p", "local", "-k", "code", "absent"])
    #expect(none.status == 1)
    // Changes of other clones were not searched.
    #expect(none.err.contains("add --worktree with repo: or path:"), "\(none.err)")
    let here = try await program.run(
      ["search", "-p", "local", "-k", "code", "absent"], in: URL(fileURLWithPath: clone.path))
    #expect(here.status == 1 && !here.err.contains("--worktree"), "\(here.err)")
    let context = try await program.run(["search", "-k", "code", "x", "-C", "21"])
    #expect(context.status == 2)
    let worktree = ["search", "-p", "local", "-k", "code", "parse", "--worktree"]
    let unnamed = try await program.run(worktree)
    #expect(unnamed.status == 2 && unnamed.err.hasPrefix("forage: --worktree needs repo: or path:\nhint: "))
    for named in ["repo:owner/one", "path:src"] {
      #expect(try await program.run(worktree + [named]).status == 0)
    }
    // The clone that one stands in needs no name.
    let inside = try await program.run(
      worktree, in: URL(fileURLWithPath: clone.path).appendingPathComponent("src"))
    #expect(inside.status == 0, "\(inside.err)")
    let repositories = try await program.run(["search", "-p", "local", "/one/"])
    #expect(repositories.status == 2)
    #expect(repositories.err.contains("a regular expression is not supported"))
  }

  /// Names and lines with escape sequences reach a terminal only in a safe form.
  @Test func hostileText() async throws {
    let program = try Program()
    try await program.makeClone(
      "owner/one",
      files: [
        "a\u{1B}[31mb\n": "needle \u{1B}]0;title\u{7} \u{202E}x\n",
        "long": "needle " + String(repeating: "x", count: 900_000),
      ])
    try await program.addClones()
    let result = try await program.runInTerminal([
      "search", "-p", "local", "-k", "code", "needle", "--color", "never",
    ])
    #expect(result.status == 0)
    #expect(
      !result.out.contains("\u{1B}") && !result.out.contains("\u{7}") && !result.out.contains("\u{202E}"))
    let json = try await program.run(["search", "-p", "local", "-k", "code", "needle", "--format", "json"])
    let items = try json.json()["items"]?.array ?? []
    let texts = items.compactMap { $0["matches"]?.array.first?["text"]?.string }
    #expect(texts.count == 2)
    #expect(texts.allSatisfy { $0.unicodeScalars.count <= 1_000 })
  }

  /// A killed update leaves an index that answers right.
  @Test func killedWhileIndexing() async throws {
    let program = try Program()
    var files: [String: String] = [:]
    for number in 0..<400 { files["d/f\(number)"] = String(repeating: "needle \(number) text\n", count: 50) }
    try await program.makeClone("owner/one", files: files)
    let added = try await program.run(["clones", "add", "--no-index", program.source])
    try #require(added.status == 0)
    for milliseconds in [5, 20, 60, 120] {
      let process = try program.start(["clones", "index"])
      try await Task.sleep(for: .milliseconds(milliseconds))
      process.kill()
      _ = await process.wait()
      let found = try await program.run(["search", "-p", "local", "-k", "code", "needle", "-L", "1000"])
      #expect(found.status == 0, "\(found.err)")
      #expect(Set(found.outLines.compactMap { $0.split(separator: ":").dropFirst().first }).count == 400)
    }
  }
}
