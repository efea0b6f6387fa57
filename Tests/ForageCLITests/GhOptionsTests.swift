import ArgumentParser
import Forage
import ForageCore
import TestSupport
import Testing

@testable import ForageCLI

/// Each option of `gh search` is taken; only templates are answered by a suggestion.
struct GhOptionsTests {
  /// The options of `gh search repos`, `issues`, `prs`, `commits` and `code`, each with a value that gh
  /// takes.
  ///
  /// Source: `gh search KIND --help` of gh 2.23, and the sources of gh 2.60 for `code`.
  private static let options: [String: [String]] = [
    "repos": [
      "--archived", "--archived=false", "--created >2020-01-31", "--followers >10", "--forks 5",
      "--good-first-issues >1", "--help-wanted-issues >1", "--include-forks only", "--jq .", "--json id",
      "--language c", "--license mit", "--limit 3", "--match name,description", "--number-topics 2",
      "--order asc --sort stars", "--owner apple", "--size 100..200", "--sort help-wanted-issues",
      "--stars >5", "--topic swift", "--updated >2020-01-31", "--visibility private", "--web", "-q .", "-L 3",
      "-w",
    ],
    "issues": [
      "--app dependabot", "--archived", "--assignee ada", "--author ada", "--closed >2020-01-31",
      "--commenter ada", "--comments >5", "--created 2020-01-31", "--include-prs", "--interactions 5",
      "--involves ada", "--label bug", "--language c", "--locked", "--match title", "--mentions ada",
      "--milestone next", "--no-assignee", "--no-label", "--no-milestone", "--no-project", "--owner apple",
      "--project apple/1", "--reactions >5", "--repo a/b", "--sort reactions-+1", "--state open",
      "--team-mentions apple/team", "--updated 2020-01-31", "--visibility public", "-R a/b",
    ],
    "prs": [
      "--base main", "-B main", "--checks failure", "--draft", "--draft=false", "--head topic", "-H topic",
      "--merged", "--merged=false", "--merged-at >2020-01-31", "--review changes_requested",
      "--review-requested ada", "--reviewed-by ada",
    ],
    "commits": [
      "--author ada", "--author-date >2020-01-31", "--author-email a@example.org", "--author-name ada",
      "--committer ada", "--committer-date 2020-01-31", "--committer-email a@example.org",
      "--committer-name ada", "--hash 0123456789", "--merge", "--parent 0123456789", "--sort author-date",
      "--tree 0123456789",
    ],
    "code": [
      "--extension swift", "--filename a.swift", "--language c", "--match path", "--owner apple",
      "--repo a/b", "--size >10",
    ],
  ]

  @Test(arguments: options.keys.sorted()) func everyOption(_ search: String) throws {
    for option in try #require(Self.options[search]) {
      let words = option.split(separator: " ").map(String.init)
      let prepared = ProgramArguments(["search", search, "x"] + words).prepared
      let command = try #require(
        try? SearchCommand.parse(Array(prepared.dropFirst())), "\(option)")
      // What stands for a qualifier is in the table, for this search of gh.
      let name = String(words[0].prefix { $0 != "=" })
      let others = ["--jq", "--json", "--limit", "--order", "--sort", "--web", "-q", "-L", "-w"]
      #expect(
        others.contains(name) || SearchQualifier.named[name]?.searches.contains(search) == true, "\(option)")
      #expect(command.qualifiers.areGiven != others.contains(name), "\(option)")
    }
  }

  /// Every option of the table is one of gh, and GitHub has its qualifier for each of its searches.
  @Test(arguments: SearchQualifier.table.map(\.name)) func everyQualifier(_ name: String) throws {
    let option = try #require(SearchQualifier.named["--" + name])
    let provider = try #require(BuiltInProvider.all.first)
    #expect(!option.searches.isEmpty && !option.help.isEmpty)
    for name in option.searches {
      let search = GhSearch(rawValue: name)
      let kind = search.map { $0.kind == .pullRequest ? .issue : $0.kind } ?? .code
      let qualifier = option.qualifier(for: "x", in: search)
      let abilities = try #require(provider.kinds[kind])
      #expect(abilities.push(qualifier) != .unsupported, "\(name): \(qualifier)")
      #expect(Self.options[name] != nil)
    }
  }

  @Test(arguments: [["-t", "x"], ["--template", "x"], ["--template=x"]])
  func templates(_ option: [String]) async throws {
    let outcome = try await forage(["search", "repos", "x", "--json", "name"] + option)
    #expect(outcome.status == .usage && outcome.err.contains("hint: did you mean --jq?"), "\(outcome.err)")
  }
}
