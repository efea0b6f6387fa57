import ForageCore
import ForageStore
import Foundation
import TestSupport
import Testing

@testable import ForageLocal

/// Which changes of a work tree are noticed, and what is left out of a search with rg.
struct WorkTreeSnapshotTests {
  private struct World {
    let directory: TemporaryDirectory
    let clone: TemporaryRepository
    let index: CodeIndex
    let ripgrep: Ripgrep

    init(_ files: [String: String] = ["a.c": "needle\n", "src/b.c": "hay\n", "c.txt": "stack\n"]) async throws
    {
      directory = try TemporaryDirectory(prefix: "snapshot")
      clone = try await TemporaryRepository.make("clone", in: directory)
      try await clone.commit(files: files)
      index = CodeIndex(path: directory.path("code.db"))
      let environment = [
        "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
        "HOME": directory.path("home"),
      ]
      try directory.makeDirectory("home")
      ripgrep = try #require(Ripgrep(environment: environment), "rg is not installed")
    }

    func path(_ name: String) -> String { clone.path + "/" + name }

    /// Makes a snapshot, late enough that what changes afterwards has another time.
    func index() async throws {
      try await Task.sleep(for: .milliseconds(50))
      try WorkTreeSurvey(ripgrep: ripgrep, index: index, maximumFileSize: 1 << 20).update(clone.path)
    }

    var isCurrent: Bool {
      get throws {
        let snapshot = try #require(try index.snapshots(of: [clone.path])[Array(clone.path.utf8)])
        return WorkTreeSnapshot.isCurrent(
          snapshot, root: clone.path, environment: RipgrepRules(ripgrep).environment)
      }
    }

    /// What rg is given, relative to the clone; the clone itself is ".".
    func targets(_ pattern: String, path: String = "", givesFiles: Bool = true) -> [String] {
      let location = GrepLocation(root: clone.path, path: Array(path.utf8))
      return GrepTargets(
        [location], GrepPatterns([pattern], .rust), givesFiles: givesFiles, index: index, ripgrep: ripgrep
      ).locations.map { $0.path.isEmpty ? "." : String(decoding: $0.path, as: UTF8.self) }
    }

    func write(_ text: String, _ name: String) throws {
      let url = URL(fileURLWithPath: path(name))
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
  }

  /// rg would wait for a pipe in the place of rules, also in the git folder and above the clone.
  @Test(arguments: [".git/info/exclude", "src/.git", "src/.ignore", "../.gitignore"])
  func pipes(_ name: String) async throws {
    let world = try await World()
    _ = unlink(world.path(name))
    #expect(mkfifo(world.path(name), 0o600) == 0)
    try await world.index()
    #expect(try world.index.snapshots(of: [world.clone.path]).isEmpty)
    #expect(world.targets("nothing") == ["."])
  }

  @Test func clonesThatCannotMatchAreLeftOut() async throws {
    let files = (0..<12).reduce(into: ["a.c": "needle\n", "src/b.c": "needle größe\n"]) {
      $0["f\($1).txt"] = "stack \($1)\n"
    }
    let world = try await World(files)
    #expect(world.targets("needle") == ["."])
    try await world.index()
    #expect(world.targets("nothing").isEmpty && world.targets("need[a-z]e") == ["a.c", "src/b.c"])
    #expect(world.targets("needle", givesFiles: false) == ["."])
    #expect(world.targets("GRÖSSE|größe") == ["src/b.c"])
    // Too short for trigrams, and too many files.
    #expect(world.targets("ne") == ["."] && world.targets("stack") == ["."])
    // From a folder in a clone, rg applies rules in another way.
    #expect(world.targets("nothing", path: "src") == ["src"])
    // An index that is not there.
    let location = GrepLocation(root: world.clone.path)
    let absent = CodeIndex(path: world.directory.path("absent.db"))
    let targets = GrepTargets(
      [location], GrepPatterns(["nothing"], .rust), givesFiles: true, index: absent, ripgrep: world.ripgrep)
    #expect(targets.locations == [location])
  }

