import Foundation
import Synchronization
import TestSupport
import Testing

/// `forage clones fetch`, `pull`, `run` and `delete` of the built program, on clones of repositories on this
/// disk.
struct FleetRunTests {
  struct World {
    let program: Program
    let forge: GitForge
    /// The repositories on the forge, by name.
    var sources: [String: TemporaryRepository] = [:]

    func path(_ name: String) -> String { program.source + "/github.com/" + name }

    func clone(_ name: String) throws -> TemporaryRepository {
      try TemporaryRepository(at: path(name), in: program.home.directory)
    }

    func run(_ arguments: String..., stdin: String? = nil) async throws -> ProcessResult {
      try await program.run(arguments, stdin: stdin.map { Data($0.utf8) })
    }

    /// The documents of a command by the names of the clones.
    func documents(_ arguments: String..., member: String = "clones") async throws -> [String: JSON] {
      let result = try await program.run(
        arguments.prefix(2) + ["--format", "json"] + arguments.dropFirst(2))
      let list = try result.json()[member]?.array ?? []
      let host = /^(github\.com|127\.0\.0\.1(:[0-9]+)?)\//
      return Dictionary(
        list.map { ($0["id"]?.string?.replacing(host, with: "") ?? "", $0) }
      ) { first, _ in first }
    }
  }

  /// Makes a forge with repositories, and clones them.
  static func withClones(
    _ names: [String], _ hosts: [String: String] = [:], _ body: (World) async throws -> Void
  ) async throws {
    let program = try Program(adding: ["PATH": "/usr/bin:/bin"])
    var world = World(program: program, forge: try GitForge(in: program.home.directory, elsewhere: hosts))
    for name in names { world.sources[name] = try await world.forge.add(name) }
    let cloned = try await program.run(["clone"] + names)
    try #require(cloned.status == 0, "\(cloned.err)")
    try await body(world)
  }

