import ArgumentParser
import TestSupport
import Testing

@testable import ForageCLI

/// Arguments of `stars`, `feed`, `star` and `unstar` to options.
struct ListOptionsTests {
  /// The options that are not as by default, in words.
  private func description(_ list: ListOptions, _ own: [(String, String?)]) -> String {
    let flags = [
      ("strict", list.strict), ("explain", list.explain), ("favorites", list.favorites),
      ("offline", list.offline), ("no-cache", list.noCache), ("stream", list.stream),
    ]
    let shared = [
      ("limit", list.limit), ("sort", list.sort), ("order", list.order), ("timeout", list.timeout),
      ("json", list.reporting.json), ("after", list.after),
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
      (["--after", "f1.x.3", "--json", "id"], "format=json json=id after=f1.x.3"),
      (
        ["--favorites", "--offline", "--strict", "--explain"],
        "strict=yes explain=yes favorites=yes offline=yes"
      ),
      (["--no-cache", "--stream", "--timeout", "2.5"], "timeout=2.5 no-cache=yes stream=yes"),
      (["--format", "json"], "format=json"),
    ] as [([String], String)])
  func stars(_ arguments: [String], _ expected: String) throws {
    let options = try StarsCommand.parse(arguments)
    let own: [(String, String?)] = [
      ("query", joined(options.query)), ("user", options.user), ("format", options.reporting.format),
    ]
    #expect(description(options.list, own) == expected)
  }

  @Test(
    arguments: [
      ([], ""), (["-p", "github,local", "-k", "repo"], "provider=github,local kind=repo"),
      (["-pgithub", "--provider", "local"], "provider=github|local"),
      (["--sample", "5", "--seed", "7", "-L100"], "sample=5 seed=7 limit=100"),
      (["--sort", "updated", "--stream"], "sort=updated stream=yes"),
    ] as [([String], String)])
  func feed(_ arguments: [String], _ expected: String) throws {
    let options = try FeedCommand.parse(arguments)
    let own: [(String, String?)] = [
      ("provider", joined(options.provider)), ("kind", joined(options.kind)), ("sample", options.sample),
      ("seed", options.seed),
    ]
    #expect(description(options.list, own) == expected)
  }

  @Test func star() throws {
    let given = try StarCommand.parse(["a/b", "c/d", "--timeout", "3"])
    #expect(given.references == ["a/b", "c/d"] && given.timeout == "3")
    let back = try UnstarCommand.parse(["a/b"])
    #expect(back.references == ["a/b"] && back.timeout == nil)
    #expect(throws: (any Error).self) { try StarCommand.parse([]) }
    #expect(throws: (any Error).self) { try FeedCommand.parse(["word"]) }
  }

  /// A mistake, and the first line of what is said about it.
  @Test(
    arguments: [
      (["feed", "--seed", "1"], "--seed needs --sample"),
      (["feed", "--sample", "5", "--seed", "x"], "--seed takes a whole number from 0, not \"x\""),
      (["feed", "--sample", "0"], "--sample takes a number from 1 to 10000, not 0"),
      (["feed", "--sample", "5", "--after", "x"], "--sample and --after exclude each other"),
      (["feed", "--sample", "5", "--stream"], "--sample and --stream exclude each other"),
      (["feed", "--stream", "--after", "x"], "--stream and --after exclude each other"),
      (["feed", "-k", "issue"], "no chosen provider has a feed of kind \"issue\""),
      (["feed", "--sort", "starz"], "no chosen provider sorts by \"starz\""),
      (["stars", "--sort", "path"], "no chosen provider sorts by \"path\""),
      (["stars", "--stream", "--sort", "stars"], "--stream and --sort exclude each other"),
      (["stars", "--user", "a/b"], "--user takes the name of an account, not \"a/b\""),
      (["stars", "(a"], "this parenthesis is not closed"),
      (["stars", "-L", "0"], "--limit takes a number from 1 to 10000, not 0"),
      (["star", "what"], "\"what\" names no repository, path or result"),
      (["star", "a/b#7"], "a/b#7 is an issue or a pull request, and only repositories can be starred"),
      (["unstar", "@octocat"], "octocat is an account, and only repositories can be unstarred"),
      (["stars", "--next"], "there is no list on this terminal to continue"),
      (["search", "--next", "x"], "--next continues the last list and takes no query"),
      (["open", "3"], "this terminal has no last list for the number 3"),
      (["star", "a/b", "gitlab.com/c/d"], "nothing can be starred on gitlab.com"),
    ] as [([String], String)])
  func mistakes(_ arguments: [String], _ expected: String) async throws {
    let outcome = try await forage(arguments)
    let lines = outcome.err.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(outcome.status == .usage)
    #expect(outcome.out == "")
    #expect(lines.first.map(String.init) == "forage: " + expected)
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
    ["feed", "--sample", "1", "--seed", "-1"], ["feed", "--sample", "1", "--stream"],
    ["feed", "--sample", "1", "--after", "x"], ["clones", "remove", "nope"], ["clones", "lst"],
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
