import Foundation
import TestSupport
import Testing

/// `inspect` on every kind of clone.
struct InspectTests {
  private static let keys: Set<String> = [
    "schema", "path", "gitDir", "bare", "worktree", "shallow", "empty", "head", "upstream", "branches",
    "tags",
    "remotes", "status", "stashes", "commits", "authorCount", "busFactor", "authors", "activity", "churn",
    "languages",
    "lines", "licenses", "size", "version", "largestFiles", "largestBlobs", "dependencies", "submodules",
    "worktrees",
    "lfs", "hooks", "signedShare", "lastFetchAt", "commitGraph", "partial", "sparse", "notes",
    "defaultBranch", "alternates", "operation", "skipped", "files",
  ]

  private func sample(in directory: TemporaryDirectory? = nil) async throws -> TemporaryRepository {
    let repository = try await TemporaryRepository.make("sample", in: directory)
    try await repository.commit("one", files: ["main.swift": "print(1)\n", "README.md": "# x\n"])
    try await repository.commit("two", files: ["other.swift": "print(2)\n"])
    return repository
  }

  private func inspect(_ path: String, _ program: Program? = nil) async throws -> JSON {
    let result = try await (program ?? Program()).run(["inspect", path, "--format", "json"])
    #expect(result.status == 0, "\(result.err)")
    let report = try result.json()
    #expect(report.keys.isSubset(of: Self.keys), "\(report.keys.subtracting(Self.keys))")
    #expect(report["schema"] == .int(1))
    return report
  }

  @Test func anOrdinaryClone() async throws {
    let repository = try await sample()
    try await repository.git("tag v1.0.0 HEAD~1")
    try repository.write("new.txt", "x")
    try repository.write("main.swift", "print(3)\n")
    let report = try await inspect(repository.path)
    #expect(report["path"]?.string == repository.path)
    #expect(report["head"]?["branch"]?.string == "main")
    let head = try await repository.git("rev-parse HEAD")
    #expect(report["head"]?["commit"]?.string == head)
    #expect(report["commits"]?["count"] == .int(2))
    #expect(report["status"]?["untracked"] == .int(1))
    #expect(report["status"]?["unstaged"] == .int(1))
    #expect(report["status"]?["clean"] == .bool(false))
    #expect(report["tags"]?["nearest"] == .object(["name": .string("v1.0.0"), "distance": .int(1)]))
    #expect(report["languages"]?[0]?["name"]?.string == "Swift")
    #expect(report["authorCount"] == .int(1))
    #expect(report["authors"]?[0]?["name"]?.string == "A U Thor")
    for flag in ["bare", "worktree", "shallow", "empty"] { #expect(report[flag] == .bool(false)) }
  }

  @Test func aPathInside() async throws {
    let repository = try await sample()
    try repository.write("deep/down/file", "x")
    #expect(try await inspect(repository.path + "/deep/down")["path"]?.string == repository.path)
    let result = try await Program().run(
      ["inspect", "--format", "json"], in: URL(fileURLWithPath: repository.path + "/deep"))
    #expect(try result.json()["path"]?.string == repository.path)
  }

  @Test func bare() async throws {
    let repository = try await sample()
    let copy = try await repository.clone("copy.git", ["--bare"])
    let report = try await inspect(copy.path)
    #expect(report["bare"] == .bool(true))
    #expect(report["status"] == nil)
    #expect(report["commits"]?["count"] == .int(2))
  }

  @Test func unborn() async throws {
    let repository = try await TemporaryRepository.make()
    let report = try await inspect(repository.path)
    #expect(report["head"]?["unborn"] == .bool(true))
    #expect(report["head"]?["branch"]?.string == "main")
    #expect(report["head"]?["commit"] == nil)
    #expect(report["empty"] == .bool(true))
    let bare = try await TemporaryRepository.make("bare.git", ["--bare"])
    #expect(try await inspect(bare.path)["empty"] == .bool(true))
  }

  @Test func linkedWorktree() async throws {
    let repository = try await sample()
    let path = repository.directory.path("linked")
    try await repository.git(["worktree", "add", "--quiet", "-b", "side", path])
    let report = try await inspect(path)
    #expect(report["worktree"] == .bool(true))
    #expect(report["head"]?["branch"]?.string == "side")
    #expect(
      try await inspect(repository.path)["worktrees"]?.array.contains { $0["branch"]?.string == "side" }
        == true)
  }

  @Test func shallow() async throws {
    let copy = try await sample().clone("copy", ["--depth", "1"])
    let report = try await inspect(copy.path)
    #expect(report["shallow"] == .bool(true))
    #expect(report["commits"]?["count"] == .int(1))
  }

