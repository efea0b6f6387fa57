import ArgumentParser
import Forage
import ForageCore
import ForageGitHub
import TestSupport
import Testing

@testable import ForageCLI

/// Each option of `gh search` is taken, or answered by a suggestion that works as it is written.
struct GhOptionsTests {
  /// The options of `gh search repos`, `issues`, `prs`, `commits` and `code`, each with a value that gh takes.
  ///
  /// Source: `gh search KIND --help` of gh 2.23, and the manual of gh for `code`.
  private static let options: [String: [String]] = [
    "repo": [
      "--archived", "--archived=false", "--created >2020-01-31", "--followers >10", "--forks 5",
      "--good-first-issues >1", "--help-wanted-issues >1", "--include-forks only", "--jq .", "--json id",
      "--language c", "--license mit", "--limit 3", "--match name,description", "--number-topics 2",
      "--order asc --sort stars", "--owner apple", "--size 100..200", "--sort help-wanted-issues",
      "--stars >5", "--template x", "--topic swift", "--updated >2020-01-31", "--visibility private", "--web",
      "-q .", "-L 3", "-t x", "-w",
    ],
    "issue": [
      "--app dependabot", "--archived", "--assignee ada", "--author ada", "--closed >2020-01-31",
      "--commenter ada", "--comments >5", "--created 2020-01-31", "--include-prs", "--interactions 5",
      "--involves ada", "--label bug", "--language c", "--locked", "--match title", "--mentions ada",
      "--milestone next", "--no-assignee", "--no-label", "--no-milestone", "--no-project", "--owner apple",
      "--project apple/1", "--reactions >5", "--repo a/b", "--sort reactions-+1", "--state open",
      "--team-mentions apple/team", "--visibility public", "-R a/b",
    ],
    "pr": [
      "--base main", "-B main", "--checks failure", "--draft", "--draft=false", "--head topic", "-H topic",
      "--merged", "--merged=false", "--merged-at >2020-01-31", "--review changes_requested",
      "--review-requested ada", "--reviewed-by ada",
    ],
    "commit": [
      "--author-date >2020-01-31", "--author-email a@example.org", "--author-name ada", "--committer ada",
      "--committer-date 2020-01-31", "--committer-email a@example.org", "--committer-name ada",
      "--hash 0123456789", "--merge", "--parent 0123456789", "--sort author-date", "--tree 0123456789",
    ],
    "code": [
      "--extension swift", "--filename a.swift", "--language c", "--match path", "--owner apple",
      "--repo a/b",
      "--size >10",
    ],
  ]

  @Test(arguments: options.keys.sorted()) func everyOption(_ kind: String) async throws {
    var answered = 0
    for option in try #require(Self.options[kind]) {
      let words = option.split(separator: " ").map(String.init)
      // With the kind of gh's command, and without it.
      for (arguments, asked) in [(["x", "-k", kind] + words, kind), (["x"] + words, "repo")] {
        guard let hint = try hint(at: ["search"] + arguments) else { continue }
        answered += 1
        if hint.hasPrefix("did you mean ") {
          #expect(hint.hasPrefix("did you mean --jq?"), "\(option): \(hint)")
          continue
        }
        if hint == ArgumentMistake.unneeded[String(option.dropFirst(2))] { continue }
        let match = try #require(
          hint.prefixMatch(of: /write it in the query(?:, with -k (\w+))?: ([^;]+)/), "\(option): \(hint)")
        try check(String(match.2), String(match.1 ?? asked[...]), option)
        // The value is the one that was given.
        if words.count > 1 { #expect(match.2.hasSuffix(words[1]), "\(option): \(hint)") }
      }
    }
    #expect(answered > 0)
  }

  /// A year is completed, not replaced by another one.
  @Test(arguments: [(">2020", ">2020-01-01"), ("<=2020-03", "<=2020-03-01"), ("soon", ">2024-01-31")])
  func datesKeepTheirValue(_ given: String, _ expected: String) throws {
    let hint = try #require(try hint(at: ["search", "x", "--closed", given]))
    #expect(hint.hasSuffix("closed:" + expected), "\(hint)")
  }

  /// The hint of a mistake, `nil` for arguments that are taken.
  private func hint(at arguments: [String]) throws -> String? {
    let prepared = ProgramArguments.prepared(arguments)
    if (try? SearchCommand.parse(Array(prepared.dropFirst()))) != nil { return nil }
    return try #require(ArgumentMistake.error(prepared), "\(arguments)").hint
  }

  /// Checks that GitHub can answer a query for a kind, without a warning.
  private func check(_ query: String, _ name: String, _ option: String) throws {
    let provider = try #require(BuiltInProvider.all.first)
    let vocabulary = QualifierVocabulary.common.adding(provider.info.vocabulary)
    let parsed = try QueryParser(vocabulary: vocabulary).parse("x " + query)
    #expect(parsed.warnings.isEmpty, "\(option): \(query)")
    let kind = ResultKind(rawValue: name == "pr" ? "issue" : name)
    let abilities = try #require(provider.kinds[kind])
    let plan = try QueryPlan(parsed.root, abilities: abilities, vocabulary: vocabulary.of(kind))
    #expect(plan.pushed != nil, "\(option): \(query)")
  }
}