  /// A name means the same clones to every command; what deletes takes none that several repositories have.
  @Test func names() async throws {
    try await Self.withClones(["o/engine", "p/engine", "p/web-shop", "q/other"]) { world in
      let folder = world.program.source
      let all = ["o/engine", "p/engine"].map { world.path($0) }
      for (name, paths) in [
        ("engine", all), ("p/engine", [all[1]]), ("p/*", [all[1], world.path("p/web-shop")]),
        (folder + "/github.com/p", [all[1], world.path("p/web-shop")]),
        (folder + "/github.com/o/engine", [all[0]]),
        ("https://github.com/o/engine.git", [all[0]]), ("git@github.com:o/engine", [all[0]]),
        ("web", [world.path("p/web-shop")]), ("github.com/q/other", [world.path("q/other")]),
      ] {
        let list = try await world.run("clones", "list", name, "--format", "tsv")
        #expect(
          list.outLines.map { $0.split(separator: "\t").first.map(String.init) } == paths, "\(name) \(list)")
        let run = try await world.run("clones", "run", name, "--", "pwd")
        #expect(Set(run.outLines.filter { $0.hasPrefix("/") }) == Set(paths), "\(name) \(run)")
        let fetch = try await world.run("clones", "fetch", name, "--format", "json")
        let fetched = try fetch.json()["clones"]?.array.compactMap { $0["path"]?.string } ?? []
        #expect(fetched.sorted() == paths, "\(name) \(fetch)")
        let grep = try await world.run("grep", "--files", "-R", name)
        let roots = Set(
          grep.outLines.compactMap { line in paths.first { line.contains($0.dropFirst(folder.count)) } })
        #expect(grep.status == 0 && roots == Set(paths), "\(name) \(grep)")
      }
      let ambiguous = try await world.run("clones", "delete", "engine", "--yes")
      #expect(
        ambiguous.status == 2 && ambiguous.err.contains("engine names 2 clones: \(all[0]), \(all[1])")
          && ambiguous.err.contains("hint: write owner/name, or the path of one"), "\(ambiguous)")
      #expect(all.allSatisfy(FileManager.default.fileExists))
      let inspected = try await world.run("inspect", "engine")
      #expect(inspected.status == 2 && inspected.err.contains("engine names 2 clones"), "\(inspected)")
      let one = try await world.run("clones", "delete", "p/engine", "--yes")
      #expect(one.status == 0 && !FileManager.default.fileExists(atPath: all[1]), "\(one)")
      #expect(FileManager.default.fileExists(atPath: all[0]))
      // A folder above clones is not enough, and a line of another program's output names one clone.
      let above = folder + "/github.com/p"
      let group = try await world.run("clones", "delete", above, "--yes")
      #expect(group.status == 2 && group.err.contains("hint: to mean all in it that are safe"), "\(group)")
      let lines = try await world.run("clones", "delete", "-", "--yes", stdin: ".\n\(above)\np/*\n")
      #expect(lines.status == 4 && expectMessages(lines).count == 3, "\(lines)")
      #expect(FileManager.default.fileExists(atPath: world.path("p/web-shop")))
      // Several globs must all hold, as words.
      let globs = try await world.run("clones", "delete", "p/*", "*/other", "--yes")
      #expect(globs.status == 1, "\(globs)")
      let safe = try await world.run("clones", "delete", above, "--yes", "--safe-to-delete")
      #expect(
        safe.status == 0 && !FileManager.default.fileExists(atPath: world.path("p/web-shop")), "\(safe)")
      #expect(FileManager.default.fileExists(atPath: world.path("q/other")))
    }
  }

  /// What changed is told by branch, with the number of commits, and by tag.
  @Test func fetch() async throws {
    try await Self.withClones(["o/new", "o/same", "o/moved", "o/gone"]) { world in
      let new = try #require(world.sources["o/new"])
      let before = try await new.git("rev-parse HEAD")
      for number in 1...3 { try await new.commit("c\(number)") }
      try await new.git("tag v1.2")
      try await new.git("branch größe")
      try await world.sources["o/moved"]?.git(["commit", "--quiet", "--amend", "-m", "other"])
      try FileManager.default.removeItem(atPath: try #require(world.sources["o/gone"]).path)
      let result = try await world.run("clones", "fetch", "--format", "json")
      #expect(result.status == 3 && expectMessages(result).count == 1, "\(result)")
      let list = try result.json()["clones"]?.array ?? []
      #expect(list.map { $0["status"]?.string } == ["failed", "updated", "updated", "current"])
      let updated = try #require(list.first { $0["id"]?.string == "github.com/o/new" })
      let branches = updated["branches"]?.array ?? []
      #expect(branches.map { $0["name"]?.string } == ["größe", "main"], "\(updated)")
      #expect(branches.map { $0["commits"]?.int } == [3, 3])
      #expect(branches[1]["old"]?.string == before && branches[0]["old"] == nil)
      #expect(updated["tags"]?.array.map(\.string) == ["v1.2"])
      #expect(list[0]["reason"]?.string?.contains("does not appear to be") == true)
      // The work tree is as it was, and lacks what was fetched.
      let behind = try await world.run("clones", "list", "--behind", "--json", "id")
      #expect(behind.out.contains("o/new") && !behind.out.contains("o/same"), "\(behind)")
      let again = try await world.run("clones", "fetch", "o/new", "same")
      #expect(again.status == 0 && again.outLines.count == 2)
      #expect(again.outLines.allSatisfy { $0.contains("\tcurrent\t") })
    }
  }

  @Test func fetchOnATerminal() async throws {
    try await Self.withClones(["o/new", "o/same"]) { world in
      try await world.sources["o/new"]?.commit("next")
      let result = try await world.program.runInTerminal(
        ["clones", "fetch"], streams: .outputAndError, adding: ["NO_COLOR": "1"])
      #expect(result.status == 0)
      let text = result.out.replacing("\r", with: "")
      #expect(text.contains("o/new  main 1 new commit\n"), "\(text)")
      #expect(text.contains("forage: 2 clones: 1 updated, 1 with nothing new\n"), "\(text)")
    }
  }

  /// Only what can lose nothing is changed; the reason of every other clone is told.
  @Test func pull() async throws {
    let names = [
      "clean", "dirty", "ahead", "diverged", "detached", "untracked", "refused", "local", "staged",
    ]
    try await Self.withClones(names.map { "o/" + $0 }) { world in
      for name in names where name != "ahead" {
        try await world.sources["o/" + name]?.commit("next", files: ["new.txt": "theirs\n"])
      }
      try world.clone("o/dirty").write("main.swift", "mine\n")
      try await world.clone("o/ahead").commit("mine")
      try await world.clone("o/diverged").commit("mine")
      try await world.clone("o/detached").git("checkout --quiet --detach")
      try world.clone("o/untracked").write("other.txt", "mine\n")
      try world.clone("o/refused").write("new.txt", "mine\n")
      try await world.clone("o/local").git("checkout --quiet -b own")
      try world.clone("o/staged").write("main.swift", "mine\n")
      try await world.clone("o/staged").git("add main.swift")
      let heads = try await heads(names, world)
      let found = try await world.documents("clones", "pull")
      let reasons = found.mapValues { $0["reason"]?.string ?? $0["status"]?.string ?? "" }
      #expect(
        reasons == [
          "o/clean": "updated", "o/untracked": "updated", "o/dirty": "it has changes that are not committed",
          "o/staged": "it has changes that are not committed", "o/ahead": "current",
          "o/diverged": "diverged: 1 commit ahead, 1 behind", "o/detached": "no branch is checked out",
          "o/refused": "untracked files would be overwritten", "o/local": "own has no upstream",
        ])
      let after = try await self.heads(names, world)
      #expect(names.filter { heads[$0] != after[$0] } == ["clean", "untracked"])
      #expect(try String(contentsOfFile: world.path("o/refused/new.txt"), encoding: .utf8) == "mine\n")
      #expect(try String(contentsOfFile: world.path("o/clean/new.txt"), encoding: .utf8) == "theirs\n")
      // The catalogue knows what was pulled.
      let listed = try await world.run("clones", "list", "clean", "--json", "commit")
      #expect(listed.out.contains(after["clean"] ?? "?"))
      for name in names {
        #expect(!FileManager.default.fileExists(atPath: world.path("o/\(name)/.git/index.lock")))
      }
    }
  }

  /// A reader that ends early does not stop the work, and a command that prints nothing prints no name.
  @Test func aReaderThatEndsEarly() async throws {
    let names = (0..<12).map { "o/n\($0)" }
    try await Self.withClones(names) { world in
      let script = """
        { $forage clones run --jobs 1 -- sh -c 'touch done; echo printed'; echo $? >status; } | head -n 1
        """
      let run = try await world.program.runScript(script)
      #expect(run.outLines.count == 1)
      for name in names { #expect(FileManager.default.fileExists(atPath: world.path(name + "/done"))) }
      let status = world.program.home.home.appendingPathComponent("status")
      #expect(try String(contentsOf: status, encoding: .utf8) == "0\n")
      let silent = try await world.run("clones", "run", "--", "true")
      #expect(silent.out == "" && silent.status == 0, "\(silent)")
    }
  }

  /// Commits that no remote has count, whatever the branch; `clones status` tells them.
  @Test func unpushedCommits() async throws {
    let names = ["clean", "branch", "detached", "local"]
    try await Self.withClones(names.map { "o/" + $0 }) { world in
      let branch = try world.clone("o/branch")
      try await branch.git("checkout --quiet -b größe")
      for message in ["one", "two"] { try await branch.commit(message) }
      try await branch.git("checkout --quiet main")
      let detached = try world.clone("o/detached")
      try await detached.git("checkout --quiet --detach")
      try await detached.commit("lost")
      try await world.clone("o/local").git("remote remove origin")
      // A mirror has the branches of its remote.
      let source = try #require(world.sources["o/clean"])
      let mirror = world.program.source + "/mirror.git"
      try await source.git(["clone", "--quiet", "--mirror", source.path, mirror])
      let mirrored = try await world.run("clones", "status", "mirror", "--json", "unpushed")
      #expect(mirrored.out == "[{\"unpushed\":0}]\n", "\(mirrored)")
      let listed = try await world.run("clones", "list", "--unpushed", "--json", "path,unpushed")
      let found = try listed.json().array.map { clone in
        "\(clone["path"]?.string?.split(separator: "/").last ?? "") \(clone["unpushed"]?.int ?? -1)"
      }
      #expect(found == ["branch 2", "detached 1", "local 1"], "\(listed)")
      for format in ["tsv", "json"] {
        let status = try await world.run("clones", "status", "--format", format)
        let list = try await world.run("clones", "list", "--status", "--format", format)
        #expect(status.status == 0 && status.out == list.out && !status.out.isEmpty)
      }
      let table = try await world.program.runScript("$forage clones status")
      #expect(table.out.contains("UNPUSHED"), "\(table)")
    }
  }

  /// The submodules that are checked out follow a pull, so that the next one is possible; others stay as they
  /// are.
  @Test func submodulesFollowAPull() async throws {
    let program = try Program(adding: ["PATH": "/usr/bin:/bin"])
    try program.home.directory.write("home/.gitconfig", "[protocol \"file\"]\n\tallow = always\n")
    let inner = try await TemporaryRepository.make("up/inner", in: program.home.directory)
    try await inner.commit("first", files: ["größe": "1\n"])
    let outer = try await TemporaryRepository.make("up/outer", in: program.home.directory)
    for name in ["lib", "other"] { try await outer.git(["submodule", "--quiet", "add", inner.path, name]) }
    try await outer.commit("first")
    let path = program.source + "/outer"
    try await outer.git(["clone", "--quiet", "file://" + outer.path, path])
    try await outer.git(["-C", path, "submodule", "--quiet", "update", "--init", "lib"])
    try await program.addClones()
    try await inner.commit("second", files: ["größe": "2\n"])
    for name in ["lib", "other"] { try await outer.git(["-C", name, "pull", "--quiet"]) }
    try await outer.commit("second")
    for status in ["updated", "current"] {
      let pulled = try await program.run(["clones", "pull", "--format", "json"])
      #expect(try pulled.json()["clones"]?[0]?["status"]?.string == status, "\(pulled)")
    }
    #expect(try await outer.git(["-C", path, "status", "--porcelain"]).isEmpty)
    #expect(try String(contentsOfFile: path + "/lib/größe", encoding: .utf8) == "2\n")
    #expect(!FileManager.default.fileExists(atPath: path + "/other/größe"))
  }

  /// A submodule whose commit is on no remote yet keeps the clone as it is, and so the next pull possible.
  @Test func aSubmoduleThatCannotFollow() async throws {
    let program = try Program(adding: ["PATH": "/usr/bin:/bin"])
    try program.home.directory.write("home/.gitconfig", "[protocol \"file\"]\n\tallow = always\n")
    let inner = try await TemporaryRepository.make("up/inner", in: program.home.directory)
    try await inner.commit("first")
    let outer = try await TemporaryRepository.make("up/outer", in: program.home.directory)
    try await outer.git(["submodule", "--quiet", "add", inner.path, "lib"])
    try await outer.commit("first")
    let path = program.source + "/outer"
    try await outer.git(["clone", "--quiet", "--recurse-submodules", "file://" + outer.path, path])
    try await program.addClones()
    try await outer.git(["-C", "lib", "commit", "--quiet", "--allow-empty", "-m", "own"])
    try await outer.commit("second")
    func pull() async throws -> JSON? {
      try await program.run(["clones", "pull", "--format", "json"]).json()["clones"]?[0]
    }
    for _ in 1...2 {
      let pulled = try await pull()
      #expect(pulled?["status"]?.string == "failed", "\(String(describing: pulled))")
      #expect(try await outer.git(["-C", path, "status", "--porcelain"]).isEmpty)
    }
    let again = try await pull()
    #expect(again?["reason"]?.string?.hasPrefix("its submodule lib cannot follow: ") == true)
    try await outer.git(["-C", "lib", "push", "--quiet", "origin", "HEAD:refs/heads/later"])
    let pulled = try await pull()
    #expect(pulled?["status"]?.string == "updated", "\(String(describing: pulled))")
    #expect(try await outer.git(["-C", path, "status", "--porcelain"]).isEmpty)
    let followed = try await outer.git(["-C", path + "/lib", "rev-parse", "HEAD"])
    #expect(try await outer.git("-C lib rev-parse HEAD") == followed)
  }

  /// Every remote is asked, as the one that a fork comes from; a branch that became a folder names the way
  /// out.
  @Test func everyRemote() async throws {
    try await Self.withClones(["o/fork"]) { world in
      let upstream = try await TemporaryRepository.make("up/stream", in: world.program.home.directory)
      try await upstream.commit("first")
      let clone = try world.clone("o/fork")
      try await clone.git(["remote", "add", "upstream", "file://" + upstream.path])
      let fetched = try await world.documents("clones", "fetch")["o/fork"]
      #expect(fetched?["status"]?.string == "updated", "\(String(describing: fetched))")
      #expect(fetched?["branches"]?.array.map { $0["name"]?.string } == ["upstream/main"])
      let source = try #require(world.sources["o/fork"])
      try await source.git("branch feature")
      #expect(try await world.run("clones", "fetch").status == 0)
      try await source.git("branch -m feature feature/x")
      let blocked = try await world.run("clones", "fetch")
      #expect(blocked.status == 4 && blocked.err.contains("forage clones fetch --prune "), "\(blocked)")
      #expect(try await world.run("clones", "fetch", "--prune").status == 0)
      try await source.git("tag v1")
      try await clone.git(["config", "remote.origin.tagOpt", "--tags"])
      #expect(try await world.run("clones", "fetch").status == 0)
      try await source.commit("second")
      try await source.git("tag --force v1")
      let moved = try await world.run("clones", "fetch")
      #expect(moved.status == 4 && moved.err.contains(" fetch --all --tags --force\n"), "\(moved)")
    }
  }

  private func heads(_ names: [String], _ world: World) async throws -> [String: String] {
    var heads: [String: String] = [:]
    for name in names { heads[name] = try await world.clone("o/" + name).git("rev-parse HEAD") }
    return heads
  }

  /// Names add up, words and conditions must all hold, and what names nothing is told.
  @Test func choosing() async throws {
    try await Self.withClones(["o/alpha", "o/alpha-two", "p/beta", "p/gamma.x"]) { world in
      func chosen(_ arguments: String..., stdin: String? = nil) async throws -> [String] {
        let result = try await world.program.run(
          ["clones", "run"] + arguments + ["--format", "tsv", "--", "/bin/true"],
          stdin: stdin.map { Data($0.utf8) })
        return result.outLines.map { String($0.prefix { $0 != "\t" }.split(separator: "/").last ?? "") }
          .sorted()
      }
      #expect(try await chosen() == ["alpha", "alpha-two", "beta", "gamma.x"])
      #expect(try await chosen("alpha") == ["alpha"])
      #expect(try await chosen("alph") == ["alpha", "alpha-two"])
      #expect(try await chosen("alph", "two") == ["alpha-two"])
      #expect(try await chosen("o/alpha", "p/beta") == ["alpha", "beta"])
      #expect(try await chosen(world.path("p/gamma.x"), "https://github.com/p/beta") == ["beta", "gamma.x"])
      try world.clone("p/beta").write("main.swift", "mine\n")
      #expect(try await chosen("--dirty") == ["beta"])
      #expect(try await chosen("o/alpha", "--dirty") == [])
      let list = try await world.run("clones", "list", "--format", "tsv")
      #expect(try await chosen("-", stdin: list.out) == ["alpha", "alpha-two", "beta", "gamma.x"])
      let none = try await world.run("clones", "fetch", "nobody/there")
      #expect(none.status == 1 && expectMessages(none).first == "no clone matches nobody/there")
      let wrong = try await world.run("clones", "fetch", "./nowhere")
      #expect(wrong.status == 2 && expectMessages(wrong).count == 1)
      let some = try await world.run("clones", "fetch", "-", stdin: "o/alpha\n/nowhere\n")
      #expect(some.status == 3 && some.outLines.count == 1)
      let numbered = try await world.program.runScript(
        """
        $forage clones list alpha
        $forage clones run 2 -- /bin/pwd
        $forage clones run 7 -- /bin/pwd
        echo "status $?"
        """, streams: .outputAndError)
      #expect(numbered.out.contains("o/alpha-two\n/") && numbered.out.contains("has no 7"), "\(numbered.out)")
      #expect(numbered.out.contains("status 2"))
      let nobody = try await world.run("clones", "fetch", "-", stdin: "")
      #expect(nobody.status == 1 && expectMessages(nobody) == ["standard input names no clone"])
    }
  }

  /// The output of a command is whole, unchanged, and that of its clone.
  @Test func runningACommand() async throws {
    let names = (0..<12).map { "o/n\($0)" }
    try await Self.withClones(names) { world in
      let script = """
        echo "begin $FORAGE_REPOSITORY"; printf 'a\\377\\033[1m\\n'; sleep 0.05
        echo "end $FORAGE_REPOSITORY $FORAGE_CLONE"; echo "error $FORAGE_REPOSITORY" >&2; pwd >&2; cat
        case $FORAGE_REPOSITORY in */n3) exit 7;; */n4) kill -9 $$;; esac
        """
      let result = try await world.run("clones", "run", "--", "sh", "-c", script)
      #expect(result.status == 3)
      let blocks = result.out.components(separatedBy: "begin ").dropFirst()
      #expect(blocks.count == 12)
      for block in blocks {
        let id = block.prefix { $0 != "\n" }
        let isWhole =
          block.contains("end \(id) \(world.path(String(id.dropFirst("github.com/".count))))\n")
          || id.hasSuffix("/n4")
        #expect(isWhole, "\(block)")
      }
      #expect(result.stdout.contains(Data([0x61, 0xFF, 0x1B, 0x5B])))
      #expect(result.err.contains("sh failed in 2 of 12 clones: ") && result.err.contains("o/n4 (137)"))
      let runs = try await world.documents("clones", "run", "--", "sh", "-c", script, member: "runs")
      #expect(runs["o/n3"]?["status"]?.int == 7 && runs["o/n4"]?["status"]?.int == 137)
      #expect(runs["o/n5"]?["stderr"]?.string == "error github.com/o/n5\n\(world.path("o/n5"))\n")
      // Without a shell nothing is expanded, and options of the command are its own.
      let plain = try await world.run("clones", "run", "n5", "--", "echo", "$HOME", "--json", "--", "*")
      #expect(plain.out.hasSuffix("\n$HOME --json -- *\n"), "\(plain)")
      // An option without its value runs nothing.
      let swallowed = try await world.run("clones", "run", "-q", "--", "touch", "made")
      #expect(swallowed.status == 2 && expectMessages(swallowed).first == "--jq takes an expression, not --")
      #expect(!FileManager.default.fileExists(atPath: world.path("o/n5/made")))
      let none = try await world.run("clones", "run", "--", "no-such-program")
      #expect(none.status == 2 && expectMessages(none).first == "there is no program no-such-program")
      #expect(try await world.run("clones", "run").status == 2)
      let late = try await world.run("clones", "run", "n5", "--timeout", "0.2", "--", "sleep", "30")
      #expect(late.status == 4 && late.err.contains("did not end within"), "\(late)")
    }
  }

  /// An interruption ends the programs that run, shows what is done, and leaves none of their files.
  @Test(arguments: [SIGINT, SIGTERM]) func anInterruption(_ signal: Int32) async throws {
    try await Self.withClones(["o/a", "o/b"]) { world in
      let running = try world.program.start([
        "clones", "run", "--", "sh", "-c",
        "case $FORAGE_REPOSITORY in */a) echo done;; *) echo $$ > new; mv new pid; sleep 60;; esac",
      ])
      try await running.waitForOutput(containing: "done")
      let file = world.path("o/b/pid")
      while !FileManager.default.fileExists(atPath: file) { try await Task.sleep(for: .milliseconds(10)) }
      #expect(running.sendSignal(signal))
      let result = await running.wait()
      #expect(result.status == 130 && result.err.contains("1 of 2 clones done"), "\(result)")
      let child = try #require(Int32(try String(contentsOfFile: file, encoding: .utf8).dropLast()))
      #expect(kill(child, 0) != 0)
    }
  }

  /// A server that never answers ends with an interruption, or with the time limit, and leaves no lock.
  @Test func aServerThatHangs() async throws {
    let hang: LoopbackServer.Handler = { _ in .hang }
    try await withServer(handler: hang) { server in
      try await Self.withClones(["o/a"], ["https://slow.example/": server.baseURL + "/"]) { world in
        try await world.clone("o/a").git("remote set-url origin https://slow.example/o/a")
        let late = try await world.run("clones", "fetch", "--timeout", "1")
        #expect(late.status == 4 && late.err.contains("git said nothing for 1.0 s"), "\(late)")
        let running = try world.program.start(["clones", "pull"])
        while server.requests.count < 2 { try await Task.sleep(for: .milliseconds(10)) }
        #expect(running.sendSignal(SIGINT))
        #expect(await running.wait().status == 130)
        let files = FileManager.default.enumerator(atPath: world.path("o/a/.git"))?.compactMap {
          $0 as? String
        }
        #expect(files?.filter { $0.hasSuffix(".lock") } == [])
      }
    }
  }

  /// Two runs at once wait for each other.
  @Test func twoAtOnce() async throws {
    let names = (0..<8).map { "o/n\($0)" }
    try await Self.withClones(names) { world in
      for name in names { try await world.sources[name]?.commit("next", files: ["new.txt": "x\n"]) }
      await withTaskGroup { group in
        for _ in 0..<2 {
          group.addTask {
            let result = try? await world.program.run(["clones", "pull"])
            #expect(result?.status == 0, "\(result?.err ?? "")")
          }
        }
      }
      for name in names {
        #expect(try await world.clone(name).git("status --porcelain=v2 --branch").contains("+0 -0"))
      }
    }
  }

  /// What has work anywhere stays; what is safe goes, with its linked work trees, and is known to nobody any
  /// more.
  @Test func delete() async throws {
    let names = ["safe", "dirty", "stash", "commits", "ignored", "worktree", "other"]
    try await Self.withClones(names.map { "o/" + $0 }) { world in
      try world.clone("o/dirty").write("new.txt", "mine\n")
      try world.clone("o/stash").write("main.swift", "mine\n")
      try await world.clone("o/stash").git("stash --quiet")
      try await world.clone("o/commits").commit("mine")
      try world.clone("o/ignored").write(".git/info/exclude", "*.o\n")
      try world.clone("o/ignored").write("big.o", String(repeating: "x", count: 5000))
      try world.clone("o/ignored").write("a/b.o", "x")
      let tree = world.program.home.directory.path("tree")
      try await world.clone("o/worktree").git(["worktree", "add", "--quiet", "--detach", tree])
      _ = try await world.run("clones", "add", tree)
      func isThere(_ name: String) -> Bool { FileManager.default.fileExists(atPath: world.path("o/" + name)) }

      let unasked = try await world.run("clones", "delete", "safe")
      #expect(
        unasked.status == 2 && unasked.err.contains("nothing was deleted\nhint: add --yes") && isThere("safe")
      )
      // A linked work tree would stay without its repository; with it, it goes first.
      let linked = try await world.run("clones", "delete", world.path("o/worktree"), "--yes")
      #expect(
        linked.status == 4 && linked.err.contains("it has linked work trees elsewhere: \(tree)\nhint: "),
        "\(linked)")
      #expect(isThere("worktree") && FileManager.default.fileExists(atPath: tree))
      let result = try await world.run(
        "clones", "delete", "safe", "ignored", "worktree", tree, "dirty", "--yes")
      #expect(result.status == 3, "\(result)")
      #expect(!isThere("safe") && !isThere("ignored") && !isThere("worktree") && isThere("dirty"))
      #expect(!FileManager.default.fileExists(atPath: tree))
      #expect(result.err.contains("with 2 ignored files of 5 kB: big.o, a/b.o"), "\(result.err)")
      #expect(result.err.contains("o/dirty was not deleted: it has changed or untracked files\nhint: "))
      // Chosen by a word, it is left alone and no failure. Neither --force nor --yes asks for what is not
      // safe without a terminal.
      let left = try await world.run("clones", "delete", "dirt", "--yes", "--force")
      #expect(left.status == 0 && left.err.contains("o/dirty was not deleted") && isThere("dirty"), "\(left)")
      for words in [
        ["--yes"], ["--yes", "--force"], ["--yes", "--"], ["--yes", ""], ["--yes", " "], ["-y", "\t"],
      ] {
        let nobody = try await world.program.run(["clones", "delete"] + words)
        #expect(nobody.status == 2 && isThere("other"), "\(words): \(nobody)")
      }
      let all = try await world.documents("clones", "delete", "--yes", "--force", "o/")
      #expect(
        all.mapValues { $0["status"]?.string } == [
          "o/dirty": "left", "o/stash": "left", "o/commits": "left", "o/other": "deleted",
        ])
      #expect(all["o/commits"]?["reason"]?.string == "it has commits that are on no remote")
      let listed = try await world.run("clones", "list", "--format", "tsv")
      #expect(listed.outLines.count == 3 && !listed.out.contains("o/safe"), "\(listed.out)")
      let leftovers = FileManager.default.enumerator(atPath: world.program.source)?.compactMap {
        $0 as? String
      }
      #expect(leftovers?.contains { $0.contains(".forage-") } == false)
    }
  }

  /// What is in a clone goes with it where it was named, and is told with its ignored files; conditions must
  /// choose it, too.
  @Test func deletingWhatIsInside() async throws {
    try await Self.withClones(["o/outer", "o/plain"]) { world in
      // The clones are old, and what is cloned into one of them is not.
      let source = try #require(world.sources["o/plain"])
      try await source.commit("new", date: Int(Date().timeIntervalSince1970))
      try await world.clone("o/outer").git(["clone", "--quiet", source.path, "größe/inner"])
      let inner = world.path("o/outer") + "/größe/inner"
      try Data("*.env\n".utf8).write(to: URL(fileURLWithPath: inner + "/.git/info/exclude"))
      try Data("x".utf8).write(to: URL(fileURLWithPath: inner + "/a.env"))
      _ = try await world.run("clones", "scan")
      let old = try await world.documents("clones", "delete", "--stale", "1y", "--yes")
      #expect(old.mapValues { $0["status"]?.string } == ["o/outer": "left", "o/plain": "deleted"])
      #expect(old["o/outer"]?["reason"]?.string == "clones in it were not chosen: \(inner)")
      let named = try await world.run("clones", "delete", world.path("o/outer"), "--yes")
      #expect(named.status == 0 && !FileManager.default.fileExists(atPath: inner), "\(named)")
      #expect(named.err.contains("with 1 repository in it: ") && named.err.contains("größe/inner, with "))
      #expect(named.err.contains("with 1 ignored file of 1 B: größe/inner/a.env"), "\(named.err)")
      #expect(try await world.run("clones", "list").status == 1)
    }
  }

  /// What changes while the question stands is not deleted; a name is not taken for more than it says.
  @Test func deletingAnswersToWhatWasShown() async throws {
    try await Self.withClones(["o/tree", "o/lends", "o/grows", "o/plain"]) { world in
      let tree = world.program.home.directory.path("tree")
      try world.clone("o/grows").write("mine.txt", "mine\n")
      func isThere(_ name: String) -> Bool { FileManager.default.fileExists(atPath: world.path("o/" + name)) }
      /// Deletes clones on a terminal, with something done before the last answer; the answers before it are
      /// no.
      func delete(_ arguments: [String], no: Int = 0, _ meanwhile: () async throws -> Void) async throws
        -> ProcessResult
      {
        var launch = ProcessRunner.Launch(
          try forageBinary, ["clones", "delete"] + arguments, environment: world.program.environment)
        launch.terminal = (200, 24, .outputAndError)
        launch.keepsInputOpen = true
        let running = try ProcessRunner.start(launch)
        defer { running.kill() }
        for number in 0..<no {
          try await running.waitForOutput(containing: number == 0 ? "Delete it? [y/N]" : "the same? [y/N]")
          running.send("n\n")
        }
        try await running.waitForOutput(
          containing: arguments.contains("--force") ? "the same? [y/N]" : "it? [y/N]")
        try await meanwhile()
        running.send("y\n")
        return await running.wait()
      }
      let other = try await delete(["tree"]) {
        try await world.clone("o/tree").git(["worktree", "add", "--quiet", "--detach", tree])
      }
      #expect(other.status == 4 && other.out.contains("it has linked work trees elsewhere"), "\(other.out)")
      let borrower = world.program.source + "/github.com/o/borrows"
      let lent = try await delete(["lends"]) {
        try await world.clone("o/lends").git(["clone", "--quiet", "--shared", ".", borrower])
        _ = try await world.run("clones", "add", borrower)
      }
      // The new clone is not among the catalogue's from before.
      #expect(
        lent.status == 4 && lent.out.contains("other clones borrow its objects: \(borrower)"), "\(lent.out)")
      let grown = try await delete(["grows", "--force"]) {
        try await world.clone("o/grows").commit("mine")
      }
      #expect(grown.status == 4 && grown.out.contains("it has changed meanwhile"), "\(grown.out)")
      #expect(grown.out.contains("is not safe to delete: it has changed or untracked files"), "\(grown.out)")
      try world.clone("o/grows").write("mine.txt", "more\n")
      try await world.clone("o/grows").git("stash --quiet")
      // A no to what is safe says nothing of the others; all reasons are told.
      let forced = try await delete(["plain", "grows", "--force"], no: 1) {}
      #expect(forced.out.contains("it has stashes; it has commits that are on no remote"), "\(forced.out)")
      #expect(forced.status == 0 && !isThere("grows") && isThere("plain"), "\(forced.out)")
      // A subfolder stands for no clone here, and an empty name for none.
      try world.clone("o/plain").write("build/x", "")
      try world.clone("o/plain").write(".git/info/exclude", "build\n")
      let inner = try await world.run("clones", "delete", "--yes", world.path("o/plain/build"))
      #expect(inner.status == 2 && inner.err.contains("hint: it lies in the clone"), "\(inner)")
      let empty = try await world.run("clones", "delete", "--yes", "")
      #expect(empty.status == 2 && empty.err.contains("a name of a clone is empty"), "\(empty)")
      #expect(["tree", "lends", "plain"].allSatisfy(isThere))
    }
  }

  /// Linked work trees have the references of their repository: git changes them one at a time; deleted with
  /// it, they are gone and no failure.
  @Test func linkedWorkTrees() async throws {
    try await Self.withClones(["o/main"]) { world in
      let clone = try world.clone("o/main")
      for number in 1...4 {
        try await clone.git([
          "worktree", "add", "--quiet", "--detach", "\(world.program.source)/a/tree\(number)",
        ])
      }
      let added = try await world.run("clones", "add", world.program.source)
      #expect(added.status == 0)
      let source = try #require(world.sources["o/main"])
      for number in 1...8 { try await source.git("branch b\(number)") }
      let fetched = try await world.run("clones", "fetch", "--format", "json")
      let states = try fetched.json()["clones"]?.array.map { $0["status"]?.string ?? "" }
      #expect(
        fetched.status == 0 && states?.sorted() == ["current", "current", "current", "current", "updated"])
      let paths = [world.path("o/main")] + (1...4).map { "\(world.program.source)/a/tree\($0)" }
      // They have one name.
      let ran = try await world.run("clones", "run", "--", "echo", "x")
      let titles = paths.map { "o/main ~/src" + $0.dropFirst(world.program.source.count) }
      #expect(Set(ran.outLines) == Set(titles + ["x"]), "\(ran)")
      let deleted = try await world.program.run(["clones", "delete", "--yes", "--format", "json"] + paths)
      let ends = try deleted.json()["clones"]?.array.map { $0["status"]?.string ?? "" }
      #expect(deleted.status == 0 && ends == [String](repeating: "deleted", count: 5), "\(deleted)")
      let left = FileManager.default.enumerator(atPath: world.program.source)?.compactMap { $0 as? String }
      #expect(left?.contains { $0.contains("main") || $0.contains("tree") } == false, "\(left ?? [])")
    }
  }

  /// A bare repository and its work trees are fetched once, and every remote of a fork is asked.
  @Test func fetchesOfSharedAndOfSeveralRemotes() async throws {
    try await Self.withClones(["o/hub", "me/fork"]) { world in
      let source = try #require(world.sources["o/hub"])
      let folder = world.program.source
      try await source.git(["clone", "--quiet", "--bare", source.path, folder + "/x/hub.git"])
      let hub = try TemporaryRepository(at: folder + "/x/hub.git", in: world.program.home.directory)
      try await hub.git(["config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"])
      for name in ["one", "two", "three"] {
        try await hub.git(["worktree", "add", "--quiet", "-b", name, "\(folder)/x/\(name)"])
      }
      try await world.clone("me/fork").git(["remote", "add", "upstream", source.path])
      for number in 1...8 { try await source.git("branch b\(number)") }
      let trees = try await world.run("clones", "fetch", folder + "/x", "--format", "json", "--verbose")
      let states = try trees.json()["clones"]?.array.map { $0["status"]?.string } ?? []
      #expect(trees.status == 0 && states == ["updated", "current", "current", "current"], "\(trees)")
      #expect(trees.err.split(separator: "git fetch in ").count == 2, "\(trees.err)")
      let fork = try await world.run("clones", "fetch", "me/fork", "--format", "json")
      let branches = try fork.json()["clones"]?.array.first?["branches"]?.array.compactMap {
        $0["name"]?.string
      }
      #expect(branches?.contains("upstream/b1") == true, "\(fork)")
      // What the one fetch could not do none of them has.
      try FileManager.default.removeItem(atPath: source.path)
      let failed = try await world.run("clones", "fetch", folder + "/x", "--format", "json")
      let ends = try failed.json()["clones"]?.array.map { $0["status"]?.string } ?? []
      #expect(ends == ["failed", "left", "left", "left"] && expectMessages(failed).count == 1, "\(failed)")
    }
  }

  /// Where git is redirected to is the name of now: of a clone that is there, and of one that is to be made.
  @Test func aRedirectTellsTheNewName() async throws {
    let program = try Program(adding: ["PATH": "/usr/bin:/bin"])
    let source = try await TemporaryRepository.make("forge/tool", in: program.home.directory)
    try await source.commit("first", files: ["a": "b\n"])
    try await source.git("update-server-info")
    let root = source.path + "/.git/"
    let moves = Atomic(false)
    let handler: LoopbackServer.Handler = { request in
      let isOld = request.path.hasPrefix("/old/thing/")
      if isOld, moves.load(ordering: .relaxed) {
        return .redirect(to: request.target.replacing("/old/thing/", with: "/new/tool/"), status: 301)
      }
      let place = request.path.split(separator: "/").dropFirst(2).joined(separator: "/")
      guard let bytes = FileManager.default.contents(atPath: root + place) else { return .status(404) }
      return .response(status: 200, headers: [("Content-Type", "text/plain")], body: Array(bytes))
    }
    try await withServer(handler: handler) { server in
      let host = "127.0.0.1:\(server.port)/"
      let folder = program.source + "/" + host
      func clone(_ name: String) async throws -> String {
        let result = try await program.run(["clone", "\(server.baseURL)/\(name)"])
        #expect(result.status == 0, "\(result)")
        return result.out
      }
      func list() async throws -> String {
        try await program.run(["clones", "list", "--json", "id,renamedTo"]).out
      }
      #expect(try await clone("old/thing") == "\(host)old/thing\tcloned\t\(folder)old/thing\n")
      moves.store(true, ordering: .relaxed)
      #expect(try await program.run(["clones", "fetch"]).status == 0)
      let name = host + "new/tool"
      #expect(try await list() == "[{\"id\":\"\(name)\",\"renamedTo\":\"\(name)\"}]\n")
      #expect(try await clone("new/tool") == "\(host)new/tool\tpresent\t\(folder)old/thing\n")
      // The other way round: the new one is there, and the old name is cloned.
      try FileManager.default.removeItem(atPath: folder + "old")
      try FileManager.default.removeItem(atPath: program.home.home.path + "/.local/share/forage")
      #expect(try await clone("new/tool") == "\(host)new/tool\tcloned\t\(folder)new/tool\n")
      for _ in 1...2 {
        #expect(try await clone("old/thing") == "\(host)old/thing\tpresent\t\(folder)new/tool\n")
      }
      #expect(!FileManager.default.fileExists(atPath: folder + "old"))
      #expect(try await list() == "[{\"id\":\"\(name)\",\"renamedTo\":null}]\n")
    }
  }

  /// A repository whose work tree is a home folder is never deleted, whatever it ignores.
  @Test func aHomeFolderStays() async throws {
    try await Self.withClones(["o/a"]) { world in
      let home = try TemporaryRepository(at: world.program.home.home.path, in: world.program.home.directory)
      try await home.git("init --quiet --initial-branch=main")
      try home.write(".git/info/exclude", "*\n")
      let source = try #require(world.sources["o/a"])
      try await home.git(["remote", "add", "origin", "file://" + source.path])
      try await home.git("fetch --quiet origin")
      try await home.git("reset --quiet --hard origin/main")
      _ = try await world.run("clones", "add", home.path)
      let result = try await world.run("clones", "delete", home.path, "--yes", "--force")
      #expect(result.status == 4 && result.err.contains("it holds your home folder"), "\(result)")
      #expect(FileManager.default.fileExists(atPath: world.path("o/a")))
    }
  }
}
