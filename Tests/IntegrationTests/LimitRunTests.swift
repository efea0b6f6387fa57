import Foundation
import TestSupport
import Testing

/// Limits with the real program: it waits for short ones and tells of long ones.
struct LimitRunTests {
  /// How long limits are that end within a test.
  private static let short: [FakeGitHub.Fault] = [
    .primaryLimit(resetIn: 1), .secondaryLimit(retryAfter: 1), .tooManyRequests(retryAfter: 1),
  ]

  @Test(arguments: 0..<3)
  func aShortLimitIsWaitedFor(_ kind: Int) async throws {
    let github = FakeGitHub(repositories: matching(3))
    github.fail(Self.short[kind], times: 1)
    try await withProgram(github) { program, server in
      let result = try await program.run(["search", "match", "-p", "github"])
      #expect(result.status == 0)
      #expect(result.outLines.count == 3)
      #expect(result.err == "")
      #expect(server.requests.count == 2)
    }
  }

  @Test func verboseTellsOfTheWait() async throws {
    let github = FakeGitHub(repositories: matching(3))
    github.fail(.tooManyRequests(retryAfter: 1), times: 1)
    try await withProgram(github) { program, server in
      let result = try await program.run(["search", "match", "-p", "github", "-v"])
      #expect(result.status == 0)
      let lines = result.err.split(separator: "\n").filter { $0.contains("waiting") }
      #expect(lines.count == 1)
      #expect(lines.first?.hasPrefix("forage: github: waiting ") == true)
      #expect(lines.first?.hasSuffix(" s for the limit (search of 127.0.0.1:\(server.port))") == true)
    }
  }

  @Test func theTerminalCountsDown() async throws {
    let github = FakeGitHub(repositories: matching(3))
    github.fail(.tooManyRequests(retryAfter: 3), times: 1)
    try await withProgram(github) { program, _ in
      let result = try await program.runInTerminal(
        ["search", "match"], streams: .outputAndError, adding: ["NO_COLOR": "1"])
      #expect(result.status == 0)
      #expect(result.out.contains(/github  waiting [1-4] s for the limit\n/))
      let shown = try await program.runInTerminal(["search", "match"], streams: .outputAndError)
      #expect(!shown.out.contains("for the limit"))
    }
  }

  @Test func showWaitsToo() async throws {
    let repositories = matching(1)
    let name = try #require(repositories.first).fullName
    let github = FakeGitHub(repositories: repositories)
    github.fail(.tooManyRequests(retryAfter: 2), path: "/repos", times: 1)
    try await withProgram(github) { program, _ in
      let result = try await program.runInTerminal(
        ["show", name], streams: .outputAndError, adding: ["NO_COLOR": "1"])
      #expect(result.status == 0)
      #expect(result.out.contains(/github: waiting [1-3] s for the limit\n\u{1B}\[1A\r\u{1B}\[J/))
      #expect(result.out.contains(name))
    }
  }

  /// Without a cursor the wait is one line that stays, and nothing is drawn twice.
  @Test func aTerminalWithoutACursor() async throws {
    let repositories = matching(1)
    let name = try #require(repositories.first).fullName
    let github = FakeGitHub(repositories: repositories)
    github.fail(.tooManyRequests(retryAfter: 1), path: "/repos", times: 1)
    try await withProgram(github) { program, _ in
      let result = try await program.runInTerminal(
        ["show", name], streams: .outputAndError, adding: ["TERM": "dumb"])
      #expect(result.status == 0 && result.out.contains(name))
      #expect(result.out.ranges(of: "for the limit").count == 1, "\(result.out)")
      #expect(!result.out.contains("\u{1B}") && !result.out.contains("\r"))
    }
  }

  @Test func aLongLimitIsTold() async throws {
    let github = FakeGitHub(repositories: matching(3))
    github.fail(.primaryLimit(resetIn: 3600))
    try await withProgram(github) { program, server in
      let result = try await program.run(["search", "match", "-p", "github", "--format", "json"])
      #expect(result.status == 4)
      let outcome = try result.json().provider("github")
      #expect(outcome?["state"]?.string == "rate_limited")
      #expect((3_000_000...3_602_000).contains(outcome?["error"]?["retryAfterMs"]?.int ?? 0))
      let message = try #require(outcome?["error"]?["message"]?.string)
      #expect(message.wholeMatch(of: /the rate limit of .+ is exceeded until \d\d:\d\d:\d\d UTC/) != nil)
      #expect(outcome?["error"]?["hint"]?.string?.hasPrefix("try again in ") == true)
      #expect(server.requests.count == 1)
    }
  }