  @Test func submodule() async throws {
    let inner = try await sample()
    let outer = try await TemporaryRepository.make("outer", in: inner.directory)
    try await outer.commit("first", files: ["a": "a"])
    try await outer.git(["submodule", "--quiet", "add", "file://" + inner.path, "lib/inner"])
    try await outer.commit("add a submodule")
    let report = try await inspect(outer.path)
    #expect(report["submodules"]?.array.count == 1)
    #expect(report["submodules"]?[0]?["path"]?.string == "lib/inner")
    let head = try await inner.git("rev-parse HEAD")
    #expect(report["submodules"]?[0]?["commit"]?.string == head)
    #expect(try await inspect(outer.path + "/lib/inner")["commits"]?["count"] == .int(2))
  }

  @Test func detached() async throws {
    let repository = try await sample()
    try await repository.git("checkout --quiet --detach HEAD~1")
    let report = try await inspect(repository.path)
    #expect(report["head"]?["detached"] == .bool(true))
    #expect(report["head"]?["branch"] == nil)
    #expect(report["commits"]?["count"] == .int(1))
  }

  /// Damage that leaves something to tell, or nothing; in no case a crash or an invention.
  @Test(arguments: ["pack", "HEAD nowhere", "HEAD garbage", "empty HEAD", "no objects", "index", "config"])
  func damage(_ what: String) async throws {
    let repository = try await sample()
    let git = repository.path + "/.git"
    func overwrite(_ name: String, _ text: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: git + "/" + name))
    }
    switch what {
    case "pack":
      try await repository.git("gc --quiet")
      for name in try FileManager.default.contentsOfDirectory(atPath: git + "/objects/pack")
      where name.hasSuffix(".pack") {
        let path = git + "/objects/pack/" + name
        try FileManager.default.removeItem(atPath: path)
        try overwrite("objects/pack/" + name, String(repeating: "garbage", count: 100))
      }
    case "HEAD nowhere": try overwrite("HEAD", String(repeating: "ab", count: 20) + "\n")
    case "HEAD garbage": try overwrite("HEAD", "garbage\n")
    case "empty HEAD": try overwrite("HEAD", "")
    case "no objects":
      try FileManager.default.removeItem(atPath: git + "/objects")
      try FileManager.default.createDirectory(atPath: git + "/objects", withIntermediateDirectories: true)
    case "index": try overwrite("index", "DIRCgarbage")
    default: try overwrite("config", "[core\nbare = perhaps\n")
    }
    for format in ["json", "table", "tsv", "ndjson"] {
      let result = try await Program().run(["inspect", repository.path, "--format", format])
      #expect([0, 2, 3, 4].contains(result.status), "\(what): \(result.err)")
      #expect([0, 3].contains(result.status) == !result.out.isEmpty, "\(what)")
      #expect((result.status == 0) || expectMessages(result).count == 1, "\(what): \(result.err)")
      if [0, 3].contains(result.status), format == "json" {
        #expect(try result.json()["notes"]?.array.isEmpty == false, "\(what): what is missing is not told")
      }
    }
  }

  /// The status does not depend on which sections are asked for, only on whether they can be told.
  @Test func damageInOneSection() async throws {
    let repository = try await sample()
    func path(_ object: String) -> String {
      repository.path + "/.git/objects/" + object.prefix(2) + "/" + object.dropFirst(2)
    }
    try FileManager.default.removeItem(atPath: path(try await repository.git("rev-parse HEAD~1")))
    try FileManager.default.removeItem(atPath: path(try await repository.git("rev-parse HEAD:README.md")))
    for (sections, status) in [
      ("authors", 3), ("lines", 3), ("size", 3), ("churn", 3), ("status", 0), ("licenses", 0),
      ("head,hooks", 0),
    ] {
      let result = try await Program().run([
        "inspect", repository.path, "--only", sections, "--format", "json",
      ])
      #expect(result.status == status, "\(sections): \(result.err)")
      #expect(expectMessages(result).count == (status == 0 ? 0 : 1))
      #expect(try result.json()["notes"]?.array.isEmpty == (status == 0))
    }
    let authors = try await Program().run([
      "inspect", repository.path, "--only", "authors", "--format", "json",
    ])
    #expect(try authors.json()["authors"]?[0]?["commits"] == .int(1))
  }

  @Test func aBranchThatIsNotThere() async throws {
    let repository = try await sample()
    try await repository.git("symbolic-ref HEAD refs/heads/none")
    let report = try await inspect(repository.path)
    #expect(report["head"]?["unborn"] == .bool(true))
    #expect(report["head"]?["branch"]?.string == "none")
  }

  @Test func noRepository() async throws {
    let folder = try TemporaryDirectory()
    try folder.write("file", "x")
    for path in [folder.path, folder.path("none"), folder.path("file"), "/dev/null", "/"] {
      let result = try await Program().run(["inspect", path])
      #expect(result.status == 2, "\(path)")
      #expect(result.out == "")
      #expect(expectMessages(result).count == 1)
    }
  }

  @Test func unreadable() async throws {
    let program = try Program()
    let repository = try await sample(in: program.home.directory)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0], ofItemAtPath: repository.path + "/.git/objects")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0], ofItemAtPath: repository.path + "/.git/refs")
    let result = try await program.runUnprivileged(["inspect", repository.path, "--format", "json"])
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: repository.path + "/.git/objects")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: repository.path + "/.git/refs")
    expectSane(result, ["inspect"])
    #expect([0, 2, 4].contains(result.status))
    #expect(result.status == 0 || expectMessages(result).count == 1, "\(result.err)")
    if result.status == 0 { #expect(try result.json()["notes"]?.array.isEmpty == false) }
  }

  @Test func severalPaths() async throws {
    let (first, second) = (try await sample(), try await sample())
    let both = try await Program().run(["inspect", first.path, second.path, "--format", "json"])
    #expect(both.status == 0)
    #expect(try both.json().array.compactMap { $0["path"]?.string } == [first.path, second.path])
    let lines = try await Program().run(["inspect", first.path, second.path, "--format", "ndjson"])
    #expect(try lines.outLines.map { try JSON($0)["path"]?.string } == [first.path, second.path])
    let one = try await Program().run(["inspect", first.path, "/nonexistent", "--format", "json"])
    #expect(one.status == 3)
    #expect(try one.json().array.count == 2)
    #expect(try one.json()[1]?["path"]?.string == "/nonexistent")
    #expect(try one.json()[1]?["error"]?["code"]?.string == "notFound")
    #expect(expectMessages(one).count == 1)
    let none = try await Program().run(["inspect", "/nonexistent", "/nonexistent2"])
    #expect(none.status == 2)
    #expect(expectMessages(none).count == 2)
    let rows = try await Program().run(["inspect", first.path, second.path])
    #expect(rows.outLines.allSatisfy { $0.hasPrefix(first.path + "\t") || $0.hasPrefix(second.path + "\t") })
  }

  /// A pipe gets the page for people, and with `--format tsv` keys and values.
  @Test func oneCloneInAPipe() async throws {
    let repository = try await sample()
    let page = try await Program().run(["inspect", repository.path], adding: ["COLUMNS": "200"])
    #expect(page.status == 0 && page.err == "")
    #expect(page.outLines.contains("CHECKOUT") && page.outLines.contains("CODE"))
    #expect(page.outLines.allSatisfy { $0.count <= 80 } && !page.out.contains("\u{1B}"))
    let facts = try await Program().run(["inspect", repository.path, "--format", "tsv"])
    #expect(facts.outLines.contains("head.branch\tmain") && facts.outLines.contains("commits.count\t2"))
    let authors = facts.outLines.filter { $0.hasPrefix("authors\t") }
    #expect(authors.count == 1 && authors[0].hasPrefix("authors\tA U Thor\tauthor@example.com\t2\t1\t"))
    let weeks = facts.outLines.filter { $0.hasPrefix("activity.weeks\t") }
    #expect(weeks.count == 52)
    // The commits are old; the weeks end with the current one.
    let week = 7 * 86_400.0
    let last = try #require(weeks.last).split(separator: "\t")[1]
    let start = try Date("\(last)T00:00:00Z", strategy: .iso8601)
    #expect((0...2 * week).contains(Date().timeIntervalSince(start)))
  }

  /// A repository of a forge that is not cloned: what can be done with it is said.
  @Test func aNameOfARepository() async throws {
    for name in ["swift-server/async-http-client", "https://github.com/apple/swift-nio"] {
      let result = try await Program().run(["inspect", name])
      #expect(result.status == 2 && result.out == "" && expectMessages(result).count == 1)
      #expect(result.err.contains("forage show \(name)") && result.err.contains("forage clone \(name)"))
    }
  }

  @Test func nothingIsWritten() async throws {
    let repository = try await sample()
    func state() throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: repository.path).sorted().map { name in
        let date = try FileManager.default.attributesOfItem(atPath: repository.path + "/" + name)[
          .modificationDate]
        return "\(name) \(date ?? "")"
      }
    }
    let before = try state()
    let program = try Program()
    _ = try await inspect(repository.path, program)
    #expect(try state() == before)
    #expect(try FileManager.default.subpathsOfDirectory(atPath: program.home.data.path).isEmpty)
  }

  @Test func onATerminal() async throws {
    let repository = try await sample()
    for columns in [60, 80, 200] {
      let result = try await Program().runInTerminal(
        ["inspect", repository.path], columns: columns, adding: ["NO_COLOR": "1"])
      #expect(result.status == 0)
      let lines = result.out.split(separator: "\n")
      #expect(lines.count > 5)
      #expect(lines.allSatisfy { $0.count <= columns })
    }
  }
}
