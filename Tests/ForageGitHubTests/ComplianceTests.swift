import ForageCore
import ForageTesting
import TestSupport
import Testing

/// GitHub's provider keeps the contract that every provider keeps.
struct ComplianceTests {
  @Test func gitHubComplies() async throws {
    let repositories = FakeRepository.sample(count: 60, seed: 7)
    let github = FakeGitHub(repositories: repositories) { $0.starred = repositories.map(\.fullName) }
    try await withFake(github, token: "t0ken") { provider, _ in
      let samples = ProviderComplianceTests.Samples(
        words: ["for"], qualifiers: ["stars:>10", "archived:false", "fork:false"], kinds: [.repo])
      let report = await ProviderComplianceTests(provider: provider, samples: samples).run()
      #expect(report.failures.isEmpty, "\(report)")
    }
  }

  /// The same for every other kind; the qualifiers are those that the items can tell about.
  @Test(
    arguments: [
      (.code, ["path:docs", "user:alder", "extension:md"]),
      (
        .issue,
        [
          "is:open", "is:pr", "label:bug", "comments:>10", "state:closed", "author:ada", "type:issue",
          "created:>2018-01-01", "closed:>2018-01-01", "merged:<2020-01-01", "is:merged", "is:draft",
          "is:locked", "draft:true", "reason:completed", "assignee:bao", "milestone:1.0", "reactions:>3",
          "user:alder", "author:app/robot", "label:bug,docs",
        ]
      ),
      (
        .commit,
        [
          "author:ada", "author-name:chidi", "author-date:>2018-01-01", "committer-date:<2019-01-01",
          "merge:true", "user:birch-labs",
        ]
      ),
      (.user, ["type:org"]),
      (.topic, ["is:curated", "is:not-featured", "created:>2018-01-01"]),
    ] as [(ResultKind, [String])])
  func everyKindComplies(kind: ResultKind, qualifiers: [String]) async throws {
    try await withFake(FakeGitHub.world(count: 40, seed: 7), token: "t0ken") { provider, _ in
      let samples = ProviderComplianceTests.Samples(
        words: ["for"], qualifiers: qualifiers, kinds: [kind])
      let report = await ProviderComplianceTests(provider: provider, samples: samples).run()
      #expect(report.failures.isEmpty, "\(report)")
    }
  }
}
