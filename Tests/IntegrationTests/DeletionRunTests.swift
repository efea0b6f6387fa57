import Foundation
import TestSupport
import Testing

/// `forage clones delete` of the built program: nothing goes that is nowhere else, and nothing outside of the
/// folder.
struct DeletionRunTests {
  typealias World = FleetRunTests.World

  private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  /// Everything in a folder with its kind, permissions and content.
  private func listing(_ folder: String) throws -> [String] {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return try names.sorted().map { name in
      let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
      let content = FileManager.default.contents(atPath: folder + "/" + name)
      return "\(name) \(attributes[.posixPermissions] ?? "") \(content.map(\.hashValue) ?? 0)"
    }
  }

  private func remains(_ world: World) -> [String] {
    let names = FileManager.default.enumerator(atPath: world.program.source)?.compactMap { $0 as? String }
    return names?.filter { $0.contains(".forage-") && !$0.contains("/clone/") } ?? []
  }

  /// Serves the repositories of a forge by git's protocol for plain files.
  private func withServer(
    _ names: [String], _ body: (World, LoopbackServer) async throws -> Void
  ) async throws {
    try await FleetRunTests.withClones(names) { world in
      let sources = world.sources
      let handler: LoopbackServer.Handler = { request in
        guard let name = sources.keys.first(where: { request.path.hasPrefix("/" + $0 + "/") }),
          let source = sources[name],
          let data = FileManager.default.contents(
            atPath: source.path + "/.git" + request.path.dropFirst(name.count + 1))
        else { return .status(404) }
        return .response(
          status: 200, headers: [("Content-Type", "application/octet-stream")],
          body: [UInt8](data))
      }
      try await TestSupport.withServer(handler: handler) { server in
        for name in names {
          try await world.sources[name]?.git("update-server-info")
          try await world.clone(name).git(["remote", "set-url", "origin", server.baseURL + "/" + name])
        }
        #expect(try await world.run("clones", "scan").status == 0)
        try await body(world, server)
      }
    }
  }

