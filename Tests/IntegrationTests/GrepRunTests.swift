import Foundation
import TestSupport
import Testing

/// `forage grep`, with the built program and rg.
struct GrepRunTests {
  private static let path = ["PATH": "/usr/local/bin:/usr/bin:/bin"]
  private static let rg = URL(
    fileURLWithPath: ["/usr/bin/rg", "/usr/local/bin/rg", "/opt/homebrew/bin/rg"].first(
      where: FileManager.default.isExecutableFile) ?? "/usr/bin/rg")

  private struct World {
    let program: Program

    init() async throws {
      program = try Program(adding: GrepRunTests.path)
      try await program.makeClone(
        "owner/one",
        files: [
          "a.swift": "func needle() {}\nlet x = needle()\n",
          "src/größe.c": "one\n  needle(needle);\r\nthree\n",
        ])
      try await program.makeClone("owner/two", files: ["b.c": "int other;\n", "src/c.c": "needle two\n"])
      try await program.makeClone("other/three", files: ["d.txt": "nothing here\n"])
      try await program.addClones()
    }

    func run(_ arguments: String..., at folder: String? = nil, stdin: Data? = nil) async throws
      -> ProcessResult
    {
      let folder = folder.map { URL(fileURLWithPath: program.source + "/" + $0) }
      return try await program.run(["grep"] + arguments, in: folder, stdin: stdin)
    }

    /// What rg says in a folder of the sources.
    func rg(_ arguments: String..., at folder: String? = nil, stdin: Data? = nil) async throws
      -> ProcessResult
    {
      try await ProcessRunner.run(
        GrepRunTests.rg, arguments, environment: program.environment,
        workingDirectory: folder.map { URL(fileURLWithPath: program.source + "/" + $0) } ?? program.home.home,
        stdin: stdin)
    }
  }

  /// Without our options it is rg: its standard input, output, messages and status.
  @Test func itIsRipgrep() async throws {
    let world = try await World()
    for arguments in [
      ["needle", "."], ["-c", "needle", "."], ["needle", "nosuch"], ["(", "."], ["--nosuch"], ["--version"],
      ["--files", ".", "--sort", "path"], ["-e", "--all", "."], ["nothing like this", "."],
      ["--json", "needle", "d.txt"],
      ["--type-list"], ["-o", "n.e", "src", "--sort=path", "--heading", "-n"],
    ] {
      for folder in ["one", "."] {
        let place = URL(fileURLWithPath: world.program.source + "/" + folder)
        let mine = try await world.program.run(["grep", "-j1"] + arguments, in: place)
        let theirs = try await ProcessRunner.run(
          Self.rg, ["-j1"] + arguments, environment: world.program.environment, workingDirectory: place)
        #expect(mine.status == theirs.status, "\(arguments) \(mine) \(theirs)")
        if !arguments.contains("--json") {
          #expect(mine.stdout == theirs.stdout && mine.stderr == theirs.stderr)
        }
      }
    }
    let input = try await world.run("b", stdin: Data("abc\nxyz\n".utf8))
    #expect(input.out == "abc\n" && input.status == 0)
  }

