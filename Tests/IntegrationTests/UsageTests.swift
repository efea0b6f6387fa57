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

  /// Every command tells of a setting that is not understood, and uses all others.
  @Test func settingsAreReadStrictly() async throws {
    try await withProgram(FakeGitHub(repositories: matching(2))) { program, server in
      let path = program.home.config.path.trimmingSuffix("/") + "/forage/config.yaml"
      try program.home.writeConfig(
        "forage/config.yaml",
        "colour: red\nclones: {root: src}\nproviders:\n  acme:\n    wieght: 2\n    config: {a: 1}\n")
      let told = [
        "\(path):1: \"colour\" is not a known key", "\(path):2: root takes an absolute path",
        "\(path):5: \"wieght\" is not a known key",
      ]
      let found = try await program.run(["search", "match"])
      #expect(found.status == 0 && found.outLines.count == 2)
      #expect(expectMessages(found) == told && found.err.contains("hint: did you mean \"weight\"?\n"))
      #expect(expectMessages(try await program.run(["show", "nemo/match-0"])).starts(with: told))
      for command in [
        ["clones", "list"], ["favorite", "list"], ["plugin", "list"], ["inspect", "--list-sections"],
      ] {
        #expect(expectMessages(try await program.run(command)).starts(with: told), "\(command)")
      }
      // Who needs the wrong part gets the reason, before anything is asked.
      let count = server.requests.count
      let named = try await program.run(["search", "match", "-p", "acme"])
      #expect(
        named.status == 2
          && expectMessages(named) == told + ["acme: not used, because its settings are wrong: \(path):5"])
      for command in [["clone", "nemo/match-0"], ["clones", "sync"]] {
        let refused = try await program.run(command)
        #expect(refused.status == 2 && expectMessages(refused) == told, "\(refused.err)")
      }
      #expect(server.requests.count == count)
      let doctor = try await program.run(["doctor"])
      #expect(doctor.status == 2 && doctor.err == "")
      for text in told { #expect(doctor.out.contains("settings\tproblem\t" + text)) }
    }
  }

  /// A server whose settings are wrong is not asked, at no other address either; others are.
  @Test func aServerWithWrongSettings() async throws {
    try await withProgram(FakeGitHub(repositories: matching(2))) { program, server in
      try program.home.writeConfig("forage/config.yaml", "providers:\n  github: {wieght: 2}\n")
      let wrong = try await program.run(["search", "match", "--format", "json"])
      #expect(wrong.status == 2 && server.requests.isEmpty)
      let json = try wrong.json()
      #expect(json["complete"]?.bool == false)
      #expect(json.provider("github")?["error"]?["code"]?.string == "configuration")
      #expect(json.provider("github")?["error"]?["message"]?.string?.hasSuffix("config.yaml:2") == true)
      let star = try await program.run(["star", "nemo/match-0"])
      #expect(star.status != 0 && server.requests.isEmpty)
      // What is disabled has no need of settings.
      try program.home.writeConfig(
        "forage/config.yaml", "providers:\n  github: {wieght: 2, enabled: false}\n")
      let disabled = try await program.run(["search", "match"])
      #expect(disabled.status == 1 && server.requests.isEmpty)
      // Without the providers nothing is known of any.
      try program.home.writeConfig("forage/config.yaml", "providers: [github]\n")
      for arguments in [["search", "match"], ["providers"], ["show", "a/b"]] {
        let result = try await program.run(arguments)
        #expect(result.status == 2 && result.out == "" && expectMessages(result).count == 1)
      }
      #expect(server.requests.isEmpty)
    }
  }

  /// A command switches providers in a file of its own; the settings win, and the command says so.
  @Test func switchedProviders() async throws {
    try await withProgram(FakeGitHub(repositories: matching(2))) { program, server in
      let folder = program.home.config.path.trimmingSuffix("/") + "/forage"
      let text = "# mine\r\nproviders: {local: {enabled: true}}\r\n"
      let file = try program.home.writeConfig("forage/config.yaml", text)
      let off = try await program.run(["providers", "disable", "github"])
      #expect(off.status == 0 && off.err == "forage: github is now disabled\n", "\(off.err)")
      #expect(
        try await program.run(["providers", "disable", "github"]).err
          == "forage: github is already disabled\n")
      #expect(try await program.run(["search", "match"]).status == 1 && server.requests.isEmpty)
      let refused = try await program.run(["providers", "disable", "local"])
      #expect(refused.status == 2)
      #expect(
        expectMessages(refused) == [
          "local cannot be disabled by a command: \(folder)/config.yaml:2 says enabled: true"
        ])
      let same = try await program.run(["providers", "enable", "local"])
      #expect(
        same.status == 0 && same.err == "forage: local is already enabled, in \(folder)/config.yaml:2\n",
        "\(same.err)")
      #expect(try await program.run(["providers", "enable", "github"]).status == 0)
      #expect(try await program.run(["search", "match"]).status == 0)
      #expect(try String(contentsOf: file, encoding: .utf8) == text)
      // A file that is not understood stops nothing but writing over it.
      try program.home.writeConfig("forage/providers.enabled.yaml", "github: false\nlocal: perhaps\n")
      let broken = try await program.run(["search", "match"])
      #expect(broken.status == 1 && expectMessages(broken).first?.contains("enabled.yaml:2: ") == true)
      let kept = try await program.run(["providers", "enable", "github"])
      #expect(kept.status == 2 && kept.err.contains("delete the file"), "\(kept.err)")
    }
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
      (["search", "x", "-k", "issue"], "github"), (["search", "x", "-k", "pr,issue"], "github"),
      (["search", "x", "-k", "package", "-p", "local"], "crates"),
      (["search", "x", "-k", "packages"], "crates"),
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
