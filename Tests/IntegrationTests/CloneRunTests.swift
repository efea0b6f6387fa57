import ForagePlatform
import Foundation
import TestSupport
import Testing

/// `forage clone` of the built program: interruptions, kills, two runs at once, terminals, secrets.
struct CloneRunTests {
  private static let git = ["PATH": "/usr/bin:/bin"]

  private func folder(_ program: Program, _ name: String = "") -> String {
    program.source + "/github.com" + (name.isEmpty ? "" : "/" + name)
  }

  /// Every temporary folder below the folder for clones.
  private func leftovers(_ program: Program) -> [String] {
    (FileManager.default.enumerator(atPath: program.source)?.compactMap { $0 as? String } ?? []).filter {
      $0.contains(".forage-")
    }
  }

  /// Starts a command that clones `o/fine` and then waits for ever for `o/slow`, and waits until it does.
  private func startHanging(_ program: Program, _ server: LoopbackServer) async throws -> RunningProcess {
    let running = try program.start(["clone", "o/fine", "https://slow.example/o/slow"])
    try await running.waitForOutput(containing: "o/fine\tcloned\t")
    while server.requests.isEmpty, running.isRunning { try await Task.sleep(for: .milliseconds(10)) }
    return running
  }

  /// Runs a body with a forge one host of which never answers.
  private func withSlowForge(_ body: (Program, LoopbackServer, GitForge) async throws -> Void) async throws {
    let hang: LoopbackServer.Handler = { _ in .hang }
    try await withServer(handler: hang) { server in
      let program = try Program(adding: Self.git)
      let forge = try GitForge(
        in: program.home.directory, elsewhere: ["https://slow.example/": server.baseURL + "/"])
      try await forge.add("o/fine")
      try await body(program, server, forge)
    }
  }

  /// Ctrl-C, a closed terminal and the end of the session.
  @Test(arguments: [SIGINT, SIGHUP, SIGTERM])
  func anEndLeavesNoHalfClone(_ signal: Int32) async throws {
    try await withSlowForge { program, server, _ in
      let running = try await startHanging(program, server)
      #expect(!leftovers(program).isEmpty)
      #expect(running.sendSignal(signal))
      let result = await running.wait()
      #expect(result.status == 130 && !result.timedOut)
      #expect(expectMessages(result).first?.contains("1 of 2") == true, "\(result.err)")
      #expect(leftovers(program) == [])
      #expect(!FileManager.default.fileExists(atPath: program.source + "/slow.example"))
      #expect(FileManager.default.fileExists(atPath: folder(program, "o/fine/main.swift")))
      let list = try await program.run(["clones", "list", "--json", "path"])
      #expect(list.out.contains("o/fine") && !list.out.contains("slow"))
    }
  }

  /// What a killed run has left is removed by the next one, which goes on with what is missing.
  @Test func aKilledRunIsContinued() async throws {
    try await withSlowForge { program, server, forge in
      let running = try await startHanging(program, server)
      running.kill()
      _ = await running.wait()
      #expect(!leftovers(program).isEmpty)
      // No half clone is found meanwhile.
      let scan = try await program.run(["clones", "scan"])
      #expect(scan.status == 0 && scan.err.contains("1 clone,"), "\(scan.err)")
      try await forge.add("o/next")
      let next = try await program.run(["clone", "o/fine", "o/next"])
      #expect(next.status == 0, "\(next.err)")
      #expect(Set(next.outLines.map { $0.split(separator: "\t")[1] }) == ["present", "cloned"])
      #expect(leftovers(program) == [])
    }
  }

  /// Two runs at once: one clone, and no folder of the other is taken for an abandoned one.
  @Test func twoAtOnce() async throws {
    let program = try Program(adding: Self.git)
    let forge = try GitForge(in: program.home.directory)
    let names = (0..<6).map { "o/n\($0)" }
    for name in names { try await forge.add(name) }
    await withTaskGroup { group in
      for _ in 0..<2 {
        group.addTask {
          let result = try? await program.run(["clone"] + names)
          #expect(result?.status == 0, "\(result?.err ?? "")")
        }
      }
    }
    #expect(leftovers(program) == [])
    let after = try await program.run(["clone"] + names)
    #expect(after.status == 0 && after.outLines.allSatisfy { $0.contains("\tpresent\t") }, "\(after.err)")
    for name in names {
      let clone = try TemporaryRepository(at: folder(program, name), in: program.home.directory)
      #expect(try await clone.git("status --porcelain") == "")
    }
    #expect(try await program.run(["clones", "list"]).outLines.count == names.count)
  }