  @Test func manyClones() async throws {
    let world = try await World()
    let all = try await world.run("--all", "needle", at: ".")
    let rows =
      "one/a.swift:func needle() {}\none/a.swift:let x = needle()\none/src/größe.c:  needle(needle);\r\ntwo/src/c.c:needle two\n"
    #expect(all.out == rows && all.status == 0 && all.err.isEmpty, "\(all)")
    // From elsewhere the paths are absolute.
    let absolute = try await world.run("--all", "-l", "needle", "src", at: "three")
    #expect(
      absolute.out == "\(world.program.source)/one/src/größe.c\n\(world.program.source)/two/src/c.c\n",
      "\(absolute)")
    for (arguments, expected) in [
      (["-R", "two", "-n", "needle"], "two/src/c.c:1:needle two\n"),
      (["-lR", "owner/one", "needle"], "one/a.swift\none/src/größe.c\n"),
      (["-R", "one", "-R", "two", "-c", "needle", "src"], "one/src/größe.c:1\ntwo/src/c.c:1\n"),
      (["--language", "swift", "-l", "needle"], "one/a.swift\none/src/größe.c\n"),
      (["--all", "-I", "needle", "b.c", "src/c.c"], "needle two\n"),
      (["--all", "other", "b.c"], "int other;\n"),
      (["--all", "--files", "src"], "one/src/größe.c\ntwo/src/c.c\n"),
      (["--all", "needl[e]", "-g", "*.swift", "-o"], "one/a.swift:needle\none/a.swift:needle\n"),
    ] as [([String], String)] {
      let found = try await world.program.run(
        ["grep"] + arguments, in: URL(fileURLWithPath: world.program.source))
      #expect(found.out == expected && found.err.isEmpty, "\(arguments) \(found)")
    }
    for (arguments, expected) in [
      (["--all", "--type-list"], nil), (["-R", "*/one", "-l", "needle"], "a.swift\nsrc/größe.c\n"),
      (["-R", "owner/*", "-c", "needle"], "./a.swift:2\n./src/größe.c:1\n"),
    ] as [([String], String?)] {
      let found = try await world.program.run(
        ["grep"] + arguments, in: URL(fileURLWithPath: world.program.source + "/one"))
      #expect(found.status == 0 && found.err.isEmpty, "\(arguments) \(found)")
      let rows = found.out.split(separator: "\n").map {
        $0.hasPrefix("./") ? String($0.dropFirst(2)) : String($0)
      }
      if let expected {
        let wanted = expected.split(separator: "\n").map {
          $0.hasPrefix("./") ? String($0.dropFirst(2)) : String($0)
        }
        #expect(rows.filter { !$0.hasPrefix("/") } == wanted, "\(arguments) \(found)")
      }
    }
    let condition = try await world.run("--ahead", "needle")
    #expect(condition.status == 1 && condition.err.contains("no clone matches --ahead"), "\(condition)")
    let none = try await world.run("--all", "nothing like this", at: "one")
    #expect(none.status == 1 && none.out.isEmpty && none.err.isEmpty, "\(none)")
    // Where no clone can match, the current folder, which is no clone, is not searched in their place.
    try world.program.home.directory.write("home/notes/a.txt", "a word of no clone\n")
    let elsewhere = try await world.program.run(
      ["grep", "--all", "word of no clone"], in: world.program.home.home.appendingPathComponent("notes"))
    #expect(elsewhere.status == 1 && elsewhere.out.isEmpty && elsewhere.err.isEmpty, "\(elsewhere)")
    // rg's own mistakes are told where nothing is searched, too.
    let bad = try await world.run("--all", "unlikely(", at: "one")
    #expect(bad.status == 2 && bad.err.contains("unclosed group"), "\(bad)")
  }

  /// Where only the files that can match are given to rg, they are in the order in which it walks folders.
  @Test func orderOfFiles() async throws {
    let world = try await World()
    var files = ["a/b.txt": "ordered word\n", "a-b.txt": "ordered word\n", "a.txt": "ordered word\n"]
    for number in 0..<200 { files["other/\(number).txt"] = "nothing\n" }
    try await world.program.makeClone("owner/ordered", files: files)
    try await world.program.addClones()
    let found = try await world.run("--all", "-l", "ordered word", at: ".")
    let sorted = try await world.rg("--sort", "path", "-l", "ordered word", "ordered", at: ".")
    #expect(found.out == sorted.out && found.status == 0 && found.err.isEmpty, "\(found) \(sorted)")
  }

  /// With many clones rg runs several times at once, and says the same as one rg.
  @Test func manyRuns() async throws {
    let program = try Program(adding: Self.path)
    // The first path begins as an option does.
    let names = ["-first"] + (0..<19).map { "größe\($0)" }
    for name in names {
      let repository = try await TemporaryRepository.make("home/src/\(name)", in: program.home.directory)
      try await repository.commit(files: [
        "a.c": "int needle;\n\(name)\n", "src/b.swift": String(repeating: "a needle\n", count: 3_000),
      ])
    }
    try program.home.directory.write("home/src/größe7/wide.txt", "needle \u{FFFD}\n")
    try await program.addClones()
    let folder = URL(fileURLWithPath: program.source)
    let roots = names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
    for arguments in [
      ["needle"], ["-n", "int needle"], ["-c", "e"], ["-l", "größe1"],
      ["-t", "swift", "-m2", "--null", "needle"],
      ["-C1", "größe"], ["-v", "needle"], ["x(e"], ["--nosuch", "e"], ["-q", "e"],
      ["--files-without-match", "a.n"],
      ["--json", "größe"], ["--stats", "größe3"], ["no such line|!"], ["-o", "-e", "größe1.?", "-e", "int"],
    ] {
      let mine = try await program.run(["grep", "--all"] + arguments, in: folder)
      let theirs = try await ProcessRunner.run(
        Self.rg, ["--sort=path"] + arguments + ["--"] + roots, environment: program.environment,
        workingDirectory: folder)
      #expect(mine.status == theirs.status, "\(arguments) \(mine.err)")
      // Some of it is how long it took.
      guard !["--json", "--stats"].contains(arguments[0]) else { continue }
      #expect(mine.stdout == theirs.stdout && mine.stderr == theirs.stderr, "\(arguments) \(mine.err)")
    }
    // A reader that goes away ends it.
    let first = try await ProcessRunner.run(
      URL(fileURLWithPath: "/bin/sh"), ["-c", "'\(try forageBinary.path)' grep --all needle | head -1"],
      environment: program.environment, workingDirectory: folder)
    #expect(first.out == "-first/a.c:int needle;\n" && first.err.isEmpty, "\(first)")
    let bad = try await program.run(
      ["grep", "--all", "needle"], adding: ["TMPDIR": "/nonexistent"], in: folder)
    #expect(bad.status == 0 && bad.outLines.count == 20 * 3_001 + 1, "\(bad.err)")
  }

  /// The configuration of rg counts: it can bring files back that the index does not have.
  @Test func configuration() async throws {
    let world = try await World()
    try world.program.home.directory.write("home/src/two/.hidden", "hidden needle\n")
    try world.program.home.directory.write("home/rc", "# mine\n--hidden\n  --no-filename  \n")
    let rc = ["RIPGREP_CONFIG_PATH": world.program.home.directory.path("home/rc")]
    let found = try await world.program.run(
      ["grep", "--all", "hidden needle"], adding: rc, in: URL(fileURLWithPath: world.program.source))
    #expect(found.out == "hidden needle\n", "\(found)")
    let without = try await world.program.run(["grep", "--no-config", "--all", "hidden needle"], adding: rc)
    #expect(without.status == 1 && without.out.isEmpty, "\(without)")
  }

  /// A program named rg that leads back here is not run for ever.
  @Test func anotherRipgrep() async throws {
    let world = try await World()
    let folder = world.program.home.directory.path("wrapped")
    try world.program.home.directory.write(
      "wrapped/rg", "#!/bin/sh\nexec '\(try forageBinary.path)' grep \"$@\"\n")
    chmod(folder + "/rg", 0o755)
    let wrapped = try await world.program.run(
      ["grep", "-c", "needle", "b.c", "src/c.c"], adding: ["PATH": folder + ":/usr/bin:/bin"],
      in: URL(fileURLWithPath: world.program.source + "/two"))
    #expect(wrapped.out == "src/c.c:1\n" && wrapped.status == 0, "\(wrapped)")
    try FileManager.default.removeItem(atPath: folder + "/rg")
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/rg", withDestinationPath: try forageBinary.path)
    let linked = try await ProcessRunner.run(
      URL(fileURLWithPath: folder + "/rg"), ["-c", "needle", "b.c", "src/c.c"],
      environment: world.program.environment.merging(["PATH": folder + ":/usr/bin:/bin"]) { $1 },
      workingDirectory: URL(fileURLWithPath: world.program.source + "/two"))
    #expect(linked.out == "src/c.c:1\n" && linked.status == 0, "\(linked)")
  }

  @Test func mistakes() async throws {
    let world = try await World()
    for (arguments, message) in [
      (["-R", "nosuch", "x"], "no clone matches nosuch"),
      (["--all", "-R", "one", "x"], "exclude each other"),
      (["--all", "--format", "json", "x"], "--format=VALUE"),
      (["--all", "x", "nosuch"], "no chosen clone has nosuch"),
      (["--all", "--stale", "soon", "x"], "--stale takes a number"), (["x", "-R"], "-R needs a value"),
      (["--symbol", "x", "--pre", "cat"], "--pre cannot be used with --symbol"),
      (["--symbol", "x", "nosuch"], "there is no file or folder nosuch"),
      (["--ref", "main"], "<pattern> is missing"),
      (["--ref", "nosuch", "x"], "nosuch"),
      (["--ref", "main", "x", "nosuch"], "main has no file or folder nosuch"),
    ] {
      let found = try await world.program.run(
        ["grep"] + arguments, in: URL(fileURLWithPath: world.program.source + "/one"))
      #expect(found.status == 2 && found.out.isEmpty && found.err.contains(message), "\(arguments) \(found)")
      #expect(found.err.contains("hint: "), "\(found.err)")
    }
    // What rg itself refuses is told in the words of its version.
    let refused = try await world.program.run(["grep", "--all", "x", "-e"])
    #expect(refused.status == 2 && refused.out.isEmpty && !refused.err.isEmpty)
    let missing = try await world.program.run(["grep", "x"], adding: ["PATH": "/nowhere"])
    #expect(missing.status == 2 && missing.err.contains("rg (ripgrep) is not installed"), "\(missing)")
    let help = try await world.program.run(["grep", "--help"], adding: ["PATH": "/nowhere"])
    #expect(help.status == 0 && help.out.contains("--all") && help.err.isEmpty, "\(help)")
  }

  /// The questions that rg cannot answer need no rg.
  @Test func definitionsAndRefs() async throws {
    let world = try await World()
    let here = URL(fileURLWithPath: world.program.source + "/one")
    for (arguments, expected) in [
      (["--symbol", "needle"], "a.swift:1:func needle() {}\n"),
      (["--symbol", "needle", "-N"], "a.swift:func needle() {}\n"), (["--symbol", "needle", "src"], ""),
      (["--all", "--symbol", "needle", "-l"], "a.swift\n"), (["--symbol", "needle", "-t", "c"], ""),
      (
        ["--ref", "main", "needle"],
        "a.swift:1:func needle() {}\na.swift:2:let x = needle()\nsrc/größe.c:2:  needle(needle);\n"
      ),
      (["--ref", "main", "-c", "needle", "src"], "src/größe.c:1\n"),
      (
        ["--ref", "HEAD", "-C1", "needle", "src"],
        "src/größe.c-1-one\nsrc/größe.c:2:  needle(needle);\nsrc/größe.c-3-three\n"
      ),
      (["--ref", "main", "-w", "-F", "x", "-g", "*.swift"], "a.swift:2:let x = needle()\n"),
      (
        ["--ref", "main", "-o", "n[a-z]+e", "-P", "-m1", "src"],
        "src/größe.c:2:needle\nsrc/größe.c:2:needle\n"
      ),
      (
        ["--ref", "main", "--vimgrep", "needle", "src"],
        "src/größe.c:2:3:  needle(needle);\nsrc/größe.c:2:10:  needle(needle);\n"
      ),
      (["--ref", "main", "-l0", "needle", "src"], "src/größe.c\0"),
      (["--symbol", "needle", "--symbol", "other", "--column"], "a.swift:1:6:func needle() {}\n"),
      (["--ref", "main", "NEEDLE"], ""),
      (["--ref", "main", "-i", "-l", "NEEDLE", "-g", "!src"], "a.swift\n"),
      (
        ["--ref", "main", "-R", "two", "-R", "one", "-l", "needle"],
        "owner/one:a.swift\nowner/one:src/größe.c\nowner/two:src/c.c\n"
      ),
    ] as [([String], String)] {
      let found = try await world.program.run(["grep"] + arguments, adding: ["PATH": "/nowhere"], in: here)
      #expect(found.out == expected && found.err.isEmpty, "\(arguments) \(found)")
      #expect(found.status == (expected.isEmpty ? 1 : 0))
    }
    let json = try await world.program.run(["grep", "--symbol", "needle", "--json"], in: here)
    #expect(try json.json()["items"]?[0]?["path"]?.string == "a.swift", "\(json)")
    // Changed files are searched as they are on disk.
    try world.program.home.directory.write("home/src/one/new.swift", "struct Fresh {}\n")
    let changed = try await world.program.run(["grep", "--symbol", "fresh"], in: here)
    #expect(changed.out == "new.swift:1:struct Fresh {}\n", "\(changed)")
  }
}