  /// A change of anything that rg reads or obeys is noticed.
  @Test(
    arguments: [
      "a file is written in place with the same size and time", "a file is new", "a file is removed",
      "a file is renamed",
      "a folder is new", "a file in an empty folder is new", "a rule is new", "a rule is changed",
      "a rule of rg is new",
      "info/exclude is new", "the rules of the user are new",
      "a folder becomes a link",
      "a repository is made in a folder", "rg has other settings",
    ])
  func changesAreNoticed(_ change: String) async throws {
    let world = try await World()
    try FileManager.default.createDirectory(atPath: world.path("empty"), withIntermediateDirectories: true)
    try world.write("*.log\n", ".gitignore")
    try await world.index()
    #expect(try world.isCurrent)
    let files = FileManager.default
    switch change {
    case "a file is written in place with the same size and time":
      let attributes = try files.attributesOfItem(atPath: world.path("a.c"))
      let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: world.path("a.c")))
      try handle.write(contentsOf: Data("noodle\n".utf8))
      try handle.close()
      try files.setAttributes(
        [.modificationDate: try #require(attributes[.modificationDate])], ofItemAtPath: world.path("a.c"))
    case "a file is new": try world.write("x\n", "new.c")
    case "a file is removed": try files.removeItem(atPath: world.path("a.c"))
    case "a file is renamed": try files.moveItem(atPath: world.path("a.c"), toPath: world.path("b.c"))
    case "a folder is new":
      try files.createDirectory(atPath: world.path("new"), withIntermediateDirectories: false)
    case "a file in an empty folder is new": try world.write("x\n", "empty/new.c")
    case "a rule is new": try world.write("*.o\n", "src/.gitignore")
    case "a rule is changed": try world.write("*.lag\n", ".gitignore")
    case "a rule of rg is new": try world.write("!*.log\n", ".ignore")
    case "info/exclude is new": try world.write("*.c\n", ".git/info/exclude")
    case "the rules of the user are new": try world.directory.write("home/.config/git/ignore", "*.c\n")
    case "a folder becomes a link":
      try files.moveItem(atPath: world.path("src"), toPath: world.path(".git/src"))
      try files.createSymbolicLink(atPath: world.path("src"), withDestinationPath: ".git/src")
    case "a repository is made in a folder":
      try files.createDirectory(atPath: world.path("src/.git"), withIntermediateDirectories: false)
    default:
      try world.directory.write("home/rules", "*.swp\n")
      try world.directory.write(
        "home/.gitconfig", "[core]\n\texcludesFile = \(world.directory.path("home/rules"))\n")
    }
    #expect(try !world.isCurrent)
    #expect(world.targets("nothing") == ["."])
    try await world.index()
    #expect(try world.isCurrent)
  }

  /// Rules that rg applies in another way from each folder: nothing is left out.
  @Test(arguments: [".ignore", ".rgignore", "home/.config/git/ignore", "home/rules"])
  func rulesThatAreNotOfTheClone(_ name: String) async throws {
    let world = try await World()
    if name == "home/rules" {
      try world.directory.write(
        "home/.gitconfig", "[core]\n\texcludesFile = \"\(world.directory.path(name))\"\n")
    }
    try await world.index()
    #expect(world.targets("nothing").isEmpty)
    try world.directory.write(name, "src/b.c\n")
    #expect(world.targets("nothing") == ["."])
    try await world.index()
    #expect(world.targets("nothing") == ["."])
    guard name.hasPrefix("home/") else { return }
    try world.directory.write(name, "*.swp\n# a/b\n.idea/\n")
    try await world.index()
    #expect(world.targets("nothing").isEmpty)
  }

