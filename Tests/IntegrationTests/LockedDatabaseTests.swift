import Foundation
import TestSupport
import Testing

/// Databases that another process has locked.
struct LockedDatabaseTests {
  /// Locks the databases at the paths until it is killed, in a locking mode: `EXCLUSIVE` keeps readers out as
  /// well.
  private static let holder = """
    import sqlite3, sys, time
    held = []
    for path in sys.argv[2:]:
        database = sqlite3.connect(path, isolation_level=None, timeout=30)
        database.execute("PRAGMA locking_mode = " + sys.argv[1])
        database.execute("BEGIN EXCLUSIVE")
        held.append(database)
    print("locked", flush=True)
    time.sleep(600)
    """
  private static func lock(_ mode: String, _ databases: [String]) async throws -> RunningProcess {
    let lock = try ProcessRunner.start(
      ProcessRunner.Launch(
        URL(fileURLWithPath: "/usr/bin/env"), ["python3", "-c", holder, mode] + databases,
        environment: ["PATH": "/usr/bin:/bin"]))
    try await lock.waitForOutput(containing: "locked")
    return lock
  }

  /// A command that writes waits long for other processes, and shows what it waits for.
  @Test(arguments: [
    ["favorite", "add", "o/n"], ["favorite", "remove", "o/m"], ["clones", "add", "."],
    ["clones", "remove", "src"],
  ])
  func theWaitIsShown(_ arguments: [String]) async throws {
    try await withProgram(FakeGitHub()) { program, _ in
      try await program.makeClone("a/one")
      try await program.addClones()
      #expect(try await program.run(["favorite", "add", "o/m"]).status == 0)
      let lock = try await Self.lock("NORMAL", [program.storeFile.path])
      defer { lock.kill() }
      let running = try program.start(arguments, columns: 100)
      defer { running.kill() }
      try await running.waitForOutput(containing: "waiting for the store")
      lock.kill()
      _ = await lock.wait()
      let result = await running.wait()
      #expect(result.status == 0, "\(result.out)")
    }
  }

  /// What only a locked store may have is not said to be nothing, and the name of a file is not taken to
  /// another forge.
  @Test func namesOfALockedStore() async throws {
    try await withProgram(FakeGitHub()) { program, server in
      try await program.makeClone("owner/größe")
      try await program.addClones()
      #expect(try await program.run(["show", "größe", "-p", "local"]).status == 0)
      let lock = try await Self.lock("EXCLUSIVE", [program.storeFile.path])
      defer { lock.kill() }
      let usual = try await program.run(["favorite", "list"])
      for arguments in [["show", "größe"], ["inspect", "größe"], ["show", "team/one:größe.c:1"]] {
        let result = try await program.run(arguments)
        #expect(result.status == usual.status, "\(arguments): \(result)")
        #expect(result.err.contains("forage.db is in use by another process"), "\(arguments): \(result.err)")
        #expect(!result.err.contains("names no"), "\(result.err)")
      }
      #expect(server.requests.isEmpty)
    }
  }

  /// A search reads the code index while another process writes it, and reads what the index lacks from the
  /// clones: all files, if another process lets nobody read the index.
  @Test(arguments: ["NORMAL", "EXCLUSIVE"])
  func codeIsSearchedWhileTheIndexIsWritten(_ mode: String) async throws {
    let program = try Program()
    let clone = try await program.makeClone("owner/one", files: ["a.c": "int needle;\n"])
    try await program.makeClone("owner/two", files: ["größe.c": "int needle = 2;\n"])
    try await program.addClones()
    try await clone.commit("more", files: ["b.c": "int needle = 3;\n"])
    let lock = try await Self.lock(mode, [program.cacheFolder.path + "/code.db"])
    defer { lock.kill() }
    let start = ContinuousClock.now
    let result = try await program.run(["search", "-p", "local", "-k", "code", "needle"])
    #expect(result.status == 0 && result.outLines.count == 3 && result.err.isEmpty, "\(result)")
    #expect(ContinuousClock.now - start < .milliseconds(Self.writingTimeout))
  }

  /// Milliseconds that writing waits for another process; reading waits for a tenth of it.
  private static let writingTimeout = 5000

  /// The clones are in a database that the search needs, and that is not waited for; other providers, more
  /// than the machine has processors, answer.
  @Test func aLockedStoreIsNotWaitedFor() async throws {
    try await withProgram(FakeGitHub(repositories: matching(5))) { program, server in
      let ids = (0..<ProcessInfo.processInfo.activeProcessorCount + 2).map { "forge\($0)" }
      let lines = ids.map { "  \($0): {type: github, url: \"\(server.baseURL)\"}\n" }.joined()
      try program.home.writeConfig("forage/config.yaml", "providers:\n" + lines)
      #expect(try await program.run(["search", "match"]).status == 0)
      #expect(try await program.run(["favorite", "add", "github.com/o/n"]).status == 0)
      let lock = try await Self.lock("EXCLUSIVE", [program.storeFile.path])
      defer { lock.kill() }
      let search = ["search", "match", "--timeout", "4", "--format", "json"]
      let result = try await program.run(search)
      #expect(result.status == 0, "\(result.err)")
      let answer = try result.json()
      #expect(answer["items"]?.array.count == 5 && answer["complete"]?.bool == false)
      for id in ["github"] + ids {
        let outcome = try #require(answer.provider(id))
        #expect(outcome["state"]?.string == "ok", "\(id): \(outcome)")
      }
      let local = try #require(answer.provider("local"))
      #expect(local["state"]?.string == "failed", "\(local)")
      #expect((local["elapsedMs"]?.int ?? .max) < Self.writingTimeout, "\(local)")
      let message = local["error"]?["message"]?.string ?? ""
      #expect(message.contains(".db is in use by another process"), "\(message)")
      let start = ContinuousClock.now
      let shown = try await program.run([
        "show", answer["items"]?.array.first?["id"]?.string ?? "", "--timeout", "2",
      ])
      #expect(shown.status == 0 && shown.err.contains("forage.db is in use"), "\(shown.err)")
      #expect(ContinuousClock.now - start < .milliseconds(Self.writingTimeout))
      lock.kill()
      _ = await lock.wait()
      #expect(try await program.run(["search", "match"]).status == 0)
    }
  }
}
