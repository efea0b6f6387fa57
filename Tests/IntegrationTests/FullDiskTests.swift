import Foundation
import TestSupport
import Testing

/// A disk on which nothing can be written: searches answer, and what could not be stored is told.
///
/// The limit on the size of files stands in for a full disk; any shell can set it. SQLite, which hears of a
/// full disk in words of its own, then hears of a failing one.
struct FullDiskTests {
  /// Runs the program where no file may become larger than so many blocks of 512 bytes; pipes have no limit.
  private func run(_ program: Program, blocks: Int, _ arguments: [String]) async throws -> ProcessResult {
    let script = "trap '' XFSZ; ulimit -f \(blocks); exec \"$0\" \"$@\""
    let result = try await Gate.shared.run {
      try await ProcessRunner.run(
        URL(fileURLWithPath: "/bin/sh"), ["-c", script, try forageBinary.path] + arguments,
        environment: program.environment, workingDirectory: program.home.home)
    }
    expectSane(result, arguments)
    return result
  }

  private let limited = ["search", "match", "--timeout", "50", "--format", "json", "-L", "5"]

  /// Room for nothing, and for less than an answer.
  @Test(arguments: [0, 8])
  func whereSomethingIsStored(_ blocks: Int) async throws {
    let repositories = matching(60)
    try await withProgram(FakeGitHub(repositories: repositories)) { program, _ in
      let search = ["search", "match", "-L", "5", "--no-cache", "--format", "json"]
      let first = try await program.run(search).json()["items"]?.array.compactMap { $0["id"]?.string } ?? []
      let known = try #require(first.first)
      try await program.makeClone(String(try #require(first.last).dropFirst("github.com/".count)))
      try await program.addClones()
      #expect(try await program.run(["favorite", "add", known]).status == 0)
      let good = try await program.run(search).json()
      let full = try await run(program, blocks: blocks, limited)
      #expect(full.status == 0)
      let answer = try full.json()
      // The favourite and the folder of the clone are there too.
      #expect(answer["items"] == good["items"] && answer["complete"] == .bool(true))
      #expect(answer["items"]?.array.contains { $0["favorite"] == .bool(true) } == true)
      let messages = expectMessages(full)
      #expect(messages.count == 1)
      #expect(messages.first?.contains("nothing was stored in \(program.cacheFolder.path)") == true)

      let before = try Data(contentsOf: program.storeFile)
      for arguments in [["favorite", "add", "o/new"], ["favorite", "remove", known], ["clones", "scan"]] {
        let refused = try await run(program, blocks: blocks, arguments)
        #expect(refused.status == 4 && refused.out.isEmpty)
        let messages = expectMessages(refused)
        #expect(messages.count == 1 && messages[0].contains("nothing was stored"), "\(messages)")
        #expect(messages.first?.contains(program.storeFile.path) == true)
      }
      let list = try await run(program, blocks: blocks, ["favorite", "list", "--format", "json"])
      #expect(list.status == 0 && list.err.isEmpty)
      #expect(try list.json()["favorites"]?.array.compactMap { $0["id"]?.string } == [known])
      #expect(try Data(contentsOf: program.storeFile) == before)
      #expect(try await program.favorites() == [known])
      try await program.expectIntact("match")
    }
  }

  @Test func whereNothingIsStoredYet() async throws {
    try await withProgram(FakeGitHub(repositories: matching(60))) { program, _ in
      let full = try await run(program, blocks: 0, limited)
      #expect(full.status == 0 && expectMessages(full).count == 1)
      #expect(try full.json()["items"]?.array.count == 5)
      // A second time there is a store that could not be made.
      for _ in 0..<2 {
        let refused = try await run(program, blocks: 0, ["favorite", "add", "o/new"])
        #expect(refused.status == 4 && expectMessages(refused).count == 1, "\(refused.err)")
      }
      let list = try await run(program, blocks: 0, ["favorite", "list"])
      #expect(list.status == 1 && expectMessages(list) == ["there are no favorites"])
      let shown = try await run(program, blocks: 0, ["show", matching(1)[0].fullName, "--no-cache"])
      #expect(shown.status == 0 && shown.err.isEmpty, "\(shown.err)")
      let added = try await program.run(["favorite", "add", "github.com/o/new"])
      #expect(added.status == 0)
      #expect(try await program.favorites() == ["github.com/o/new"])
      try await program.expectIntact("match")
    }
  }
}
