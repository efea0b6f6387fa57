import ForageTesting

/// The rules of the provider contract that the bookshelf breaks; empty if it keeps them all.
func brokenRules() async -> [String] {
  let samples = ProviderComplianceTests.Samples(words: ["programming"], qualifiers: ["author:knuth"])
  let report = await ProviderComplianceTests(provider: Bookshelf(), samples: samples).run()
  return report.failures.map(\.description)
}
