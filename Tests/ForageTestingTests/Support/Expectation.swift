import ForageCore
import ForageTesting
import Testing

/// Runs the checks on a provider, and expects that just some fail, the first with a certain line.
func expect(
  _ provider: any SearchProvider, fails checks: [String], line: String,
  samples: ProviderComplianceTests.Samples = Shelf.samples,
  make: (@Sendable () async throws -> any SearchProvider)? = nil,
  at location: SourceLocation = #_sourceLocation
) async {
  let report = await ProviderComplianceTests(
    provider: provider, samples: samples, make: make ?? { provider }
  ).run()
  #expect(report.failedChecks == checks, "\(report)", sourceLocation: location)
  #expect(report.failures.first?.description == line, sourceLocation: location)
}