  /// A server that names no time is left alone for a minute.
  @Test func aLimitWithoutATime() async throws {
    let github = FakeGitHub(repositories: matching(3))
    github.fail(.secondaryLimit(retryAfter: nil), times: 1)
    try await withProgram(github) { program, server in
      let result = try await program.run(
        ["search", "match", "-p", "github", "--format", "json", "--timeout", "20"])
      let error = try result.json().provider("github")?["error"]
      #expect((20_000...60_000).contains(error?["retryAfterMs"]?.int ?? 0))
      #expect(server.requests.count == 1)
    }
  }

  @Test func controlCEndsTheWait() async throws {
    let github = FakeGitHub(repositories: matching(3))
    github.fail(.tooManyRequests(retryAfter: 3600))
    try await withProgram(github) { program, server in
      try await program.makeClone("zoe/match-one")
      try await program.addClones()
      let running = try program.start(["search", "match", "-v", "--timeout", "9000"])
      defer { running.kill() }
      try await running.waitForOutput(containing: "for the limit")
      // The clones have answered long before, but nothing tells of it.
      try await Task.sleep(for: .seconds(2))
      #expect(running.sendSignal(SIGINT))
      let result = await running.wait()
      #expect(result.status == 130 && !result.timedOut)
      #expect(result.outLines.count == 1 && result.out.hasPrefix("zoe/match-one\t"))
      let messages = result.err.split(separator: "\n").filter { $0.contains("interrupted") }
      #expect(messages.count == 1 && messages.first?.contains("github") == true, "\(result.err)")
      #expect(!result.err.contains("nothing found") && !result.err.contains("hint: "), "\(result.err)")
      #expect(server.requests.count == 1)
    }
  }

  /// Whoever repeats a command after failures gets a new attempt each time, without naming the provider.
  @Test func aRepeatedCommandIsNotLockedOut() async throws {
    let github = FakeGitHub(repositories: matching(3))
    github.fail(.nothing)
    try await withProgram(github) { program, server in
      for attempt in 1...6 {
        server.forgetRequests()
        let result = try await program.run(["search", "match", "--format", "json", "--no-cache"])
        let outcome = try result.json().provider("github")
        #expect(outcome?["error"]?["code"]?.string == "connection_lost", "attempt \(attempt): \(result.out)")
        #expect(server.requests.count == 3, "attempt \(attempt)")
      }
      github.heal()
      let well = try await program.run(["search", "match", "-p", "github"])
      #expect(well.status == 0 && well.outLines.count == 3)
    }
  }

  /// A server that refuses a good token once, for example while it restarts, does not lock it out.
  @Test func aRefusedTokenIsSentAgain() async throws {
    let github = FakeGitHub(repositories: matching(3)) { $0.requiredToken = "g00d" }
    try await withProgram(github) { program, server in
      for token in ["wr0ng", "wr0ng"] {
        let result = try await program.run(
          ["search", "match", "--format", "json"], adding: ["GH_ENTERPRISE_TOKEN": token])
        #expect(try result.json().provider("github")?["state"]?.string == "unauthorized")
      }
      #expect(server.requests.count == 2)
      github.update { $0.requiredToken = "wr0ng" }
      let result = try await program.run(["search", "match"], adding: ["GH_ENTERPRISE_TOKEN": "wr0ng"])
      #expect(result.status == 0 && result.outLines.count == 3, "\(result.err)")
    }
  }

  @Test func doctorTellsWhatCannotBeRead() async throws {
    try await withProgram(FakeGitHub(repositories: matching(3))) { program, _ in
      let folder = program.home.cache.appendingPathComponent("forage").path
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
      let closed = try await program.runUnprivileged(["doctor"])
      #expect(closed.out.contains("cache\twarning\t\(folder) cannot be written, so no answer is cached\t"))
      try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
      let file = folder + "/answers"
      try FileManager.default.createDirectory(
        atPath: file, withIntermediateDirectories: false, attributes: [.posixPermissions: 0])
      let unreadable = try await program.runUnprivileged(["doctor"])
      #expect(
        unreadable.out.contains("cache\twarning\t\(file) cannot be read\tcheck its permissions"))
      #expect(unreadable.status == 0)
    }
  }
}
