import Foundation
import TestSupport
import Testing

/// Databases that another process has locked.
struct LockedDatabaseTests {
  /// Locks the databases at the paths until it is killed.
  private static let holder = """
    import sqlite3, sys, time
    held = []
    for path in sys.argv[1:]:
        database = sqlite3.connect(path, isolation_level=None, timeout=30)
        database.execute("PRAGMA locking_mode = EXCLUSIVE")
        database.execute("BEGIN EXCLUSIVE")
        held.append(database)
    print("locked", flush=True)
    time.sleep(600)
    """
  /// Milliseconds that a database waits for another process.
  private static let busyTimeout = 5000

  /// As many providers as the machine has processors, and more: every one of them waits for a database.
  @Test func theDeadlineHolds() async throws {
    try await withProgram(FakeGitHub(repositories: matching(5))) { program, server in
      let ids = (0..<ProcessInfo.processInfo.activeProcessorCount + 2).map { "forge\($0)" }
      let lines = ids.map { "  \($0): {type: github, url: \"\(server.baseURL)\"}\n" }.joined()
      try program.home.writeConfig("forage/config.yaml", "providers:\n" + lines)
      #expect(try await program.run(["search", "match"]).status == 0)
      #expect(try await program.run(["favorite", "add", "github.com/o/n"]).status == 0)
      let databases = [program.storeFile.path, program.cacheFolder.appendingPathComponent("answers.db").path]
      let lock = try ProcessRunner.start(
        ProcessRunner.Launch(
          URL(fileURLWithPath: "/usr/bin/env"), ["python3", "-c", Self.holder] + databases,
          environment: ["PATH": "/usr/bin:/bin"]))
      defer { lock.kill() }
      try await lock.waitForOutput(containing: "locked")
      let result = try await program.run(["search", "other", "--timeout", "2", "--format", "json"])
      #expect(result.status == 4, "\(result.err)")
      let answer = try result.json()
      for id in ["github", "local"] + ids {
        let outcome = try #require(answer.provider(id))
        #expect(outcome["state"]?.string == "timeout", "\(id): \(outcome)")
        #expect((outcome["elapsedMs"]?.int ?? .max) < Self.busyTimeout, "\(id): \(outcome)")
        let message = outcome["error"]?["message"]?.string ?? ""
        #expect(message.contains(".db is in use by another process"), "\(id): \(message)")
      }
      lock.kill()
      _ = await lock.wait()
      #expect(try await program.run(["search", "match"]).status == 0)
    }
  }
}