  @Test func onATerminal() async throws {
    try await withSlowForge { program, server, forge in
      let result = try await program.runInTerminal(
        ["clone", "o/fine", "o/none"], columns: 60, adding: ["NO_COLOR": "1"])
      #expect(result.status == 3)
      #expect(result.outLines == ["cloned o/fine ~/src/github.com/o/fine"])
      #expect(expectMessages(result).first?.hasPrefix("o/none ") == true)
      let running = try program.start(
        ["clone", "https://slow.example/o/slow", "https://slow.example/o/other"], columns: 60)
      defer { running.kill() }
      try await running.waitForOutput(containing: "0 of 2")
      #expect(running.sendSignal(SIGINT))
      #expect(await running.wait().status == 130)
      #expect(leftovers(program) == [])
    }
  }

  /// A search is piped into a clone.
  @Test func whatASearchFound() async throws {
    let repositories = [
      FakeRepository(id: 1, fullName: "Zoe/Match-One"), FakeRepository(id: 2, fullName: "zoe/other"),
    ]
    try await withProgram(FakeGitHub(repositories: repositories), adding: Self.git) { program, _ in
      let forge = try GitForge(in: program.home.directory)
      try await forge.add("Zoe/Match-One")
      let search = try await program.run(["search", "match", "-p", "github"])
      let result = try await program.run(["clone", "-"], stdin: search.stdout)
      #expect(
        result.outLines == ["Zoe/Match-One\tcloned\t" + folder(program, "Zoe/Match-One")], "\(result.err)")
      let found = try await program.run(["search", "match", "--format", "json"]).json()
      #expect(found.item("github.com/zoe/match-one")?["path"]?.string == folder(program, "Zoe/Match-One"))
    }
  }

  /// Git gets no token of this program, by no way, and no credentials of a URL are shown.
  @Test func noSecretReachesGit() async throws {
    let program = try Program(
      adding: [
        "PATH": "", "GH_TOKEN": "t0psecret1", "GITHUB_TOKEN": "t0psecret2",
        "GH_ENTERPRISE_TOKEN": "t0psecret3",
        "MY_TOKEN": "t0psecret4", "GIT_DIR": "/nonexistent",
      ])
    try program.home.writeConfig(
      "forage/config.yaml",
      "providers:\n  work: {type: github, url: \"https://ghe.example/api/v3\", secrets: {token: {env: MY_TOKEN}}}\n"
    )
    let log = program.home.directory.path("log")
    let tool = try program.home.directory.write(
      "bin/git", "#!/bin/sh\n{ echo \"$@\"; /usr/bin/env; } >> \(log)\necho 'fatal: no' >&2\nexit 1\n",
      mode: 0o755)
    let result = try await program.run(
      ["clone", "https://me:t0psecret5@github.com/o/n", "-v"],
      adding: ["PATH": tool.deletingLastPathComponent().path + ":/usr/bin:/bin"])
    #expect(result.status == 4)
    let seen = try String(contentsOfFile: log, encoding: .utf8)
    #expect(seen.contains("https://github.com/o/n") && seen.contains("GIT_TERMINAL_PROMPT=0"))
    #expect(!seen.contains("t0psecret") && !seen.contains("GIT_DIR="), "\(seen)")
    #expect(!(result.out + result.err).contains("t0psecret"), "\(result.err)")
  }

  /// What a server says reaches the terminal only as text.
  @Test func hostileMessages() async throws {
    let program = try Program()
    let tool = try program.home.directory.write(
      "bin/git", "#!/bin/sh\nprintf 'fatal: \\033[2J\\033]0;owned\\007 \\302\\233 gone\\n' >&2\nexit 1\n",
      mode: 0o755)
    let result = try await program.runInTerminal(
      ["clone", "o/n"], streams: .errorOnly,
      adding: ["PATH": tool.deletingLastPathComponent().path + ":/usr/bin:/bin", "NO_COLOR": "1"])
    #expect(result.status == 4 && result.err.contains("gone"))
    #expect(
      !result.err.contains("\u{1B}[2J") && !result.err.contains("\u{1B}]0") && !result.err.contains("\u{9B}"))
  }
}
