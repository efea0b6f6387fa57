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
        words: ["for"], qualifiers: ["stars:>10", "archived:false", "fork:false"], sendsRequests: true)
      let report = await ProviderComplianceTests(provider: provider, samples: samples).run()
      #expect(report.failures.isEmpty, "\(report)")
    }
  }
}