  /// Only what a remote has now counts; what was moved on there is looked at, and the clone stays as it is.
  @Test func asksTheRemotes() async throws {
    try await withServer(["o/same", "o/moved", "o/lost", "o/tagged", "o/gone", "o/two"]) { world, server in
      for _ in 1...3 { try await world.sources["o/moved"]?.commit("next") }
      try await world.sources["o/lost"]?.git(["commit", "--quiet", "--amend", "-m", "other"])
      for name in ["o/moved", "o/lost"] {
        try await world.sources[name]?.git("gc --quiet --prune=now")
        try await world.sources[name]?.git("update-server-info")
      }
      try await world.clone("o/tagged").git("tag -a -m mine größe", date: 1_000_000_000)
      let away = world.program.source + "/nothing.git"
      try await world.clone("o/two").git(["remote", "add", "away", "https://127.0.0.1:9/x.git"])
      let gone = try world.clone("o/gone")
      try await gone.git("remote set-url origin http://127.0.0.1:9/o/gone.git")
      try await gone.commit("only here")
      try await gone.git("update-ref refs/remotes/origin/old HEAD")
      #expect(try await world.run("clones", "scan").status == 0)
      let before = try ["moved", "lost", "gone"].map { try listing(world.path("o/" + $0)) }

      // As of the last fetch, all but one are safe: the list asks nobody, and says so.
      let asked = server.requests.count
      let listed = try await world.run("clones", "list", "--safe-to-delete", "--json", "id,lastFetchAt")
      #expect(listed.status == 0 && server.requests.count == asked, "\(listed)")
      #expect(listed.err.contains("safe as of the last fetch"), "\(listed.err)")
      #expect(listed.out.contains("o/gone") && listed.out.contains("o/lost"), "\(listed.out)")

      let found = try await world.documents(
        "clones", "delete", "--yes", "same", "moved", "lost", "tagged", "gone", "two")
      #expect(
        found.mapValues { $0["status"]?.string } == [
          "o/same": "deleted", "o/moved": "deleted", "o/lost": "failed", "o/tagged": "failed",
          "o/gone": "failed", "o/two": "deleted",
        ])
      let reasons = found.mapValues { $0["reason"]?.string ?? "" }
      #expect(reasons["o/lost"]?.contains("its remote no longer has origin/main") == true, "\(reasons)")
      #expect(reasons["o/tagged"] == "it has annotated tags that are on no remote")
      #expect(reasons["o/gone"]?.contains("origin could not be asked: ") == true)
      let after = try ["lost", "gone"].map { try listing(world.path("o/" + $0)) }
      #expect(after == Array(before.dropFirst()) && remains(world).isEmpty && !isThere(away))

      // The last fetch is trusted where somebody says so, and its age is told.
      let offline = try await world.run("clones", "delete", "--offline", "--yes", "gone")
      #expect(offline.status == 0 && offline.err.contains("as of the last fetch ("), "\(offline)")
    }
  }

  /// A server that does not answer counts as having nothing, after the time that it gets.
  @Test func aServerThatHangs() async throws {
    let hang: LoopbackServer.Handler = { _ in .hang }
    try await TestSupport.withServer(handler: hang) { server in
      try await FleetRunTests.withClones(["o/a"], ["https://slow.example/": server.baseURL + "/"]) { world in
        try await world.clone("o/a").git("remote set-url origin https://slow.example/o/a")
        let result = try await world.run("clones", "delete", "--yes", "--timeout", "1", "a")
        #expect(result.status == 4 && isThere(world.path("o/a")), "\(result)")
        #expect(result.err.contains("origin could not be asked: no answer within 1.0 s"), "\(result.err)")
      }
    }
  }

  /// A folder that is mounted in a clone is another's, whatever git says of it.
  @Test(.enabled(if: getuid() == 0, "mounting needs root"))
  func mountedFolders() async throws {
    try await FleetRunTests.withClones(["o/m"]) { world in
      let clone = try world.clone("o/m")
      let precious = world.program.home.directory.path("kostbares \\ Gut")
      try world.program.home.directory.write("kostbares \\ Gut/file", "x")
      try clone.write(".git/info/exclude", "data/\n")
      try clone.write("data/tiefer/x", "")
      let script = """
        mount --bind "$1" "$2/data/tiefer" || exit 77
        exec "$3" clones delete o/m --yes
        """
      let result = try await ProcessRunner.run(
        URL(fileURLWithPath: "/usr/bin/unshare"),
        ["-m", "sh", "-c", script, "sh", precious, clone.path, try forageBinary.path],
        environment: world.program.environment, workingDirectory: world.program.home.home)
      // A container may not be allowed to mount.
      if result.status == 77 || result.err.hasPrefix("unshare: ") { return }
      #expect(
        result.status == 4 && result.err.contains("data/tiefer cannot be removed: it is mounted"), "\(result)"
      )
      #expect(isThere(precious + "/file") && isThere(clone.path + "/.git/HEAD") && remains(world).isEmpty)
    }
  }

  /// A user's own read-only folders are removed; where something cannot be, nothing is.
  @Test func allOrNothing() async throws {
    try await FleetRunTests.withClones(["o/cache", "o/foreign"]) { world in
      for name in ["o/cache", "o/foreign"] {
        let clone = try world.clone(name)
        try clone.write(".git/info/exclude", ".go/\n")
        try clone.write(".go/pkg/mod/größe/file", "x")
      }
      let cache = world.path("o/cache/.go/pkg/mod/größe")
      try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: cache + "/file")
      for folder in [cache, world.path("o/cache/.go/pkg/mod")] {
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
      }
      if getuid() == 0 {
        let owner = ProcessRunner.Launch(
          URL(fileURLWithPath: "/bin/chown"), ["-R", "65534:65534", world.program.home.directory.path],
          environment: [:])
        let isOwned = try await ProcessRunner.start(owner).wait().status == 0
        #expect(isOwned)
        // A folder of somebody else's.
        try #require(chown(world.path("o/foreign/.go/pkg"), 0, 0) == 0)
        let before = try listing(world.path("o/foreign"))
        let refused = try await world.program.runUnprivileged(["clones", "delete", "foreign", "--yes"])
        #expect(
          refused.status == 4
            && refused.err.contains("o/foreign/.go/pkg cannot be removed: Permission denied"),
          "\(refused)")
        #expect(try listing(world.path("o/foreign")) == before && remains(world).isEmpty)
      }
      let result = try await world.program.runUnprivileged(["clones", "delete", "cache", "--yes"])
      #expect(result.status == 0 && !isThere(world.path("o/cache")) && remains(world).isEmpty, "\(result)")
    }
  }

  /// What a process that was killed leaves is named by lists and removed by the next run.
  @Test func goesOnAfterAKill() async throws {
    try await FleetRunTests.withClones(["o/a", "o/b"]) { world in
      // As it is when the process is killed after half of the files.
      let rest = world.program.source + "/github.com/o/.a.forage-abcdef"
      try FileManager.default.createDirectory(atPath: rest, withIntermediateDirectories: false)
      try FileManager.default.moveItem(atPath: world.path("o/a"), toPath: rest + "/clone")
      let record = [world.path("o/a"), "github.com/o/a", rest].map { $0 + "\0" }.joined()
      try world.program.home.directory.write("home/.local/state/forage/deletions", record)
      let listed = try await world.run("clones", "list")
      #expect(listed.err.contains("\(world.path("o/a")) is deleted only in part\nhint: "), "\(listed.err)")
      let doctor = try await world.run("doctor")
      #expect(doctor.out.contains("is deleted only in part"), "\(doctor)")
      let result = try await world.run("clones", "delete", "--yes", "a")
      #expect(result.status == 0 && result.out.contains("\tdeleted\t") && !isThere(rest), "\(result)")
      #expect(isThere(world.path("o/b")) && remains(world).isEmpty)
      let after = try await world.run("clones", "list")
      #expect(!after.err.contains("in part"), "\(after)")
    }
  }

  /// A clone whose files cannot be checked out stays as git leaves it, with git's words, and is known.
  @Test func aFailedCheckoutStays() async throws {
    try await FleetRunTests.withClones(["o/a"]) { world in
      try await world.forge.add("o/bin", files: [".gitattributes": "*.bin filter=q\n", "größe.bin": "b\n"])
      let settings = world.program.home.directory.path("home/.gitconfig")
      let filter = "[filter \"q\"]\nsmudge = false\nrequired = true\n"
      try (String(contentsOfFile: settings, encoding: .utf8) + filter)
        .write(toFile: settings, atomically: true, encoding: .utf8)
      let result = try await world.run("clone", "o/bin")
      #expect(
        result.status == 4 && result.err.contains("clone succeeded, but checkout failed: ")
          && result.err.contains("smudge filter q failed") && result.err.contains("restore --source=HEAD :/"),
        "\(result)")
      #expect(isThere(world.path("o/bin/.git/HEAD")) && remains(world).isEmpty)
      let again = try await world.run("clone", "o/bin")
      #expect(again.status == 0 && again.out.contains("present"), "\(again)")
    }
  }

  /// Killed at any moment, it leaves nothing that a second run does not remove.
  @Test func killedAtRandom() async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    try await FleetRunTests.withClones(["o/a"]) { world in
      let copy = world.program.home.directory.path("copy")
      try FileManager.default.moveItem(atPath: world.path("o/a"), toPath: copy)
      for number in 0..<400 {
        try world.program.home.directory.write("copy/.git/hooks/\(number % 20)/\(number)", "x")
      }
      for round in 0..<8 {
        try FileManager.default.copyItem(atPath: copy, toPath: world.path("o/a"))
        _ = try await world.run("clones", "scan", "--no-index")
        let running = try world.program.start(["clones", "delete", "--yes", "o/a"])
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...120, using: &random)))
        running.sendSignal(SIGKILL)
        _ = await running.wait()
        let again = try await world.run("clones", "delete", "--yes", "o/a")
        let isGone = !isThere(world.path("o/a")) && remains(world).isEmpty
        // Where the first run was done, the second one knows no such clone.
        #expect(
          [0, 1].contains(again.status) && isGone, "seed \(seed), round \(round): \(again), \(remains(world))"
        )
      }
    }
  }
}