  /// What rg does not read makes no difference.
  @Test func otherChangesAreNone() async throws {
    let world = try await World()
    try world.write("build/\nout\n", ".gitignore")
    try world.write("x\n", "build/deep/a.c")
    try world.write("x\n", ".hidden/a.c")
    try world.write("x\n", "out/a.c")
    try await world.index()
    try world.write("y\n", "build/deep/b.c")
    try world.write("y\n", ".hidden/a.c")
    try world.write("y\n", "out/b.c")
    try world.write("y\n", ".git/x")
    #expect(try world.isCurrent)
  }

  /// What was changed at the time of the snapshot may change once more without another time.
  @Test func filesThatHaveJustChanged() async throws {
    let world = try await World()
    try world.write("x\n", "new.c")
    // Until the snapshot is made the time of a write may be long enough ago.
    try FileManager.default.setAttributes(
      [.modificationDate: Date() + 5], ofItemAtPath: world.clone.path + "/new.c")
    try WorkTreeSurvey(ripgrep: world.ripgrep, index: world.index, maximumFileSize: 1 << 20)
      .update(world.clone.path)
    #expect(try !world.isCurrent)
    #expect(world.targets("nothing") == ["."])
  }

  /// Files whose text is not known may match: long ones, and those that cannot be read.
  @Test func unknownTexts() async throws {
    let world = try await World([
      "a.c": "needle\n", "long.c": String(repeating: "long line\n", count: 200_000),
    ])
    try await world.index()
    #expect(world.targets("nothing") == ["."])
  }

  /// Of a file that is no text, rg searches what is before the first NUL.
  @Test func binaryFiles() async throws {
    let world = try await World()
    for (name, bytes) in [
      ("png", [0x89, 0x50, 0x4E, 0x47, 0] + Array("needle".utf8)), ("late", Array("early\0late".utf8)),
    ] {
      try Data(bytes).write(to: URL(fileURLWithPath: world.path(name)))
    }
    try world.write("version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 3\n", "pointer")
    try await world.index()
    #expect(world.targets("late").isEmpty)
    // It is searched in another way when it is named.
    #expect(world.targets("early") == ["."] && world.targets("sha256:abc") == ["pointer"])
  }

  /// A damaged snapshot is one that says nothing.
  @Test func damage() async throws {
    let world = try await World()
    try await world.index()
    let snapshot = try #require(
      try world.index.snapshots(of: [world.clone.path])[Array(world.clone.path.utf8)])
    for length in stride(from: 0, to: snapshot.count, by: 7) {
      let environment = RipgrepRules(world.ripgrep).environment
      #expect(
        !WorkTreeSnapshot.isCurrent(snapshot.prefix(length), root: world.clone.path, environment: environment)
      )
      try world.index.setSnapshot(snapshot.prefix(length), of: world.clone.path, blobs: [])
      #expect(world.targets("nothing") == ["."])
    }
    try world.index.setSnapshot(snapshot, of: world.clone.path, blobs: [])
    #expect(world.targets("nothing").isEmpty)
  }

  /// In Rust's syntax nothing is required that a match may lack.
  @Test(
    arguments: [
      ("abc", "abc", true), ("[a[bc]]xyz", "cxyz", true), ("[a-z&&[^b]]xyz", "axyz", true),
      ("x{2}yz", "xxyz", true),
      ("a{1,2}bcd", "abcd", true), ("\\<abc\\>", "abc", true), ("\\b{start}abc", "abc", true),
      ("(?x) a b c d", "abcd", true),
      ("(?-u)\\xFFabc", "zzz", true), ("[]a]bcd", "]bcd", true), ("[^]a]bcd", "xbcd", true),
      ("a|bcd", "a", true),
      ("foo(?:x?+)bar", "fooxxbar", true), ("a++bcd", "aabcd", true), ("abc", "abd", false),
      ("(abc|def)", "xyz", false), ("\\babc", "xyz", false),
    ])
  func syntaxOfRust(_ pattern: String, _ text: String, _ canMatch: Bool) async throws {
    let world = try await World(["a.c": text + "\n"])
    try await world.index()
    #expect(!world.targets(pattern).isEmpty == canMatch)
  }
}
