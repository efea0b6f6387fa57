import Foundation
import TestSupport
import Testing

/// `clones` and `show`, with the catalogue on disk.
struct CloneTests {
  @Test func addScanListRemove() async throws {
    let program = try Program()
    let first = try await program.makeClone("owner/one")
    try await program.makeClone("owner/two", remote: "git@github.com:owner/two.git")
    let added = try await program.run(["clones", "add", program.source])
    #expect(added.status == 0)
    #expect(added.out == "")
    #expect(added.err == "forage: \(program.source): 2 clones, 2 new or changed\n")
    let again = try await program.run(["clones", "scan"])
    #expect(again.status == 0)
    #expect(again.err == "forage: \(program.source): 2 clones, 0 new or changed\n")

    let list = try await program.run(["clones", "list", "--format", "json"])
    let document = try list.json()
    #expect(document.keys == ["schema", "clones"])
    let clones = document["clones"]?.array ?? []
    let keys: Set<String> = [
      "path", "id", "url", "branch", "commit", "lastCommitAt", "language", "sizeBytes", "error",
    ]
    #expect(clones.count == 2)
    #expect(clones.allSatisfy { $0.keys.isSubset(of: keys) })
    #expect(clones.compactMap { $0["id"]?.string } == ["github.com/owner/one", "github.com/owner/two"])
    #expect(clones.first?["path"]?.string == first.path)
    let head = try await first.git("rev-parse HEAD")
    #expect(clones.first?["commit"]?.string == head)
    #expect(clones.first?["language"]?.string == "Swift")
    #expect(try await program.run(["clones"]).outLines.count == 2)

    try await first.commit(
      "second", files: ["b.swift": "print(2)\n"], date: TemporaryRepository.defaultDate + 60)
    #expect(try await program.run(["clones", "scan"]).err.hasSuffix(": 2 clones, 1 new or changed\n"))
    try FileManager.default.removeItem(atPath: first.path)
    #expect(try await program.run(["clones", "scan"]).err.contains("1 clone, 0 new or changed, 1 gone"))
    #expect(try await program.run(["clones"]).outLines.count == 1)

    let removed = try await program.run(["clones", "remove", program.source])
    #expect(removed.status == 0)
    #expect(removed.err.contains("nothing deleted"))
    #expect(FileManager.default.fileExists(atPath: program.source + "/two"))
    #expect(try await program.run(["clones"]).status == 1)
    #expect(try await program.run(["clones", "remove", program.source]).status == 2)
    #expect(try await program.run(["clones", "scan"]).status == 1)
  }

