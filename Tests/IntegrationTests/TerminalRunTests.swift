import Foundation
import TestSupport
import Testing

/// What a search writes on a terminal beside its results.
struct TerminalRunTests {
  private func slow(_ count: Int) -> FakeGitHub {
    let github = FakeGitHub(repositories: matching(count))
    github.fail(.slow(milliseconds: 2000), path: "/search")
    return github
  }

  /// A terminal without cursor movement gets none, and a line for what is waited for.
  @Test func aDumbTerminal() async throws {
    try await withProgram(slow(3)) { program, _ in
      let dumb = try await program.runInTerminal(
        ["search", "match", "--no-cache"], streams: .outputAndError, adding: ["TERM": "dumb"])
      #expect(dumb.status == 0 && !dumb.out.contains("\u{1B}"), "\(dumb.out)")
      #expect(dumb.out.components(separatedBy: "github  waiting\n").count == 2, "\(dumb.out)")
      let usual = try await program.runInTerminal(
        ["search", "match", "--no-cache"], streams: .outputAndError, adding: ["NO_COLOR": "1"])
      #expect(usual.out.contains("github  waiting\n") && usual.out.contains("\u{1B}["))
      // There are no clones, so that provider is not asked.
      #expect(!usual.out.contains("local"), "\(usual.out)")
    }
  }

  @Test func howManyOfHowMany() async throws {
    try await withProgram(FakeGitHub(repositories: matching(45))) { program, _ in
      let result = try await program.runInTerminal(
        ["search", "match"], streams: .outputAndError, adding: ["NO_COLOR": "1"])
      #expect(result.status == 0 && result.out.contains("30 of 45 results from github"), "\(result.out)")
    }
  }

  @Test func theSortKeyHasAColumn() async throws {
    try await withProgram(FakeGitHub(repositories: matching(3))) { program, _ in
      let forks = try await program.runInTerminal(
        ["search", "match", "-p", "github", "--sort", "forks"], columns: 60, adding: ["NO_COLOR": "1"])
      #expect(forks.outLines.first?.contains("FORKS") == true, "\(forks.out)")
      let updated = try await program.runInTerminal(
        ["search", "match", "-p", "github", "--sort", "updated"], columns: 60, adding: ["NO_COLOR": "1"])
      #expect(updated.outLines.first?.contains("UPDATED") == true, "\(updated.out)")
    }
  }

  /// Who has enabled a provider without repositories is told once a day how to search it, on a terminal and
  /// in a plain search.
  @Test func anEnabledProviderOfAnotherKind() async throws {
    let github = FakeGitHub(repositories: matching(3))
    try await withGitHub(github) { server in
      let program = try Program(server.baseURL, adding: ["NO_COLOR": "1"])
      try program.home.directory.writeShop(
        "home/.config/forage/providers.d/shop.yaml", at: "\(server.baseURL)/shop")
      let notice = "shop has packages, not repositories"
      func messages(_ arguments: [String] = []) async throws -> String {
        try await program.runInTerminal(["search", "match"] + arguments, streams: .outputAndError).out
      }
      // A provider that is there by itself was not enabled by anybody.
      #expect(try await !messages().contains(notice))
      let enabled = try await program.run(["providers", "enable", "shop"])
      #expect(enabled.status == 0, "\(enabled.err)")
      #expect(try await program.run(["search", "match"]).err == "")
      for arguments in [["-k", "repo"], ["-p", "github"], ["--quiet"]] {
        #expect(try await !messages(arguments).contains(notice), "\(arguments)")
      }
      let first = try await messages()
      #expect(first.contains("forage: \(notice)") && first.contains("add -k repo,package"), "\(first)")
      #expect(try await !messages().contains(notice))
    }
  }
}
