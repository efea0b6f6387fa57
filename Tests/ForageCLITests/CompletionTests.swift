import Foundation
import TestSupport
import Testing

@testable import ForageCLI

/// Words that shells offer: calls as the scripts make them, and the script of bash itself.
struct CompletionTests {
  /// A home with favorites, a folder of clones and settings with another server.
  private func withThings<Result>(_ body: (IsolatedHome, [String: String]) async throws -> Result)
    async throws
    -> Result
  {
    try await withIsolatedHome { home in
      let environment = variables(home)
      for (name, remote) in [
        ("tool", "https://github.com/acme/tool"), ("odd$(id)", "https://github.com/acme/odd"),
      ] {
        let repository = try await TemporaryRepository.make("home/src/\(name)", in: home.directory)
        try await repository.commit("first", files: ["main.swift": "print(1)\n"])
        try await repository.git(["remote", "add", "origin", remote])
      }
      try home.writeConfig(
        "forage/config.yaml", "providers:\n  work:\n    type: github\n    url: https://ghe.example/api/v3\n")
      _ = await forage(["clones", "add", home.directory.path("home/src")], in: environment)
      _ = await forage(["favorite", "add", "apple/swift-nio", "gitlab.com/a/b"], in: environment)
      return try await body(home, environment)
    }
  }

  /// The words for the last one of a command line.
  private func words(_ line: [String], _ argument: String, _ environment: [String: String]) async -> [String]
  {
    let commands = Array(
      line.dropFirst().dropLast().prefix { !$0.hasPrefix("-") && !["", "x", "repos"].contains($0) })
    let place = ["--", argument, String(line.count - 1), String(line.last?.count ?? 0)]
    let outcome = await forage(["---completion"] + commands + place + line, in: environment)
    #expect(outcome.status == .success && outcome.err == "", "\(line): \(outcome.err)")
    // The script for zsh removes a last word, which is a space.
    return outcome.out.split(separator: "\n").map(String.init).filter { $0 != " " }
  }

  @Test func everythingThatIsKnown() async throws {
    try await withThings { home, environment in
      let kinds = await words(["forage", "search", "-k", ""], "--kind", environment)
      #expect(Set(["repo", "code", "issue", "pr", "commit", "user", "topic"]).isSubset(of: kinds))
      let list = await words(["forage", "search", "-k", "repo,is"], "--kind", environment)
      #expect(
        list.contains("repo,issue") && !list.contains("repo,repo")
          && list.allSatisfy { $0.hasPrefix("repo,") })
      #expect(
        await words(["forage", "search", "-p", ""], "--provider", environment) == ["github", "work", "local"])
      #expect(
        await words(["forage", "providers", "show", ""], "positional@0", environment) == [
          "github", "work", "local",
        ])
      #expect(await words(["forage", "stars", "-p", ""], "--provider", environment) == ["github", "work"])
      let sorts = await words(["forage", "search", "x", "--sort", ""], "--sort", environment)
      #expect(Set(["stars", "updated", "starred", "name"]).isSubset(of: sorts))
      let fields = await words(["forage", "search", "x", "--json", "id,"], "--json", environment)
      #expect(fields.contains("id,title") && fields.contains("id,stars") && !fields.contains("id,id"))
      let ofGH = await words(["forage", "search", "repos", "x", "--json", ""], "--json", environment)
      #expect(ofGH.contains("fullName") && !ofGH.contains("stars"))
      #expect(
        await words(["forage", "clones", "list", "--json", ""], "--json", environment).contains(
          "lastCommitAt"))
      #expect(
        await words(["forage", "favorite", "remove", ""], "positional@0", environment).sorted() == [
          "apple/swift-nio", "gitlab.com/a/b",
        ])
      let references = await words(["forage", "show", ""], "positional@0", environment)
      #expect(Set(references) == ["apple/swift-nio", "gitlab.com/a/b", "acme/tool", "acme/odd"])
      let clones = await words(["forage", "clones", "list", ""], "positional@0", environment)
      #expect(Set(clones) == ["acme/tool", "acme/odd"])
      // The name alone is enough where it is typed.
      let typed = await words(["forage", "clones", "list", "to"], "positional@0", environment)
      #expect(Set(typed) == ["acme/tool", "acme/odd", "tool", "odd"])
      #expect(
        await words(["forage", "clones", "remove", ""], "positional@0", environment) == [
          home.directory.path("home/src")
        ])
      let tool = home.directory.path("home/src/tool")
      #expect(await words(["forage", "clones", "ignore", ""], "positional@0", environment) == [tool])
      #expect(
        await words(["forage", "inspect", "--only", "head,up"], "--only", environment).contains(
          "head,upstream"))
    }
  }

  /// What is broken offers less; nothing is ever printed beside the words.
  @Test func neverAnError() async throws {
    try await withIsolatedHome { home in
      try home.writeConfig("forage/config.yaml", "providers: [\n")
      let environment = variables(home)
      #expect(await words(["forage", "search", "-p", ""], "--provider", environment) == ["github", "local"])
      #expect(await words(["forage", "show", ""], "positional@0", environment) == [])
      for call in [
        ["---completion"], ["---completion", "search", "--", "--nope", "1", "0"],
        ["---completion", "x", "--", "--json"],
      ] {
        let outcome = await forage(call, in: environment)
        #expect(outcome.status == .success && outcome.out == "" && outcome.err == "", "\(call)")
      }
    }
  }

  /// bash expands the words that it is given.
  @Test func wordsThatAShellWouldExpandAreLeftOut() {
    let hostile = ["$(id)", "`id`", "a\\b", "a\"b", "a'b", "a\nb", "\u{1B}[2J", "\u{202E}x", ""]
    #expect(Completion.answer(hostile + ["fine", "a b"], to: "", isList: false) == ["fine", "a\\\\ b"])
    #expect(Completion.answer(["a", "b", "a"], to: "b,", isList: true) == ["b,a"])
  }

  @Test func scripts() async throws {
    for shell in ["bash", "zsh", "fish"] {
      let outcome = try await forage(["completion", shell])
      let generated = try await forage(["--generate-completion-script", shell])
      #expect(outcome.status == .success && outcome.err == "")
      #expect(outcome.out.contains("---completion") && outcome.out == generated.out)
      // Of names of files bash shows the last component, which would hide the owner of a repository.
      #expect(!outcome.out.contains("complete -o filenames"))
      let condition = #"[[ "${1}" = -[df] ]] && compopt -o filenames"#
      #expect(outcome.out.contains(condition) == (shell == "bash"))
    }
    for (arguments, named) in [
      (["completion"], "bash"), (["completion", "tcsh"], "tcsh"), (["completion", "fis"], "fish"),
    ] {
      let outcome = try await forage(arguments)
      #expect(outcome.status == .usage && outcome.out == "" && outcome.err.contains(named))
    }
  }
}
