import ArgumentParser
import TestSupport
import Testing

@testable import ForageCLI

/// Arguments of `stars`, `feed`, `star` and `unstar` to options.
struct ListOptionsTests {
  /// The options that are not as by default, in words.
  private func description(
    _ list: ListOptions, _ answers: AnswerOptions, _ json: String?, _ own: [(String, String?)]
  ) -> String {
    let flags = [
      ("strict", answers.strict), ("explain", answers.explain), ("favorites", list.favorites),
      ("offline", answers.offline), ("no-cache", answers.noCache),
    ]
    let shared = [
      ("limit", list.limit), ("sort", list.sort), ("order", list.order), ("timeout", answers.timeout),
      ("json", json),
    ]
    let parts = own + shared + flags.map { ($0.0, $0.1 ? "yes" : nil) }
    return parts.compactMap { name, value in value.map { "\(name)=\($0)" } }.joined(separator: " ")
  }

  private func joined(_ list: [String]) -> String? { list.isEmpty ? nil : list.joined(separator: "|") }

  @Test(
    arguments: [
      ([], ""), (["json", "language:swift"], "query=json|language:swift"),
      (["--user", "octocat", "x"], "query=x user=octocat"),
      (["-L", "5", "--sort", "pushed", "--order", "asc"], "limit=5 sort=pushed order=asc"),
      (["--json", "id"], "format=json json=id"),
      (
        ["--favorites", "--offline", "--strict", "--explain"],
        "strict=yes explain=yes favorites=yes offline=yes"
      ),
      (["--no-cache", "--timeout", "2.5"], "timeout=2.5 no-cache=yes"),
      (["--format", "json"], "format=json"),
    ] as [([String], String)])
  func stars(_ arguments: [String], _ expected: String) throws {
    let options = try StarsCommand.parse(arguments)
    let own: [(String, String?)] = [
      ("query", joined(options.query)), ("user", options.user), ("format", options.reporting.format),
    ]
    #expect(description(options.list, options.answers, options.reporting.json, own) == expected)
  }

  @Test(
    arguments: [
      ([], ""), (["-p", "github,local", "-k", "repo"], "provider=github,local kind=repo"),
      (["-pgithub", "--provider", "local"], "provider=github|local"),
      (["--sample", "5", "--seed", "7", "-L100"], "sample=5 seed=7 limit=100"),
      (["--sort", "updated", "--strict"], "sort=updated strict=yes"),
    ] as [([String], String)])
  func feed(_ arguments: [String], _ expected: String) throws {
    let options = try FeedCommand.parse(arguments)
    let own: [(String, String?)] = [
      ("provider", joined(options.providers.provider)), ("kind", joined(options.providers.kind)),
      ("sample", options.sample),
      ("seed", options.seed),
    ]
    #expect(description(options.list, options.answers, options.reporting.json, own) == expected)
  }

  @Test func star() throws {
    let given = try StarCommand.parse(["a/b", "c/d", "--timeout", "3"]).stars
    #expect(given.references == ["a/b", "c/d"] && given.timeout == "3")
    let back = try UnstarCommand.parse(["a/b"]).stars
    #expect(back.references == ["a/b"] && back.timeout == nil)
    #expect(throws: (any Error).self) { try StarCommand.parse([]) }
    #expect(throws: (any Error).self) { try FeedCommand.parse(["word"]) }
  }

  /// A mistake, and what the message names.
  @Test(
    arguments: [
      (["feed", "--seed", "1"], ["--seed", "--sample"]),
      (["feed", "--sample", "5", "--seed", "x"], ["--seed", "\"x\""]),
      (["feed", "--sample", "0"], ["--sample", "1 to 10000"]),
      (["feed", "-k", "issue"], ["feed", "\"issue\""]),
      (["feed", "--sort", "starz"], ["\"starz\""]),
      (["stars", "--sort", "path"], ["\"path\""]),
      (["stars", "--user", "a/b"], ["--user", "\"a/b\""]),
      (["stars", "(a"], ["parenthesis"]),
      (["stars", "-L", "0"], ["--limit", "1 to 10000"]),
      (["star", "what"], ["\"what\""]),
      (["star", "a/b#7"], ["a/b#7", "starred"]),
      (["unstar", "@octocat"], ["octocat", "unstarred"]),
      (["stars", "--next"], ["terminal"]),
      (["search", "--next", "x"], ["--next", "query"]),
      (["open", "3"], ["terminal", "3"]),
      (["star", "a/b", "gitlab.com/c/d"], ["gitlab.com"]),
    ] as [([String], [String])])
  func mistakes(_ arguments: [String], _ named: [String]) async throws {
    let outcome = try await forage(arguments)
    let lines = outcome.err.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(outcome.status == .usage)
    #expect(outcome.out == "")
    let message = try #require(lines.first)
    #expect(message.hasPrefix("forage: ") && named.allSatisfy { message.contains($0) }, "\(message)")
    #expect(lines.count > 2 && lines[1].hasPrefix("hint: ") && lines[1].count > 8)
  }

  /// Whatever is wrong, one message says so, and one hint says what to do.
  @Test(arguments: [
    ["search", "   "], ["search", "a)"], ["search", "created:2024-13-01"], ["search", "a OR"],
    ["search", "created:2023-02-29"], ["search", "x", "-L", "99999999999999999999"],
    ["search", "x", "-p", "nope"], ["search", "x", "-R", "swift-nio"], ["search", "x", "-R", "apple/"],
    ["search", "x", "--owner", "a b"], ["search", "x", "--archived", "maybe"],
    ["search", "x", "--archived=maybe"], ["search", "x", "--timeout", "inf"],
    ["search", "x", "--format", "xml"], ["search", "x", "-k", "nope"], ["search", "x", "--json", "nope"],
    ["nope"], ["show", ""], ["providers", "show", "nope"], ["providers", "nope"], ["star"], ["star", "??"],
    ["unstar", ""], ["star", "a/b", "gitlab.com/a/b"], ["star", "./nope"], ["star", "a/b", "--timeout", "0"],
    ["stars", "--user", " "], ["stars", "stars:>abc"], ["stars", "--sort", "starz"], ["feed", "-p", "nope"],
    ["feed", "--sample", "1", "--seed", "-1"], ["clones", "remove", "nope"], ["clones", "lst"],
    ["completion"], ["feed", "--author", "x"], ["search", "x", "--jq", ".", "--format", "tsv"],
  ])
  func oneMessageAndOneHint(_ arguments: [String]) async throws {
    let outcome = try await forage(arguments)
    #expect(outcome.status == .usage && outcome.out == "")
    let lines = outcome.err.split(separator: "\n")
    #expect(lines.first?.hasPrefix("forage: ") == true, "\(outcome.err)")
    #expect(lines.dropFirst().first?.hasPrefix("hint: ") == true, "\(outcome.err)")
    for beginning in ["forage: ", "hint: "] {
      #expect(lines.count { $0.hasPrefix(beginning) } == 1, "\(outcome.err)")
    }
  }
}
