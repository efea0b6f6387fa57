import Foundation
import TestSupport
import Testing

/// Limits with the real program: it waits for short ones, tells of long ones, and processes share what they know.
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
      for _ in 0..<2 {
        let result = try await program.run(["search", "match", "-p", "github", "--format", "json"])
        #expect(result.status == 4)
        let outcome = try result.json().provider("github")
        #expect(outcome?["state"]?.string == "rate_limited")
        #expect((3_000_000...3_602_000).contains(outcome?["error"]?["retryAfterMs"]?.int ?? 0))
        let message = try #require(outcome?["error"]?["message"]?.string)
        #expect(message.wholeMatch(of: /the rate limit of .+ is exceeded until \d\d:\d\d:\d\d UTC/) != nil)
        #expect(outcome?["error"]?["hint"]?.string?.hasPrefix("try again in ") == true)
      }
      // The second process has heard of it from the first.
      #expect(server.requests.count == 1)
    }
  }

  /// The first process has no time; the second waits for what the first has learnt, before it sends anything.
  @Test func aKnownLimitIsWaitedFor() async throws {
    let github = FakeGitHub(repositories: matching(3))
    github.fail(.tooManyRequests(retryAfter: 3), times: 1)
    try await withProgram(github) { program, server in
      let first = try await program.run(["search", "match", "-p", "github", "--timeout", "2"])
      #expect(first.status == 4)
      let second = try await program.run(["search", "match", "-p", "github"])
      #expect(second.status == 0 && second.outLines.count == 3)
      #expect(server.requests.count == 2)
    }
  }

  @Test func twoProcessesAtOnce() async throws {
    let github = FakeGitHub(repositories: matching(3))
    github.fail(.primaryLimit(resetIn: 2), times: 1)
    try await withProgram(github) { program, server in
      async let first = program.run(["search", "match", "-p", "github"])
      async let second = program.run(["search", "match", "-p", "github", "--no-cache"])
      for result in [try await first, try await second] {
        #expect(result.status == 0)
        #expect(result.outLines.count == 3)
      }
      // One is refused and asks again; the other has heard of it, or asks when the limit is over.
      #expect(server.requests.count == 3)
    }
  }

  /// A server that names no time is left alone for a minute by all.
  @Test func aLimitWithoutATime() async throws {
    let github = FakeGitHub(repositories: matching(3))
    github.fail(.secondaryLimit(retryAfter: nil), times: 1)
    try await withProgram(github) { program, server in
      for _ in 0..<2 {
        let result = try await program.run(
          ["search", "match", "-p", "github", "--format", "json", "--timeout", "20"])
        let error = try result.json().provider("github")?["error"]
        #expect((20_000...60_000).contains(error?["retryAfterMs"]?.int ?? 0))
      }
      #expect(server.requests.count == 1)
      let doctor = try await program.run(["doctor"])
      #expect(
        doctor.out.contains("limit\twarning\t")
          && doctor.out.contains("because the server asked for a pause\t"))
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

  /// Whoever repeats a command after failures gets one new attempt each time, without naming the provider.
  @Test func aRepeatedCommandIsNotLockedOut() async throws {
    let github = FakeGitHub(repositories: matching(3))
    github.fail(.nothing)
    try await withProgram(github) { program, server in
      for attempt in 1...6 {
        server.forgetRequests()
        let result = try await program.run(["search", "match", "--format", "json", "--no-cache"])
        let outcome = try result.json().provider("github")
        #expect(outcome?["error"]?["code"]?.string == "connection_lost", "attempt \(attempt): \(result.out)")
        // After three failures each command tries once; before, it repeats what is lost.
        #expect(server.requests.count == (attempt <= 3 ? 3 : 1), "attempt \(attempt)")
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

  /// Good standing keeps no file of limits.
  @Test func goodStandingKeepsNothing() async throws {
    try await withProgram(FakeGitHub(repositories: matching(3))) { program, _ in
      let result = try await program.run(["search", "match", "-p", "github"])
      #expect(result.status == 0)
      let file = program.home.cache.appendingPathComponent("forage/limits.db").path
      #expect(!FileManager.default.fileExists(atPath: file))
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
      let file = folder + "/answers.db"
      try #require(
        FileManager.default.createFile(atPath: file, contents: Data(), attributes: [.posixPermissions: 0]))
      let unreadable = try await program.runUnprivileged(["doctor"])
      #expect(
        unreadable.out.contains("cache\twarning\t\(file) cannot be read\tcheck its permissions"))
      #expect(unreadable.status == 0)
    }
  }
}
