import Foundation
import TestSupport
import Testing

/// `--stream` with the real program: lines as they arrive.
struct StreamRunTests {
  private func ids(_ lines: some Sequence<String>) throws -> [String] {
    try lines.compactMap { try JSON($0)["id"]?.string }
  }

  /// The second page is never answered, so what is there came before it.
  @Test func linesComeBeforeTheEnd() async throws {
    let github = FakeGitHub(repositories: matching(230))
    github.fail(.hang, path: "/search", page: 2)
    try await withProgram(github) { program, server in
      let process = try program.start(
        ["search", "match", "-p", "github", "-L", "230", "--stream", "--timeout", "300"])
      defer { process.kill() }
      // A line is written after those before it, and the page is written line by line.
      var lines: [Substring] = []
      while lines.count < 100, process.isRunning {
        try await Task.sleep(for: .milliseconds(10))
        let text = String(decoding: process.stdoutSoFar, as: UTF8.self)
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      }
      #expect(lines.count == 100)
      #expect(process.isRunning)
      #expect(Set(try ids(lines.map(String.init))).count == 100)
      #expect(server.requests.count <= 2)
    }
  }

  /// The local provider has answered long ago when the forge does.
  @Test func oneProviderIsSlow() async throws {
    let github = FakeGitHub(repositories: matching(5))
    github.fail(.hang, path: "/search")
    try await withProgram(github) { program, _ in
      try await program.makeClone("zoe/match-one")
      try await program.addClones()
      let process = try program.start(["search", "match", "--stream", "--timeout", "300"])
      defer { process.kill() }
      try await process.waitForOutput(containing: "\"id\":\"github.com/zoe/match-one\"")
      #expect(process.isRunning)
      #expect(!String(decoding: process.stdoutSoFar, as: UTF8.self).contains("\"summary\""))
    }
  }

  @Test func everyEntityOnceThenTheSummary() async throws {
    let repositories = matching(230)
    try await withProgram(FakeGitHub(repositories: repositories)) { program, _ in
      let both = try #require(repositories.first).fullName
      for name in ["zoe/match-one", both] { try await program.makeClone(name) }
      try await program.addClones()
      let result = try await program.run(["search", "match", "-L", "1000", "--stream"])
      #expect(result.status == 0)
      #expect(result.err == "")
      let found = try ids(result.outLines.dropLast())
      #expect(found.count == 231)
      #expect(
        Set(found) == Set(repositories.map { "github.com/" + $0.fullName } + ["github.com/zoe/match-one"]))
      #expect(result.outLines.count == 232)
      let last = try JSON(try #require(result.outLines.last))
      #expect(last.keys == ["summary"])
      #expect(last["summary"]?["complete"] == .bool(true))
      #expect(last["summary"]?["items"] == nil)
      #expect(last["summary"]?["next"] == nil)
      let ranked = try await program.run(["search", "match", "-L", "1000", "--json", "id"])
      #expect(Set(try ranked.json().array.compactMap { $0["id"]?.string }) == Set(found))
    }
  }

  @Test(arguments: [1, 30, 130])
  func theLimit(_ limit: Int) async throws {
    try await withProgram(FakeGitHub(repositories: matching(230))) { program, _ in
      try await program.makeClone("zoe/match-one")
      try await program.addClones()
      let result = try await program.run(["search", "match", "-L", String(limit), "--stream"])
      #expect(result.status == 0)
      #expect(result.outLines.count == limit + 1)
    }
  }

  @Test func aFailureInBetween() async throws {
    let github = FakeGitHub(repositories: matching(230))
    github.fail(.serverError, path: "/search", page: 2)
    try await withProgram(github) { program, _ in
      let result = try await program.run(["search", "match", "-p", "github", "-L", "230", "--stream"])
      #expect(result.status == 3)
      #expect(result.outLines.count == 101)
      let summary = try JSON(try #require(result.outLines.last))["summary"]
      #expect(summary?["complete"] == .bool(false))
      #expect(summary?.provider("github")?["state"]?.string == "partial")
      #expect(expectMessages(result).count == 1)
    }
  }

  @Test func aClosedPipeIsSuccess() async throws {
    try await withProgram(FakeGitHub(repositories: matching(1000))) { program, _ in
      let result = try await Gate.shared.run {
        try await ProcessRunner.run(
          forageBinary, ["search", "match", "-p", "github", "-L", "1000", "--stream", "--timeout", "50"],
          environment: program.environment, closeOutputAfter: 1)
      }
      #expect(result.status == 0)
      #expect(result.signal == nil)
      #expect(result.err == "")
    }
  }

  @Test func aTerminalGetsTheSameLines() async throws {
    try await withProgram(FakeGitHub(repositories: matching(5))) { program, _ in
      let result = try await program.runInTerminal(
        ["search", "match", "-p", "github", "--stream"], adding: ["NO_COLOR": "1"])
      #expect(result.status == 0)
      #expect(!result.out.contains("\u{1B}"))
      #expect(result.outLines.count == 6)
      for line in result.outLines { _ = try JSON(line) }
    }
  }

  @Test(arguments: [
    ["--after", "f1.00000000000000000000000000000000.1"], ["--sort", "stars"], ["--json", "id"],
    ["--format", "json"], ["--format", "tsv"],
  ])
  func whatDoesNotGoWithIt(_ arguments: [String]) async throws {
    try await withProgram(FakeGitHub(repositories: matching(3))) { program, server in
      let result = try await program.run(["search", "match", "--stream"] + arguments)
      #expect(result.status == 2)
      #expect(result.out == "")
      let messages = expectMessages(result)
      #expect(messages.count == 1)
      #expect(messages.first?.hasPrefix("--stream and \(arguments[0])") == true)
      #expect(server.requests.isEmpty)
    }
  }
}