  /// What is ignored is in no list and no search until it is no longer ignored; the user's settings are not
  /// written.
  @Test func ignoring() async throws {
    let program = try Program()
    for name in ["one", "two", "x-mirror", "old/three"] { try await program.makeClone("owner/" + name) }
    try await TemporaryRepository.make("home/src/group/deep", in: program.home.directory).commit(files: [
      "a": "b"
    ])
    try program.home.writeConfig("forage/config.yaml", "clones:\n  ignore: ['*-mirror']\n")
    let added = try await program.run(["clones", "add", program.source])
    #expect(added.err == "forage: \(program.source): 4 clones, 4 new or changed\n")
    func names() async throws -> [String] {
      try await program.run(["clones", "--format", "json"]).json()["clones"]?.array.compactMap {
        $0["path"]?.string.map { String($0.dropFirst(program.source.count + 1)) }
      } ?? []
    }
    let ignored = try await program.run(["clones", "ignore", "src/group", program.source + "/tw*"])
    #expect(ignored.status == 0 && ignored.out == "", "\(ignored.err)")
    #expect(
      ignored.err == """
        forage: \(program.source)/group is ignored: 1 clone left out of searches and lists, nothing deleted
        forage: \(program.source)/tw* is ignored: 1 clone left out of searches and lists, nothing deleted

        """)
    #expect(try await names() == ["one", "three"])
    #expect(try await program.run(["search", "two", "-p", "local"]).status == 1)
    #expect(
      try await program.run(["clones", "scan"]).err
        == "forage: \(program.source): 2 clones, 0 new or changed\n")
    let listed = try await program.run(["clones", "ignore"])
    let file = program.home.home.path.trimmingSuffix("/") + "/.config/forage/"
    #expect(
      listed.out == """
        *-mirror\t\(file)config.yaml:2
        \(program.source)/group\t\(file)clones.ignored.yaml
        \(program.source)/tw*\t\(file)clones.ignored.yaml

        """, "\(listed.out)")
    #expect(try await program.run(["clones", "ignore", "--remove", "src/group"]).status == 0)
    #expect(try await names() == ["group/deep", "one", "three"])
    #expect(try await program.run(["clones", "ignore", "--remove", "src/group"]).status == 2)
    let ofSettings = try await program.run(["clones", "ignore", "--remove", "*-mirror"])
    #expect(ofSettings.status == 2 && ofSettings.err.contains("config.yaml:2"), "\(ofSettings.err)")
    #expect(try await program.run(["clones", "ignore", "--remove"]).status == 2)
  }

  /// Commands that take folders take names of clones, too.
  @Test func foldersByTheNamesOfClones() async throws {
    let program = try Program()
    for name in ["other/wheel", "acme/engine"] { try await program.makeClone(name) }
    try await program.addClones()
    let wheel = program.source + "/wheel"
    for (arguments, message) in [
      (["index", "other/wheel"], "1 clone"),
      (["ignore", "other/wheel"], "\(wheel) is ignored: 1 clone left out"),
      (["ignore", "--remove", "other/wheel"], "\(wheel) is no longer ignored"),
      (["remove", "wheel"], "\(wheel) is ignored from now on"),
    ] {
      let result = try await program.run(["clones"] + arguments)
      #expect(result.status == 0 && result.err.contains(message), "\(arguments) \(result)")
    }
    let before = try await program.run(["clones", "ignore"]).out
    for arguments in [
      ["ignore", "other/nothing"], ["remove", "other/nothing"], ["index", "other/nothing"],
    ] {
      let result = try await program.run(["clones"] + arguments)
      #expect(result.status == 2, "\(arguments) \(result)")
    }
    #expect(try await program.run(["clones", "ignore"]).out == before && before.hasPrefix(wheel + "\t"))
    // A path that is there is meant before the name of a clone.
    let folder = program.home.home.path + "/engine"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let result = try await program.run(["clones", "ignore", "engine"])
    #expect(result.status == 0 && result.err.contains("\(folder) is ignored"), "\(result)")
  }

  /// A single clone that is removed does not come back with the next scan, but when it is added.
  @Test func removingOneClone() async throws {
    let program = try Program()
    for name in ["one", "two"] { try await program.makeClone("owner/" + name) }
    try await program.addClones()
    let removed = try await program.run(["clones", "remove", "src/one"])
    #expect(
      removed.status == 0 && removed.err.contains("forage clones ignore --remove \(program.source)/one"))
    #expect(try await program.run(["clones"]).outLines.count == 1)
    #expect(try await program.run(["clones", "scan"]).err.contains(": 1 clone, 0 new"))
    #expect(try await program.run(["clones"]).outLines.count == 1)
    #expect(try await program.run(["clones", "remove", "src/gone"]).status == 2)
    let added = try await program.run(["clones", "add", "src/one"])
    #expect(
      added.status == 0 && added.err.contains("\(program.source)/one is no longer ignored\n"), "\(added.err)")
    #expect(try await program.run(["clones"]).outLines.count == 2)
    // A clone that was added by itself, in a folder that covers it.
    #expect(try await program.run(["clones", "remove", "src/one"]).err.contains("is ignored from now on"))
    #expect(try await program.run(["clones", "scan"]).status == 0)
    #expect(try await program.run(["clones"]).outLines.count == 1)
  }

  /// The first three clones that cannot be read are named, each with what to do, and how many more there are;
  /// so are submodules.
  @Test func whatAScanCouldNotRead() async throws {
    let program = try Program()
    let outer = try await program.makeClone("owner/outer")
    for index in 1...5 {
      try program.home.directory.write(
        "home/src/w\(index)/.git", "gitdir: /nowhere/.git/worktrees/w\(index)\n")
    }
    try program.home.directory.write("home/src/outer/sub/.git", "gitdir: ../.git/modules/sub\n")
    let added = try await program.run(["clones", "add", program.source])
    #expect(added.status == 0)
    for index in 1...3 {
      #expect(
        added.err.contains("hint: if that was moved, run `git worktree repair \(program.source)/w\(index)`"))
    }
    #expect(
      !added.err.contains("/w4") && added.err.contains("2 more clones could not be read"), "\(added.err)")
    #expect(added.err.contains("to add one, run: forage clones add \(outer.path)/sub\n"), "\(added.err)")
    #expect(added.err.contains("5 damaged or unreadable"))
  }

  /// One idea of what a clone is: a bare repository behind a `.git` is the same to the catalogue, `inspect`,
  /// `show` and `repo:.`.
  @Test func bareRepositoryBehindAGitFile() async throws {
    let program = try Program()
    let origin = try await program.makeClone("owner/thing")
    let folder = program.source + "/p"
    try await origin.git(["clone", "--quiet", "--bare", origin.path, folder + "/.bare"])
    try await origin.git([
      "-C", folder + "/.bare", "remote", "set-url", "origin", "https://github.com/owner/p",
    ])
    try program.home.directory.write("home/src/p/.git", "gitdir: ./.bare\n")
    try await origin.git(["-C", folder, "worktree", "add", "--quiet", "-b", "side", folder + "/side"])
    let added = try await program.run(["clones", "add", program.source])
    #expect(added.err == "forage: \(program.source): 3 clones, 3 new or changed\n")
    for path in [folder, folder + "/.bare"] {
      let report = try await program.run(["inspect", path, "--format", "json"]).json()
      #expect(report["path"]?.string == folder && report["bare"] == .bool(true), "\(path)")
      let shown = try await program.run(["show", path, "-p", "local", "--format", "json"]).json()
      #expect(shown["item"]?["id"]?.string == "github.com/owner/p", "\(path)")
    }
    let safe = try await program.run(["clones", "list", "--safe-to-delete"])
    #expect(safe.status == 1 && safe.out == "", "\(safe.err)")
  }

  @Test func relativeFolders() async throws {
    let program = try Program()
    try await program.makeClone("owner/one")
    #expect(try await program.run(["clones", "add", "src"]).status == 0)
    #expect(try await program.run(["clones"]).out.hasPrefix(program.source + "/one\t"))
    #expect(try await program.run(["clones", "remove", "src"]).status == 0)
  }

  @Test func brokenClonesAreListedAndTold() async throws {
    try await withProgram(FakeGitHub()) { program, _ in
      let clone = try await program.makeClone("owner/broken")
      try await program.makeClone("owner/fine")
      try Data("garbage\n".utf8).write(to: URL(fileURLWithPath: clone.path + "/.git/HEAD"))
      let added = try await program.run(["clones", "add", program.source])
      #expect(added.status == 0)
      let search = try await program.run(["search", "fine", "-p", "local"])
      #expect(search.status == 0)
      #expect(search.out.hasPrefix("owner/fine\t"))
      let doctor = try await program.run(["doctor", "--format", "tsv"])
      #expect(doctor.status == 4 && doctor.out.contains("clones\tproblem\t\(clone.path)"), "\(doctor.out)")
    }
  }

  /// Everything that names the same repository.
  @Test func show() async throws {
    let known = FakeRepository(id: 1, fullName: "owner/thing", description: "A thing", stars: 42)
    try await withProgram(FakeGitHub(repositories: [known])) { program, server in
      let clone = try await program.makeClone("owner/thing")
      try await program.addClones()
      for reference in [
        "owner/thing", "github.com/owner/thing", "https://github.com/owner/thing",
        "git@github.com:owner/thing.git",
        "https://github.com/owner/thing.git", clone.path, "./src/thing",
        "~/src/thing".replacing("~", with: program.home.home.path.trimmingSuffix("/")),
      ] {
        let result = try await program.run(["show", reference, "--format", "json"])
        #expect(result.status == 0, "\(reference): \(result.err)")
        let record = try result.json()
        #expect(record.keys == ["schema", "item", "local", "providers"], "\(reference)")
        #expect(record["item"]?["id"]?.string == "github.com/owner/thing", "\(reference)")
        #expect(record["item"]?["stars"] == .int(42))
        #expect(record["item"]?["path"]?.string == clone.path)
        #expect(record["local"]?["commits"]?["count"] == .int(1))
        #expect(record.provider("github")?["state"]?.string == "ok")
      }
      server.forgetRequests()
      let local = try await program.run(["show", "owner/thing", "-p", "local", "--format", "json"])
      #expect(local.status == 0)
      #expect(server.requests.isEmpty)
      for reference in ["owner/unknown", "github.com/owner/unknown", "https://github.com/owner/unknown"] {
        let result = try await program.run(["show", reference])
        #expect(result.status == 1)
        #expect(result.out == "")
        #expect(expectMessages(result).count == 1)
      }
    }
  }

  /// A clone whose forge does not have it (any more): its record says so, and where only the forge is asked
  /// there is none.
  @Test func aCloneThatItsForgeDoesNotHave() async throws {
    try await withProgram(FakeGitHub()) { program, _ in
      let clone = try await program.makeClone("owner/gone")
      try await program.addClones()
      let shown = try await program.run(["show", "owner/gone", "--format", "json"])
      let record = try shown.json()
      #expect(shown.status == 0 && record["item"]?["path"]?.string == clone.path)
      #expect(record["notes"]?.array.count == 1 && expectMessages(shown).count == 1, "\(shown.err)")
      #expect(shown.err.contains("has no owner/gone"), "\(shown.err)")
      let forge = try await program.run(["show", "owner/gone", "-p", "github", "--format", "json"])
      #expect(forge.status == 1 && forge.out == "" && expectMessages(forge).count == 1, "\(forge.err)")
      let both = try await program.run(["show", "owner/gone", "-p", "github,local", "--format", "json"])
      #expect(both.status == 0 && !both.out.isEmpty, "\(both.err)")
    }
  }

  /// Clones of different origins with one history are related, on both sides; what their forge calls a fork
  /// is not.
  @Test func oneHistoryRelates() async throws {
    let thing = FakeRepository(id: 1, fullName: "owner/thing")
    let fork = FakeRepository(id: 2, fullName: "other/thing").with { $0.fork = true }
    try await withProgram(FakeGitHub(repositories: [thing, fork])) { program, _ in
      let clone = try await program.makeClone("owner/thing")
      for (folder, remote) in [
        ("moved", "https://gitlab.com/owner/thing"), ("forked", "https://github.com/other/thing"),
      ] as [(String, String)] {
        try await clone.git(["clone", "--quiet", clone.path, program.source + "/" + folder])
        try await clone.git(["-C", program.source + "/" + folder, "remote", "set-url", "origin", remote])
      }
      try await program.addClones()
      let answer = try await program.run(["search", "thing", "--format", "json"]).json()
      func related(_ item: JSON?) -> [String] {
        (item?["related"]?.array ?? []).compactMap { $0["id"]?.string }
      }
      #expect(answer.item("gitlab.com/owner/thing")?["related"]?[0]?["why"]?.string == "same history")
      #expect(related(answer.item("github.com/owner/thing")).contains("gitlab.com/owner/thing"))
      #expect(related(answer.item("gitlab.com/owner/thing")).contains("github.com/owner/thing"))
      let forks = try await program.run(["search", "thing", "fork:true", "--format", "json"])
      #expect(try forks.json()["items"]?.array.count == 2)
      #expect(!forks.out.contains("same history"))
      let shown = try await program.run(["show", "owner/thing", "--format", "json"]).json()
      #expect(related(shown["item"]).contains("gitlab.com/owner/thing"))
      let shownFork = try await program.run(["show", "other/thing", "--format", "json"]).json()
      #expect(related(shownFork["item"]).isEmpty)
    }
  }

  @Test func showWithoutANetwork() async throws {
    let program = try Program()
    let clone = try await program.makeClone("owner/thing")
    try await program.addClones()
    let result = try await program.run(["show", "owner/thing", "--format", "json"])
    #expect(result.status == 0)
    #expect(try result.json()["item"]?["path"]?.string == clone.path)
    #expect(expectMessages(result).first?.hasPrefix("github: ") == true)
    #expect(try await program.run(["show", "owner/other"]).status == 4)
  }

  @Test func aCloneWithoutARemote() async throws {
    let program = try Program()
    let clone = try await TemporaryRepository.make("home/src/lonely", in: program.home.directory)
    let about = "A program that prints one number."
    try await clone.commit(
      "first", files: ["lonely.py": "print(1)\n", "README.md": "# Lonely\n\n\(about)\n"])
    try await program.addClones()
    let found = try await program.run(["search", "lonely", "-p", "local", "--format", "json"])
    #expect(try found.json()["items"]?[0]?["path"]?.string == clone.path)
    let shown = try await program.run(["show", clone.path, "--format", "json"])
    #expect(shown.status == 0)
    #expect(try shown.json()["item"]?["description"]?.string == about)
    #expect(try shown.json()["local"]?["commits"]?["count"] == .int(1))
  }

  @Test func aStoreThatCannotBeWritten() async throws {
    let program = try Program()
    try await program.makeClone("owner/thing")
    try await program.addClones()
    let files = FileManager.default
    let folder = program.home.data.path + "/forage"
    // The other user, as whom it is run, may read the store.
    try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder + "/forage.db")
    try files.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
    defer { try? files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder) }
    let result = try await program.runUnprivileged(["search", "thing", "-p", "local"])
    expectSane(result, ["search"])
    #expect(result.status == 0, "\(result.err)")
    #expect(result.out.hasPrefix("owner/thing\t"))
    let scan = try await program.runUnprivileged(["clones", "scan"])
    expectSane(scan, ["clones", "scan"])
    #expect(scan.status != 0)
    #expect(!expectMessages(scan).isEmpty)
  }

  @Test func aDamagedStore() async throws {
    try await withProgram(FakeGitHub(repositories: matching(2))) { program, _ in
      try program.home.directory.write(
        "home/.local/share/forage/forage.db", String(repeating: "garbage ", count: 2000))
      let doctor = try await program.run(["doctor"])
      #expect(doctor.status == 4)
      let search = try await program.run(["search", "match", "-p", "github"])
      #expect(search.status == 0, "\(search.err)")
      #expect(search.outLines.count == 2)
      let clones = try await program.run(["clones"])
      #expect(clones.status == 4)
      #expect(expectMessages(clones).count >= 1)
    }
  }

  @Test func twoScansAtOnceLoseNothing() async throws {
    let program = try Program()
    for index in 0..<4 { try await program.makeClone("owner/n\(index)") }
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          let result = try? await program.run(["clones", "add", program.source])
          #expect(result?.status == 0, "\(result?.err ?? "")")
        }
      }
    }
    #expect(try await program.run(["clones"]).outLines.count == 4)
  }
}
