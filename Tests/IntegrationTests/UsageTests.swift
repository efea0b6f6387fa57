import Foundation
import TestSupport
import Testing

/// Mistakes in arguments and settings, and how the program ends.
struct UsageTests {
  @Test(arguments: [
    ["search", ""], ["search", "stars:>abc"], ["search", "x", "-L", "-1"], ["search", "x", "--nope"],
    ["serch", "x"], ["show", "??"], ["clones", "add", "nope"], ["completion", "tcsh"], ["feed", "x"],
    ["inspect", "nope"], ["inspect", ""], ["--nope"],
  ])
  func mistakes(_ arguments: [String]) async throws {
    let result = try await Program().run(arguments)
    #expect(result.status == 2, "\(arguments): \(result.err)")
    #expect(result.out == "")
    let lines = result.err.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines.first?.hasPrefix("forage: ") == true, "\(arguments): \(result.err)")
    #expect(lines.count > 2 && lines[1].hasPrefix("hint: "), "\(arguments): \(result.err)")
    #expect(lines.count { $0.hasPrefix("forage: ") } == 1, "\(arguments): \(result.err)")
    #expect(lines.count { $0.hasPrefix("hint: ") } == 1, "\(arguments): \(result.err)")
  }

  @Test(arguments: [
    ["--help"], ["help"], ["help", "search"], ["search", "--help"], ["clones", "add", "--help"],
    ["inspect", "-h"],
    ["--version"], ["completion", "bash"], ["--quiet"], ["--generate-completion-script", "bash"],
    ["--generate-completion-script", "zsh"],
    ["--generate-completion-script", "fish"], [],
  ])
  func helpIsAResult(_ arguments: [String]) async throws {
    let result = try await Program().run(arguments)
    #expect(result.status == 0, "\(arguments)")
    #expect(!result.out.isEmpty)
    #expect(result.err == "")
  }

  @Test func theProgramAloneOnATerminalPrintsHelp() async throws {
    let result = try await Program().runInTerminal([])
    #expect(result.status == 0 && result.out.contains("USAGE: forage"))
  }

  @Test func anEmptyQueryPointsToTheFeed() async throws {
    #expect(try await Program().run(["search", ""]).err.contains("forage feed\n"))
  }

  @Test func theCaretIsBelowThePlace() async throws {
    let result = try await Program().run(["search", "日本 stars:>abc"])
    #expect(result.err.hasSuffix("  日本 stars:>abc\n             ^^^^\n"))
  }

  @Test func settingsAreReadStrictly() async throws {
    let program = try Program()
    try program.home.writeConfig("forage/config.yaml", "providers:\n  github:\n    wieght: 2\n")
    for arguments in [["search", "x"], ["providers"], ["show", "a/b"]] {
      let result = try await program.run(arguments)
      #expect(result.status == 2)
      #expect(result.out == "")
      #expect(
        result.err == """
          forage: \(program.home.config.path.trimmingSuffix("/"))/forage/config.yaml:3: "wieght" is not a known setting
          hint: did you mean "weight"?

          """)
    }
    let doctor = try await program.run(["doctor"])
    #expect(doctor.status == 2)
    #expect(doctor.out.contains("settings\tproblem\t"))
  }

  @Test func disabledProviders() async throws {
    try await withProgram(FakeGitHub(repositories: matching(2))) { program, server in
      try program.home.writeConfig("forage/config.yaml", "providers:\n  github:\n    enabled: false\n")
      let result = try await program.run(["search", "match", "--format", "json"])
      #expect(result.status == 1)
      #expect(try result.json()["providers"]?.array.compactMap { $0["id"]?.string } == ["local"])
      #expect(server.requests.isEmpty)
      let list = try await program.run(["providers", "list", "--format", "json"])
      let github = try list.json().provider("github")
      #expect(github?["enabled"] == .bool(false))
      #expect(github?["reason"]?.string?.isEmpty == false)
      let named = try await program.run(["search", "match", "-p", "github"])
      #expect(named.status == 0)
      try program.home.writeConfig(
        "forage/config.yaml", "providers: {github: {enabled: false}, local: {enabled: false}}\n")
      #expect(try await program.run(["search", "match"]).status == 2)
    }
  }

  /// A kind that no chosen provider has is an error that names the providers that have it.
  @Test func kindsOfOtherProviders() async throws {
    let program = try Program()
    try program.home.writeConfig("forage/config.yaml", "providers: {github: {enabled: false}}\n")
    for (arguments, id) in [
      (["browse", "-k", "issue"], "github"), (["search", "x", "-k", "package"], "crates"),
      (["search", "x", "-k", "package", "-p", "local"], "crates"),
    ] {
      let result = try await program.run(arguments)
      #expect(result.status == 2 && result.err.contains("no chosen provider has"), "\(result.err)")
      #expect(result.err.contains(id) && result.err.contains("providers enable"), "\(result.err)")
    }
  }

  @Test func theProvidersOwnTimeLimit() async throws {
    let github = FakeGitHub(repositories: matching(2))
    github.fail(.hang)
    try await withProgram(github) { program, _ in
      try program.home.writeConfig("forage/config.yaml", "providers: {github: {timeout: 0.5}}\n")
      // Without --timeout, so that the limit of the settings is the only one.
      let result = try await Gate.shared.run {
        try await ProcessRunner.run(
          forageBinary, ["search", "match", "-p", "github", "--format", "json"],
          environment: program.environment, workingDirectory: program.home.home)
      }
      #expect(result.status == 4)
      #expect(expectMessages(result).first?.contains("did not answer in time") == true)
      let elapsed = try #require(try result.json().provider("github")?["elapsedMs"]?.int)
      // A tenth is for reading an older answer; a search without settings takes ten seconds.
      #expect((400..<9000).contains(elapsed))
    }
  }

  @Test func controlCEndsASearch() async throws {
    let github = FakeGitHub(repositories: matching(2))
    github.fail(.hang)
    try await withProgram(github) { program, server in
      let running = try program.start(["search", "match", "--timeout", "50"])
      while server.requests.isEmpty, running.isRunning { try await Task.sleep(for: .milliseconds(10)) }
      #expect(running.sendSignal(SIGINT))
      let result = await running.wait()
      #expect(result.status == 130)
      #expect(result.out == "")
      #expect(!result.timedOut)
      #expect(result.err.split(separator: "\n").count == 1, "\(result.err)")
      #expect(result.err.hasPrefix("forage: interrupted") && result.err.contains("github"))
    }
  }
}
